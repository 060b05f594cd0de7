import { sql } from "drizzle-orm";
import {
  blob,
  check,
  foreignKey,
  index,
  integer,
  primaryKey,
  sqliteTable,
  sqliteView,
  text,
  uniqueIndex,
} from "drizzle-orm/sqlite-core";
import { feeds, providers } from "./prices.ts";

/**
 * One verified state of one feed in one UTC hour (hours since 1970). This row is written last: segments without it do not count as a frame.
 * A trigger forbids changes.
 */
export const frames = sqliteTable(
  "frames",
  {
    hour: integer("hour").notNull(),
    feed: text("feed")
      .notNull()
      .references(() => feeds.feed),
    /** Whether the mirror read a body or the source reported no change. */
    verifiedBy: text("verified_by", { enum: ["body", "not_modified"] }).notNull(),
    /** When the body of this state was read, and when it was verified in this hour. Both use the mirror's clock. */
    ingestedAt: integer("ingested_at").notNull(),
    checkedAt: integer("checked_at").notNull(),
    /** When this row was actually written. In a replay it differs from the mirror's clock. */
    recordedAt: integer("recorded_at").notNull(),
    /** Number of items that the feed named, and number of their quotes. */
    items: integer("items").notNull(),
    quotes: integer("quotes").notNull(),
    /** JSON array of the providers that the feed covered, ascending. Null if an earlier release wrote the row. */
    providers: text("providers"),
    /** Number of names that matched no item, see `frame_names`. Null if it was not recorded. */
    refusedNames: integer("refused_names"),
  },
  (table) => [
    primaryKey({ columns: [table.hour, table.feed] }),
    check("frames_verified_by", sql`verified_by IN ('body', 'not_modified')`),
    check("frames_hour", sql`hour = checked_at / 3600000`),
    check("frames_counts", sql`items >= 0 AND quotes >= 0`),
  ],
);

/**
 * Frames that an operator retracted. The frame keeps its row, but readers do not see its hour. A saved body of the hour may be recorded
 * once as a replacement. `replaced_at` is the time of that; the columns after it describe the replacement. They are null without one.
 */
export const frameRetractions = sqliteTable(
  "frame_retractions",
  {
    hour: integer("hour").notNull(),
    feed: text("feed").notNull(),
    reason: text("reason").notNull(),
    retractedAt: integer("retracted_at").notNull(),
    replacedAt: integer("replaced_at"),
    ingestedAt: integer("ingested_at"),
    checkedAt: integer("checked_at"),
    items: integer("items"),
    quotes: integer("quotes"),
    providers: text("providers"),
    refusedNames: integer("refused_names"),
  },
  (table) => [
    primaryKey({ columns: [table.hour, table.feed] }),
    foreignKey({ columns: [table.hour, table.feed], foreignColumns: [frames.hour, frames.feed] }),
    check("frame_retractions_reason", sql`length(reason) BETWEEN 1 AND 300`),
    check(
      "frame_retractions_replaced",
      sql`(replaced_at IS NULL) = (items IS NULL) AND (items IS NULL) = (quotes IS NULL) AND (items IS NULL) = (checked_at IS NULL)`,
    ),
  ],
);

/** The segments of a feed and day before a replacement of a retracted hour changed them. The row of item 0 has the refused names. */
export const retractedSegments = sqliteTable(
  "retracted_segments",
  {
    hour: integer("hour").notNull(),
    itemId: integer("item_id").notNull(),
    feed: text("feed").notNull(),
    changes: blob("changes", { mode: "buffer" }).notNull(),
  },
  (table) => [primaryKey({ columns: [table.hour, table.feed, table.itemId] })],
);

/**
 * All frames with the facts in force, as a view made by a migration. `retracted_at` is when the hour became a gap; null if it counts.
 * `replaced_at` is when a frame took the place of a retracted one.
 * Segments still contain the states of a retracted frame.
 */
export const framesNow = sqliteView("frames_now", {
  hour: integer("hour").notNull(),
  feed: text("feed").notNull(),
  ingestedAt: integer("ingested_at").notNull(),
  checkedAt: integer("checked_at").notNull(),
  recordedAt: integer("recorded_at").notNull(),
  items: integer("items").notNull(),
  quotes: integer("quotes").notNull(),
  providers: text("providers"),
  refusedNames: integer("refused_names"),
  retractedAt: integer("retracted_at"),
  replacedAt: integer("replaced_at"),
}).existing();

/**
 * The hours of a UTC day (days since 1970) that have a frame of a feed: bit h is hour h. `settled_at` is when the daily rows were stored.
 * `pruned_at` is when removal of the segments and refused names began; readers ignore any remaining rows.
 */
