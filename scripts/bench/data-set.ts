import { copyFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { Accounts } from "../../src/access/accounts.ts";
import { Keys } from "../../src/access/keys.ts";
import type { AppParts } from "../../src/compose.ts";
import { MarketSnapshot, plainLines, type SnapshotPage } from "../../src/domain/market-snapshot.ts";
import { buildCatalog } from "../../src/import/catalog/build-catalog.ts";
import { importCatalog } from "../../src/import/catalog/catalog-import.ts";
import { CatalogStore } from "../../src/store/catalog.ts";
import { type Database, openReader, writeTransaction } from "../../src/store/database.ts";
import { createDatabase } from "../../src/store/file.ts";
import { MarketSnapshotStore } from "../../src/store/market-snapshot.ts";
import { systemClock } from "../../src/values/clock.ts";
import { systemIds } from "../../src/values/ids.ts";
import { publishMarket } from "./market.ts";
import { writeRows } from "./peers/rows.ts";

/**
 * The files that a server reads: the service's, the same as rows for its peers, and a whole export. `privateUrl`: where
 * accounts are, when they are not in the file.
 */
export type Setup = { database: string; rows: string; exportFile: string } & Pick<
  AppParts,
  "privateUrl" | "follow" | "releases"
>;

/** The files that everything is measured on. Names, prices and accounts are synthetic. */
export type DataSet = {
  folder: string;
  items: number;
  /** Secrets of Quant keys, each of another account. */
  keys: readonly string[];
  /** Returns the keys of a round: each round has others, as long as there are some. */
  keysOf(round: number, count: number): readonly string[];
  exportBytes: number;
  /** Returns the files for a server, with a copy of the database. */
  copy(): Setup;
};

const accountsMin = 64;

/** Creates the files in a folder, as the service's own imports write them. */
export function createDataSet(folder: string, items: number, accounts: number): DataSet {
  const file = (name: string) => join(folder, `bench-${name}`);
  const setup = { database: file("market.db"), rows: file("rows.db"), exportFile: file("export.ndjson") };
  let keys: string[] = [];
  createDatabase(setup.database, (database) => {
    importItems(database, items);
    publishMarket(database, items);
    const createKeys = () => Array.from({ length: Math.max(accounts, accountsMin) }, () => createKey(database));
    keys = writeTransaction(database, createKeys);
  });
  const records = exportRecords(setup.database);
  writeFileSync(setup.exportFile, records);
  writeMarketRows(setup, records.toString());
  let copies = 0;
  return {
    folder,
    items,
    keys,
    keysOf: (round, count) => Array.from({ length: count }, (_, index) => keys[(round * count + index) % keys.length]!),
    exportBytes: records.length,
    copy() {
      copies += 1;
      copyFileSync(setup.database, file(`copy-${copies}.db`));
      return { ...setup, database: file(`copy-${copies}.db`) };
    },
  };
}

/** Imports a catalog of rifles, one item for each row. */
function importItems(database: Database, items: number): void {
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
  importCatalog(database, variants, systemClock.now());
}

function createKey(database: Database): string {
  const parts = { database, clock: systemClock, ids: systemIds() };
  const { accountId } = new Accounts(parts).create("Bench");
  new Accounts(parts).setPlan(accountId, "quant", null);
  return new Keys(parts).create(accountId, "bench", 90).secret;
}

/** Writes the details of all items, and their quotes as an export has them. */
function writeMarketRows({ database: path, rows }: Setup, records: string): void {
  const database = openReader(path);
  const catalog = new CatalogStore(database);
  const { add, end } = writeRows(rows);
  for (const line of records.trimEnd().split("\n").slice(1, -1)) {
    const { asks, bids, ...market } = JSON.parse(line).data;
    const { item_id: id } = market;
    add("items", id, [JSON.parse(catalog.detail(id)!)]);
    add("markets", id, [{ ...market, generation: "g1" }]);
    add("asks", id, asks);
    add("bids", id, bids);
  }
  end();
  database.$client.close();
}

/** Returns a whole export as the service makes it. */
function exportRecords(path: string): Buffer {
  const database = openReader(path);
  const at = systemClock.now();
  const run = new MarketSnapshot(new MarketSnapshotStore(database)).open({ requestId: systemIds().requestId(at), at });
  const records = Buffer.concat(Array.from(pagesOf(run), plainLines));
  database.$client.close();
  return records;
}

/** Yields the pages of an export, of at most so many sealed blocks. */
export function* pagesOf(
  run: { next(sealedMax?: number): SnapshotPage | null },
  sealedMax?: number,
): Generator<SnapshotPage> {
  for (let page = run.next(sealedMax); page !== null; page = run.next(sealedMax)) yield page;
}
