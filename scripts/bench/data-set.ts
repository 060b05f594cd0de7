import { copyFileSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { Accounts } from "../../src/access/accounts.ts";
import { Keys } from "../../src/access/keys.ts";
import { buildDomain } from "../../src/compose.ts";
import { loadContract } from "../../src/contract/document.ts";
import { plainLines } from "../../src/domain/market-snapshot.ts";
import { buildCatalog } from "../../src/import/catalog/build-catalog.ts";
import { importCatalog } from "../../src/import/catalog/catalog-import.ts";
import { importQuotesAtOnce } from "../../src/import/quotes/quote-import.ts";
import { type Database, openReader, writeTransaction } from "../../src/store/database.ts";
import { createDatabase } from "../../src/store/file.ts";
import SqliteDatabase from "../../src/store/sqlite.mjs";
import { systemClock } from "../../src/values/clock.ts";
import { systemIds } from "../../src/values/ids.ts";
import type { Setup } from "./peers/listening.ts";

/** The files that everything is measured on, in a folder of their own. Names, prices and accounts are synthetic. */
export type DataSet = {
  folder: string;
  items: number;
  /** Secrets of Quant keys, each of another account. */
  keys: readonly string[];
  /** Returns the key of a round, as requests take them: each round has another. */
  keysOf(round: number): readonly string[];
  exportBytes: number;
  /** Returns the files for a server; one that writes gets a copy of the database. */
  setup(writes: boolean): Setup;
};

const askProviders = ["bench-a", "bench-b", "bench-c", "bench-d", "bench-e", "bench-f"];
const bidProviders = askProviders.slice(0, 3);
const accountsMin = 64;

/** Creates the files in an empty folder below `dir`, as the service's own imports write them. */
export function createDataSet(dir: string, items: number, accounts: number): DataSet {
  const folder = mkdtempSync(join(dir, "itemtape-bench-"));
  try {
    const file = (name: string) => join(folder, name);
    const setup = { database: file("market.db"), quoteRows: file("quotes.db"), exportFile: file("export.ndjson") };
    const at = systemClock.now();
    let keys: string[] = [];
    createDatabase(setup.database, (database) => {
      writeTransaction(database, () => {
        writeItems(database, items, at);
        writeQuotes(database, items, at);
        keys = Array.from({ length: Math.max(accounts, accountsMin) }, () => createKey(database));
      });
    });
    const records = exportRecords(setup.database, at);
    writeFileSync(setup.exportFile, records);
    writeQuoteRows(setup.quoteRows, records.toString().split("\n"));
    let copies = 0;
    return {
      folder,
      items,
      keys,
      keysOf: (round) => [keys[round % keys.length]!],
      exportBytes: records.length,
      setup(writes) {
        if (!writes) return setup;
        copies += 1;
        copyFileSync(setup.database, file(`copy-${copies}.db`));
        return { ...setup, database: file(`copy-${copies}.db`) };
      },
    };
  } catch (error) {
    rmSync(folder, { recursive: true, force: true });
    throw error;
  }
}

/** Imports a catalog of rifles, one item for each row. */
function writeItems(database: Database, items: number, at: number): void {
  const ids = Array.from({ length: items }, (_, index) => index + 1);
  const document = (value: unknown) => ({ file: "bench", value });
  const rows = ids.map((id) => {
    const image = `https://images.example/items/${String(id).padStart(40, "0")}.png`;
    return { id, type: "weapon", def: 7, index: id, rarity: "#8847ff", wearMin: 0.15, wearMax: 0.38, image };
  });
  const names = (text: string) => document(Object.fromEntries(ids.map((id) => [id, { name: `${text} ${id}` }])));
  const english = names("StatTrak™ Benchmark Rifle | Synthetic Finish");
  const russian = names("Винтовка StatTrak™ | Выдуманная раскраска");
  const { variants } = buildCatalog({ cs2Lib: { items: document(rows), english, russian }, csgoApi: null });
  importCatalog(database, variants, at);
}

/** Imports six asks and three bids for every item, a pure function of the item. */
function writeQuotes(database: Database, items: number, at: number): void {
  const providers = askProviders.map((provider) => ({ provider, name: provider, kind: "cash" }));
  const lines: object[] = [{ format: "itemtape-feed", version: 1, feed: "bench", providers }];
  for (let item_id = 1; item_id <= items; item_id += 1) {
    const add = (provider: string, place: number, side: "ask" | "bid") => {
      const amount = Math.round((100 + ((item_id * 7919) % 90_000)) * ((side === "ask" ? 1 : 0.9) + place / 100));
      const url = `https://${provider}.example/listings/730/synthetic-finish-${item_id}?offer=${item_id * 10 + place}`;
      lines.push({ item_id, provider, side, amount, quantity: 1 + ((item_id * 31 + place * 17) % 400), url });
    };
    for (const [place, provider] of askProviders.entries()) add(provider, place, "ask");
    for (const [place, provider] of bidProviders.entries()) add(provider, place, "bid");
  }
  const text = [...lines, { end: true, quotes: lines.length - 1 }].map((line) => JSON.stringify(line)).join("\n");
  const parts = { clock: { now: () => at, monotonicMs: () => 0 } };
  const options = { adapter: "canonical", recordFrame: false } as const;
  importQuotesAtOnce(database, { name: "bench", bytes: Buffer.from(text) }, options, parts);
}

function createKey(database: Database): string {
  const parts = { database, clock: systemClock, ids: systemIds() };
  const { accountId } = new Accounts(parts).create("Bench");
  new Accounts(parts).setPlan(accountId, "quant", null);
  return new Keys(parts).create(accountId, "bench", 90).secret;
}

/** Opens what the service reads with, in this process and without a server. The caller closes `database`. */
export function openDomain(path: string) {
  const database = openReader(path);
  const readers = { market: database, exports: database, access: database };
  return { database, domain: buildDomain(readers, systemClock, "bench", loadContract()) };
}

/** Returns a whole export as the service makes it. */
function exportRecords(path: string, at: number): Buffer {
  const { database, domain } = openDomain(path);
  const run = domain.snapshot.open({ requestId: systemIds().requestId(at), at });
  const pages: Uint8Array[] = [];
  for (let page = run.next(); page !== null; page = run.next()) pages.push(plainLines(page));
  database.$client.close();
  return Buffer.concat(pages);
}

/** Writes a row for each quote of an export: what a server joins that encodes nothing in advance. */
function writeQuoteRows(path: string, lines: readonly string[]): void {
  const client = new SqliteDatabase(path);
  client.exec(`
    CREATE TABLE items (item_id INTEGER PRIMARY KEY, market_hash_name TEXT NOT NULL, phase TEXT) STRICT;
    CREATE TABLE quotes (item_id INTEGER, side TEXT, place INTEGER, provider TEXT NOT NULL, amount INTEGER NOT NULL,
      quantity INTEGER, url TEXT, PRIMARY KEY (item_id, side, place)) STRICT, WITHOUT ROWID;`);
  const items = `[${lines.slice(1, -2).join()}]`;
  client
    .prepare(
      "INSERT INTO items SELECT value->>'$.data.item_id', value->>'$.data.market_hash_name', value->>'$.data.phase' FROM json_each(?)",
    )
    .run(items);
  for (const side of ["ask", "bid"])
    client
      .prepare(`
        INSERT INTO quotes SELECT item.value->>'$.data.item_id', '${side}', quote.key, quote.value->>'provider',
          quote.value->>'amount', quote.value->>'quantity', quote.value->>'url'
        FROM json_each(?) item, json_each(item.value, '$.data.${side}s') quote`)
      .run(items);
  client.close();
}
