import { sql } from "drizzle-orm";
import { blob, check, index, integer, primaryKey, sqliteTable, text, uniqueIndex } from "drizzle-orm/sqlite-core";

/** One source of quotes. It covers one or more providers. */
export const feeds = sqliteTable(
  "feeds",
  {
    feed: text("feed").primaryKey(),
    adapter: text("adapter").notNull(),
    /** Last successful verification: a new body, or the source's report that nothing changed. */
    checkedAt: integer("checked_at"),
    ingestedAt: integer("ingested_at"),
    /** The source's own save time of the last accepted body. Null if the format has none. */
    savedAt: integer("saved_at"),
    /** When the source last published different content. */
    changedAt: integer("changed_at"),
    /** Number of items with quotes in the last published body. The shrink guard compares with it. */
    itemCount: integer("item_count").notNull().default(0),
    /**
     * Matched prices per million of the last accepted body. Null if there were too few prices, or if an earlier release accepted the body.
     */
    joinedPpm: integer("joined_ppm"),
    /** End of the period in which a new source is unconfirmed, UTC ms. Null if another source confirms it, or after that time. */
    unconfirmedUntil: integer("unconfirmed_until"),
  },
  () => [check("feeds_item_count", sql`item_count >= 0`)],
);

/** An operator's permission for the next body of a mirrored feed to break a guard. It remains as a record after use. */
export const guardAcceptances = sqliteTable("guard_acceptances", {
  acceptanceId: integer("acceptance_id").primaryKey(),
  feed: text("feed").notNull(),
  guard: text("guard").notNull(),
  acceptedAt: integer("accepted_at").notNull(),
  /** When the next body was accepted. Null until then. */
  usedAt: integer("used_at"),
  /** The guard's finding in that body. Null without a finding. */
  finding: text("finding"),
});

/**
 * Quote counts and price levels of one provider and side in one UTC hour (hours since 1970). Only accepted bodies count. Guards compare the
 * last seven days. A level is the mean logarithm of price changes since an earlier body, in millionths.
 */
export const quoteLevels = sqliteTable(
  "quote_levels",
  {
    hour: integer("hour").notNull(),
    /** The number of the provider, see `frame_providers`. */
    providerId: integer("provider_id").notNull(),
    side: text("side", { enum: ["asks", "bids"] }).notNull(),
    /** Greatest number of quotes in a body of the hour. */
    count: integer("count").notNull(),
    /** Levels of the first and the last body of the hour. */
    firstLevel: integer("first_level").notNull(),
    lastLevel: integer("last_level").notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.hour, table.providerId, table.side] }),
    check("quote_levels_side", sql`side IN ('asks', 'bids') AND count >= 1`),
  ],
);

/**
 * Quotes of a feed that an operator dropped from the published generation. The row remains as a record. The feed's next publication ends
 * the drop.
 */
export const feedDrops = sqliteTable(
  "feed_drops",
  {
    dropId: integer("drop_id").primaryKey({ autoIncrement: true }),
    feed: text("feed").notNull(),
    droppedAt: integer("dropped_at").notNull(),
    /** When the feed was last verified before. Null if it never was. */
    checkedAt: integer("checked_at"),
    /** Number of dropped quotes, and number of their items. */
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
    /** The source's own time if all quotes share it. Null if each quote has its own time or none. */
    quotesAsOf: integer("quotes_as_of"),
    /** Highest ask that the marketplace allows, in USD cents; null if it has no limit. */
    priceCeilingCents: integer("price_ceiling_cents"),
    /** Page with the terms of the source. Null if unknown. */
    termsUrl: text("terms_url"),
    /** UTC day on which the terms were read, `YYYY-MM-DD`. Null if they were not. */
    termsReadOn: text("terms_read_on"),
    /** Whether the terms allow passing on the prices. */
    redistribution: text("redistribution", { enum: ["allowed", "not_allowed", "unknown"] })
      .notNull()
      .default("unknown"),
    /** Text that the terms ask to show beside the prices. Null without one. */
    attribution: text("attribution"),
    /** JSON array of the columns among these four that the operator set. Mappings do not change them. */
    operatorTerms: text("operator_terms").notNull().default("[]"),
  },
  () => [
    check("providers_redistribution", sql`redistribution IN ('allowed', 'not_allowed', 'unknown')`),
    check("providers_kind", sql`kind IN ('main_platform', 'cash', 'trade')`),
    check("providers_flags", sql`has_asks IN (0, 1) AND has_bids IN (0, 1) AND active IN (0, 1)`),
    check(
      "providers_slug",
      sql`provider GLOB '[a-z0-9]*' AND provider NOT GLOB '*[^a-z0-9-]*' AND length(provider) <= 60`,
    ),
  ],
);

