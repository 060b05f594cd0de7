import type { DailyWithoutChecksum } from "../../store/codec/daily-checksum.ts";
import type { DailyPriceWriter, DailyRow } from "../../store/write/daily-prices.ts";
import { eventChangesMax, type InterruptedWrites, type ValueChange } from "../../store/write/data-events.ts";
import { displayText } from "../../values/text/display-text.ts";
import { dayText } from "../../values/time/calendar.ts";
import type { DailyBook } from "./join.ts";
import type { DailyPoint } from "./reading.ts";

/** Stored rows that differ from the body: counts by origin, and the first few. */
export type Differing = { recorded: number; imported: number; examples: string[] };

/** Numbers of added and replaced rows of a day, and the first replaced amounts. */
export type DayWrites = { added: number; replaced: number; changes: ValueChange[] };

type DailyMerge = {
  added: number;
  same: number;
  /** Rows that were kept or replaced, depending on the call. */
  differing: Differing;
  writes: DailyWrite[];
  /** The written rows by day, and the rows of `resumed`. */
  days: Map<number, DayWrites>;
};

export type DailyWrite = Omit<DailyWithoutChecksum, "recordedAt" | "importId">;

const examplesMax = 5;

/**
 * Compares books with the stored rows of `provider`. With `replace`, differing rows are written too. `resumed` finds the rows of
 * interrupted imports of the same file. Results are ascending in item, side and day.
 */
export function mergeDaily(
  store: DailyPriceWriter,
  books: readonly (DailyBook & { itemId: number })[],
  provider: string,
  { replace, resumed }: { replace: boolean; resumed: InterruptedWrites },
): DailyMerge {
  const differing = { recorded: 0, imported: 0, examples: [] };
  const merge: DailyMerge = { added: 0, same: 0, differing, writes: [], days: new Map() };
  const ordered = books.toSorted((a, b) => a.itemId - b.itemId || (a.side < b.side ? -1 : 1));
  for (const { itemId, side, label, points } of ordered) {
    const [first, last] = [points[0], points.at(-1)];
    if (first === undefined || last === undefined) continue;
    const stored = store.within({ itemId, side, provider, from: first.day, to: last.day });
    const rows = new Map(stored.map((row) => [row.day, row]));
    for (const point of points) {
      const row = rows.get(point.day);
      const isNeeded = compare(merge, row, point, label);
      const isWritten = isNeeded === "new" || (isNeeded === "differs" && replace);
      if (isWritten) merge.writes.push({ itemId, side, provider, ...point });
      const before = isWritten ? (row?.amount ?? null) : isNeeded === "same" ? resumed(row!) : undefined;
      if (before === undefined) continue;
      const ofDay = merge.days.get(point.day) ?? { added: 0, replaced: 0, changes: [] };
      merge.days.set(point.day, ofDay);
      ofDay[before === null ? "added" : "replaced"] += 1;
      if (before === null || ofDay.changes.length === eventChangesMax) continue;
      ofDay.changes.push({ field: `${side}_cents`, itemId, before: String(before), after: String(point.amount) });
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
