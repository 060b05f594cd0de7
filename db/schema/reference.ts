import { sql } from "drizzle-orm";
import { blob, check, integer, primaryKey, sqliteTable, text } from "drizzle-orm/sqlite-core";

/** One row: what is true of the whole file. Its current generation is the flip that publishes. */
export const marketState = sqliteTable(
  "market_state",
  {
    one: integer("one").primaryKey(),
    currentGenerationId: integer("current_generation_id"),
    /** Raised by every transaction that changes the catalog, so that readers know when to rebuild what they derived. */
    catalogVersion: integer("catalog_version").notNull(),
    /** Key of the cursors' MAC, made with the file so that cursors survive restarts. */
    cursorKey: blob("cursor_key", { mode: "buffer" }).notNull(),
    /** Anchor instant of the demo world; null in a file of real data. */
    demoAnchorAt: integer("demo_anchor_at"),
    note: text("note"),
  },
  () => [check("market_state_one", sql`one = 1`), check("market_state_cursor_key", sql`length(cursor_key) = 32`)],
);

/** CRC-32 of each row of small tables of the market, written with the row, as `row_checksums` has for private tables. */
export const marketChecksums = sqliteTable(
  "market_checksums",
  {
    tableName: text("table_name").notNull(),
    rowKey: text("row_key").notNull(),
    checksum: integer("checksum").notNull(),
  },
  (table) => [primaryKey({ columns: [table.tableName, table.rowKey] })],
);