/** The number of a provider in quotes and segments. It is assigned with the provider and never changes. */
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

/** The combined published state of all feeds. Exactly one row is published. Its public name is `g` followed by the id. */
export const generations = sqliteTable(
  "generations",
  {
    generationId: integer("generation_id").primaryKey({ autoIncrement: true }),
    state: text("state", { enum: ["staging", "published", "superseded"] }).notNull(),
    createdAt: integer("created_at").notNull(),
    ingestedAt: integer("ingested_at"),
    /** Number of quoted items in the catalog, and bytes of their lines (see `digest`). */
    items: integer("items").notNull().default(0),
    bytes: integer("bytes").notNull().default(0),
    /** SHA-256 over one JSON line {item_id, asks, bids} per quoted item of the catalog in ascending id. */
    digest: blob("digest", { mode: "buffer" }),
    /**
     * The same over quoted items that are not in the catalog. Null if an earlier release published it. In that case `digest` and the totals
     * cover all quoted items and may match no export.
     */
    delistedDigest: blob("rest_digest", { mode: "buffer" }),
    /** Number of asks and bids of all items. */
    quotes: integer("quotes").notNull().default(0),
    /** Sum of the CRC-32 of all times that no digest covers, modulo 2^32. `db check` uses it to find a changed time. */
    timesChecksum: integer("times_checksum").notNull().default(0),
  },
  (table) => [
    check("generations_state", sql`state IN ('staging', 'published', 'superseded')`),
    check("generations_published", sql`state = 'staging' OR (ingested_at IS NOT NULL AND length(digest) = 32)`),
    uniqueIndex("generations_one_published").on(table.state).where(sql`state = 'published'`),
  ],
);

/**
 * Ask and bid of one provider for one item in the published generation, in USD cents. Without a row, the provider has neither. The key
 * groups rows by provider, so that publications do not cost more with more sources. Times are UTC ms.
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
    /** The source's own time of the quote. If null, `providers.quotes_as_of` applies, which may be unknown. */
    askAsOf: integer("ask_as_of"),
    /** When the ask was first seen at this amount. Null if unknown. */
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

/** URL of a quote at its provider. Without a row, the source gave none. */
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

/** An item with quotes and its lowest ask, derived from `quotes`. Equal asks resolve to the provider with the first name in order. */
export const bestAsks = sqliteTable(
  "best_asks",
  {
    itemId: integer("item_id").primaryKey(),
    askCents: integer("ask_cents"),
    providerId: integer("provider_id"),
    /** Publication time of the generation that last changed the amount or the provider. */
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
 * States of the market in chronological order: the content of exports between two transactions. Each publication and each catalog change
 * that affects exports appends one. The current state and the states of the last day are stored.
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
    /** Items that differ from the previous state, encoded by `changed-items`. */
    changedItems: blob("changed_items", { mode: "buffer" }).notNull(),
  },
  (table) => [
    index("export_states_by_generation").on(table.generationId),
    check("export_states_identity", sql`length(identity_digest) = 32 AND export_bytes >= 0`),
  ],
);
