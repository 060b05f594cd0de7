import { closeSync, copyFileSync, mkdtempSync, openSync, rmSync, writeSync } from "node:fs";
import { join } from "node:path";
import { Accounts } from "../../src/access/accounts.ts";
import { Keys } from "../../src/access/keys.ts";
import { MarketSnapshot } from "../../src/domain/market-snapshot.ts";
import { type ItemQuotes, mergeQuotes } from "../../src/import/quotes/merge-quotes.ts";
import { exportedItems } from "../../src/store/catalog.ts";
import { type Database, openReader, writeTransaction } from "../../src/store/database.ts";
import { createDatabase } from "../../src/store/file.ts";
import { GenerationsStore, totalsOf } from "../../src/store/generations.ts";
import { MarketSnapshotStore } from "../../src/store/market-snapshot.ts";
import SqliteDatabase from "../../src/store/sqlite.mjs";
import { CatalogWriter, type ItemRow } from "../../src/store/write/catalog.ts";
import { FeedWriter } from "../../src/store/write/feeds.ts";
import { GenerationWriter } from "../../src/store/write/generations.ts";
import { dayMs } from "../../src/values/calendar.ts";
import { systemClock } from "../../src/values/clock.ts";
import { systemIds } from "../../src/values/ids.ts";
import type { Progress } from "../../src/values/progress.ts";
import { searchText } from "../../src/values/search-text.ts";
import { encodeDetail } from "../../src/wire/item-detail.ts";
import type { Setup } from "./peers/listening.ts";

const askProviders = ["bench-a", "bench-b", "bench-c", "bench-d", "bench-e", "bench-f"];
const bidProviders = askProviders.slice(0, 3);
const accountsMin = 64;

/** Everything that is measured, in a folder of its own. Names, prices and accounts are made up. */
export class DataSet {
  readonly folder: string;
  readonly items: number;
  /** Quant keys, each of another account. */
  readonly keys: readonly string[];
  readonly exportBytes: number;
  readonly #setup: Setup;
  #copies = 0;

  /** Makes the files below `dir` with the product's own schema, encoders and accounts. */
  static create(dir: string, items: number, accounts: number, progress: Progress): DataSet {
    const folder = mkdtempSync(join(dir, "itemtape-bench-"));
    try {
      return new DataSet(folder, items, accounts, progress);
    } catch (error) {
      rmSync(folder, { recursive: true, force: true });
      throw error;
    }
  }

