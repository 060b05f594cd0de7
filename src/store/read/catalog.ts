import { and, asc, eq, gt, isNotNull, sql } from "drizzle-orm";
import { items, itemsPast } from "../../../db/schema/catalog.ts";
import { frameProviders, quotes } from "../../../db/schema/prices.ts";
import type { NamedItem } from "../../values/search/word-index.ts";
import { type DetailRow, type ItemRow, shareMax } from "../../wire/item-detail.ts";
import type { Database } from "../database.ts";
import { boundLimit, objectRows, singleValues } from "../statement.ts";
import { ItemLists, type ItemRange, type PricedItemRow } from "./item-list.ts";
import type { SharedReadTransaction } from "./shared-read.ts";

type Stored = typeof items.$inferSelect;

/** The columns that distinguish items with the same name. */
export type NamedItemRow = Pick<Stored, "itemId" | "phase" | "identity" | "inCatalog">;

/** Name and phase by which sources refer to an item, and when it was added to the catalog, UTC ms. */
export type ItemNaming = Pick<Stored, "marketHashName" | "phase" | "firstSeenAt">;

/** A detail as SQLite returns it. Flags are 0 and 1; `sharers` is a JSON array. */
type StoredDetail = Omit<DetailRow, "sharers" | Flag> & { sharers: string } & Record<Flag, number | null>;
type Flag = "statCounter" | "souvenir" | "inCatalog";

const detailSql = `
  SELECT item_id AS itemId, market_hash_name AS marketHashName, slug, type, rarity, collection, phase, name_ru AS nameRu,
    image_url AS imageUrl, wear, stat_counter AS statCounter, souvenir, wear_min AS wearMin, wear_max AS wearMax, identity,
    in_catalog AS inCatalog, first_seen_at AS firstSeenAt, updated_at AS updatedAt,
    (SELECT json_group_array(item_id) FROM (
      SELECT other.item_id FROM items AS other
      WHERE other.market_hash_name = items.market_hash_name AND other.item_id <> items.item_id
      ORDER BY other.item_id LIMIT ${shareMax})) AS sharers,
    (SELECT pool.slug FROM openables AS pool WHERE pool.item_id = items.item_id) AS openableSlug
  FROM items WHERE item_id = (SELECT ?)`;

/** Searchable names and facts of an item. Flags are 0 and 1. */
export type SearchedItem = NamedItem &
  Pick<Stored, "rarity" | "wear"> & { statCounter: number | null; souvenir: number | null };

export const itemIdMax = 2_147_483_647;

/** Reads the items of the catalog, and the stored metadata of all current and former items. */
export class CatalogStore {
  readonly #statements: ReturnType<typeof prepare>;
  readonly #lists: ItemLists;
  readonly #shared: SharedReadTransaction | undefined;

  /** Without `shared`, each read is a transaction of its own. */
  constructor(database: Database, shared?: SharedReadTransaction) {
    this.#shared = shared;
    this.#statements = prepare(database);
    this.#lists = new ItemLists(database);
  }

  /** Returns items of the range in ascending id, at most `limit`. */
  items(range: ItemRange): ItemRow[] {
    return this.#lists.items(range);
  }

  /** Returns items of a range with their prices. */
  pricedItems(range: ItemRange): PricedItemRow[] {
    return this.#lists.pricedItems(range);
  }

  /** Returns the facts for `getItem`, including items that left the catalog. Returns null for an unknown id. */
  detail(itemId: number): DetailRow | null {
    this.#shared?.join();
    const row = this.#statements.detail.get(itemId);
    return row === undefined ? null : detailOf(row);
  }

  /** Returns whether the id exists, including items that left the catalog. */
  exists(itemId: number): boolean {
    this.#shared?.join();
    return this.#statements.exists.get(itemId) !== undefined;
  }

  /** Returns the naming of an item, including items that left the catalog. Returns null for an unknown id. */
  naming(itemId: number): ItemNaming | null {
    this.#shared?.join();
    return this.#statements.naming.get(itemId) ?? null;
  }

