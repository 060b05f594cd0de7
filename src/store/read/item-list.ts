import { and, asc, between, eq, gt, lte, or, type SQL, sql } from "drizzle-orm";
import { items } from "../../../db/schema/catalog.ts";
import { bestAsks, frameProviders, quotes } from "../../../db/schema/prices.ts";
import { weaponTypes } from "../../values/text/item-names.ts";
import type { BestAskRow, ItemRow } from "../../wire/item-detail.ts";
import type { Database } from "../database.ts";
import { bound, boundLimit } from "../statement.ts";

/** A catalog item with the best ask of the published generation. */
export type PricedItemRow = ItemRow & BestAskRow;

/** What an item of a list can be bound to one value of. `weapon` is what stands before the finish of its market name. */
export type ItemFact = "type" | "rarity" | "weapon" | "wear" | "phase" | "statCounter" | "souvenir";

/** What of an item is looked at without prices. One of its names has all `words` among its words and all `literals` in its folded text. */
export type NameFilter = {
  readonly words: readonly string[];
  readonly literals: readonly string[];
  /** Each of them holds; one fact can be named twice. Booleans are 0 and 1. */
  readonly equals: readonly { readonly fact: ItemFact; readonly value: string | number }[];
};

/** What the item's quotes in the published generation must be; amounts in cents, both inclusive. Null: whatever. */
export type QuoteFilter = { readonly provider: string | null; readonly ask: { min: number; max: number } | null };

export type ItemFilter = NameFilter & { readonly quoted: QuoteFilter | null };

/** Ids `after` (exclusive) to `upTo` (inclusive). */
export type ItemRange = { after: number; upTo: number; filter: ItemFilter; limit: number };

/** Values by the names of their places. */
type Bound = Record<string, string | number>;
type Reading<Row> = { all(values: Bound): Row[] };

/** The filter that every item passes. */
export const noFilter: ItemFilter = { words: [], literals: [], equals: [], quoted: null };

/** A shape is a few hundred bytes of SQL and what SQLite made of it. */
const statementsMax = 64;
const newline = sql.raw("char(10)");

/**
 * Lists items of the catalog. A statement is prepared for each shape of a filter when it is first asked for: how many words and
 * literals, rounded up to a power of two, and which facts. Places that are left over take the empty text, which every name holds.
 * Items are walked by their key, within blocks that a `SearchIndex` has chosen; where their quotes are asked for, the table of best asks is walked, in the same
 * order.
 */
export class ItemLists {
  readonly #database: Database;
  readonly #statements = new Map<string, unknown>();

  constructor(database: Database) {
    this.#database = database;
  }

  /** Returns the items of the range in ascending id, at most `limit`. */
  items(range: ItemRange): ItemRow[] {
    return this.#statement<ItemRow>(range.filter, false).all(valuesOf(range));
  }

  /** Returns the same with their prices. */
  pricedItems(range: ItemRange): PricedItemRow[] {
    return this.#statement<PricedItemRow>(range.filter, true).all(valuesOf(range));
  }

