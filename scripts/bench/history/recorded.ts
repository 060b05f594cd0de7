import type { ItemQuotes } from "../../../src/import/quotes/merge-quotes.ts";
import { recordFrameInBatches } from "../../../src/import/quotes/record-frame.ts";
import { type Change, encodeSegment, isSameState } from "../../../src/store/codec/frame-segment.ts";
import { type Database, openWriter, writeTransaction } from "../../../src/store/database.ts";
import { type BatchStats, importBusyMs } from "../../../src/store/write/batches.ts";
import { FeedWriter } from "../../../src/store/write/feeds.ts";
import { FrameWriter } from "../../../src/store/write/frames.ts";
import { hourMs } from "../../../src/values/calendar.ts";
import { systemClock } from "../../../src/values/clock.ts";
import { firstDay, marketQuotes, providers, quotesPerItem } from "./market.ts";

/** Six asks an hour for so many days are 1,008 rows: a full page and the beginning of the next. */
export const recordedDays = 7;
/** The day after the recorded ones, on which the histories are read. */
export const today = firstDay + recordedDays;
export const pageRows = 1000;
export const windowDays = 366;
/** One item in so many has a year of daily rows. */
export const dailyEvery = 10;
export const dailyProvider = "provider-1";

const feed = "market";

/** Adds to a file with a catalog a week of hourly frames of every item but the last one, and a year of daily rows. */
export function recordHistory(path: string, items: number): void {
  const database = openWriter(path, importBusyMs);
  database.$client.pragma("synchronous = OFF");
  addMarketFeed(database);
  const days = Array.from({ length: recordedDays }, (_, index) => firstDay + index);
  storeDays(database, items, days, 24);
  database.$client.prepare("UPDATE feed_days SET settled_at = 0").run();
  const dailyItems = { first: 1, every: dailyEvery, last: items - 1 };
  addDailyAsks(database, dailyItems, [dailyProvider], { days: windowDays, today });
  flush(database);
  database.$client.close();
}

/** Brings everything to the disk now, instead of during a measurement. */
export function flush({ $client: client }: Database): void {
  client.pragma("synchronous = FULL");
  client.pragma("wal_checkpoint(TRUNCATE)");
}

/** Adds the feed of the market with its providers. */
export function addMarketFeed(database: Database): void {
  const kind = "cash" as const;
  const sides = providers.map((provider) => ({ provider, name: provider, kind, hasAsks: true, hasBids: true }));
  const facts = { feed, adapter: "canonical" as const, providers: sides };
  writeTransaction(database, () => {
    new FeedWriter(database).record(facts, sides, { checkedAt: 0, ingestedAt: 0, itemCount: 0 });
    new FrameWriter(database).addNumbers(providers);
  });
}

/** Writes one frame of the market as a mirror does; hours count from the market's first. */
export function writeFrame(database: Database, itemCount: number, hour: number): Generator<BatchStats, unknown> {
  const items = new Map<number, ItemQuotes>();
  for (let item = 0; item < itemCount; item += 1) {
    const quotes = marketQuotes(item, hour).map((quote) => ({ ...quote, amountCents: quote.amount, url: null }));
    const ofSide = (side: "ask" | "bid") => quotes.filter((quote) => quote.side === side);
    items.set(item, { asks: ofSide("ask"), bids: ofSide("bid") });
  }
  const content = { feed, items, itemsWithoutQuote: new Set<number>() };
  return recordFrameInBatches(database, content, timesOf(firstDay * 24 + hour), { clock: systemClock });
}

/** Stores the first hours of the market as those of each day, as `writeFrame` would frame by frame, but all at once. */
export function storeDays(database: Database, items: number, days: readonly number[], hours: number): void {
  const rows = new FrameWriter(database);
  const numbers = rows.numbers();
  writeTransaction(database, () => {
    for (let itemId = 0; itemId < items; itemId += 1) {
      const changes: Change[] = [];
      for (let hour = 0; hour < hours; hour += 1) {
        const state = marketQuotes(itemId, hour).map((quote) => ({ ...quote, provider: numbers.get(quote.provider)! }));
        if (!isSameState(changes.at(-1)?.state ?? null, state)) changes.push({ hour, state });
      }
      for (const day of days)
        rows.putSegment({ day, feed }, { itemId, changes: encodeSegment({ day, itemId, feed }, changes) });
    }
    const counts = { items, quotes: items * quotesPerItem };
    for (const day of days) {
      for (let hour = day * 24; hour < day * 24 + hours; hour += 1)
        rows.addFrame(day, { hour, feed, ...timesOf(hour), ...counts });
    }
  });
}

/** Returns the times of a frame as a mirror has them: taken in a while ago, and verified in the hour. */
export function timesOf(hour: number) {
  const checkedAt = hour * hourMs + 61_003;
  return { verifiedBy: "body" as const, ingestedAt: checkedAt - 90_001, checkedAt, recordedAt: checkedAt };
}

/** Adds daily asks of every `every`th item to a file, for the `days` before `today`. */
export function addDailyAsks(
  { $client: client }: Database,
  { first, every, last }: { first: number; every: number; last: number },
  providers: readonly string[],
  { days, today }: { days: number; today: number },
): void {
  // Numbers stand in the text: bound ones would be fractions to SQLite.
  client
    .prepare(
      `WITH RECURSIVE
         item(id) AS (SELECT ${first} UNION ALL SELECT id + ${every} FROM item WHERE id + ${every} <= ${last}),
         day(day) AS (SELECT ${today - days} UNION ALL SELECT day + 1 FROM day WHERE day < ${today - 1}),
         price(item_id, day, amount) AS (SELECT id, day, 100 + (id * 7919 + day * 31) % 90000 FROM item CROSS JOIN day)
       INSERT INTO daily_prices(item_id, side, day, provider, amount, low_amount, high_amount, observations, quantity,
         source_observed_at, recorded_at, import_id, seal)
       SELECT item_id, 'ask', day, provider.value, amount, amount - amount / 20, amount + amount / 20, 24,
         1 + (item_id + day) % 60, day * 86400000 + 86340000, day * 86400000 + 86340123, NULL, 0
       FROM price CROSS JOIN json_each(?) AS provider`,
    )
    .run(JSON.stringify(providers));
}
