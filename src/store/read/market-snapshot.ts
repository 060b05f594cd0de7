import { crc32 } from "node:zlib";
import type { DeflatedBlock } from "../../values/gzip-blocks.ts";
import { itemRecordRestBytes, itemRecordSql } from "../../wire/export-record.ts";
import type { Database } from "../database.ts";

/** Maximum bytes of an `item` record with its end of line. */
export const recordBytesMax = 256 * 1024;

/** Which records a page holds: of one generation, ids `after` (exclusive) to `upTo` (inclusive). */
type PageRange = { generationId: number; after: number; upTo: number; recordBytesMax: number };

/**
 * `lines` are encoded `item` records, a line each; null when there is none. `oversized` items have a record over
 * `recordBytesMax` and are left out of `lines`, which is then no page.
 */
type PageRow = { currentGenerationId: number | null; items: number; oversized: number; lines: Buffer | null };

/** What an export captures at its beginning: the published generation, and the upper bound of the catalog's ids (0: it has none). */
export type CapturedMarket = {
  generationId: number;
  ingestedAt: number;
  items: number;
  bytes: number;
  maxItemId: number;
};

/** A page that was sealed: the lines of all `items` items of the catalog from `firstItemId` to `lastItemId`. */
export type SealedPage = DeflatedBlock & { firstItemId: number; lastItemId: number; items: number };

/**
 * Sealed pages that follow each other, the first behind what was asked for. Where there is none, `missingUpTo` is the last item id
 * before the next page that can be copied: so far the lines have to be made. `currentGenerationId` null: unknown, nothing is sealed.
 */
type SealedRun = { currentGenerationId: number | null; pages: SealedPage[]; missingUpTo: number };

type SealedRow = SealedPage & { currentGenerationId: number | null; deflatedCrc32: number };

/** Returns the checksum that a sealed page is stored with: of its facts and its bytes, so that damage to either is noticed before it is sent. */
export function checksumOfPage({
  firstItemId,
  lastItemId,
  items,
  bytes,
  crc32: ofLines,
  deflated,
}: SealedPage): number {
  return crc32(deflated, crc32([firstItemId, lastItemId, items, bytes, ofLines].join()));
}

const recordBytes = `octet_length(i.export_head) + coalesce(octet_length(q.quotes), 0) + ${itemRecordRestBytes}`;

/** The upper bound of the catalog's ids; 0 when there is none. */
export const maxItemIdSql = "SELECT coalesce(max(item_id), 0) FROM items";

/** In one statement: what is read first after a commit is what costs. */
const captureSql = `
  SELECT generation_id AS generationId, ingested_at AS ingestedAt, items, bytes,
    (${maxItemIdSql}) AS maxItemId
  FROM market_state JOIN generations ON generation_id = current_generation_id
  WHERE one = 1`;

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
  WHERE i.item_id > (SELECT @after) AND i.item_id <= (SELECT @upTo) AND i.in_catalog = 1`;

/**
 * The generation's sealed pages behind an item id. Not built by Drizzle: its rows are bytes that nobody maps. Bounds stand in subqueries:
 * SQLite would plan the statement again for each other value.
 */
const sealedSql = `
  SELECT (SELECT current_generation_id FROM market_state WHERE one = 1) AS currentGenerationId,
    page_key & 2147483647 AS firstItemId, last_item_id AS lastItemId, items, bytes, crc32, deflated_crc32 AS deflatedCrc32, deflated
  FROM export_pages
  WHERE page_key > (SELECT (@generationId << 31) + @after) AND page_key <= (SELECT (@generationId << 31) + @upTo)
  ORDER BY page_key LIMIT (SELECT @pagesMax)`;

/** Pages of the export. Nothing stays open between two of them: no transaction, no cursor. */
export class MarketSnapshotStore {
  readonly #capture;
  readonly #page;
  readonly #sealed;
  readonly #maxItemId;

  constructor(database: Database) {
    this.#capture = database.$client.prepare<[], CapturedMarket>(captureSql);
    this.#page = database.$client.prepare<[PageRange], PageRow>(pageSql);
    this.#sealed = database.$client.prepare<[Omit<PageRange, "recordBytesMax"> & { pagesMax: number }], SealedRow>(
      sealedSql,
    );
    this.#maxItemId = database.$client.prepare<[], number>(maxItemIdSql).pluck();
  }

  /** Captures the market for an export; null as long as nothing is published. */
  capture(): CapturedMarket | null {
    return this.#capture.get() ?? null;
  }

  /** Returns the upper bound of the catalog's ids; 0 when there is none. */
  maxItemId(): number {
    return this.#maxItemId.get() ?? 0;
  }

  page(range: PageRange): PageRow {
    return this.#page.get(range)!;
  }

  /** Returns at most `pagesMax` sealed pages of whole records with ids `after` (exclusive) to `upTo` (inclusive). */
  sealed(range: { generationId: number; after: number; upTo: number; pagesMax: number }): SealedRun {
    const rows = this.#sealed.all(range);
    const pages: SealedPage[] = [];
    let next = range.after + 1;
    for (const row of rows) {
      const isWhole = row.lastItemId <= range.upTo && checksumOfPage(row) === row.deflatedCrc32;
      if (row.firstItemId !== next || !isWhole) break;
      pages.push(row);
      next = row.lastItemId + 1;
    }
    const [first] = rows;
    const missingUpTo =
      first === undefined ? range.upTo : first.firstItemId > range.after + 1 ? first.firstItemId - 1 : first.lastItemId;
    return {
      currentGenerationId: first?.currentGenerationId ?? null,
      pages,
      missingUpTo: Math.min(missingUpTo, range.upTo),
    };
  }
}

/** `upTo`: last item id that was looked at. `oversized`: one, and `lines` null, where the record of the only item is too long. */
type PageRead = PageRow & { upTo: number };

const pageIdsMax = 1024;
/** A page is at most this many times its target, however unequal the records are. */
const pageSpread = 8;
/** A rest of this share of a page is read with the page before it. */
const restShare = 0.25;

/** Reads the pages of a generation out of its quotes, each of about `bytesTarget` bytes: takes as many ids as the page before suggests. */
export class PageReader {
  readonly #store: MarketSnapshotStore;
  readonly #generationId: number;
  readonly #bytesTarget: number;
  #ids: number;

  constructor(
    store: MarketSnapshotStore,
    { generationId, bytesTarget, idsFirst }: { generationId: number; bytesTarget: number; idsFirst: number },
  ) {
    this.#store = store;
    this.#generationId = generationId;
    this.#bytesTarget = bytesTarget;
    this.#ids = idsFirst;
  }

  /** Reads a page of ids `after` (exclusive) to `upTo` at most. Takes fewer where one record is much longer than the others. */
  read(after: number, upTo: number): PageRead {
    for (;;) {
      const left = upTo - after;
      const ids = left <= this.#ids * (1 + restShare) ? left : this.#ids;
      const page = this.#store.page({
        generationId: this.#generationId,
        after,
        upTo: after + ids,
        recordBytesMax: Math.min(recordBytesMax, Math.floor((pageSpread * this.#bytesTarget) / Math.max(1, ids))),
      });
      if (page.oversized > 0 && ids > 1) {
        this.#ids = Math.ceil(ids / 4);
        continue;
      }
      const fitting = page.lines === null ? pageIdsMax : Math.round((ids * this.#bytesTarget) / page.lines.length);
      this.#ids = Math.min(Math.max(1, fitting), this.#ids * 2, pageIdsMax);
      return { ...page, upTo: after + ids };
    }
  }
}
