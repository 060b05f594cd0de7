import { sql } from "drizzle-orm";
import { check, index, integer, primaryKey, sqliteTable, text } from "drizzle-orm/sqlite-core";

/** Columns of an item that answers show and that imports of the catalog change. */
const shownColumns = {
  marketHashName: text("market_hash_name").notNull(),
  slug: text("slug").notNull(),
  type: text("type"),
  rarity: text("rarity"),
  collection: text("collection"),
  phase: text("phase"),
  nameRu: text("name_ru"),
  imageUrl: text("image_url"),
  wear: text("wear"),
  statCounter: integer("stat_counter", { mode: "boolean" }),
  souvenir: integer("souvenir", { mode: "boolean" }),
  wearMin: text("wear_min"),
  wearMax: text("wear_max"),
  inCatalog: integer("in_catalog", { mode: "boolean" }).notNull(),
  /** When these columns last changed, UTC ms. Null if they never changed since `first_seen_at`. */
  updatedAt: integer("updated_at"),
};

/** One exact variant. Ids are assigned in order of arrival and never reused. Rows are never deleted. */
export const items = sqliteTable(
  "items",
  {
    itemId: integer("item_id").primaryKey(),
    /** Canonical object, wear, counter, souvenir and phase. Never contains the name. */
    identityKey: text("identity_key").notNull().unique(),
    ...shownColumns,
    identity: text("identity", { enum: ["exact", "unphased"] }).notNull(),
    origin: text("origin", { enum: ["catalog", "feed_proven"] }).notNull(),
    firstSeenAt: integer("first_seen_at").notNull(),
    /** NFC and case folded market_hash_name and name_ru. Searches match literal parts of `q` against it. */
    searchText: text("search_text").notNull(),
    /** CRC-32 of the columns that are not derived from others. Null until filled. */
    checksum: integer("checksum"),
  },
  (table) => [
    index("items_by_name").on(table.marketHashName),
    check("items_item_id", sql`item_id BETWEEN 1 AND 2147483647`),
    check("items_identity", sql`identity IN ('exact', 'unphased') AND (identity = 'exact' OR phase IS NULL)`),
    check("items_origin", sql`origin IN ('catalog', 'feed_proven')`),
    check("items_flags", sql`in_catalog IN (0, 1) AND stat_counter IN (0, 1) AND souvenir IN (0, 1)`),
    check(
      "items_phase",
      sql`phase IN ('Phase 1', 'Phase 2', 'Phase 3', 'Phase 4', 'Ruby', 'Sapphire', 'Black Pearl', 'Emerald')`,
    ),
    check("items_name", sql`length(market_hash_name) BETWEEN 1 AND 300 AND length(slug) BETWEEN 1 AND 120`),
  ],
);

/** Replaced versions of items. They were in force until just before `superseded_at`, which is `updated_at` of the next version. */
export const itemsPast = sqliteTable(
  "items_past",
  {
    itemId: integer("item_id")
      .notNull()
      .references(() => items.itemId),
    ...shownColumns,
    supersededAt: integer("superseded_at").notNull(),
    /** CRC-32 of the other columns. */
    checksum: integer("seal").notNull(),
  },
  (table) => [primaryKey({ columns: [table.itemId, table.supersededAt] })],
);

/** The item that a row of a catalog source describes. Re-imports use it to find their items. */
export const itemSources = sqliteTable(
  "item_sources",
  {
    sourceKey: text("source_key").notNull(),
    itemId: integer("item_id")
      .notNull()
      .references(() => items.itemId),
  },
  (table) => [primaryKey({ columns: [table.sourceKey, table.itemId] })],
);
