import { itemRecordRestBytes, itemRecordSql } from "../wire/export-record.ts";
import type { Database } from "./database.ts";

/** Which records a page holds: of one generation, ids `after` (exclusive) to `upTo` (inclusive). */
export type PageRange = { generationId: number; after: number; upTo: number; recordBytesMax: number };

/**
 * `lines` are encoded `item` records, a line each; null when there is none. `oversized` items have a record over
 * `recordBytesMax` and are left out of `lines`, which is then no page.
 */
export type PageRow = { currentGenerationId: number | null; items: number; oversized: number; lines: Buffer | null };

const recordBytes = `octet_length(i.export_head) + coalesce(octet_length(q.quotes), 0) + ${itemRecordRestBytes}`;

/**
 * A page in one statement, glued together by SQLite out of parts that were encoded when they were stored. As a blob: text
 * would be decoded and encoded again. Rows are glued as they come, and a range of the primary key comes in its order; an
 * inner query with ORDER BY and LIMIT would give the same and copy each record once more. Not built by Drizzle: nearly all of it is
 * SQLite's own functions, and its row is bytes that nobody maps.
 */
const pageSql = `
  SELECT (SELECT current_generation_id FROM market_state WHERE one = 1) AS currentGenerationId,
    count(*) AS items,
    count(*) FILTER (WHERE ${recordBytes} > @recordBytesMax) AS oversized,
    CAST(group_concat(CASE
      WHEN ${recordBytes} <= @recordBytesMax THEN ${itemRecordSql({ exportHead: "i.export_head", quotes: "q.quotes" })}
    END, '') AS BLOB) AS lines
  FROM items i LEFT JOIN generation_quotes q ON q.quote_key = (@generationId << 31) + i.item_id
  WHERE i.item_id > @after AND i.item_id <= @upTo AND i.in_catalog = 1`;

/** Pages of the export. Nothing stays open between two of them: no transaction, no cursor. */
export class MarketSnapshotStore {
  readonly #page;
  readonly #maxItemId;

  constructor(database: Database) {
    this.#page = database.$client.prepare<[PageRange], PageRow>(pageSql);
    this.#maxItemId = database.$client.prepare<[], { itemId: number | null }>(
      "SELECT max(item_id) AS itemId FROM items",
    );
  }

  /** Returns the upper bound of the catalog's ids; 0 when there is none. */
  maxItemId(): number {
    return this.#maxItemId.get()?.itemId ?? 0;
  }

  page(range: PageRange): PageRow {
    return this.#page.get(range)!;
  }
}
