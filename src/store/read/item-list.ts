import { and, asc, between, eq, gt, type SQL, sql } from "drizzle-orm";
import { items } from "../../../db/schema/catalog.ts";
import { bestAsks, frameProviders, quotes } from "../../../db/schema/prices.ts";
import type { BestAskRow, ItemRow } from "../../wire/item-detail.ts";
import type { Database } from "../database.ts";
import { bound, boundLimit } from "../statement.ts";

/** A catalog item with its best ask in the published generation. */
export type PricedItemRow = ItemRow & BestAskRow;

/** Filter by an item's quotes in the published generation. `ask` bounds the best ask in cents, inclusive. Null fields match all quotes. */
export type QuoteFilter = { readonly provider: string | null; readonly ask: { min: number; max: number } | null };

/** Matches items with each of the `literals` in one of their folded names. */
export type ItemFilter = { readonly literals: readonly string[]; readonly quoted: QuoteFilter | null };

/** Items with ids after `after`, or only the given `ids`. */
export type ItemRange = {
  readonly ids: readonly number[] | null;
  readonly after: number;
  readonly filter: ItemFilter;
  readonly limit: number;
};

/** Values by placeholder name. */
type Bound = Record<string, string | number>;
type Reading<Row> = { all(values: Bound): Row[] };

/** Matches every item. */
export const noFilter: ItemFilter = { literals: [], quoted: null };

/** Maximum cached statements. Each needs a few hundred bytes of SQL and its compiled form. */
const statementsMax = 64;

/**
 * Lists items of the catalog. It caches one statement per shape of filter, with the number of literals rounded up to a power of two. Unused
 * placeholders get the empty text, which every name contains. Lists with a quote filter scan the best asks; other lists scan the items.
 */
export class ItemLists {
  readonly #database: Database;
  readonly #statements = new Map<string, unknown>();

  constructor(database: Database) {
    this.#database = database;
  }

  /** Returns items of the range in ascending id, at most `limit`. */
  items(range: ItemRange): ItemRow[] {
    return this.#statement<ItemRow>(range, false).all(valuesOf(range));
  }

  /** Returns the same items with their prices. */
  pricedItems(range: ItemRange): PricedItemRow[] {
    return this.#statement<PricedItemRow>(range, true).all(valuesOf(range));
  }

  #statement<Row>(range: ItemRange, isPriced: boolean): Reading<Row> {
    const shape = shapeOf(range, isPriced);
    const known = this.#statements.get(shape);
    if (known !== undefined) return known as Reading<Row>;
    if (this.#statements.size === statementsMax) this.#statements.clear();
    const prepared = prepare(this.#database, range, isPriced);
    this.#statements.set(shape, prepared);
    return prepared as unknown as Reading<Row>;
  }
}

function shapeOf({ ids, filter: { literals, quoted } }: ItemRange, isPriced: boolean): string {
  const quotes =
    quoted === null ? "" : `${quoted.provider === null ? "" : "provider"} ${quoted.ask === null ? "" : "ask"}`;
  return [isPriced, ids === null, placesFor(literals.length), quotes].join();
}

function prepare(database: Database, { ids, filter: { literals, quoted } }: ItemRange, isPriced: boolean) {
  const { itemId } = quoted === null ? items : bestAsks;
  const isAsked = sql`${itemId} IN (SELECT value FROM json_each(${bound("ids")}) AS asked)`;
  const query = quoted !== null ? quotedItems(database) : isPriced ? priced(database) : unpriced(database);
  return query
    .where(
      and(
        ids === null ? gt(itemId, bound("after")) : isAsked,
        ...(quoted === null ? [] : quotedIn(quoted)),
        eq(items.inCatalog, true),
        named(placesFor(literals.length)),
      ),
    )
    .orderBy(asc(itemId))
    .limit(boundLimit("limit"))
    .prepare();
}

function valuesOf({ ids, after, limit, filter: { literals, quoted } }: ItemRange): Bound {
  const values: Bound = { limit, ...(ids === null ? { after } : { ids: JSON.stringify(ids) }) };
  const { provider, ask } = quoted ?? { provider: null, ask: null };
  if (provider !== null) values.provider = provider;
  if (ask !== null) Object.assign(values, { askMin: ask.min, askMax: ask.max });
  for (let index = 0; index < placesFor(literals.length); index += 1) values[`literal${index}`] = literals[index] ?? "";
  return values;
}

function placesFor(count: number): number {
  return count === 0 ? 0 : 2 ** Math.ceil(Math.log2(count));
}

/** Returns the condition that each literal is in one of the two names. Undefined without literals. */
function named(literals: number): SQL | undefined {
  // Each name has its own line, and literals contain no line break.
  return and(
    ...Array.from({ length: literals }, (_, index) => sql`instr(${items.searchText}, ${bound(`literal${index}`)}) > 0`),
  );
}

function quotedIn({ provider, ask }: QuoteFilter): SQL[] {
  const { itemId, askCents } = bestAsks;
  const isQuoted = sql`EXISTS (SELECT 1 FROM ${quotes} JOIN ${frameProviders} ON ${frameProviders.number} = ${quotes.providerId}
    WHERE ${frameProviders.provider} = ${bound("provider")} AND ${quotes.itemId} = ${itemId})`;
  return [
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

/** Scans the items with quotes. */
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
  // Asks from earlier releases have no known start.
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
