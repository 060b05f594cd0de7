import type { Schema } from "../contract/types.ts";
import { toTimestamp, toTimestampOrNull } from "../values/time/clock.ts";

type ItemDetail = Schema<"ItemDetail">;
type CatalogItem = Schema<"CatalogItem">;

/** Values that `getItem` returns. Times are UTC ms; null if unknown or absent. */
export type DetailRow = {
  itemId: number;
  marketHashName: string;
  slug: string;
  type: string | null;
  rarity: string | null;
  collection: string | null;
  phase: string | null;
  nameRu: string | null;
  imageUrl: string | null;
  wear: string | null;
  statCounter: boolean | null;
  souvenir: boolean | null;
  wearMin: string | null;
  wearMax: string | null;
  identity: ItemDetail["identity"];
  inCatalog: boolean;
  firstSeenAt: number;
  updatedAt: number | null;
  /** Ids of other items with the same name, ascending, at most `shareMax`. */
  sharers: readonly number[];
  /** Slug of the published pool of the item; null without a published pool. */
  openableSlug: string | null;
};

/** Values that a list entry and a detail share. */
export type ItemRow = Pick<
  DetailRow,
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

/** Maximum number of ids in `shares_name_with`. */
export const shareMax = 50;

/** Returns the data of `getItem`. */
export function itemDetail(row: DetailRow): ItemDetail {
  return {
    ...itemFacts(row),
    wear_min: row.wearMin,
    wear_max: row.wearMax,
    shares_name_with: [...row.sharers],
    identity: row.identity,
    openable_slug: row.openableSlug,
    in_catalog: row.inCatalog,
    first_seen_at: toTimestamp(row.firstSeenAt),
    updated_at: toTimestampOrNull(row.updatedAt),
  };
}

/** Best ask in the published generation. All fields are null without one. Times are UTC ms. */
export type BestAskRow = { bestAskCents: number | null; bestAskProvider: string | null; priceUpdatedAt: number | null };

/** Returns an entry of `listItems`. Omit the best ask for callers that may not see prices. */
export function catalogItem(row: ItemRow & Partial<BestAskRow>): CatalogItem {
  return {
    ...itemFacts(row),
    best_ask_cents: row.bestAskCents ?? null,
    best_ask_provider: row.bestAskProvider ?? null,
    price_updated_at: toTimestampOrNull(row.priceUpdatedAt ?? null),
  };
}

/** Returns the fields that a list entry and a detail share. */
function itemFacts(row: ItemRow) {
  return {
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
  } satisfies Omit<CatalogItem, "best_ask_cents" | "best_ask_provider" | "price_updated_at">;
}
