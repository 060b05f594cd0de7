import { copyFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import SqliteDatabase from "better-sqlite3";
import { recordFrameInBatches } from "../../src/import/quotes/record-frame.ts";
import { calculateInThread } from "../../src/jobs/roi/schedule.ts";
import { openWriter } from "../../src/store/database.ts";
import { importBusyMs, runAtOnce } from "../../src/store/write/batches.ts";
import { DailyPriceWriter } from "../../src/store/write/daily-prices.ts";
import { finalizeDaysInBatches } from "../../src/store/write/finalize-days.ts";
import { setKnownSince } from "../../src/store/write/known-since.ts";
import { dayMs, dayText, hourMs } from "../../src/values/time/calendar.ts";
import { clockAt, systemClock, toTimestamp } from "../../src/values/time/clock.ts";
import { createLargeMarket, marketFeed, marketOf } from "../support/large-market.ts";
import { takeExport } from "./load.ts";
import { type Row, writeRows } from "./peer-rows.ts";

const accounts = 64;
/** First recorded UTC day, counted since 1970. */
const firstDay = 20_000;
/** Six asks per hour for seven days are 1,008 rows: a full page and the beginning of the next. */
const recordedDays = 7;
export const recordedItems = 200;
const dailyDays = 366;
/** The only item with a year of daily rows. */
const dailyItem = 1;
/** Every 61st daily row of the item was corrected after `knownAt`, UTC ms. */
const correctedDays = 61;
const knownSince = (firstDay - dailyDays) * dayMs;
const knownAt = (firstDay + recordedDays) * dayMs;
const dailyProvider = marketFeed.providers[0]!.provider;
const containers = 100;
const outcomesPerContainer = 100;

const daily = `/v1/items/${dailyItem}/history?limit=${dailyDays}&provider=${dailyProvider}&from=${dayText(firstDay - dailyDays)}&to=${dayText(firstDay - 1)}`;

/** Body that asks for the prices of 100 recorded items as known. */
export const knownPrices = JSON.stringify({ item_ids: idsTo(100), known_at: toTimestamp(knownAt) });

/** Paths of a full page of an item's recorded hours, and of a year of its days now and as known. */
export const historyTargets = {
  hourly: `/v1/items/{item}/history/hourly?limit=1000&from=${dayText(firstDay)}&to=${dayText(firstDay + recordedDays - 1)}`,
  daily,
  dailyKnown: `${daily}&known_at=${toTimestamp(knownAt)}`,
};

/** Returns the ids from 1 to `last`. */
export function idsTo(last: number): number[] {
  return Array.from({ length: last }, (_, index) => index + 1);
}

export type DataSet = Awaited<ReturnType<typeof createDataSet>>;

/** Creates the files of the service in a folder by its own imports: a market with history and containers with returns. */
export async function createDataSet(folder: string, items: number) {
  const file = (name: string) => join(folder, name);
  const database = file("market.db");
  const keys = createLargeMarket(database, items, accounts, knownSince);
  recordHistory(database);
  const wholeFile = file("whole.db");
  copyFileSync(database, wholeFile);
  addPools(database, items);
  await calculateInThread({ databasePath: database, at: systemClock.now() }, new AbortController().signal);
  const rows = file("rows.db");
  const exportFile = file("export.ndjson");
  const feedFile = file("feed.ndjson");
  writeFileSync(feedFile, feedOf(database, items));
  let copies = 0;
  const copyOf = (path: string) => {
    copies += 1;
    copyFileSync(path, file(`copy-${copies}.db`));
    return file(`copy-${copies}.db`);
  };
  return {
    folder,
    items,
    /** Secrets of Quant keys, one per account. */
    keys,
    /** A body of the feed in the next hour: 15 % of the quotes have changed. */
    feedFile,
    /** Returns the files for a server, with its own copy of the database. */
    files: () => ({ database: copyOf(database), rows, exportFile }),
    /** Returns a copy of the database without the containers, which the program did not write. `db check` accepts it. */
    wholeFile: () => copyOf(wholeFile),
    /** Copies the responses of a server of the data set to the files of its peers. Resolves to the bytes of an export. */
    copyAnswers: (port: number) => copyAnswers({ port, key: keys[0]!, items, rows, exportFile }),
  };
}

/** Adds a week of hourly frames of the first items, and one item's daily rows for the year before. */
function recordHistory(path: string): void {
  const database = openWriter(path, importBusyMs);
  const { $client: client } = database;
  client.pragma("synchronous = OFF");
  for (let hour = 0; hour < recordedDays * 24; hour += 1) {
    const items = marketOf(recordedItems, hour);
    const content = { facts: marketFeed, items, itemsWithoutQuote: new Set<number>(), refusedNames: [] };
    const at = (firstDay * 24 + hour) * hourMs + 61_003;
    const times = { verifiedBy: "body" as const, ingestedAt: at - 90_001, checkedAt: at, recordedAt: at };
    runAtOnce(recordFrameInBatches(database, content, times, { clock: clockAt(at) }));
  }
  runAtOnce(finalizeDaysInBatches(database, firstDay + recordedDays, systemClock));
  const writer = new DailyPriceWriter(database, firstDay + recordedDays);
  const put = (day: number, amount: number, recordedAt: number) => {
    const amounts = { amount, lowAmount: amount - 5, highAmount: amount + 5, observations: 24, quantity: 60 };
    const times = { sourceObservedAt: day * dayMs, recordedAt, importId: null };
    writer.put({ itemId: dailyItem, side: "ask", day, provider: dailyProvider, ...amounts, ...times });
  };
  setKnownSince(database, knownSince);
  for (let day = firstDay - dailyDays; day < firstDay; day += 1) {
    const amount = 100 + ((day * 31) % 90_000);
    put(day, amount, day * dayMs + 123);
    if (day % correctedDays === 0) put(day, amount + 1, knownAt + dayMs);
  }
  // Done now, so that it does not happen during a measurement.
  client.pragma("synchronous = FULL");
  client.pragma("wal_checkpoint(TRUNCATE)");
  client.close();
}

/** Adds containers with published pools, and sets a provider as the main platform. */
function addPools(path: string, items: number): void {
  const client = new SqliteDatabase(path);
  client.pragma("foreign_keys = OFF");
  // Tiers with the standard weights of a case. Outcomes in a tier have unequal chances, as with wear.
  client.exec(`
    BEGIN;
    UPDATE providers SET kind = 'main_platform' WHERE provider = '${dailyProvider}';
    CREATE TEMP TABLE outcome AS
      WITH RECURSIVE place(position) AS
          (SELECT 0 UNION ALL SELECT position + 1 FROM place WHERE position + 1 < ${outcomesPerContainer}),
        tier(number, tier, weight) AS (VALUES (0, 'mil_spec', 625), (1, 'restricted', 125), (2, 'classified', 25),
          (3, 'covert', 5), (4, 'rare_special', 2))
      SELECT position, tier, weight * (10000 + position * 7919 % 9973) AS numerator
      FROM place JOIN tier ON number = position * 5 / ${outcomesPerContainer};
    CREATE TEMP TABLE container AS
      WITH RECURSIVE each(number) AS (SELECT 0 UNION ALL SELECT number + 1 FROM each WHERE number + 1 < ${containers})
      SELECT number, printf('bench-case-%03d', number) AS slug, printf('pr_%024x', number) AS revision FROM each;
    INSERT INTO openables SELECT slug, number + 1, 'active', 'case', NULL, NULL, 1, 249, revision, 1, 1 FROM container;
    INSERT INTO pool_revisions
      SELECT revision, slug, 1, '{}', '{}', 'community', 'wear-1',
        (SELECT json_group_array(json_object('tier', tier, 'weight', 1, 'itemCount', items))
         FROM (SELECT tier, count(*) AS items FROM outcome GROUP BY tier)),
        (SELECT sum(numerator) FROM outcome), ${outcomesPerContainer}, 1 FROM container;
    INSERT INTO pool_outcomes
      SELECT revision, position, 1 + (number * 75 + position) % ${items}, tier, numerator FROM container JOIN outcome;
    COMMIT`);
  client.close();
}

/** Returns the canonical feed of all items, by their names, in the hour after the data set's. */
function feedOf(path: string, items: number): string {
  const client = new SqliteDatabase(path, { readonly: true });
  const names = new Map(
    client.prepare("SELECT item_id, market_hash_name FROM items").raw().all() as [number, string][],
  );
  client.close();
  const quotes = [...marketOf(items, 1)].flatMap(([id, sides]) =>
    (["asks", "bids"] as const).flatMap((side) =>
      sides[side].map(({ provider, amountCents: amount, quantity, url }) => {
        return { provider, side: side.slice(0, -1), amount, quantity, url, market_hash_name: names.get(id) };
      }),
    ),
  );
  const header = { format: "itemtape-feed", version: 1, ...marketFeed, adapter: undefined };
  return [header, ...quotes, { end: true, quotes: quotes.length }].map((line) => JSON.stringify(line)).join("\n");
}

type CopyOrder = { port: number; key: string; items: number; rows: string; exportFile: string };

async function copyAnswers({ port, key, items, rows, exportFile }: CopyOrder): Promise<number> {
  const { add, end } = writeRows(rows);
  const dataOf = async (target: string) => {
    const answer = await fetch(`http://127.0.0.1:${port}${target}`, { headers: { authorization: `Bearer ${key}` } });
    return ((await answer.json()) as { data: Row }).data;
  };
  const records = Buffer.concat(await takeExport(port, key, "identity"));
  writeFileSync(exportFile, records);
  for (const line of records.toString().trimEnd().split("\n").slice(1, -1)) {
    const { asks, bids, ...market } = JSON.parse(line).data;
    add("markets", market.item_id, [{ ...market, generation: "g1" }]);
    add("asks", market.item_id, asks);
    add("bids", market.item_id, bids);
  }
  for (let id = 1; id <= items; id += 1) add("items", id, [await dataOf(`/v1/items/${id}`)]);
  add("openables", 0, (await dataOf("/v1/openables?limit=100")) as unknown as Row[]);
  add("days", dailyItem, (await dataOf(historyTargets.daily)) as unknown as Row[]);
  for (let id = 1; id <= recordedItems; id += 1)
    add("hours", id, (await dataOf(historyTargets.hourly.replace("{item}", String(id)))) as unknown as Row[]);
  end();
  return records.length;
}
