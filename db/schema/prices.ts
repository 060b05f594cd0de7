import { sql } from "drizzle-orm";
import { blob, check, index, integer, primaryKey, sqliteTable, text, uniqueIndex } from "drizzle-orm/sqlite-core";

/** One source of quotes. It covers one or more providers. */
export const feeds = sqliteTable(
  "feeds",
  {
    feed: text("feed").primaryKey(),
    adapter: text("adapter").notNull(),
    /** Last successful verification: a new body or the source's word that nothing changed. */
    checkedAt: integer("checked_at"),
    ingestedAt: integer("ingested_at"),
    /** The source's own save time of the last body that was taken in, where its shape tells one. */
    savedAt: integer("saved_at"),
    /** When the source last said something else than before. */
    changedAt: integer("changed_at"),
    /** Items that the last published body quoted: what the shrink guard compares with. */
    itemCount: integer("item_count").notNull().default(0),
    /** Prices of the last accepted body that joined an item, of a million; null: too few to tell, or accepted before this was kept. */
    joinedPpm: integer("joined_ppm"),
    /** Until when a new source counts as unconfirmed, UTC ms; null: another source confirms it, or this time has passed. */
    unconfirmedUntil: integer("unconfirmed_until"),
  },
  () => [check("feeds_item_count", sql`item_count >= 0`)],
);

/** An operator's word that the next body of a mirrored feed may break a guard. Kept after it was used, as a record. */
export const guardAcceptances = sqliteTable("guard_acceptances", {
  acceptanceId: integer("acceptance_id").primaryKey({ autoIncrement: true }),
  feed: text("feed").notNull(),
  guard: text("guard").notNull(),
  acceptedAt: integer("accepted_at").notNull(),
  /** When the next body was accepted; null: none was yet. */
  usedAt: integer("used_at"),
  /** What the guard found in that body; null: it found nothing. */
  finding: text("finding"),
});

/**
 * What the accepted bodies of one UTC hour (since 1970) had of one provider and side, kept for the guards that look at seven days. A level is
 * the mean change of prices since some body, in millionths of a natural logarithm.
 */
export const quoteLevels = sqliteTable(
  "quote_levels",
  {
    hour: integer("hour").notNull(),
    /** The number of the provider, see `frame_providers`. */
    providerId: integer("provider_id").notNull(),
    side: text("side", { enum: ["asks", "bids"] }).notNull(),
    /** The most quotes of a body of the hour. */
    count: integer("count").notNull(),
    /** The levels of the first body and of the last one. */
    firstLevel: integer("first_level").notNull(),
    lastLevel: integer("last_level").notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.hour, table.providerId, table.side] }),
    check("quote_levels_side", sql`side IN ('asks', 'bids') AND count >= 1`),
  ],
);

/** A feed's quotes that an operator dropped from the published generation. Kept as a record; the feed's next publication ends it. */
export const feedDrops = sqliteTable(
  "feed_drops",
  {
    dropId: integer("drop_id").primaryKey({ autoIncrement: true }),
    feed: text("feed").notNull(),
    droppedAt: integer("dropped_at").notNull(),
    /** When the feed had last been verified; null: never. */
    checkedAt: integer("checked_at"),
    /** The quotes that were dropped, and their items. */
    quotes: integer("quotes").notNull(),
    items: integer("items").notNull(),
  },
  (table) => [index("feed_drops_feed").on(table.feed), check("feed_drops_counts", sql`quotes > 0 AND items > 0`)],
);

export const providers = sqliteTable(
  "providers",
  {
    provider: text("provider").primaryKey(),
    name: text("name").notNull(),
    kind: text("kind", { enum: ["main_platform", "cash", "trade"] }).notNull(),
    feed: text("feed")
      .notNull()
      .references(() => feeds.feed),
    hasAsks: integer("has_asks", { mode: "boolean" }).notNull(),
    hasBids: integer("has_bids", { mode: "boolean" }).notNull(),
    active: integer("active", { mode: "boolean" }).notNull(),
    /** The source's own time of each of its quotes, where all share one. Null: each quote has its own, or none. */
    quotesAsOf: integer("quotes_as_of"),
    /** Highest ask that the marketplace allows, in USD cents; null if it has no limit. */
    priceCeilingCents: integer("price_ceiling_cents"),
  },
  () => [
    check("providers_kind", sql`kind IN ('main_platform', 'cash', 'trade')`),
    check("providers_flags", sql`has_asks IN (0, 1) AND has_bids IN (0, 1) AND active IN (0, 1)`),
    check(
      "providers_slug",
      sql`provider GLOB '[a-z0-9]*' AND provider NOT GLOB '*[^a-z0-9-]*' AND length(provider) <= 60`,
    ),
  ],
);

/** The number that stands for a provider in quotes and segments. Given once, when the provider is introduced, and never changed. */
export const frameProviders = sqliteTable(
  "frame_providers",
  {
    provider: text("provider")
      .primaryKey()
      .references(() => providers.provider),
    number: integer("number").notNull().unique(),
  },
  () => [check("frame_providers_number", sql`number BETWEEN 0 AND 65535`)],
);

