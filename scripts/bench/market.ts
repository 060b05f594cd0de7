import type { FeedQuote, ItemQuotes } from "../../src/import/quotes/merge-quotes.ts";
import { publishInBatches } from "../../src/import/quotes/publish.ts";
import { recordFrameInBatches } from "../../src/import/quotes/record-frame.ts";
import type { Database } from "../../src/store/database.ts";
import { openWriter } from "../../src/store/database.ts";
import { type BatchStats, importBusyMs, runAtOnce } from "../../src/store/write/batches.ts";
import { DailyPriceWriter } from "../../src/store/write/daily-prices.ts";
import { finalizeDaysInBatches } from "../../src/store/write/finalize-days.ts";
import { dayMs, dayText, hourMs } from "../../src/values/calendar.ts";
import { systemClock } from "../../src/values/clock.ts";

const feed = "bench";
const providers = ["bench-a", "bench-b", "bench-c", "bench-d", "bench-e", "bench-f"];
/** Six marketplaces sell, three of them buy. */
const sides = [
  ...providers.map((provider) => ({ provider, side: "ask" as const })),
  ...providers.slice(0, 3).map((provider) => ({ provider, side: "bid" as const })),
];
export const quotesPerItem = sides.length;
/** Share of the quotes that change from one hour to the next. */
const changePercent = 15;
/** First recorded day, counted since 1970 in UTC. */
export const firstDay = 20_000;
/** Six asks an hour for so many days are 1,008 rows: a full page and the beginning of the next. */
const recordedDays = 7;
const today = firstDay + recordedDays;
const dailyDays = 366;
/** The only item with a year of daily rows. */
const dailyItem = 1;

/** Paths of a full page of the recorded hours of an item, and of a year of one item's days. */
export const historyTargets = {
  hourly: `/v1/items/{item}/history/hourly?limit=1000&from=${dayText(firstDay)}&to=${dayText(today - 1)}`,
  daily: `/v1/items/${dailyItem}/history?limit=${dailyDays}&provider=${providers[0]}&from=${dayText(firstDay - dailyDays)}&to=${dayText(firstDay - 1)}`,
};

/**
 * Returns the quotes of an item in an hour from 0 on, a pure function of both. Each hour `changePercent` of them change: the price by
 * some percent, at least a cent, and half of the time the quantity. Prices lie between ten cents and a thousand dollars, most low.
 */
function quotesOf(itemId: number, hour: number): (FeedQuote & { side: "ask" | "bid" })[] {
  const price = 10 ** (1 + 4 * (((itemId * 7919) % 10_000) / 10_000) ** 2);
  return sides.map(({ provider, side }, place) => {
    const phase = (itemId * 31 + place * 17) % 100;
    const changes = Math.floor((hour * changePercent + phase) / 100);
    const base = Math.ceil(price * (side === "ask" ? 1 + (place + 1) / 20 : 0.8));
    const amountCents = base + (((changes * 7 + phase) % 5) + 1) * Math.max(1, Math.round(base / 100));
    const quantity = place % 3 === 2 ? null : 1 + (((changes >> 1) * 17 + phase) % 60);
    const url = `https://${provider}.example/listings/730/synthetic-finish-${itemId}?offer=${itemId * 10 + place}`;
    return { provider, side, amountCents, quantity, url, observedAt: null };
  });
}

function marketOf(items: number, hour: number): Map<number, ItemQuotes> {
  return new Map(
    Array.from({ length: items }, (_, index) => {
      const quotes = quotesOf(index + 1, hour);
      const ofSide = (wanted: "ask" | "bid") => quotes.filter(({ side }) => side === wanted);
      return [index + 1, { asks: ofSide("ask"), bids: ofSide("bid") }];
    }),
  );
}

/** Publishes the quotes of the first hour. */
export function publishMarket(database: Database, items: number): void {
  runAtOnce(publish(database, feed, providers, marketOf(items, 0)));
}

/** Publishes another feed with a price for every item. An item's price changes whenever `turnOf` gives another number for it. */
export function publishPrices(database: Database, items: number, turnOf: (itemId: number) => number) {
  const provider = "bench-g";
  const prices = Array.from({ length: items }, (_, index): [number, ItemQuotes] => {
    const amountCents = 100 + ((index * 7919 + turnOf(index + 1)) % 90_000);
    return [index + 1, { asks: [{ provider, amountCents, quantity: 1, url: null, observedAt: null }], bids: [] }];
  });
  return publish(database, provider, [provider], new Map(prices));
}

