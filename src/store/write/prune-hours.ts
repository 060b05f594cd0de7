import { type Progress, silent } from "../../values/progress.ts";
import { dayText } from "../../values/time/calendar.ts";
import type { Clock } from "../../values/time/clock.ts";
import type { Database } from "../database.ts";
import { type BatchStats, inOneTransaction, inShortTransactions } from "./batches.ts";

/** One UTC day (days since 1970) and its feeds with removable hourly data: `segments` rows with `bytes` of content. */
type PrunableDay = { day: number; feeds: string[]; hours: number; segments: number; bytes: number };

/** `days` can be pruned. `unfinalized` lists feed days without stored daily rows, which remain. */
export type Prunable = { days: PrunableDay[]; unfinalized: { day: number; feed: string }[] };

/** Item ids per statement, so that other writers wait only briefly. */
const itemsOfRange = 1000;

/** Reads the finalized days before `before` that have hourly data, in ascending order. Includes days with an interrupted pruning. */
export function readPrunable({ $client: client }: Database, before: number): Prunable {
  const rows = client
    .prepare<[number], { day: number; feed: string; hours: number; isFinalized: number }>(
      `SELECT day, feed, hours, settled_at IS NOT NULL AS isFinalized FROM feed_days WHERE day < ?
         AND (pruned_at IS NULL OR EXISTS (SELECT 1 FROM frame_segments AS left WHERE left.day = feed_days.day AND left.feed = feed_days.feed))
       ORDER BY day, feed`,
    )
    .all(before);
  const sizes = client.prepare<[number], { feed: string; segments: number; bytes: number }>(
    "SELECT feed, count(*) AS segments, sum(octet_length(changes)) AS bytes FROM frame_segments WHERE day = ? GROUP BY feed",
  );
  const days = new Map<number, PrunableDay>();
  for (const { day, feed, hours, isFinalized } of rows) {
    if (isFinalized === 0) continue;
    const known = days.get(day) ?? { day, feeds: [], hours: 0, segments: 0, bytes: 0 };
    days.set(day, known);
    known.feeds.push(feed);
    known.hours += countBits(hours);
  }
  for (const day of days.values()) {
    for (const { feed, segments, bytes } of sizes.all(day.day)) {
      if (!day.feeds.includes(feed)) continue;
      day.segments += segments;
      day.bytes += bytes;
    }
  }
  return { days: [...days.values()], unfinalized: rows.filter(({ isFinalized }) => isFinalized === 0) };
}

/**
 * Removes the segments and refused names of the frames of these days. A first transaction marks each day, so that readers ignore its hours
 * and the removal may be interrupted. Frames, daily rows and all other rows remain. The caller holds the import lock.
 */
export function* pruneHoursInBatches(
  database: Database,
  days: readonly PrunableDay[],
  clock: Clock,
  progress: Progress = silent,
): Generator<BatchStats> {
  const statements = prepare(database);
  progress.phase("pruning", days.length);
  for (const { day, feeds } of days) {
    yield inOneTransaction(database, clock, () => {
      for (const feed of feeds) {
        statements.mark.run(clock.now(), day, feed);
        statements.removeNames.run(day, feed);
        statements.removeRetracted.run({ day, feed });
      }
    });
    for (const feed of feeds) {
      const ranges = rangesOf(statements.lastItem.get(day, feed) ?? -1);
      yield* inShortTransactions(database, clock, ranges, ([first, last]) =>
        statements.removeSegments.run({ day, feed, first, last }),
      );
    }
    progress.advance(1, dayText(day));
  }
}

/** Returns the bytes of free pages in the file, which are reused before the file grows. */
export function freeBytes({ $client: client }: Database): number {
  const pragma = (name: string) => client.pragma(name, { simple: true }) as number;
  return pragma("freelist_count") * pragma("page_size");
}

function rangesOf(lastItem: number): (readonly [first: number, last: number])[] {
  const count = Math.ceil((lastItem + 1) / itemsOfRange);
  return Array.from({ length: count }, (_, index) => [index * itemsOfRange, (index + 1) * itemsOfRange - 1] as const);
}

function countBits(bits: number): number {
  let count = 0;
  for (let left = bits; left !== 0; left >>>= 1) count += left & 1;
  return count;
}

/** Not built by Drizzle: the statements remove ranges of rows and map none. */
function prepare({ $client: client }: Database) {
  return {
    mark: client.prepare<[number, number, string]>(
      "UPDATE feed_days SET pruned_at = ? WHERE day = ? AND feed = ? AND settled_at IS NOT NULL AND pruned_at IS NULL",
    ),
    removeRetracted: client.prepare<[{ day: number; feed: string }]>(
      "DELETE FROM retracted_segments WHERE hour BETWEEN @day * 24 AND @day * 24 + 23 AND feed = @feed",
    ),
    removeNames: client.prepare<[number, string]>("DELETE FROM frame_names WHERE day = ? AND feed = ?"),
    lastItem: client
      .prepare<[number, string], number>("SELECT max(item_id) FROM frame_segments WHERE day = ? AND feed = ?")
      .pluck(),
    removeSegments: client.prepare<[{ day: number; feed: string; first: number; last: number }]>(
      `DELETE FROM frame_segments WHERE day = @day AND feed = @feed AND item_id BETWEEN @first AND @last
         AND EXISTS (SELECT 1 FROM feed_days WHERE day = @day AND feed = @feed AND pruned_at IS NOT NULL)`,
    ),
  };
}