export const feedDays = sqliteTable(
  "feed_days",
  {
    day: integer("day").notNull(),
    feed: text("feed")
      .notNull()
      .references(() => feeds.feed),
    hours: integer("hours").notNull(),
    finalizedAt: integer("settled_at"),
    prunedAt: integer("pruned_at"),
  },
  (table) => [
    primaryKey({ columns: [table.day, table.feed] }),
    index("feed_days_unsettled").on(table.day, table.feed).where(sql`settled_at IS NULL`),
    check("feed_days_hours", sql`hours BETWEEN 1 AND 16777215`),
  ],
);

/**
 * One item in the frames of one feed and UTC day: its first state, then each change. Without a row, no frame of the day names the item. The
 * key begins with day and feed, so that a frame writes to its own pages only.
 */
export const frameSegments = sqliteTable(
  "frame_segments",
  {
    day: integer("day").notNull(),
    itemId: integer("item_id").notNull(),
    feed: text("feed").notNull(),
    changes: blob("changes", { mode: "buffer" }).notNull(),
  },
  (table) => [primaryKey({ columns: [table.day, table.feed, table.itemId] })],
);

/**
 * A name in a frame that matched no item, normalized for comparison. `phase` is "" if the feed gave none. Each name is stored once; frames
 * refer to its id.
 */
export const refusedNames = sqliteTable(
  "refused_names",
  {
    nameId: integer("name_id").primaryKey({ autoIncrement: true }),
    feed: text("feed")
      .notNull()
      .references(() => feeds.feed),
    name: text("name").notNull(),
    phase: text("phase").notNull(),
  },
  (table) => [
    uniqueIndex("refused_names_by_name").on(table.name, table.phase, table.feed),
    check("refused_names_name", sql`length(name) BETWEEN 1 AND 300 AND length(phase) <= 300`),
  ],
);

/** Refused names in the frames of one feed and UTC day: all names of the first frame, then the changes of later frames. */
export const frameNames = sqliteTable(
  "frame_names",
  {
    day: integer("day").notNull(),
    feed: text("feed")
      .notNull()
      .references(() => feeds.feed),
    changes: blob("changes", { mode: "buffer" }).notNull(),
  },
  (table) => [primaryKey({ columns: [table.day, table.feed] })],
);

/** Columns of a daily price of one item, side and provider on one UTC day. */
const dailyFacts = {
  itemId: integer("item_id").notNull(),
  side: text("side", { enum: ["ask", "bid"] }).notNull(),
  day: integer("day").notNull(),
  provider: text("provider").notNull(),
  /** Last stored observation of the day, lowest and highest, in USD cents. */
  amount: integer("amount").notNull(),
  lowAmount: integer("low_amount").notNull(),
  highAmount: integer("high_amount").notNull(),
  observations: integer("observations").notNull(),
  quantity: integer("quantity"),
  sourceObservedAt: integer("source_observed_at"),
  recordedAt: integer("recorded_at").notNull(),
  /** Null if the row is derived from recorded frames. */
  importId: integer("import_id"),
};

/** CRC-32 of the other columns. `db check` uses it to find a flipped bit. */
const checksum = integer("seal").notNull();
const dailyColumns = { ...dailyFacts, checksum };

const dailyChecks = () => [
  check("daily_prices_side", sql`side IN ('ask', 'bid')`),
  check(
    "daily_prices_amounts",
    sql`low_amount BETWEEN 1 AND amount AND amount <= high_amount AND high_amount <= 9007199254740991`,
  ),
  check("daily_prices_observations", sql`observations >= 1 AND quantity >= 1`),
];

/** Daily rows of past months, ordered by item, so that the history of an item is on a few pages. */
export const dailyByItem = sqliteTable("daily_by_item", dailyColumns, (table) => [
  primaryKey({ columns: [table.itemId, table.side, table.day, table.provider] }),
  ...dailyChecks(),
]);

/**
 * Daily rows of the current month, and of the previous one for a week, ordered by day. The rows of one day and provider are written to
 * their own pages. `moveDaysInBatches` moves a past month to `daily_by_item`. A file of an earlier release may already have these months
 * there.
 */
export const dailyByDay = sqliteTable("daily_by_day", dailyColumns, (table) => [
  primaryKey({ columns: [table.day, table.provider, table.itemId, table.side] }),
  ...dailyChecks(),
]);

/**
 * Days and providers with rows in `daily_by_day`. Reads of an item use it to find its rows there. A trigger adds entries. Rows of items up
 * to `moved_to` are copied to `daily_by_item`, and readers ignore their copies in `daily_by_day`.
 */
export const recentDays = sqliteTable(
  "recent_days",
  {
    day: integer("day").notNull(),
    provider: text("provider").notNull(),
    movedTo: integer("moved_to").notNull(),
  },
  (table) => [primaryKey({ columns: [table.day, table.provider] }), check("recent_days_moved_to", sql`moved_to >= 0`)],
);

