import type { items } from "../../db/schema/catalog.ts";
import type { components } from "../../generated/openapi.d.ts";
import { toTimestamp, toTimestampOrNull } from "../values/clock.ts";

/** Most ids that `shares_name_with` tells. */
export const shareMax = 50;

/** The columns of an item that its detail shows. */
export type DetailRow = Omit<typeof items.$inferSelect, "identityKey" | "origin" | "searchText" | "exportHead">;

/** `getItem` data of an item as JSON text; `sharers` are the other items of the same name, ascending. */
export function encodeDetail(row: DetailRow, sharers: readonly number[]): string {
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
    openable_slug: null,
    in_catalog: row.inCatalog,
    first_seen_at: toTimestamp(row.firstSeenAt),
    updated_at: toTimestampOrNull(row.updatedAt),
  };
  return JSON.stringify(detail);
}