  #statement<Row>(filter: ItemFilter, isPriced: boolean): Reading<Row> {
    const shape = shapeOf(filter, isPriced);
    const known = this.#statements.get(shape);
    if (known !== undefined) return known as Reading<Row>;
    if (this.#statements.size === statementsMax) this.#statements.clear();
    const prepared = prepare(this.#database, filter, isPriced);
    this.#statements.set(shape, prepared);
    return prepared as unknown as Reading<Row>;
  }
}

function shapeOf({ words, literals, equals, quoted }: ItemFilter, isPriced: boolean): string {
  const facts = equals.map(({ fact }) => fact);
  const quotes =
    quoted === null ? "" : `${quoted.provider === null ? "" : "provider"} ${quoted.ask === null ? "" : "ask"}`;
  return [isPriced, placesFor(words.length), placesFor(literals.length), quotes, ...facts].join();
}

function prepare(database: Database, { words, literals, equals, quoted }: ItemFilter, isPriced: boolean) {
  const conditions = [
    eq(items.inCatalog, true),
    ...equals.map(({ fact }, index) => equal(fact, bound(`equal${index}`))),
    named(placesFor(words.length), placesFor(literals.length)),
  ];
  const limit = boundLimit("limit");
  if (quoted !== null) {
    const ofQuotes = and(...quotedIn(quoted), ...conditions);
    return quotedItems(database).where(ofQuotes).orderBy(asc(bestAsks.itemId)).limit(limit).prepare();
  }
  const ofItems = and(gt(items.itemId, bound("after")), lte(items.itemId, bound("upTo")), ...conditions);
  const query = isPriced ? priced(database) : unpriced(database);
  return query.where(ofItems).orderBy(asc(items.itemId)).limit(limit).prepare();
}

function valuesOf({ after, upTo, limit, filter }: ItemRange): Bound {
  const values: Bound = { after, upTo, limit };
  for (const [index, { value }] of filter.equals.entries()) values[`equal${index}`] = value;
  const { provider, ask } = filter.quoted ?? { provider: null, ask: null };
  if (provider !== null) values.provider = provider;
  if (ask !== null) Object.assign(values, { askMin: ask.min, askMax: ask.max });
  for (const key of ["words", "literals"] as const) {
    const texts = filter[key];
    for (let index = 0; index < placesFor(texts.length); index += 1) values[`${key}${index}`] = texts[index] ?? "";
  }
  return values;
}

function placesFor(count: number): number {
  return count === 0 ? 0 : 2 ** Math.ceil(Math.log2(count));
}

/** Returns the condition that one of the two names has everything; undefined without words and literals. */
function named(words: number, literals: number): SQL | undefined {
  if (words + literals === 0) return undefined;
  const { searchText } = items;
  const firstEnd = sql`instr(${searchText} || ${newline}, ${newline})`;
  const market = sql`substr(${searchText}, 1, ${firstEnd} - 1)`;
  const russian = sql`substr(${searchText}, ${firstEnd} + 1)`;
  const hasAll = (wordsOf: SQL, text: SQL) =>
    and(...holds(wordsOf, "words", words), ...holds(text, "literals", literals));
  return or(
    hasAll(sql`${items.words}`, market),
    and(sql`${items.wordsRu} IS NOT NULL`, hasAll(sql`${items.wordsRu}`, russian)),
  );
}

function holds(text: SQL, key: "words" | "literals", count: number): SQL[] {
  return Array.from({ length: count }, (_, index) => sql`instr(${text}, ${bound(`${key}${index}`)}) > 0`);
}

function equal(fact: ItemFact, value: SQL): SQL {
  if (fact !== "weapon") return sql`${items[fact]} = ${value}`;
  const bare = ["★ ", "StatTrak™ ", "Souvenir "].reduce(
    (name, prefix) => sql`replace(${name}, ${sql.raw(`'${prefix}'`)}, '')`,
    sql`${items.marketHashName}`,
  );
  const types = sql.raw(weaponTypes.map((type) => `'${type}'`).join());
  // A text with ` | ` within is no weapon, although names begin with it.
  const isWhole = sql`instr(${value} || ' | ', ' | ') > length(${value})`;
  const begins = sql`substr(${bare} || ' | ', 1, length(${value}) + 3) = ${value} || ' | '`;
  return sql`${items.type} IN (${types}) AND ${isWhole} AND ${begins}`;
}

function quotedIn({ provider, ask }: QuoteFilter): SQL[] {
  const { itemId, askCents } = bestAsks;
  const isQuoted = sql`EXISTS (SELECT 1 FROM ${quotes} JOIN ${frameProviders} ON ${frameProviders.number} = ${quotes.providerId}
    WHERE ${frameProviders.provider} = ${bound("provider")} AND ${quotes.itemId} = ${itemId})`;
  return [
    gt(itemId, bound("after")),
    lte(itemId, bound("upTo")),
    ...(ask === null ? [] : [between(askCents, bound("askMin"), bound("askMax"))]),
    ...(provider === null ? [] : [isQuoted]),
  ];
}

function unpriced(database: Database) {
  return database.select(columnsOf()).from(items).$dynamic();
}

function priced(database: Database) {
  return database
    .select({ ...columnsOf(), ...priceColumns })
    .from(items)
    .leftJoin(bestAsks, eq(bestAsks.itemId, items.itemId))
    .leftJoin(frameProviders, eq(frameProviders.number, bestAsks.providerId))
    .leftJoin(quotes, and(eq(quotes.providerId, bestAsks.providerId), eq(quotes.itemId, bestAsks.itemId)))
    .$dynamic();
}

/** Walks the items that have quotes. */
function quotedItems(database: Database) {
  return database
    .select({ ...columnsOf(), ...priceColumns })
    .from(bestAsks)
    .innerJoin(items, eq(items.itemId, bestAsks.itemId))
    .leftJoin(frameProviders, eq(frameProviders.number, bestAsks.providerId))
    .leftJoin(quotes, and(eq(quotes.providerId, bestAsks.providerId), eq(quotes.itemId, bestAsks.itemId)))
    .$dynamic();
}

const priceColumns = {
  bestAskCents: bestAsks.askCents,
  bestAskProvider: frameProviders.provider,
  // Asks of earlier releases do not tell since when they are there.
  priceUpdatedAt: sql<number | null>`coalesce(${quotes.askSince}, ${bestAsks.changedAt})`,
};

function columnsOf() {
  const { itemId, marketHashName, slug, type, rarity, collection, phase, nameRu } = items;
  const { imageUrl, wear, statCounter, souvenir } = items;
  return {
    itemId,
    marketHashName,
    slug,
    type,
    rarity,
    collection,
    phase,
    nameRu,
    imageUrl,
    wear,
    statCounter,
    souvenir,
  };
}
