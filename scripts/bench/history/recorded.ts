import { recordFrameInBatches } from "../../../src/import/quotes/record-frame.ts";
import { type Change, encodeSegment, type FrameQuote } from "../../../src/store/codec/frame-segment.ts";
import { type Database, openWriter, writeTransaction } from "../../../src/store/database.ts";
import { type BatchStats, importBusyMs } from "../../../src/store/write/batches.ts";
import { FeedWriter } from "../../../src/store/write/feeds.ts";
import { FrameWriter } from "../../../src/store/write/frames.ts";
import { hourMs } from "../../../src/values/calendar.ts";
import { systemClock } from "../../../src/values/clock.ts";
import type { Progress } from "../../../src/values/progress.ts";
import { firstHour, Market, slots, slugOf } from "./market.ts";

export const firstDay = firstHour / 24;
/** Six asks an hour for so many days are 1,008 rows: a full page and the beginning of the next. */
export const recordedDays = 7;
/** The day after the recorded ones, on which the histories are read. */
export const today = firstDay + recordedDays;
export const pageRows = 1000;
export const windowDays = 366;
/** One item in so many has a year of daily rows. */
export const dailyEvery = 10;
export const dailyProvider = slugOf(1);

const feed = "market";
const providers = [...new Set(slots.map(({ provider }) => provider))].sort((a, b) => a - b).map(slugOf);

/** Adds to a file with a catalog a week of hourly frames of every item but the last one, and a year of daily rows. */
export function recordHistory(path: string, items: number, progress: Progress): void {
  const database = openWriter(path, importBusyMs);
  try {
    database.$client.pragma("synchronous = OFF");
    addMarketFeed(database);
    const market = new Market({ items, days: 1 });
    progress.phase("recording frames, days", recordedDays);
    for (let day = firstDay; day < today; day += 1) {
      storeDay(database, market, { day, hours: 24 });
      progress.advance(1);
    }
    progress.phase("recording daily rows");
    writeTransaction(database, () => {
      database.$client.prepare("UPDATE feed_days SET settled_at = 0").run();
      addYear(database, items);
    });
    // What is not on the disk yet would be brought there beside what is measured.
    database.$client.pragma("synchronous = FULL");
    database.$client.pragma("wal_checkpoint(TRUNCATE)");
  } finally {
    database.$client.close();
  }
}

export function addMarketFeed(database: Database): void {
  const sides = providers.map((provider) => ({
    provider,
    name: provider,
    kind: "cash" as const,
    hasAsks: true,
    hasBids: true,
  }));
  const facts = { feed, adapter: "canonical" as const, providers: sides };
  writeTransaction(database, () => {
    new FeedWriter(database).record(facts, sides, { checkedAt: 0, ingestedAt: 0, itemCount: 0 });
    new FrameWriter(database).addNumbers(providers);
  });
}

/** Writes one frame of the market as a mirror does; hours count from the market's first. */
export function writeFrame(database: Database, market: Market, hour: number): Generator<BatchStats, unknown> {
  const times = timesOf(firstHour + hour);
  return recordFrameInBatches(database, { ...market.frame(hour), feed }, times, { clock: systemClock });
}

/** Stores the first hours of the market as those of `day`: what `writeFrame` leaves behind after as many frames, all at once. */
export function storeDay(database: Database, market: Market, { day, hours }: { day: number; hours: number }): void {
  const rows = new FrameWriter(database);
  const numbers = rows.numbers();
  const numberOf = slots.map(({ provider }) => numbers.get(slugOf(provider))!);
  writeTransaction(database, () => {
    for (let itemId = 0; itemId < market.items; itemId += 1) {
      const changes = encodeSegment({ day, itemId, feed }, changesOf(market, itemId, hours, numberOf));
      rows.putSegment({ day, feed }, { itemId, changes });
    }
    const counts = { items: market.items, quotes: market.items * slots.length };
    for (let hour = day * 24; hour < day * 24 + hours; hour += 1) {
      rows.addFrame(day, { hour, feed, ...timesOf(hour), ...counts });
    }
  });
}

function changesOf(market: Market, item: number, hours: number, numberOf: readonly number[]): Change[] {
  const changes: Change[] = [];
  let state: readonly FrameQuote[] = [];
  for (let hour = 0; hour < hours; hour += 1) {
    const changed = market.changes(item, hour);
    if (changed.length === 0) continue;
    const next = [...state];
    for (const { slot, ...quote } of changed) {
      next[slot] = { provider: numberOf[slot]!, side: slots[slot]!.side, ...quote };
    }
    state = next;
    changes.push({ hour, state });
  }
  return changes;
}

function addYear({ $client: client }: Database, items: number): void {
  // Numbers stand in the text: bound ones would be fractions to SQLite.
  client
    .prepare(
      `WITH RECURSIVE
         item(id) AS (SELECT 1 UNION ALL SELECT id + ${dailyEvery} FROM item WHERE id + ${dailyEvery} < ${items}),
         day(day) AS (SELECT ${today - windowDays} UNION ALL SELECT day + 1 FROM day WHERE day < ${today - 1}),
         price(id, day, amount) AS (SELECT id, day, 100 + (id * 7919 + day * 31) % 90000 FROM item CROSS JOIN day)
       INSERT INTO daily_prices(item_id, side, day, provider, amount, low_amount, high_amount, observations, quantity,
         source_observed_at, recorded_at, import_id, seal)
       SELECT id, 'ask', day, ?, amount, amount - amount / 20, amount + amount / 20, 24, 1 + (id + day) % 60,
         day * 86400000 + 86340000, day * 86400000 + 86340123, NULL, 0 FROM price`,
    )
    .run(dailyProvider);
}

function timesOf(hour: number) {
  // As a mirror has it: a body taken in a while ago, and verified in the hour.
  const checkedAt = hour * hourMs + 61_003;
  return { verifiedBy: "body" as const, ingestedAt: checkedAt - 90_001, checkedAt, recordedAt: checkedAt };
}