  private constructor(folder: string, items: number, accounts: number, progress: Progress) {
    this.folder = folder;
    this.items = items;
    const at = systemClock.now();
    const quotes = quotesOf(items);
    const keys: string[] = [];
    const file = (name: string) => join(folder, name);
    this.#setup = { database: file("market.db"), quoteRows: file("quotes.db"), exportFile: file("export.ndjson") };
    createDatabase(this.#setup.database, (database) => {
      progress.phase("making items", items);
      writeTransaction(database, () => writeItems(database, items, at, progress));
      progress.phase("making quotes", items);
      writeTransaction(database, () => writeQuotes(database, quotes, at));
      const count = Math.max(accounts, accountsMin);
      progress.phase("making accounts", count);
      database.$client.pragma("synchronous = OFF");
      for (let number = 1; number <= count; number += 1) keys.push(createKey(database, number));
    });
    this.keys = keys;
    writeQuoteRows(this.#setup.quoteRows, quotes);
    this.exportBytes = writeExport(this.#setup, at);
  }

  /** The files for a server; one that writes gets a database of its own. */
  setup(writes: boolean): Setup {
    if (!writes) return this.#setup;
    this.#copies += 1;
    const database = join(this.folder, `copy-${this.#copies}.db`);
    copyFileSync(this.#setup.database, database);
    return { ...this.#setup, database };
  }

  remove(): void {
    rmSync(this.folder, { recursive: true, force: true });
  }
}

function writeItems(database: Database, items: number, at: number, progress: Progress): void {
  const writer = new CatalogWriter(database);
  for (let itemId = 1; itemId <= items; itemId += 1) {
    const row = itemRow(itemId, at);
    writer.write({ row, json: encodeDetail(row, []) });
    progress.advance(1);
  }
}

function itemRow(itemId: number, at: number): ItemRow {
  const marketHashName = `StatTrak™ Benchmark Rifle | Synthetic Finish ${itemId} (Field-Tested)`;
  const nameRu = `Винтовка StatTrak™ | Выдуманная раскраска ${itemId} (После полевых)`;
  return {
    itemId,
    identityKey: `bench:${itemId}`,
    marketHashName,
    slug: `stattrak-benchmark-rifle-synthetic-finish-${itemId}-field-tested`,
    type: "rifle",
    rarity: "Restricted",
    collection: "The Benchmark Collection",
    phase: null,
    nameRu,
    imageUrl: `https://images.example/items/${String(itemId).padStart(40, "0")}.png`,
    wear: "field_tested",
    statCounter: true,
    souvenir: false,
    wearMin: "0.15",
    wearMax: "0.38",
    identity: "exact",
    origin: "catalog",
    inCatalog: true,
    firstSeenAt: at - 30 * dayMs,
    updatedAt: at - dayMs,
    searchText: searchText(marketHashName, nameRu),
  };
}

/** Six asks and three bids for every item, a pure function of its id. */
function quotesOf(items: number): Map<number, ItemQuotes> {
  const quotes = new Map<number, ItemQuotes>();
  for (let itemId = 1; itemId <= items; itemId += 1) {
    const quote = (provider: string, place: number, share: number) => ({
      provider,
      amountCents: Math.round((100 + ((itemId * 7919) % 90_000)) * (share + place / 100)),
      quantity: 1 + ((itemId * 31 + place * 17) % 400),
      url: `https://${provider}.example/listings/730/synthetic-finish-${itemId}?offer=${itemId * 10 + place}`,
      observedAt: null,
    });
    quotes.set(itemId, {
      asks: askProviders.map((provider, place) => quote(provider, place, 1)),
      bids: bidProviders.map((provider, place) => quote(provider, place, 0.9)),
    });
  }
  return quotes;
}

/** Merged and encoded as an import does it. */
function writeQuotes(database: Database, quotes: ReadonlyMap<number, ItemQuotes>, at: number): void {
  const rows = new GenerationWriter(database);
  const sides = askProviders.map((provider) => ({
    provider,
    name: provider,
    kind: "cash" as const,
    hasAsks: true,
    hasBids: bidProviders.includes(provider),
  }));
  new FeedWriter(database).record({ feed: "bench", adapter: "canonical", providers: sides }, sides, {
    checkedAt: at,
    ingestedAt: at,
    itemCount: quotes.size,
  });
  const merged = mergeQuotes([], null, quotes, new Set(askProviders)).rows;
  const generationId = rows.startStaging(at);
  for (const row of merged) rows.stage(generationId, row);
  rows.activate(generationId, totalsOf(merged, exportedItems(database)), at);
}

function createKey(database: Database, number: number): string {
  const parts = { database, clock: systemClock, ids: systemIds() };
  const accounts = new Accounts(parts);
  const { accountId } = accounts.create(`Bench ${number}`);
  accounts.setPlan(accountId, "quant", null);
  return new Keys(parts).create(accountId, "bench", 90).secret;
}

/** A row for each quote: what an export is joined from where nothing was encoded before. */
function writeQuoteRows(path: string, quotes: ReadonlyMap<number, ItemQuotes>): void {
  const client = new SqliteDatabase(path);
  client.exec(`
    CREATE TABLE items (item_id INTEGER PRIMARY KEY, market_hash_name TEXT NOT NULL, phase TEXT) STRICT;
    CREATE TABLE quotes (item_id INTEGER, side TEXT, place INTEGER, provider TEXT NOT NULL, amount INTEGER NOT NULL,
      quantity INTEGER, url TEXT, PRIMARY KEY (item_id, side, place)) STRICT, WITHOUT ROWID;`);
  const addItem = client.prepare("INSERT INTO items VALUES (?, ?, ?)");
  const addQuote = client.prepare("INSERT INTO quotes VALUES (?, ?, ?, ?, ?, ?, ?)");
  client.transaction(() => {
    for (const [itemId, { asks, bids }] of quotes) {
      const { marketHashName, phase } = itemRow(itemId, 0);
      addItem.run(itemId, marketHashName, phase);
      for (const [side, list] of [
        ["ask", asks],
        ["bid", bids],
      ] as const) {
        list.forEach(({ provider, amountCents, quantity, url }, place) => {
          addQuote.run(itemId, side, place, provider, amountCents, quantity, url);
        });
      }
    }
  })();
  client.close();
}

/** The whole export as the product writes it. Returns its length. */
function writeExport({ database, exportFile }: Setup, at: number): number {
  const reader = openReader(database);
  const store = new MarketSnapshotStore(reader);
  const run = new MarketSnapshot({ generations: new GenerationsStore(reader), store }).open({
    requestId: systemIds().requestId(at),
    at,
  });
  const file = openSync(exportFile, "w");
  let bytes = 0;
  try {
    for (let page = run.next(); page !== null; page = run.next()) bytes += writeSync(file, page);
  } finally {
    closeSync(file);
    reader.$client.close();
  }
  return bytes;
}
