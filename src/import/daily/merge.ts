import type { DailyWithoutChecksum } from "../../store/codec/daily-checksum.ts";
import type { DailyPriceWriter, DailyRow } from "../../store/write/daily-prices.ts";
import { displayText } from "../../values/text/display-text.ts";
import { dayText } from "../../values/time/calendar.ts";
import type { DailyBook } from "./join.ts";
import type { DailyPoint } from "./reading.ts";

/** Stored rows that differ from the body: counts by origin, and the first few. */
export type Differing = { recorded: number; imported: number; examples: string[] };

type DailyMerge = {
  added: number;
  same: number;
  /** Rows that were kept or replaced, depending on the call. */
  differing: Differing;
  writes: DailyWrite[];
};

export type DailyWrite = Omit<DailyWithoutChecksum, "recordedAt" | "importId">;

const examplesMax = 5;

/**
 * Compares books with the stored rows of `provider`. With `replace`, differing rows are written too. Results are ascending in item, side
 * and day.
 */
export function mergeDaily(
  store: DailyPriceWriter,
  books: readonly (DailyBook & { itemId: number })[],
  provider: string,
  replace: boolean,
): DailyMerge {
  const merge: DailyMerge = { added: 0, same: 0, differing: { recorded: 0, imported: 0, examples: [] }, writes: [] };
  const ordered = books.toSorted((a, b) => a.itemId - b.itemId || (a.side < b.side ? -1 : 1));
  for (const { itemId, side, label, points } of ordered) {
    const [first, last] = [points[0], points.at(-1)];
    if (first === undefined || last === undefined) continue;
    const stored = store.within({ itemId, side, provider, from: first.day, to: last.day });
    const rows = new Map(stored.map((row) => [row.day, row]));
    for (const point of points) {
      const isNeeded = compare(merge, rows.get(point.day), point, label);
      if (isNeeded === "new" || (isNeeded === "differs" && replace)) {
        merge.writes.push({ itemId, side, provider, ...point });
      }
    }
  }
  return merge;
}

function compare(merge: DailyMerge, row: DailyRow | undefined, point: DailyPoint, label: string) {
  if (row === undefined) {
    merge.added += 1;
    return "new";
  }
  if ((Object.keys(point) as (keyof DailyPoint)[]).every((key) => row[key] === point[key])) {
    merge.same += 1;
    return "same";
  }
  const { differing } = merge;
  const origin = row.importId === null ? "recorded" : "imported";
  differing[origin] += 1;
  if (differing.examples.length < examplesMax) {
    const amounts = `${origin} ${row.amount}, here ${point.amount}`;
    differing.examples.push(displayText(`${label} ${dayText(point.day)} ${row.side}: ${amounts}`));
  }
  return "differs";
}
