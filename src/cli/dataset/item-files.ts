import { statSync } from "node:fs";
import { join } from "node:path";
import type { Database } from "../../store/database.ts";
import { DatasetRows } from "../../store/read/dataset-rows.ts";
import { SealedDaysStore } from "../../store/read/sealed-days.ts";
import { dayText, parseDay } from "../../values/time/calendar.ts";
import type { PlainColumn } from "../export/row-groups.ts";
import type { DatasetFile } from "./index-file.ts";
import { type AddRow, sha256Of, writeTable } from "./table-file.ts";

const buckets = 64;
const daysPerStep = 7;

type ItemParts = { folder: string; since: number; left: readonly string[]; before: ReadonlyMap<string, DatasetFile> };

/**
 * Writes the daily rows by item: a file per month and bucket of ids, apart from the days, so that a history of one item is a few requests.
 * The newest month grows by `daysPerStep` days, so that a reader of its other days needs few requests more. A month with a day that changed
 * after its seal stays as it is.
 */
export function writeItemMonths(database: Database, { folder, since, left, before }: ItemParts): DatasetFile[] {
  const rows = new DatasetRows(database);
  const files: DatasetFile[] = [];
  for (const month of monthsOf(database, rows)) {
    for (let bucket = 0; bucket < buckets; bucket += 1) {
      const path = `by-item/month=${month.name}/bucket=${String(bucket).padStart(2, "0")}.parquet`;
      const kept = before.get(path);
      const isThere =
        kept !== undefined && statSync(join(folder, path), { throwIfNoEntry: false })?.size === kept.bytes;
      if (isThere && (month.source === null || kept.month?.source === month.source)) files.push(kept);
      else if (month.source !== null && month.from >= since)
        files.push(writeBucket(rows, { folder, left }, { month, bucket, path, source: month.source }));
    }
  }
  return files;
}

/** Days (since 1970) of a month, and a digest of their revisions, null while they may change. */
type Month = { name: string; from: number; to: number; source: string | null };
type Bucket = { month: Month; bucket: number; source: string; path: string };

function writeBucket(
  rows: DatasetRows,
  { folder, left }: Pick<ItemParts, "folder" | "left">,
  { month: { name, from, to }, bucket, source, path }: Bucket,
): DatasetFile {
  const columns: readonly PlainColumn[] = rows.itemColumns;
  const at = columns.findIndex(({ name }) => name === "provider");
  const providers = new Set<string>();
  const fill = (add: AddRow) => {
    for (const values of rows.itemRows({ bucket, buckets, from, to, left })) {
      providers.add(String(values[at]));
      add(values);
    }
    return true;
  };
  const made = writeTable(folder, path, columns, fill, { byItem: true });
  const month = { month: name, until: dayText(to), bucket, source };
  return { ...made!, providers: [...providers].sort(), day: null, month };
}

/** Returns the months with sealed days, the newest one if it has at least `daysPerStep`. */
function monthsOf(database: Database, rows: DatasetRows): Month[] {
  const sealed = new SealedDaysStore(database);
  const inForce = sealed.daysInForce();
  const newest = inForce.at(-1)?.day ?? 0;
  const unsealed = rows.unsealedDays();
  return [...Map.groupBy(inForce, ({ day }) => dayText(day).slice(0, 7))].flatMap(([name, days]): Month[] => {
    const from = parseDay(`${name}-01`)!;
    const sinceFirst = newest + 1 - from;
    const length = daysInMonth(name);
    const to = from - 1 + (sinceFirst >= length ? length : sinceFirst - (sinceFirst % daysPerStep));
    const revisions = days
      .filter(({ day }) => day <= to)
      .map(({ day, revision }) => `${day} ${sealed.current(day)!.digest.toString("hex")} ${revision}`);
    if (revisions.length === 0) return [];
    const mayChange = unsealed.some((day) => day >= from && day <= to);
    return [{ name, from, to, source: mayChange ? null : sha256Of(Buffer.from(`${to} ${revisions.join("\n")}`)) }];
  });
}

function daysInMonth(month: string): number {
  return new Date(Date.UTC(Number(month.slice(0, 4)), Number(month.slice(5)), 0)).getUTCDate();
}