/**
 * One row with the latest day of `daily_by_item`, or a later one. A trigger raises it. Writers of a later day skip that table, because a
 * search would read a page for each item.
 */
export const dailyItemOrder = sqliteTable(
  "daily_item_order",
  { id: integer("id").primaryKey(), lastDay: integer("last_day").notNull() },
  () => [check("daily_item_order_one", sql`id = 1`)],
);

/** All daily rows, each once, as a view of both tables made by a migration. Readers use it; writers use `DailyPriceWriter`. */
export const dailyPrices = sqliteView("daily_prices", dailyColumns).existing();

/** Replaced and removed daily rows. They were in force from `recorded_at` until just before `superseded_at`. */
export const dailyPricesPast = sqliteTable(
  "daily_prices_past",
  { ...dailyFacts, supersededAt: integer("superseded_at").notNull(), checksum },
  (table) => [
    primaryKey({ columns: [table.itemId, table.side, table.day, table.provider, table.supersededAt] }),
    ...dailyChecks(),
  ],
);

/** One import of daily rows. `daily_import_rates` has the rates of converted amounts. */
export const dailyImports = sqliteTable(
  "daily_imports",
  {
    importId: integer("import_id").primaryKey({ autoIncrement: true }),
    adapter: text("adapter").notNull(),
    provider: text("provider")
      .notNull()
      .references(() => providers.provider),
    /** SHA-256 of the unpacked file. */
    bodyDigest: blob("body_digest", { mode: "buffer" }).notNull(),
    importedAt: integer("imported_at").notNull(),
    /** True if its rows replace recorded ones. They remain when their day is derived again. */
    replaces: integer("replaces", { mode: "boolean" }).notNull(),
  },
  () => [check("daily_imports_digest", sql`length(body_digest) = 32 AND replaces IN (0, 1)`)],
);

/** The reference rate that an import used to convert the prices of one day. */
export const dailyImportRates = sqliteTable(
  "daily_import_rates",
  {
    importId: integer("import_id")
      .notNull()
      .references(() => dailyImports.importId),
    day: integer("day").notNull(),
    currency: text("currency").notNull(),
    ratePerUsd: text("rate_per_usd").notNull(),
    source: text("source").notNull(),
  },
  (table) => [primaryKey({ columns: [table.importId, table.day] })],
);

/**
 * Days (since 1970) with changes of daily rows or frames after their last seal, and days that were never sealed. Triggers add a day in the
 * transaction of the change. Sealing a day removes it.
 */
export const unsealedDays = sqliteTable("unsealed_days", { day: integer("day").primaryKey() });

/**
 * Digests of the daily and hourly export of a finished UTC day with stored daily rows. A change leads to a new revision; the previous
 * one remains with `superseded_at`. A revision is in force unless it is superseded or its day is unsealed. A trigger sets `hourly` when the
 * hours of the day are removed.
 */
export const sealedDays = sqliteTable(
  "sealed_days",
  {
    day: integer("day").notNull(),
    revision: integer("revision").notNull(),
    sealedAt: integer("sealed_at").notNull(),
    supersededAt: integer("superseded_at"),
    condition: text("condition", { enum: ["complete", "partial", "empty"] }).notNull(),
    /** JSON array of feeds in ascending order, with a bit for each hour that has a frame: `[["steam",16777215]]`. */
    feeds: text("feeds").notNull(),
    /** Number of daily rows, and bytes and SHA-256 of their lines. */
    rows: integer("rows").notNull(),
    bytes: integer("bytes").notNull(),
    digest: blob("digest", { mode: "buffer" }).notNull(),
    hourly: text("hourly", { enum: ["available", "pruned"] }).notNull(),
    /** The same for the hourly export. Null if the hours were removed before the day was sealed. */
    hourlyRows: integer("hourly_rows"),
    hourlyBytes: integer("hourly_bytes"),
    hourlyDigest: blob("hourly_digest", { mode: "buffer" }),
    /** Greatest item id that the hourly export covers. */
    itemIdMax: integer("item_id_max").notNull(),
    /** JSON array of items that a feed named without a match: `[[itemId, feed, bits of hours]]`. */
    named: text("named").notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.day, table.revision] }),
    uniqueIndex("sealed_days_current").on(table.day).where(sql`superseded_at IS NULL`),
    check("sealed_days_counts", sql`revision >= 1 AND rows >= 0 AND bytes >= 0 AND item_id_max >= 0`),
    check(
      "sealed_days_states",
      sql`condition IN ('complete', 'partial', 'empty') AND hourly IN ('available', 'pruned')`,
    ),
    check(
      "sealed_days_digests",
      sql`length(digest) = 32 AND (hourly_digest IS NULL) = (hourly_rows IS NULL) AND (hourly_digest IS NULL) = (hourly_bytes IS NULL)`,
    ),
  ],
);
