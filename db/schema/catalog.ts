import { sql } from "drizzle-orm";
import { check, index, integer, primaryKey, sqliteTable, text } from "drizzle-orm/sqlite-core";

/** One exact variant. Ids are given once, in the order of arrival, and never reused: rows are never deleted. */
export const items = sqliteTable(
  "items",
  {
    itemId: integer("item_id").primaryKey(),
    /** Canonical object + wear + counter + souvenir + phase; never the name. */
    identityKey: text("identity_key").notNull().unique(),
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
    identity: text("identity", { enum: ["exact", "unphased"] }).notNull(),
    origin: text("origin", { enum: ["catalog", "feed_proven"] }).notNull(),
    inCatalog: integer("in_catalog", { mode: "boolean" }).notNull(),
    firstSeenAt: integer("first_seen_at").notNull(),
    updatedAt: integer("updated_at"),
    /** NFC and case folded market_hash_name and name_ru, the text that literal parts of `q` are looked for in. */
    searchText: text("search_text").notNull(),
    /** Words of market_hash_name and of name_ru (null without one) without case, accents and punctuation. Empty until it is filled. */
    words: text("words").notNull().default(""),
    wordsRu: text("words_ru"),
    /** CRC-32 of the other columns but those that are derived from them. Null until it is filled. */
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

/** Which item a row of a catalog source describes, so that a re-import finds its item again. */
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
