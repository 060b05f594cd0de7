import type { ItemQuotes } from "../../../src/import/quotes/merge-quotes.ts";
import { recordFrameInBatches } from "../../../src/import/quotes/record-frame.ts";
import { encodeFrameNames, type HourNames } from "../../../src/store/codec/frame-names.ts";
import { type Change, encodeSegment, isSameState } from "../../../src/store/codec/frame-segment.ts";
import { type Database, openWriter, writeTransaction } from "../../../src/store/database.ts";
import { type BatchStats, importBusyMs } from "../../../src/store/write/batches.ts";
import { FeedWriter } from "../../../src/store/write/feeds.ts";
import { FrameWriter } from "../../../src/store/write/frames.ts";
import { RefusedNameWriter } from "../../../src/store/write/refused-names.ts";
import { dayText, hourMs } from "../../../src/values/calendar.ts";
import { systemClock } from "../../../src/values/clock.ts";

/** Provider and side of each quote of an item: six marketplaces sell, three of them buy. */
const slots = [1, 2, 3, 4, 5, 6, -1, -2, -3].map((number) => ({
  number: Math.abs(number),
  provider: `provider-${Math.abs(number)}`,
  side: number > 0 ? ("ask" as const) : ("bid" as const),
}));
export const providers = slots.filter(({ side }) => side === "ask").map(({ provider }) => provider);
export const quotesPerItem = slots.length;
/** Share of the quotes that change from one hour to the next. */
export const changePercent = 15;
/** Names that join no item, of a hundred items: as in a file of the main platform. */
const refusedPercent = 6;
/** First day of the market, counted since 1970 in UTC. */
export const firstDay = 20_000;

/**
 * Returns the quotes of an item of a synthetic market in an hour from 0 on, a pure function of both. Each hour `changePercent` of
 * all quotes change: the price by 2 or 3 %, at least a cent, half of the time the quantity as well. Two providers of three report
 * quantities. Prices lie between ten cents and a thousand dollars, most of them low. Amounts are USD cents.
 */
export function marketQuotes(item: number, hour: number) {
  return slots.map(({ number, provider, side }, slot) => {
    const phase = hash(item * slots.length + slot) % 100;
    const changes = Math.floor((hour * changePercent + phase) / 100);
    const base = Math.ceil(
      10 ** (1 + 4 * ((hash(item) % 10_000) / 10_000) ** 2) * (side === "ask" ? 1 + number / 20 : 0.8),
    );
    const amount = base + (((changes * 7 + phase) % 5) + 1) * Math.max(1, Math.round(base / 100));
    const quantity = number % 3 === 0 ? null : 1 + (((changes >> 1) * 17 + phase) % 60);
    return { provider, side, amount, quantity, observedAt: null };
  });
}

/**
 * Returns the names that join no item in an hour from 0 on: as many as `refusedPercent` of the items, of which one in a hundred is
 * another name in the next hour.
 */
export function refusedNames(itemCount: number, hour: number): { name: string; phase: string }[] {
  const count = Math.ceil((itemCount * refusedPercent) / 100);
  return Array.from({ length: count }, (_, index) => {
    const changes = Math.floor((hour + (hash(index) % 100)) / 100);
    return { name: `StatTrak™ Name ${index} | Of No Item ${changes} (Field-Tested)`, phase: "" };
  });
}

/** Returns a whole number that looks random, the same for the same one. */
function hash(number: number): number {
  const first = Math.imul(number + 1, 0x2c1b3c6d);
  const second = Math.imul(first ^ (first >>> 12), 0x297a2d39);
  return (second ^ (second >>> 15)) >>> 0;
}

/** Six asks an hour for so many days are 1,008 rows: a full page and the beginning of the next. */
export const recordedDays = 7;
/** The day after the recorded ones, on which the histories are read. */
export const today = firstDay + recordedDays;
/** Hours of one full page. */
export const hourlyWindow = { from: dayText(firstDay), to: dayText(today - 1), limit: 1000 };
export const windowDays = 366;
/** One item in so many has a year of daily rows. */
export const dailyEvery = 10;
export const dailyProvider = "provider-1";

const feed = "market";

/** Returns the path of a page of the recorded hours of an item. */
export function hourlyTarget(item: number | string): string {
  const { from, to, limit } = hourlyWindow;
  return `/v1/items/${item}/history/hourly?limit=${limit}&from=${from}&to=${to}`;
}

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
  const content = {
    feed,
    providers,
    items,
    itemsWithoutQuote: new Set<number>(),
    refusedNames: refusedNames(itemCount, hour),
  };
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
    const names = storedNames(database, items, hours);
    for (const day of days) {
      rows.putNames({ day, feed }, encodeFrameNames({ day, feed }, names));
      for (const { hour, nameIds } of names) {
        const memory = { providers: JSON.stringify(providers), refusedNames: nameIds.length };
        rows.addFrame(day, { hour: day * 24 + hour, feed, ...timesOf(day * 24 + hour), ...counts, ...memory });
      }
    }
  });
}

/** Stores the names that join no item in the first hours of the market. Returns their ids by hour. */
function storedNames(database: Database, itemCount: number, hours: number): HourNames[] {
  const writer = new RefusedNameWriter(database, feed);
  return Array.from({ length: hours }, (_, hour) => {
    const names = refusedNames(itemCount, hour);
    for (const name of names) if (writer.idOf(name) === null) writer.add(name);
    return { hour, nameIds: names.map((name) => writer.idOf(name)!).sort((a, b) => a - b) };
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
