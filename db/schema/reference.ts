import { sql } from "drizzle-orm";
import { blob, check, integer, primaryKey, sqliteTable, text } from "drizzle-orm/sqlite-core";

/** One row of facts about the whole file. A publication becomes visible when it changes the current generation. */
export const marketState = sqliteTable(
  "market_state",
  {
    one: integer("one").primaryKey(),
    currentGenerationId: integer("current_generation_id"),
    /** Incremented by each transaction that changes the catalog, so that readers know when to rebuild derived data. */
    catalogVersion: integer("catalog_version").notNull(),
    /** Anchor instant of the demo world. Null in a file of real data. */
    demoAnchorAt: integer("demo_anchor_at"),
    /** First instant whose state of the market can be read back, UTC ms. Versions replaced before it may be missing. */
    knownSince: integer("known_since").notNull().default(0),
  },
  () => [check("market_state_one", sql`one = 1`)],
);

/** One row of secrets that never leave the file. */
export const nodeSecrets = sqliteTable(
  "node_secrets",
  {
    one: integer("one").primaryKey(),
    /** Key of the MAC of cursors. It is created with the file, so that cursors survive restarts. */
    cursorKey: blob("cursor_key", { mode: "buffer" }).notNull(),
  },
  () => [check("node_secrets_one", sql`one = 1`), check("node_secrets_cursor_key", sql`length(cursor_key) = 32`)],
);

/** CRC-32 of each row of small market tables, written together with the row, like `row_checksums` for private tables. */
export const marketChecksums = sqliteTable(
  "market_checksums",
  {
    tableName: text("table_name").notNull(),
    rowKey: text("row_key").notNull(),
    checksum: integer("checksum").notNull(),
  },
  (table) => [primaryKey({ columns: [table.tableName, table.rowKey] })],
);

/**
 * Commands with changes in several transactions that carry the instant `started_at`. Reads of an earlier state take the time until
 * `finished_at`, the last commit, as the instant before the first change.
 */
export const changeSpans = sqliteTable(
  "change_spans",
  { startedAt: integer("started_at").primaryKey(), finishedAt: integer("finished_at").notNull() },
  () => [check("change_spans_order", sql`started_at < finished_at`)],
);
