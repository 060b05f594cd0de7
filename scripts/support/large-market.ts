import { Accounts } from "../../src/access/accounts.ts";
import { Keys } from "../../src/access/keys.ts";
import { buildCatalog } from "../../src/import/catalog/build-catalog.ts";
import { importCatalog } from "../../src/import/catalog/catalog-import.ts";
import { publishInBatches } from "../../src/import/quotes/publish.ts";
import { type Database, writeTransaction } from "../../src/store/database.ts";
import { createDatabase } from "../../src/store/file/file.ts";
import { runAtOnce } from "../../src/store/write/batches.ts";
import { systemIds } from "../../src/values/ids.ts";
import { systemClock } from "../../src/values/time/clock.ts";
import type { Book, BookQuote } from "../../src/wire/quotes.ts";

/** Marketplaces that sell. The first few also buy. */
const sellers = ["bench-a", "bench-b", "bench-c", "bench-d", "bench-e", "bench-f"];
const buyers = sellers.slice(0, 3);
export const quotesPerItem = sellers.length + buyers.length;
/** Share of the quotes that change from one hour to the next. */
const changePercent = 15;
const englishName = "StatTrak™ Benchmark Rifle | Synthetic Finish";

/** The feed that quotes all items. */
export const marketFeed = {
  feed: "bench",
  adapter: "canonical",
  providers: sellers.map((provider) => ({ provider, name: provider, kind: "cash" as const })),
};

/**
 * Creates a file with the given number of items, their quotes of the first hour, and accounts. Names, prices and accounts are synthetic.
 * Returns the secrets of Quant keys, one per account.
 */
export function createLargeMarket(
  path: string,
  items: number,
  accounts: number,
  cataloguedAt = systemClock.now(),
): string[] {
  let keys: string[] = [];
  createDatabase(path, (database) => {
    importItems(database, items, cataloguedAt);
    const market = { facts: marketFeed, items: marketOf(items, 0) };
    runAtOnce(publishInBatches(database, [market], { clock: systemClock }));
    keys = writeTransaction(database, () => Array.from({ length: accounts }, () => createKey(database)));
  });
  return keys;
}

/** Returns the quotes of all items in an hour, counted from 0. */
export function marketOf(items: number, hour: number): Map<number, Book> {
  return new Map(Array.from({ length: items }, (_, index) => [index + 1, quotesOf(index + 1, hour)]));
}

/**
 * Returns the quotes of an item in an hour (from 0), a pure function of both. Each hour `changePercent` of them change: the price by a few
 * percent, at least a cent, and half of the time the quantity. Prices are between ten cents and a thousand dollars, most of them low.
 */
function quotesOf(itemId: number, hour: number): Book {
  const price = 10 ** (1 + 4 * (((itemId * 7919) % 10_000) / 10_000) ** 2);
  const quote = (provider: string, place: number, share: number): BookQuote => {
    const phase = (itemId * 31 + place * 17) % 100;
    const changes = Math.floor((hour * changePercent + phase) / 100);
    const base = Math.ceil(price * share);
    const amountCents = base + (((changes * 7 + phase) % 5) + 1) * Math.max(1, Math.round(base / 100));
    const quantity = place % 3 === 2 ? null : 1 + (((changes >> 1) * 17 + phase) % 60);
    const url = `https://${provider}.example/listings/730/synthetic-finish-${itemId}?offer=${itemId * 10 + place}`;
    return { provider, amountCents, quantity, url, observedAt: null };
  };
  return {
    asks: sellers.map((provider, place) => quote(provider, place, 1 + (place + 1) / 20)),
    bids: buyers.map((provider, place) => quote(provider, sellers.length + place, 0.8)),
  };
}

/** Imports a catalog of rifles, one item per row. */
function importItems(database: Database, items: number, at: number): void {
  const document = (value: unknown) => ({ file: "bench", value });
  const lists = catalogLists(items);
  const cs2Lib = { items: document(lists.items), english: document(lists.english), russian: document(lists.russian) };
  const { variants } = buildCatalog({ cs2Lib, csgoApi: null });
  importCatalog(database, variants, at);
}

/** Returns the lists of cs2-lib for a catalog of rifles. Each row is one item with the name `catalogName`. */
export function catalogLists(items: number) {
  const ids = Array.from({ length: items }, (_, index) => index + 1);
  const rows = ids.map((id) => {
    const image = `https://images.example/items/${String(id).padStart(40, "0")}.png`;
    return { id, type: "weapon", def: 7, index: id, rarity: "#8847ff", wearMin: 0.15, wearMax: 0.38, image };
  });
  const names = (text: string) => Object.fromEntries(ids.map((id) => [id, { name: `${text} ${id}` }]));
  return { items: rows, english: names(englishName), russian: names("Винтовка StatTrak™ | Выдуманная раскраска") };
}

/** Returns the market name of a row of `catalogLists`. */
export function catalogName(id: number): string {
  return `${englishName} ${id} (Field-Tested)`;
}

function createKey(database: Database): string {
  const parts = { database, clock: systemClock, ids: systemIds() };
  const { accountId } = new Accounts(parts).create("Bench");
  new Accounts(parts).setPlan(accountId, "quant", null);
  return new Keys(parts).create(accountId, "bench", 90).secret;
}
