import { and, asc, eq, gt, lte, sql } from "drizzle-orm";
import { itemDetails, items } from "../../db/schema/catalog.ts";
import { generationQuotes, generations } from "../../db/schema/prices.ts";
import { marketState } from "../../db/schema/reference.ts";
import type { Database } from "./database.ts";
import type { SharedReadTransaction } from "./shared-read.ts";
import { bareRecords, bareValues, bound, boundLimit } from "./statement.ts";

type Stored = typeof items.$inferSelect;

/** A catalog item without prices. */
export type ItemRow = Pick<
  Stored,
  | "itemId"
  | "marketHashName"
  | "slug"
  | "type"
  | "rarity"
  | "collection"
  | "phase"
  | "nameRu"
  | "imageUrl"
  | "wear"
  | "statCounter"
  | "souvenir"
>;

/** With the best ask of the published generation; all three null where there is none. */
export type PricedItemRow = ItemRow & {
  bestAskCents: number | null;
  bestAskProvider: string | null;
  priceUpdatedAt: number | null;
};

/** The columns that distinguish items of one name. */
export type NamedItemRow = Pick<Stored, "itemId" | "phase" | "identity" | "inCatalog">;

/** Name and phase by which sources refer to an item, and when the catalog first had it, UTC ms. */
export type ItemNaming = Pick<Stored, "marketHashName" | "phase" | "firstSeenAt">;

/** Ids `after` (exclusive) to `upTo` (inclusive). `q` is folded text; null: every item. */
export type ItemRange = { after: number; upTo: number; q: string | null; limit: number };

export const itemIdMax = 2_147_483_647;

/** Items that are in the catalog, and the stored metadata of every item that ever was. */
export class CatalogStore {
  readonly #statements: ReturnType<typeof prepare>;
  readonly #shared: SharedReadTransaction | undefined;

  /** Without `shared` every read is a transaction of its own. */
  constructor(database: Database, shared?: SharedReadTransaction) {
    this.#shared = shared;
    this.#statements = prepare(database);
  }

  /** Returns the items of the range in ascending id, at most `limit`. */
  items({ q, ...range }: ItemRange): ItemRow[] {
    return q === null ? this.#statements.items.all(range) : this.#statements.itemsWith.all({ ...range, q });
  }

  /** Returns the items of a range with their prices. */
  pricedItems({ q, ...range }: ItemRange): PricedItemRow[] {
    return q === null ? this.#statements.pricedItems.all(range) : this.#statements.pricedItemsWith.all({ ...range, q });
  }

  /** Returns `getItem` data as encoded JSON, also of items that left the catalog. */
  detail(itemId: number): string | null {
    this.#shared?.join();
    return this.#statements.detail.get(itemId) ?? null;
  }

  /** Returns whether there is an item of this id, also one that left the catalog. */
  exists(itemId: number): boolean {
    this.#shared?.join();
    return this.#statements.exists.get(itemId) !== undefined;
  }

  /** Returns how sources refer to an item, also to one that left the catalog; null: there is no such item. */
  naming(itemId: number): ItemNaming | null {
    this.#shared?.join();
    return this.#statements.naming.get(itemId) ?? null;
  }

  /** Returns the items of exactly this `market_hash_name` in ascending id, at most `limit`, also those that left the catalog. */
  named(marketHashName: string, limit: number): NamedItemRow[] {
    this.#shared?.join();
    return this.#statements.named.all({ marketHashName, limit });
  }

  /** Returns the market name of an item, also of one that left the catalog; null: there is no such item. */
  marketName(itemId: number): string | null {
    return this.#statements.marketName.get({ itemId })?.name ?? null;
  }

  /** Returns the folded names of the catalog's items in ascending id: what a search index is made from. */
  searchTexts(after: number, limit: number): { itemId: number; searchText: string }[] {
    return this.#statements.searchTexts.all({ after, limit });
  }
}

