import { and, eq, getTableColumns, inArray, sql } from "drizzle-orm";
import type { items } from "../../../db/schema/catalog.ts";
import { openables } from "../../../db/schema/openables.ts";
import type { components } from "../../../generated/openapi.d.ts";
import { toTimestamp, toTimestampOrNull } from "../../values/clock.ts";
import type { Database } from "../database.ts";

/** Most ids that `shares_name_with` tells. */
export const shareMax = 50;

/** The columns of an item that its detail shows. */
export type DetailRow = Omit<typeof items.$inferSelect, "identityKey" | "origin" | "searchText" | "exportHead">;

const isSeen = inArray(openables.state, ["active", "retired"]);

/** Slugs of the pools that readers see, by their container's item id. A draft never leaves the server. */
export function openableSlugs(database: Database): Map<number, string> {
  const { itemId, slug } = getTableColumns(openables);
  const rows = database.select({ itemId, slug }).from(openables).where(isSeen).all();
  return new Map(rows.map((row) => [row.itemId, row.slug]));
}

/** The same of one item, prepared. */
export function openableOf(database: Database) {
  return database
    .select({ slug: openables.slug })
    .from(openables)
    .where(and(eq(openables.itemId, sql.placeholder("itemId")), isSeen))
    .prepare();
}

/**
 * `getItem` data of an item as JSON text; `sharers` are the other items of the same name, ascending, `openableSlug` the item's own
 * in `openableSlugs`.
 */
export function encodeDetail(row: DetailRow, sharers: readonly number[], openableSlug: string | null = null): string {
  const detail: components["schemas"]["ItemDetail"] = {
    item_id: row.itemId,
    market_hash_name: row.marketHashName,
    slug: row.slug,
    type: row.type,
    rarity: row.rarity,
    collection: row.collection,
    phase: row.phase,
    name_ru: row.nameRu,
    image_url: row.imageUrl,
    wear: row.wear,
    stat_counter: row.statCounter,
    souvenir: row.souvenir,
    wear_min: row.wearMin,
    wear_max: row.wearMax,
    shares_name_with: [...sharers],
    identity: row.identity,
    openable_slug: openableSlug,
    in_catalog: row.inCatalog,
    first_seen_at: toTimestamp(row.firstSeenAt),
    updated_at: toTimestampOrNull(row.updatedAt),
  };
  return JSON.stringify(detail);
}
