import { copyFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { AppParts } from "../../src/compose.ts";
import { MarketSnapshot, plainLines, type SnapshotPage, type SnapshotRun } from "../../src/domain/market-snapshot.ts";
import type { ItemQuotes } from "../../src/import/quotes/merge-quotes.ts";
import { publishInBatches } from "../../src/import/quotes/publish.ts";
import { recordFrameInBatches } from "../../src/import/quotes/record-frame.ts";
import { type Database, openReader, openWriter } from "../../src/store/database.ts";
import { CatalogStore } from "../../src/store/read/catalog.ts";
import { MarketSnapshotStore } from "../../src/store/read/market-snapshot.ts";
import { type BatchStats, importBusyMs, runAtOnce } from "../../src/store/write/batches.ts";
import { DailyPriceWriter } from "../../src/store/write/daily-prices.ts";
import { finalizeDaysInBatches } from "../../src/store/write/finalize-days.ts";
import { dayMs, dayText, hourMs } from "../../src/values/time/calendar.ts";
import { systemClock } from "../../src/values/time/clock.ts";
import { createLargeMarket, marketFeed, marketOf } from "../support/large-market.ts";
import { type Row, writeRows } from "./peers/rows.ts";

/**
 * The files that a server reads: the service's, the same as rows for its peers, and a whole export. `privateUrl`: where
 * accounts are, when they are not in the file.
 */
export type Setup = { database: string; rows: string; exportFile: string } & Pick<
  AppParts,
  "privateUrl" | "follow" | "releases"
>;

export type DataSet = ReturnType<typeof createDataSet>;

const accountsMin = 64;

/** Creates the files that everything is measured on in a folder, as the service's own imports write them. */
export function createDataSet(folder: string, items: number, accounts: number) {
  const file = (name: string) => join(folder, `bench-${name}`);
  const setup = { database: file("market.db"), rows: file("rows.db"), exportFile: file("export.ndjson") };
  const keys = createLargeMarket(setup.database, items, Math.max(accounts, accountsMin));
  const database = openReader(setup.database);
  const snapshot = new MarketSnapshot(new MarketSnapshotStore(database));
  const run = snapshot.open({ requestId: "req_bench", at: systemClock.now() });
  const records = Buffer.concat(Array.from(pagesOf(run), plainLines));
  writeFileSync(setup.exportFile, records);
  writeMarketRows(setup.rows, new CatalogStore(database), records.toString());
  database.$client.close();
  let copies = 0;
  return {
    folder,
    items,
    /** Secrets of Quant keys, each of another account. */
    keys,
    /** Returns the keys of a round: each round has others, as long as there are some. */
    keysOf: (round: number, count: number) =>
      Array.from({ length: count }, (_, index) => keys[(round * count + index) % keys.length]!),
    exportBytes: records.length,
    /** Returns the files for a server, with a copy of the database. */
    copy(): Setup {
      copies += 1;
      copyFileSync(setup.database, file(`copy-${copies}.db`));
      return { ...setup, database: file(`copy-${copies}.db`) };
    },
  };
}

/** Writes the details of all items, and their quotes as an export has them. */
function writeMarketRows(path: string, catalog: CatalogStore, records: string): void {
  const { add, end } = writeRows(path);
  for (const line of records.trimEnd().split("\n").slice(1, -1)) {
    const { asks, bids, ...market } = JSON.parse(line).data;
    const { item_id: id } = market;
    add("items", id, [JSON.parse(catalog.detail(id)!)]);
    add("markets", id, [{ ...market, generation: "g1" }]);
    add("asks", id, asks);
    add("bids", id, bids);
  }
  end();
}

/** Yields the pages of an export, of at most so many sealed blocks. */
export function* pagesOf(run: Pick<SnapshotRun, "next">, sealedMax?: number): Generator<SnapshotPage> {
  for (let page = run.next(sealedMax); page !== null; page = run.next(sealedMax)) yield page;
}

/** What closes whatever was opened, the last first. */
export type Closing = (() => unknown)[];

/** Opens a file in this process, to write where `open` is left out. */
export function openMarket(path: string, closing: Closing, open = openToWrite): Database {
  const database = open(path);
  closing.push(() => database.$client.close());
  return database;
}

function openToWrite(path: string): Database {
  return openWriter(path, importBusyMs);
}

/** First recorded day, counted since 1970 in UTC. */
export const firstDay = 20_000;
/** Six asks an hour for so many days are 1,008 rows: a full page and the beginning of the next. */
const recordedDays = 7;
const today = firstDay + recordedDays;
const dailyDays = 366;
/** The only item with a year of daily rows. */
const dailyItem = 1;
const dailyProvider = marketFeed.providers[0]!.provider;

/** Paths of a full page of the recorded hours of an item, and of a year of one item's days. */
export const historyTargets = {
  hourly: `/v1/items/{item}/history/hourly?limit=1000&from=${dayText(firstDay)}&to=${dayText(today - 1)}`,
  daily: `/v1/items/${dailyItem}/history?limit=${dailyDays}&provider=${dailyProvider}&from=${dayText(firstDay - dailyDays)}&to=${dayText(firstDay - 1)}`,
};

/** Publishes another feed with a price for every item. An item's price changes whenever `turnOf` gives another number for it. */
export function publishPrices(database: Database, items: number, turnOf: (itemId: number) => number) {
  const provider = "bench-g";
  const rest = { provider, quantity: 1, url: null, observedAt: null };
  const prices = Array.from({ length: items }, (_, index): [number, ItemQuotes] => {
    const amountCents = 100 + ((index * 7919 + turnOf(index + 1)) % 90_000);
    return [index + 1, { asks: [{ ...rest, amountCents }], bids: [] }];
  });
  const facts = {
    feed: provider,
    adapter: "canonical",
    providers: [{ provider, name: provider, kind: "cash" as const }],
  };
  return publishInBatches(database, [{ facts, items: new Map(prices) }], { clock: systemClock });
}

/** Writes the frame of an hour as a mirror does; hours count from the first recorded day's first. */
export function writeFrame(database: Database, items: number, hour: number): Generator<BatchStats, unknown> {
  const content = {
    facts: marketFeed,
    items: marketOf(items, hour),
    itemsWithoutQuote: new Set<number>(),
    refusedNames: [],
  };
  // As a mirror has them: taken in a while ago, and verified in the hour.
  const checkedAt = (firstDay * 24 + hour) * hourMs + 61_003;
  const times = { verifiedBy: "body" as const, ingestedAt: checkedAt - 90_001, checkedAt, recordedAt: checkedAt };
  return recordFrameInBatches(database, content, times, { clock: systemClock });
}

/** Adds a week of hourly frames of the first items, and the daily rows of one for the year before. */
export function recordHistory(path: string, items: number): void {
  const database = openToWrite(path);
  const { $client: client } = database;
  client.pragma("synchronous = OFF");
  for (let hour = 0; hour < recordedDays * 24; hour += 1) runAtOnce(writeFrame(database, items, hour));
  runAtOnce(finalizeDaysInBatches(database, today, systemClock));
  const daily = new DailyPriceWriter(database);
  for (let day = firstDay - dailyDays; day < firstDay; day += 1) {
    const amount = 100 + ((day * 31) % 90_000);
    const amounts = { amount, lowAmount: amount - 5, highAmount: amount + 5, observations: 24, quantity: 60 };
    const times = { sourceObservedAt: day * dayMs, recordedAt: day * dayMs + 123, importId: null };
    daily.put({ itemId: dailyItem, side: "ask", day, provider: dailyProvider, ...amounts, ...times });
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
  const { $client: client } = openToWrite(path);
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

/** Adds openables and full pages of history of the first items, as a server on `port` answers them. */
export async function copyAnswers(path: string, { port, key, items }: { port: number; key: string; items: number }) {
  const { add, end } = writeRows(path);
  const copy = async (table: string, id: number, target: string) => {
    const answer = await fetch(`http://127.0.0.1:${port}${target}`, { headers: { authorization: `Bearer ${key}` } });
    add(table, id, ((await answer.json()) as { data: Row[] }).data);
  };
  await copy("openables", 0, "/v1/openables?limit=100");
  await copy("days", 1, historyTargets.daily);
  for (let id = 1; id <= items; id += 1) await copy("hours", id, historyTargets.hourly.replace("{item}", String(id)));
  end();
}
