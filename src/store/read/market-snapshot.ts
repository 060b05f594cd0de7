import type { DeflatedBlock } from "../../values/gzip-blocks.ts";
import { encodeExportHead, encodeItemRecord, itemRecordBytes } from "../../wire/export-record.ts";
import { encodeUntimedBook } from "../../wire/quotes.ts";
import { type Database, readTransaction } from "../database.ts";
import { BookReader, bookOf } from "./books.ts";
import { MarketItems, maxItemIdSql } from "./market-items.ts";

/** Maximum bytes of an `item` record with its end of line. */
export const recordBytesMax = 256 * 1024;

/** Which records a page holds: of one generation, ids `after` (exclusive) to `upTo` (inclusive). */
type PageRange = { after: number; upTo: number; recordBytesMax: number };

/**
 * `lines` are encoded `item` records, a line each; null when there is none. `oversized` items have a record over
 * `recordBytesMax` and are left out of `lines`, which is then no page. `state` is that of the market they are of.
 */
type PageRow = { state: MarketMark; items: number; oversized: number; lines: Buffer | null };

/** The published generation (null: none) and the version of the catalog: what exports hold is the same as long as both are. */
type MarketMark = { currentGenerationId: number | null; catalogVersion: number };

/** What an export captures at its beginning: the published generation, and the upper bound of the catalog's ids (0: it has none). */
export type CapturedMarket = {
  generationId: number;
  ingestedAt: number;
  items: number;
  bytes: number;
  maxItemId: number;
};

/** A page that was sealed: the lines of all `items` items of the catalog from `firstItemId` to `lastItemId`, compressed once. */
type SealedPage = DeflatedBlock & { firstItemId: number; lastItemId: number; items: number };

/**
 * Sealed pages that follow each other, the first behind what was asked for. Where there is none, `missingUpTo` is the last item id
 * before the next page that can be copied: so far the lines have to be made. `currentGenerationId` null: nothing is published.
 */
type SealedRun = { currentGenerationId: number | null; pages: SealedPage[]; missingUpTo: number };

/** In one statement: what is read first after a commit is what costs. */
const captureSql = `
  SELECT generation_id AS generationId, ingested_at AS ingestedAt, items, bytes,
    (${maxItemIdSql}) AS maxItemId
  FROM market_state JOIN generations ON generation_id = current_generation_id
  WHERE one = 1`;

const markSql =
  "SELECT current_generation_id AS currentGenerationId, catalog_version AS catalogVersion FROM market_state WHERE one = 1";

/**
 * Pages of the export. Nothing stays open between two of them: no transaction, no cursor. Those of the present state that some export has
 * made are kept in memory, compressed: about a quarter of a kilobyte an item. Not built by Drizzle: one row of facts, read once for each page.
 */
export class MarketSnapshotStore {
  readonly #database: Database;
  readonly #capture;
  readonly #mark;
  readonly #items: MarketItems;
  readonly #books: BookReader;
  /** Sealed pages by their first item, of the state that they are of. */
  readonly #sealed = new Map<number, SealedPage>();
  #sealedOf: MarketMark = { currentGenerationId: null, catalogVersion: -1 };

  constructor(database: Database) {
    this.#database = database;
    this.#capture = database.$client.prepare<[], CapturedMarket>(captureSql);
    this.#mark = database.$client.prepare<[], MarketMark>(markSql);
    this.#items = new MarketItems(database);
    this.#books = new BookReader(database);
  }

  /** Captures the market for an export; null as long as nothing is published. */
  capture(): CapturedMarket | null {
    return this.#capture.get() ?? null;
  }

  /** Makes the page of a range of the published generation. */
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

  /** Keeps a page of `state` for the exports to come. */
  seal(page: SealedPage, state: MarketMark): void {
    this.#keepOnly(state);
    if (!this.#sealed.has(page.firstItemId)) this.#sealed.set(page.firstItemId, page);
  }

  /** Returns at most `pagesMax` sealed pages of whole records with ids `after` (exclusive) to `upTo` (inclusive). */
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
  readonly #bytesTarget: number;
  #ids: number;

  constructor(store: MarketSnapshotStore, { bytesTarget, idsFirst }: { bytesTarget: number; idsFirst: number }) {
    this.#store = store;
    this.#bytesTarget = bytesTarget;
    this.#ids = idsFirst;
  }

  /** Reads a page of ids `after` (exclusive) to `upTo` at most. Takes fewer where one record is much longer than the others. */
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
