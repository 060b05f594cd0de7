import { type Progress, silent } from "../../values/progress.ts";
import type { Clock } from "../../values/time/clock.ts";
import { dailyColumns } from "../codec/daily-checksum.ts";
import type { Database } from "../database.ts";
import { type BatchStats, inLargeTransactions, inOneTransaction } from "./batches.ts";
import { dailyRowBytes, firstRecentDay } from "./daily-prices.ts";

/** `left` is whether past days still have rows in day order. */
type Moved = { left: boolean };
/** `stepsMax` is the maximum number of transactions in one call. */
type MoveOptions = { progress?: Progress; stepsMax?: number };

/** Items per read. */
const itemsRead = 64;
/** Rows removed per transaction. */
const rowsRemoved = 4000;

/**
 * Moves the daily rows of past months from day order into item order, all rows of an item together. A step copies the rows of several items
 * and raises `moved_to` in one transaction. Readers therefore find each row once. Afterwards it removes the copied rows in day order, which
 * readers ignore. After a kill, the next call completes the work. The caller holds the import lock. Not built by Drizzle: bulk statements.
 */
export function* moveDaysInBatches(
  database: Database,
  today: number,
  clock: Clock,
  { progress = silent, stepsMax = Number.POSITIVE_INFINITY }: MoveOptions = {},
): Generator<BatchStats, Moved> {
  const before = firstRecentDay(today);
  let steps = 0;
  for (const batch of stepsOf(database, before, clock, progress)) {
    yield batch;
    steps += 1;
    if (steps >= stepsMax) return { left: hasPastDays(database, before) };
  }
  return { left: false };
}

function hasPastDays({ $client: client }: Database, before: number): boolean {
  return client.prepare("SELECT 1 FROM recent_days WHERE day < ?").get(before) !== undefined;
}

function* stepsOf(database: Database, before: number, clock: Clock, progress: Progress): Generator<BatchStats> {
  const statements = prepare(database);
  const { copiedTo, lastItem, insert, raise, past } = statements;
  const first = copiedTo.get({ before }) ?? null;
  if (first === null) return;
  const last = lastItem.get({ before }) ?? first;
  progress.phase("moving daily rows of past months", Math.max(0, last - first));
  const put = ({ rows }: ItemRows) => {
    for (const row of rows) insert.run(...row);
  };
  const pageBytes = database.$client.pragma("page_size", { simple: true }) as number;
  // Each side of an item has its own pages.
  const bytesOf = ({ rows }: ItemRows) => (rows.length === 0 ? 0 : 2 * pageBytes + rows.length * dailyRowBytes);
  const copied = (items: readonly ItemRows[]) => void raise.run({ before, itemId: items.at(-1)!.itemId });
  const items = itemsOf(statements, before, first, last);
  for (const batch of inLargeTransactions(database, clock, items, put, bytesOf, copied)) {
    progress.advance(batch.rows);
    yield batch;
  }
  const days = past.all({ before });
  progress.phase("removing the copies of moved rows", days.length);
  for (const day of days) {
    yield* removeCopied(database, statements, day, clock);
    progress.advance(1);
  }
}

/** All rows of an item to move, in key order. */
type ItemRows = { itemId: number; rows: unknown[][] };
type DayOfProvider = { day: number; provider: string };
type Statements = ReturnType<typeof prepare>;

/** Yields the items after `first` up to `last`, including items without rows. */
function* itemsOf({ rowsOf }: Statements, before: number, first: number, last: number): Generator<ItemRows> {
  for (let after = first; after < last; after += itemsRead) {
    const upTo = Math.min(after + itemsRead, last);
    const items = Array.from({ length: upTo - after }, (_, index): ItemRows => {
      return { itemId: after + 1 + index, rows: [] };
    });
    for (const row of rowsOf.all({ before, after, upTo })) items[(row[0] as number) - after - 1]!.rows.push(row);
    yield* items;
  }
}

/** Removes the copied rows of a day and provider. The last step also removes the entry in `recent_days`. */
function* removeCopied(
  database: Database,
  { chunkEnd, remove, forget }: Statements,
  day: DayOfProvider,
  clock: Clock,
): Generator<BatchStats> {
  for (let isLeft = true; isLeft; ) {
    const upTo = chunkEnd.get(day) ?? null;
    isLeft = upTo !== null;
    const work = () => {
      remove.run({ ...day, upTo: upTo ?? Number.MAX_SAFE_INTEGER });
      if (upTo === null) forget.run(day);
    };
    yield inOneTransaction(database, clock, work, rowsRemoved);
  }
}

function prepare({ $client: client }: Database) {
  type Before = { before: number };
  const ofDay = "day = @day AND provider = @provider";
  return {
    /** Last item with copied rows of all past days. Null if no past day has rows. */
    copiedTo: client
      .prepare<[Before], number | null>("SELECT min(moved_to) FROM recent_days WHERE day < @before")
      .pluck(true),
    lastItem: client
      .prepare<[Before], number | null>(
        `SELECT max((SELECT max(item_id) FROM daily_by_day AS d WHERE d.day = r.day AND d.provider = r.provider))
         FROM recent_days AS r WHERE day < @before`,
      )
      .pluck(true),
    rowsOf: client
      .prepare<[Before & { after: number; upTo: number }], unknown[]>(
        `SELECT d.* FROM recent_days AS r CROSS JOIN daily_by_day AS d ON d.day = r.day AND d.provider = r.provider
           AND d.item_id > max(r.moved_to, @after) AND d.item_id <= @upTo
         WHERE r.day < @before ORDER BY d.item_id, d.side, d.day, d.provider`,
      )
      .raw(true),
    insert: client.prepare<unknown[]>(
      `INSERT INTO daily_by_item (${dailyColumns}, seal) VALUES (${Array(13).fill("?").join()})`,
    ),
    raise: client.prepare<[Before & { itemId: number }]>(
      "UPDATE recent_days SET moved_to = @itemId WHERE day < @before AND moved_to < @itemId",
    ),
    past: client.prepare<[Before], DayOfProvider>(
      "SELECT day, provider FROM recent_days WHERE day < @before ORDER BY day, provider",
    ),
    chunkEnd: client
      .prepare<[DayOfProvider], number>(
        `SELECT item_id FROM daily_by_day WHERE ${ofDay} ORDER BY item_id LIMIT 1 OFFSET ${rowsRemoved}`,
      )
      .pluck(true),
    remove: client.prepare<[DayOfProvider & { upTo: number }]>(
      `DELETE FROM daily_by_day WHERE ${ofDay} AND item_id <= @upTo`,
    ),
    forget: client.prepare<[DayOfProvider]>(`DELETE FROM recent_days WHERE ${ofDay}`),
  };
}
