import { sha256Of } from "../../releases/manifest.ts";
import type { Database } from "../../store/database.ts";
import { DatasetRows } from "../../store/read/dataset-rows.ts";
import { SealedDaysStore } from "../../store/read/sealed-days.ts";
import { dayText, parseDay } from "../../values/time/calendar.ts";
import type { PlainColumn } from "../export/row-groups.ts";
import { type BuildParts, isThere } from "./draft.ts";
import type { DatasetFile } from "./index-file.ts";
import { type AddRow, writeTable } from "./table-file.ts";

const buckets = 64;
const daysPerStep = 7;

/**
 * Writes the daily rows by item: a file per month and bucket of ids, apart from the days, so that a history of one item is a few requests.
 * The newest month grows by `daysPerStep` days, so that a reader of its other days needs few requests more. A month with a day that changed
 * after its seal stays as it is.
 */
export function writeItemMonths(database: Database, parts: BuildParts): DatasetFile[] {
  const rows = new DatasetRows(database);
  const files: DatasetFile[] = [];
  for (const month of monthsOf(database, rows, parts)) {
    for (let bucket = 0; bucket < buckets; bucket += 1) {
      const path = pathOf(month.name, bucket);
      const kept = parts.before.get(path);
      const isUsable = kept !== undefined && isThere(parts.folder, kept) && parts.isAllowed(kept);
      if (isUsable && (month.source === null || (kept.month?.source === month.source && parts.isWhole(kept))))
        files.push(kept);
      else if (month.source !== null)
        files.push(writeBucket(rows, parts, { month, bucket, path, source: month.source }));
    }
  }
  return files;
}

/** Days (since 1970) of a month, and a digest of their revisions, null while they may change. */
type Month = { name: string; from: number; to: number; source: string | null };
type Bucket = { month: Month; bucket: number; source: string; path: string };

function writeBucket(
  rows: DatasetRows,
  { draft, left }: BuildParts,
  { month: { name, from, to }, bucket, source, path }: Bucket,
): DatasetFile {
  const columns: readonly PlainColumn[] = rows.itemColumns;
  const at = columns.findIndex(({ name }) => name === "provider");
  const [providers, without] = [new Set<string>(), new Set<string>()];
  const fill = (add: AddRow) => {
    for (const values of rows.itemRows({ bucket, buckets, from, to })) {
      const provider = String(values[at]);
      if (left.has(provider)) without.add(provider);
      else {
        providers.add(provider);
        add(values);
      }
    }
    return true;
  };
  const made = writeTable(draft, path, columns, fill, { byItem: true });
  const month = { month: name, from: dayText(from), until: dayText(to), source };
  return { ...made!, providers: [...providers].sort(), without: [...without].sort(), month };
}

/** Returns the months with sealed days, the newest one if it has at least `daysPerStep`. A month begins with the folder's first day of it. */
function monthsOf(database: Database, rows: DatasetRows, { since, before }: BuildParts): Month[] {
  const sealed = new SealedDaysStore(database);
  const inForce = sealed.daysInForce();
  const newest = inForce.at(-1)?.day ?? 0;
  const unsealed = rows.unsealedDays();
  return [...Map.groupBy(inForce, ({ day }) => dayText(day).slice(0, 7))].flatMap(([name, days]): Month[] => {
    const first = parseDay(`${name}-01`)!;
    const sinceFirst = newest + 1 - first;
    const length = daysInMonth(name);
    const to = first - 1 + (sinceFirst >= length ? length : sinceFirst - (sinceFirst % daysPerStep));
    const had = parseDay(before.get(pathOf(name, 0))?.month?.from ?? "") ?? since;
    const from = Math.max(first, Math.min(since, had));
    const revisions = days
      .filter(({ day }) => day >= from && day <= to)
      .map(({ day, revision }) => `${day} ${sealed.current(day)!.digest.toString("hex")} ${revision}`);
    if (revisions.length === 0) return [];
    const mayChange = unsealed.some((day) => day >= from && day <= to);
    const source = mayChange ? null : sha256Of(Buffer.from(`${from} ${to} ${revisions.join("\n")}`));
    return [{ name, from, to, source }];
  });
}

function pathOf(month: string, bucket: number): string {
  return `by-item/month=${month}/bucket=${String(bucket).padStart(2, "0")}.parquet`;
}

function daysInMonth(month: string): number {
  return new Date(Date.UTC(Number(month.slice(0, 4)), Number(month.slice(5)), 0)).getUTCDate();
}