/** The published state of all feeds together. Exactly one row is published; its public name is `g` + the id. */
export const generations = sqliteTable(
  "generations",
  {
    generationId: integer("generation_id").primaryKey({ autoIncrement: true }),
    state: text("state", { enum: ["staging", "published", "superseded"] }).notNull(),
    createdAt: integer("created_at").notNull(),
    ingestedAt: integer("ingested_at"),
    /** Quoted items of the catalog, and the bytes of their lines (see `digest`). */
    items: integer("items").notNull().default(0),
    bytes: integer("bytes").notNull().default(0),
    /** SHA-256 over one JSON line {item_id, asks, bids} per quoted item of the catalog in ascending id. */
    digest: blob("digest", { mode: "buffer" }),
    /**
     * The same over the quoted items that had left the catalog. Null: published by a release that made no difference, so that
     * `digest` and the totals are of all quoted items and perhaps of no export.
     */
    delistedDigest: blob("rest_digest", { mode: "buffer" }),
    /** Asks and bids of all items. */
    quotes: integer("quotes").notNull().default(0),
    /** Sum modulo 2^32 of the CRC-32 of all times that no digest covers: `db check` finds a changed one by it. */
    timesChecksum: integer("times_checksum").notNull().default(0),
  },
  (table) => [
    check("generations_state", sql`state IN ('staging', 'published', 'superseded')`),
    check("generations_published", sql`state = 'staging' OR (ingested_at IS NOT NULL AND length(digest) = 32)`),
    uniqueIndex("generations_one_published").on(table.state).where(sql`state = 'published'`),
  ],
);

/**
 * What one provider offers and asks for of one item in the published generation, in USD cents. No row: neither. The rows of a provider lie
 * together, so that a publication writes as much with many sources as with one. Times are UTC ms.
 */
export const quotes = sqliteTable(
  "quotes",
  {
    providerId: integer("provider_id")
      .notNull()
      .references(() => frameProviders.number),
    itemId: integer("item_id").notNull(),
    askCents: integer("ask_cents"),
    askQuantity: integer("ask_quantity"),
    /** The source's own time of the quote. Null: `providers.quotes_as_of`, which may be unknown. */
    askAsOf: integer("ask_as_of"),
    /** When the offer was first seen at this amount. Null: not known. */
    askSince: integer("ask_since"),
    bidCents: integer("bid_cents"),
    bidQuantity: integer("bid_quantity"),
    bidAsOf: integer("bid_as_of"),
  },
  (table) => [
    primaryKey({ columns: [table.providerId, table.itemId] }),
    check(
      "quotes_sides",
      sql`coalesce(ask_cents, bid_cents) IS NOT NULL AND (ask_cents > 0) IS NOT 0 AND (bid_cents > 0) IS NOT 0`,
    ),
    check("quotes_ask", sql`ask_cents IS NOT NULL OR coalesce(ask_quantity, ask_as_of, ask_since) IS NULL`),
    check("quotes_bid", sql`bid_cents IS NOT NULL OR coalesce(bid_quantity, bid_as_of) IS NULL`),
  ],
);

/** The page of a quote at its provider. No row: the source gave none. */
export const quoteUrls = sqliteTable(
  "quote_urls",
  {
    providerId: integer("provider_id").notNull(),
    itemId: integer("item_id").notNull(),
    side: text("side", { enum: ["ask", "bid"] }).notNull(),
    url: text("url").notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.providerId, table.itemId, table.side] }),
    check("quote_urls_side", sql`side IN ('ask', 'bid')`),
  ],
);

/** An item that has quotes, with its lowest ask: of equal ones that of the provider that comes first by name. Made of `quotes`. */
export const bestAsks = sqliteTable(
  "best_asks",
  {
    itemId: integer("item_id").primaryKey(),
    askCents: integer("ask_cents"),
    providerId: integer("provider_id"),
    /** Publication time of the generation that last changed amount or provider. */
    changedAt: integer("changed_at"),
    /** Bytes of `"asks":[…],"bids":[…]` of the item in an export. */
    quoteBytes: integer("quote_bytes").notNull(),
  },
  () => [
    check(
      "best_asks_ask",
      sql`(ask_cents IS NULL) = (provider_id IS NULL) AND (ask_cents IS NULL) = (changed_at IS NULL)`,
    ),
    check("best_asks_bytes", sql`quote_bytes BETWEEN 1 AND 250000`),
  ],
);

/**
 * States of the market, in the order in which they came: what exports hold from one transaction to the next. Each publication and each
 * change of the catalog that concerns exports appends one. Those of the last day are kept, and the present one.
 */
export const exportStates = sqliteTable(
  "export_states",
  {
    stateId: integer("state_id").primaryKey({ autoIncrement: true }),
    generationId: integer("generation_id")
      .notNull()
      .references(() => generations.generationId),
    /** SHA-256 over one JSON line {item_id, market_hash_name, phase, availability} per item of the catalog in ascending id. */
    identityDigest: blob("identity_digest", { mode: "buffer" }).notNull(),
    /** Bytes of all `item` records of an export. */
    exportBytes: integer("export_bytes").notNull(),
    since: integer("since").notNull(),
    /** The items that are not what they were in the state before, encoded by `changed-items`. */
    changedItems: blob("changed_items", { mode: "buffer" }).notNull(),
  },
  (table) => [
    index("export_states_by_generation").on(table.generationId),
    check("export_states_identity", sql`length(identity_digest) = 32 AND export_bytes >= 0`),
  ],
);