function publish(database: Database, feed: string, slugs: readonly string[], items: Map<number, ItemQuotes>) {
  const providers = slugs.map((provider) => ({ provider, name: provider, kind: "cash" as const }));
  return publishInBatches(
    database,
    { facts: { feed, adapter: "canonical", providers }, items },
    { clock: systemClock },
  );
}

/** Writes the frame of an hour as a mirror does; hours count from the first recorded day's first. */
export function writeFrame(database: Database, items: number, hour: number): Generator<BatchStats, unknown> {
  const itemsWithoutQuote = new Set<number>();
  const facts = { feed, providers: providers.map((provider) => ({ provider })) };
  const content = { facts, items: marketOf(items, hour), itemsWithoutQuote, refusedNames: [] };
  // As a mirror has them: taken in a while ago, and verified in the hour.
  const checkedAt = (firstDay * 24 + hour) * hourMs + 61_003;
  const times = { verifiedBy: "body" as const, ingestedAt: checkedAt - 90_001, checkedAt, recordedAt: checkedAt };
  return recordFrameInBatches(database, content, times, { clock: systemClock });
}

/** Adds a week of hourly frames of the first items, and the daily rows of one for the year before. */
export function recordHistory(path: string, items: number): void {
  const database = openWriter(path, importBusyMs);
  const { $client: client } = database;
  client.pragma("synchronous = OFF");
  for (let hour = 0; hour < recordedDays * 24; hour += 1) runAtOnce(writeFrame(database, items, hour));
  runAtOnce(finalizeDaysInBatches(database, today, systemClock));
  const daily = new DailyPriceWriter(database);
  for (let day = firstDay - dailyDays; day < firstDay; day += 1) {
    const amount = 100 + ((day * 31) % 90_000);
    const amounts = { amount, lowAmount: amount - 5, highAmount: amount + 5, observations: 24, quantity: 60 };
    const times = { sourceObservedAt: day * dayMs, recordedAt: day * dayMs + 123, importId: null };
    daily.put({ itemId: dailyItem, side: "ask", day, provider: providers[0]!, ...amounts, ...times });
  }
  // Now, instead of during a measurement.
  client.pragma("synchronous = FULL");
  client.pragma("wal_checkpoint(TRUNCATE)");
  client.close();
}

const outcomesPerContainer = 100;
const itemsPerContainer = 75;

/** Adds containers with published pools to the file of a data set, and makes one of its providers the main platform. */
export function addPools(path: string, items: number): void {
  const containers = Math.max(1, Math.floor(items / itemsPerContainer));
  const outcomes = Math.min(outcomesPerContainer, items);
  const { $client: client } = openWriter(path, importBusyMs);
  client.pragma("foreign_keys = OFF");
  // Tiers with the standard weights of a case; the outcomes of one are of unequal chances, as wear makes them.
  client.exec(`
    BEGIN;
    UPDATE providers SET kind = 'main_platform' WHERE provider = 'bench-a';
    CREATE TEMP TABLE outcome AS
      WITH RECURSIVE place(position) AS (SELECT 0 UNION ALL SELECT position + 1 FROM place WHERE position + 1 < ${outcomes}),
        tier(number, tier, weight) AS (VALUES (0, 'mil_spec', 625), (1, 'restricted', 125), (2, 'classified', 25),
          (3, 'covert', 5), (4, 'rare_special', 2))
      SELECT position, tier, weight * (10000 + position * 7919 % 9973) AS numerator
      FROM place JOIN tier ON number = position * 5 / ${outcomes};
    CREATE TEMP TABLE container AS
      WITH RECURSIVE each(number) AS (SELECT 0 UNION ALL SELECT number + 1 FROM each WHERE number + 1 < ${containers})
      SELECT number, printf('bench-case-%03d', number) AS slug, printf('pr_%024x', number) AS revision FROM each;
    INSERT INTO openables SELECT slug, number + 1, 'active', 'case', NULL, NULL, 1, 249, revision, 1, 1 FROM container;
    INSERT INTO pool_revisions
      SELECT revision, slug, 1, '{}', '{}', 'community', 'wear-1',
        (SELECT json_group_array(json_object('tier', tier, 'weight', 1, 'itemCount', items))
         FROM (SELECT tier, count(*) AS items FROM outcome GROUP BY tier)),
        (SELECT sum(numerator) FROM outcome), ${outcomes}, 1 FROM container;
    INSERT INTO pool_outcomes
      SELECT revision, position, 1 + (number * ${itemsPerContainer} + position) % ${items}, tier, numerator
      FROM container JOIN outcome;
    COMMIT`);
  client.close();
}
