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
 * One verified state of one feed in one UTC hour (hours since 1970). Its row is written last: a frame without one is not there,
 * whatever segments say. A trigger forbids that it changes.
 */
export const frames = sqliteTable(
  "frames",
  {
    hour: integer("hour").notNull(),
    feed: text("feed")
      .notNull()
      .references(() => feeds.feed),
    /** Whether a body was read or the source said that nothing changed. */
    verifiedBy: text("verified_by", { enum: ["body", "not_modified"] }).notNull(),
    /** When the body of this state was taken in, and when it was verified in this hour: both on the mirror's clock. */
    ingestedAt: integer("ingested_at").notNull(),
    checkedAt: integer("checked_at").notNull(),
    /** When this row was really written; a replay differs from the mirror's clock. */
    recordedAt: integer("recorded_at").notNull(),
    /** Items that the feed named, and their quotes. */
    items: integer("items").notNull(),
    quotes: integer("quotes").notNull(),
    /** JSON array of the providers that the feed covered, ascending. Null: recorded by a release that did not remember them. */
    providers: text("providers"),
    /** Number of names that joined no item, see `frame_names`. Null: the frame does not remember them. */
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
 * Frames that an operator took back: the frame keeps its row, and no reader shows its hour. A saved body of the hour may be recorded once
 * in its place: then `replaced_at` is when, and the other columns have the facts of its frame. Null: nothing was.
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

/** The segments of a feed and day as they were before another frame took the place of the retracted one of the hour. */
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
 * All frames with the facts in force: a view made by a migration. `retracted_at`: the hour is a gap since then; null: it counts. Segments
 * still hold the states of a retracted frame.
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
}).existing();

/**
 * Which hours of a UTC day (days since 1970) have a frame of a feed: bit h is the hour h. `settled_at`: its daily rows are stored.
 * `pruned_at`: since then the segments and refused names of its frames are removed, or being removed; no reader sees what is left.
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
 * One item in the frames of one feed and UTC day: its state at the first of them that names it, then each change. No row: no
 * frame of the day names the item. Day and feed first, so that a frame writes into pages of its own only.
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
 * A name that some frame of a feed had and that joined no item, in the form in which names are compared. `phase` is "" where the
 * feed gave none. Kept once: frames refer to it by its id.
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

/** Refused names in the frames of one feed and UTC day: those of the first frame, then each frame's changes. */
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

/** The columns of what one item cost at one provider on one UTC day, by side. */
const dailyColumns = {
  itemId: integer("item_id").notNull(),
  side: text("side", { enum: ["ask", "bid"] }).notNull(),
  day: integer("day").notNull(),
  provider: text("provider").notNull(),
  /** USD cents: the last stored observation of the day, the lowest and the highest. */
  amount: integer("amount").notNull(),
  lowAmount: integer("low_amount").notNull(),
  highAmount: integer("high_amount").notNull(),
  observations: integer("observations").notNull(),
  quantity: integer("quantity"),
  sourceObservedAt: integer("source_observed_at"),
  recordedAt: integer("recorded_at").notNull(),
  /** Null: derived from recorded frames. */
  importId: integer("import_id"),
  /** CRC-32 of the other columns, so that `db check` notices a flipped bit. */
  checksum: integer("seal").notNull(),
};

const dailyChecks = () => [
  check("daily_prices_side", sql`side IN ('ask', 'bid')`),
  check(
    "daily_prices_amounts",
    sql`low_amount BETWEEN 1 AND amount AND amount <= high_amount AND high_amount <= 9007199254740991`,
  ),
  check("daily_prices_observations", sql`observations >= 1 AND quantity >= 1`),
];

/** Daily rows of past months in the order of their items: the history of an item is in a few pages. */
export const dailyByItem = sqliteTable("daily_by_item", dailyColumns, (table) => [
  primaryKey({ columns: [table.itemId, table.side, table.day, table.provider] }),
  ...dailyChecks(),
]);

/**
 * Daily rows of the running month, and of the last one for a week, in the order of their days: the rows of one day and provider are written into pages of
 * their own. `moveDaysInBatches` moves a past month to `daily_by_item`. The months of a file of an older release may be there already.
 */
export const dailyByDay = sqliteTable("daily_by_day", dailyColumns, (table) => [
  primaryKey({ columns: [table.day, table.provider, table.itemId, table.side] }),
  ...dailyChecks(),
]);

/**
 * Days and providers with rows in `daily_by_day`, which finds the rows of an item by them. A trigger adds them. Rows of items up to
 * `moved_to` are copied to `daily_by_item`, and no reader sees the row in `daily_by_day` any more.
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
 * One row: no row of `daily_by_item` is of a later day. A trigger raises it. A writer of a later day need not look for its rows there, which
 * would read a page for each item.
 */
export const dailyItemOrder = sqliteTable(
  "daily_item_order",
  { id: integer("id").primaryKey(), lastDay: integer("last_day").notNull() },
  () => [check("daily_item_order_one", sql`id = 1`)],
);

/** All daily rows, each once: the view of both tables, made by a migration. Readers use it, writers use `DailyPriceWriter`. */
export const dailyPrices = sqliteView("daily_prices", dailyColumns).existing();

/** One import of daily rows. The amounts that it converted were converted with `daily_import_rates`. */
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
    /** Set to put its rows in the place of recorded ones: they stay there when their day is derived again. */
    replaces: integer("replaces", { mode: "boolean" }).notNull(),
  },
  () => [check("daily_imports_digest", sql`length(body_digest) = 32 AND replaces IN (0, 1)`)],
);

/** The reference rate with which an import converted the prices of one day. */
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
 * Days (since 1970) whose daily rows or frames changed since they were sealed, if ever. Triggers add a day in the transaction of the
 * change; the transaction that seals it removes it.
 */
export const unsealedDays = sqliteTable("unsealed_days", { day: integer("day").primaryKey() });

/**
 * What a UTC day that is over holds, once its daily rows are stored: the digests of its export in both resolutions. Sealed again
 * when that changed; the revision before stays with `superseded_at`. A revision is in force unless it is superseded or its day is unsealed. A trigger
 * sets `hourly` when the day's hours are removed.
 */
export const sealedDays = sqliteTable(
  "sealed_days",
  {
    day: integer("day").notNull(),
    revision: integer("revision").notNull(),
    sealedAt: integer("sealed_at").notNull(),
    supersededAt: integer("superseded_at"),
    condition: text("condition", { enum: ["complete", "partial", "empty"] }).notNull(),
    /** JSON array of feeds with a bit for each hour that has a frame: `[["steam",16777215]]`, ascending. */
    feeds: text("feeds").notNull(),
    /** Daily rows, the bytes of their lines and the SHA-256 of these. */
    rows: integer("rows").notNull(),
    bytes: integer("bytes").notNull(),
    digest: blob("digest", { mode: "buffer" }).notNull(),
    hourly: text("hourly", { enum: ["available", "pruned"] }).notNull(),
    /** The same of the hourly export. Null: its hours were removed before the day was sealed. */
    hourlyRows: integer("hourly_rows"),
    hourlyBytes: integer("hourly_bytes"),
    hourlyDigest: blob("hourly_digest", { mode: "buffer" }),
    /** The hourly export tells of the items up to this one. */
    itemIdMax: integer("item_id_max").notNull(),
    /** JSON array of the items that a feed named without joining them: `[[itemId, feed, bits of hours]]`. */
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