  /** Returns the naming of an item at an earlier instant, UTC ms. Returns null for an id that did not exist then. */
  namingAt(itemId: number, at: number): ItemNaming | null {
    const naming = this.naming(itemId);
    if (naming === null || naming.firstSeenAt > at) return null;
    return { ...naming, ...this.#statements.pastNaming.get(itemId, at) };
  }

  /** Returns the items with exactly this `market_hash_name` in ascending id, at most `limit`. Includes items that left the catalog. */
  named(marketHashName: string, limit: number): NamedItemRow[] {
    this.#shared?.join();
    return this.#statements.named.all({ marketHashName, limit });
  }

  /** Returns the market name of an item, including items that left the catalog. Returns null for an unknown id. */
  marketName(itemId: number): string | null {
    return this.#statements.marketName.get({ itemId })?.name ?? null;
  }

  /** Returns the catalog's items with their searchable texts, in ascending id, to build a search index. */
  searched(after: number, limit: number): SearchedItem[] {
    return this.#statements.searched.all(after, limit);
  }
}

/** Returns the ids of the catalog's items of one type, ascending. */
export function itemsOfType(database: Database, type: string): number[] {
  const ofType = and(eq(items.type, type), eq(items.inCatalog, true));
  const rows = database.select({ itemId: items.itemId }).from(items).where(ofType).orderBy(asc(items.itemId)).all();
  return rows.map(({ itemId }) => itemId);
}

/**
 * Returns the catalog items of a type with the most offers at a provider in the published quotes, in ascending id. `isCounted` is false if
 * the provider publishes no numbers of offers. The result is then the first items.
 */
export function mostOffered(
  database: Database,
  { type, provider, limit }: { type: string; provider: string; limit: number },
): { itemIds: number[]; isCounted: boolean } {
  const isMeant = and(
    eq(items.type, type),
    eq(items.inCatalog, true),
    eq(frameProviders.provider, provider),
    isNotNull(quotes.askCents),
  );
  const rows = database
    .select({ itemId: items.itemId, quantity: quotes.askQuantity })
    .from(frameProviders)
    .innerJoin(quotes, eq(quotes.providerId, frameProviders.number))
    .innerJoin(items, eq(items.itemId, quotes.itemId))
    .where(isMeant)
    .orderBy(sql`coalesce(${quotes.askQuantity}, 0) DESC`, asc(items.itemId))
    .limit(limit)
    .all();
  const itemIds = rows.map(({ itemId }) => itemId).sort((one, other) => one - other);
  return { itemIds, isCounted: rows.some(({ quantity }) => quantity !== null) };
}

/** Returns the ids of the items in exports, which are the items in the catalog. */
export function exportedItems(database: Database): Set<number> {
  const inCatalog = database.select({ itemId: items.itemId }).from(items).where(sql`${items.inCatalog} = 1`);
  return new Set(singleValues<number, []>(database, inCatalog).all());
}

function prepare(database: Database) {
  const { itemId, marketHashName, phase } = items;
  const exists = database
    .select({ one: sql`1` })
    .from(items)
    .where(eq(itemId, sql.placeholder("itemId")));
  const naming = database
    .select({
      marketHashName: sql`${marketHashName}`.as("marketHashName"),
      phase,
      firstSeenAt: sql`${items.firstSeenAt}`.as("firstSeenAt"),
    })
    .from(items)
    .where(eq(itemId, sql.placeholder("itemId")));
  const pastNaming = database
    .select({ marketHashName: sql`${itemsPast.marketHashName}`.as("marketHashName"), phase: itemsPast.phase })
    .from(itemsPast)
    .where(and(eq(itemsPast.itemId, sql.placeholder("itemId")), gt(itemsPast.supersededAt, sql.placeholder("at"))))
    .orderBy(asc(itemsPast.supersededAt));
  const limit = boundLimit("limit");
  return {
    // Built by Drizzle but executed directly, because the most frequent reads need no mapping.
    detail: database.$client.prepare<[number], StoredDetail>(detailSql),
    naming: objectRows<ItemNaming, [number]>(database, naming),
    pastNaming: objectRows<Omit<ItemNaming, "firstSeenAt">, [number, number]>(database, pastNaming),
    exists: singleValues<number, [number]>(database, exists),
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
    searched: database.$client.prepare<[number, number], SearchedItem>(
      `SELECT item_id, market_hash_name, name_ru, phase, type, rarity, wear, stat_counter AS statCounter, souvenir FROM items
       WHERE item_id > (SELECT ?) AND in_catalog = 1 ORDER BY item_id LIMIT (SELECT ?)`,
    ),
  };
}

function detailOf({ statCounter, souvenir, inCatalog, sharers, ...row }: StoredDetail): DetailRow {
  return {
    ...row,
    statCounter: statCounter === null ? null : statCounter === 1,
    souvenir: souvenir === null ? null : souvenir === 1,
    inCatalog: inCatalog === 1,
    sharers: JSON.parse(sharers),
  };
}