/** Returns the ids of the items of one type that are in the catalog, ascending. */
export function itemsOfType(database: Database, type: string): number[] {
  const ofType = and(eq(items.type, type), eq(items.inCatalog, true));
  const rows = database.select({ itemId: items.itemId }).from(items).where(ofType).orderBy(asc(items.itemId)).all();
  return rows.map(({ itemId }) => itemId);
}

/** Returns the ids of the items that exports show: those that are in the catalog. */
export function exportedItems(database: Database): Set<number> {
  const rows = database.select({ itemId: items.itemId }).from(items).where(eq(items.inCatalog, true)).all();
  return new Set(rows.map(({ itemId }) => itemId));
}

function prepare(database: Database) {
  const { itemId, marketHashName, slug, type, rarity, collection, phase, nameRu } = items;
  const { imageUrl, wear, statCounter, souvenir, searchText } = items;
  const detail = database
    .select({ json: itemDetails.json })
    .from(itemDetails)
    .where(eq(itemDetails.itemId, sql.placeholder("itemId")));
  const exists = database
    .select({ one: sql`1` })
    .from(itemDetails)
    .where(eq(itemDetails.itemId, sql.placeholder("itemId")));
  const naming = database
    .select({
      marketHashName: sql`${marketHashName}`.as("marketHashName"),
      phase,
      firstSeenAt: sql`${items.firstSeenAt}`.as("firstSeenAt"),
    })
    .from(items)
    .where(eq(itemId, sql.placeholder("itemId")));
  const plain = { itemId, marketHashName, slug, type, rarity, collection, phase, nameRu };
  const columns = { ...plain, imageUrl, wear, statCounter, souvenir };
  const inRange = and(gt(itemId, bound("after")), lte(itemId, bound("upTo")), eq(items.inCatalog, true));
  const matching = and(inRange, sql`instr(${searchText}, ${bound("q")}) > 0`);
  const unpriced = () => database.select(columns).from(items).$dynamic();
  const priced = () =>
    database
      .select({
        ...columns,
        bestAskCents: generationQuotes.bestAskCents,
        bestAskProvider: generationQuotes.bestAskProvider,
        priceUpdatedAt: sql<number | null>`CASE WHEN ${generationQuotes.bestAskCents} IS NOT NULL
          THEN coalesce(${generationQuotes.bestAskChangedAt}, ${generations.ingestedAt}) END`,
      })
      .from(items)
      .leftJoin(marketState, eq(marketState.one, 1))
      .leftJoin(generations, eq(generations.generationId, marketState.currentGenerationId))
      .leftJoin(
        generationQuotes,
        eq(generationQuotes.quoteKey, sql`(${marketState.currentGenerationId} << 31) + ${itemId}`),
      )
      .$dynamic();
  const limit = boundLimit("limit");
  return {
    items: unpriced().where(inRange).orderBy(asc(itemId)).limit(limit).prepare(),
    itemsWith: unpriced().where(matching).orderBy(asc(itemId)).limit(limit).prepare(),
    pricedItems: priced().where(inRange).orderBy(asc(itemId)).limit(limit).prepare(),
    pricedItemsWith: priced().where(matching).orderBy(asc(itemId)).limit(limit).prepare(),
    // Built by Drizzle and run bare: what is read most needs no mapping.
    detail: bareValues<string, [number]>(database, detail),
    naming: bareRecords<ItemNaming, [number]>(database, naming),
    exists: bareValues<number, [number]>(database, exists),
    named: database
      .select({ itemId, phase, identity: items.identity, inCatalog: items.inCatalog })
      .from(items)
      .where(eq(marketHashName, sql.placeholder("marketHashName")))
      .orderBy(asc(itemId))
      .limit(limit)
      .prepare(),
    marketName: database
      .select({ name: marketHashName })
      .from(items)
      .where(eq(itemId, sql.placeholder("itemId")))
      .prepare(),
    searchTexts: database
      .select({ itemId, searchText })
      .from(items)
      .where(and(gt(itemId, sql.placeholder("after")), eq(items.inCatalog, true)))
      .orderBy(asc(itemId))
      .limit(limit)
      .prepare(),
  };
}
