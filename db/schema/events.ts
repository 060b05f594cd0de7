import { sql } from "drizzle-orm";
import { blob, check, index, integer, sqliteTable, text } from "drizzle-orm/sqlite-core";

/**
 * The log of the data. One command writes one event per kind, feed and day, and per guard or index if the kind has one. Feeds, providers,
 * items and indexes are those of the event, which stays as it was if they change.
 */
export const dataEvents = sqliteTable(
  "data_events",
  {
    eventId: integer("event_id").primaryKey({ autoIncrement: true }),
    at: integer("at").notNull(),
    /** The last refusal of the same body by the same guard. Null for other kinds, and after one refusal. */
    lastAt: integer("last_at"),
    kind: text("kind").notNull(),
    cause: text("cause").notNull(),
    feed: text("feed"),
    provider: text("provider"),
    indexId: text("index_id"),
    openable: text("openable"),
    /** JSON array of the first item ids concerned, ascending. */
    itemIds: text("item_ids").notNull(),
    /** The UTC day concerned (since 1970), and the part of it in UTC ms, from `from_at` until before `to_at`. */
    day: integer("day").notNull(),
    fromAt: integer("from_at").notNull(),
    toAt: integer("to_at").notNull(),
    /** Hours of the day concerned, bit h is hour h. Null if the kind has no hours. */
    hours: integer("hours"),
    count: integer("count").notNull(),
    guard: text("guard"),
    figure: text("figure"),
    bodyDigest: blob("body_digest", { mode: "buffer" }),
    /** JSON arrays `[revision, digest, hourly digest]`, digests as hexadecimal digits or null. */
    before: text("before"),
    after: text("after"),
    /** JSON array of the first changed values: `[[field, item id, currency, before, after]]`. */
    changes: text("changes").notNull(),
  },
  (table) => [
    index("data_events_by_time").on(table.at),
    index("data_events_by_kind").on(table.kind, table.at),
    index("data_events_by_day").on(table.day),
    index("data_events_by_body").on(table.bodyDigest, table.kind),
    check("data_events_window", sql`from_at >= day * 86400000 AND from_at < to_at AND to_at <= (day + 1) * 86400000`),
    check("data_events_count", sql`count >= 1 AND hours BETWEEN 1 AND 16777215 AND last_at >= at`),
    check("data_events_digest", sql`length(body_digest) = 32`),
  ],
);
