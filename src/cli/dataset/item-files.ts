import { statSync } from "node:fs";
import { join } from "node:path";
import type { Database } from "../../store/database.ts";
import { DatasetRows } from "../../store/read/dataset-rows.ts";
import { SealedDaysStore } from "../../store/read/sealed-days.ts";
import { dayText, parseDay } from "../../values/time/calendar.ts";
import type { PlainColumn } from "../export/row-groups.ts";
import type { DatasetFile } from "./index-file.ts";
import { sha256Of, writeTable } from "./table-file.ts";

const buckets = 64;

type ItemParts = { folder: string; since: number; left: readonly string[]; before: ReadonlyMap<string, DatasetFile> };

/**
 * Writes the daily rows of whole months by item: a file per month and bucket of ids, apart from the days, so that a history of one item is a
 * few requests. A month is written when all its days are sealed and the file has ordered them by item. Other files of the month stay.
 */
export function writeItemMonths(database: Database, { folder, since, left, before }: ItemParts): DatasetFile[] {
  const rows = new DatasetRows(database);
  const files: DatasetFile[] = [];
  for (const [month, source] of monthsOf(database, rows)) {
    for (let bucket = 0; bucket < buckets; bucket += 1) {
      const path = `by-item/month=${month}/bucket=${String(bucket).padStart(2, "0")}.parquet`;
      const kept = before.get(path);
      const isThere =
        kept !== undefined && statSync(join(folder, path), { throwIfNoEntry: false })?.size === kept.bytes;
      if (isThere && (source === null || kept.month?.source === source)) files.push(kept);
      else if (source !== null && parseDay(`${month}-01`)! >= since)
        files.push(writeBucket(rows, { folder, left }, { month, bucket, source, path }));
    }
  }
  return files;
}

type Bucket = { month: string; bucket: number; source: string; path: string };

function writeBucket(
  rows: DatasetRows,
  { folder, left }: Pick<ItemParts, "folder" | "left">,
  { month, bucket, source, path }: Bucket,
): DatasetFile {
  const from = parseDay(`${month}-01`)!;
  const columns: readonly PlainColumn[] = rows.itemColumns;
  const at = columns.findIndex(({ name }) => name === "provider");
  const providers = new Set<string>();
  const made = writeTable(folder, path, columns, (add) => {
    for (const values of rows.itemRows({ bucket, buckets, from, to: from + 30, month, left })) {
      providers.add(String(values[at]));
      add(values);
    }
    return true;
  });
  return { ...made!, providers: [...providers].sort(), day: null, month: { month, bucket, source } };
}

/** Returns each month with sealed days and a digest of its revisions. The digest is null while the month may change or is not ordered. */
function monthsOf(database: Database, rows: DatasetRows): Map<string, string | null> {
  const days = new SealedDaysStore(database);
  const inForce = days.daysInForce();
  const months = Map.groupBy(inForce, ({ day }) => dayText(day).slice(0, 7));
  const newest = dayText(inForce.at(-1)?.day ?? 0).slice(0, 7);
  const open = new Set(rows.unorderedDays().map((day) => dayText(day).slice(0, 7)));
  return new Map(
    [...months].map(([month, of]) => {
      const text = of
        .map(({ day, revision }) => `${day} ${days.current(day)!.digest.toString("hex")} ${revision}`)
        .join("\n");
      return [month, month >= newest || open.has(month) ? null : sha256Of(Buffer.from(text))];
    }),
  );
}
