import type { DeflatedBlock } from "../../values/gzip-blocks.ts";
import { encodeExportHead, encodeItemRecord, itemRecordBytes } from "../../wire/export-record.ts";
import { encodeUntimedBook } from "../../wire/quotes.ts";
import { type Database, readTransaction } from "../database.ts";
import { BookReader, bookOf } from "./books.ts";
import { MarketItems, maxItemIdSql } from "./market-items.ts";

/** Maximum bytes of an `item` record including its line break. */
export const recordBytesMax = 256 * 1024;

/** Range of a page: ids from `after` (exclusive) to `upTo` (inclusive). */
type PageRange = { after: number; upTo: number; recordBytesMax: number };

/**
 * `lines` has encoded `item` records, one per line, or null without records. `oversized` counts items with a record over `recordBytesMax`,
 * which `lines` omits; the page is then unusable. `state` is the market state that was read.
 */
type PageRow = { state: MarketMark; items: number; oversized: number; lines: Buffer | null };

/** The published generation (null without one) and the version of the catalog. Exports change only with one of them. */
type MarketMark = { currentGenerationId: number | null; catalogVersion: number };

/**
 * Facts that an export captures at its beginning: the published generation and the upper bound of the catalog's ids. `maxItemId` is 0
 * without items.
 */
export type CapturedMarket = {
  generationId: number;
  ingestedAt: number;
  items: number;
  bytes: number;
  maxItemId: number;
};

/** A cached page: the compressed lines of all `items` catalog items from `firstItemId` to `lastItemId`. */
type SealedPage = DeflatedBlock & { firstItemId: number; lastItemId: number; items: number };

/**
 * Consecutive cached pages, beginning directly after the requested id. If the first page is missing, the lines up to `missingUpTo` must be
 * encoded; the next cached page begins there. `currentGenerationId` is null if nothing is published.
 */
type SealedRun = { currentGenerationId: number | null; pages: SealedPage[]; missingUpTo: number };

/** One statement, because only the first read after a commit is expensive. */
const captureSql = `
  SELECT generation_id AS generationId, ingested_at AS ingestedAt, items, bytes,
    (${maxItemIdSql}) AS maxItemId
  FROM market_state JOIN generations ON generation_id = current_generation_id
  WHERE one = 1`;

const markSql =
  "SELECT current_generation_id AS currentGenerationId, catalog_version AS catalogVersion FROM market_state WHERE one = 1";

/**
 * Reads pages of exports. No transaction or cursor stays open between two pages. Pages of the current state are cached in compressed form
 * after their first export, about a quarter of a kilobyte per item. Not built by Drizzle: one row of facts, read once for each page.
 */
export class MarketSnapshotStore {
  readonly #database: Database;
  readonly #capture;
  readonly #mark;
  readonly #items: MarketItems;
  readonly #books: BookReader;
  /** Cached pages of the state `#sealedOf`, by first item id. */
  readonly #sealed = new Map<number, SealedPage>();
  #sealedOf: MarketMark = { currentGenerationId: null, catalogVersion: -1 };

  constructor(database: Database) {
    this.#database = database;
    this.#capture = database.$client.prepare<[], CapturedMarket>(captureSql);
    this.#mark = database.$client.prepare<[], MarketMark>(markSql);
    this.#items = new MarketItems(database);
    this.#books = new BookReader(database);
  }

  /** Captures the market for an export. Returns null before the first publication. */
  capture(): CapturedMarket | null {
    return this.#capture.get() ?? null;
  }

  /** Encodes a page of the published generation. */
  page(range: PageRange): PageRow {
    return readTransaction(this.#database, () => ({ state: this.#mark.get()!, ...this.#linesOf(range) }));
  }

  #linesOf({ after, upTo, recordBytesMax }: PageRange): Omit<PageRow, "state"> {
    const quoted = new Map(this.#books.within({ after, upTo }));
    const lines: string[] = [];
    let oversized = 0;
    let items = 0;
    for (const item of this.#items.within(after, upTo)) {
      if (!item.inCatalog) continue;
      items += 1;
      const head = encodeExportHead(item);
      if (itemRecordBytes(head, item.quoteBytes) > recordBytesMax) {
        oversized += 1;
        continue;
      }
      const book = bookOf(quoted.get(item.itemId) ?? []);
      lines.push(encodeItemRecord(head, book === null ? null : encodeUntimedBook(book)));
    }
    return { items, oversized, lines: lines.length === 0 ? null : Buffer.from(lines.join("")) };
  }

  /** Caches a page of `state` for later exports. */
  seal(page: SealedPage, state: MarketMark): void {
    this.#keepOnly(state);
    if (!this.#sealed.has(page.firstItemId)) this.#sealed.set(page.firstItemId, page);
  }

  /** Returns at most `pagesMax` cached pages of complete records with ids from `after` (exclusive) to `upTo` (inclusive). */
  sealed({ after, upTo, pagesMax }: { after: number; upTo: number; pagesMax: number }): SealedRun {
    const state = this.#mark.get()!;
    this.#keepOnly(state);
    const pages: SealedPage[] = [];
    let next = after + 1;
    while (pages.length < pagesMax) {
      const page = this.#sealed.get(next);
      if (page === undefined || page.lastItemId > upTo) break;
      pages.push(page);
      next = page.lastItemId + 1;
    }
    const { currentGenerationId } = state;
    const last = pages.at(-1);
    if (last !== undefined) return { currentGenerationId, pages, missingUpTo: last.lastItemId };
    const later = Array.from(this.#sealed.keys()).filter((firstItemId) => firstItemId > next);
    return { currentGenerationId, pages, missingUpTo: Math.min(upTo, ...later.map((first) => first - 1)) };
  }

  #keepOnly(state: MarketMark): void {
    const { currentGenerationId, catalogVersion } = this.#sealedOf;
    if (currentGenerationId === state.currentGenerationId && catalogVersion === state.catalogVersion) return;
    this.#sealed.clear();
    this.#sealedOf = state;
  }
}

/** `upTo` is the last item id read. `oversized` is 1 and `lines` is null if the record of the only item is too long. */
type PageRead = PageRow & { upTo: number };

const pageIdsMax = 1024;
/** Maximum size of a page relative to its target, even if record sizes differ widely. */
const pageSpread = 8;
/** A remainder up to this share of a page is read with the page before it. */
const restShare = 0.25;

/** Reads the pages of a generation from its quotes, each of about `bytesTarget` bytes. The previous page determines the number of ids. */
export class PageReader {
  readonly #store: MarketSnapshotStore;
  readonly #bytesTarget: number;
  #ids: number;

  constructor(store: MarketSnapshotStore, { bytesTarget, idsFirst }: { bytesTarget: number; idsFirst: number }) {
    this.#store = store;
    this.#bytesTarget = bytesTarget;
    this.#ids = idsFirst;
  }

  /** Reads a page of ids from `after` (exclusive) to at most `upTo`. Reads fewer ids if one record is much longer than the others. */
  read(after: number, upTo: number): PageRead {
    for (;;) {
      const left = upTo - after;
      const ids = left <= this.#ids * (1 + restShare) ? left : this.#ids;
      const page = this.#store.page({
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
