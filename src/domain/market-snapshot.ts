import type { Schema } from "../contract/types.ts";
import {
  type CapturedMarket,
  type MarketSnapshotStore,
  PageReader,
  recordBytesMax,
} from "../store/read/market-snapshot.ts";
import { Failure } from "../values/failure/failure.ts";
import { type DeflatedBlock, deflateBlock, inflateBlock, joinBlocks } from "../values/gzip-blocks.ts";
import { toTimestamp } from "../values/time/clock.ts";
import { encodeRecord } from "../wire/export-record.ts";

export type SnapshotBrokenCode = Schema<"SnapshotError">["code"];

/** Reports that an export cannot be completed: the code of its `error` record and its unexpected cause, if any. */
export class SnapshotBroken extends Error {
  readonly code: SnapshotBrokenCode;

  constructor(code: SnapshotBrokenCode, cause?: unknown) {
    super(code, { cause });
    this.name = "SnapshotBroken";
    this.code = code;
  }
}

/**
 * Reads the next page of an export that has begun.
 *
 * @throws {SnapshotBroken}
 */
export function readOrBreak<Page>(read: () => Page): Page {
  try {
    return read();
  } catch (error) {
    throw error instanceof SnapshotBroken ? error : new SnapshotBroken("snapshot_interrupted", error);
  }
}

/** Complete lines, possibly none. A page may have several consecutive parts, some compressed. */
export type SnapshotPage = Buffer | readonly (Buffer | DeflatedBlock)[];

/** One export in progress. It buffers at most its next page, only until that is first read. */
export type SnapshotRun = {
  /** Request id in the records. */
  readonly requestId: string;
  /** Item records in the pages returned so far. */
  readonly itemsSent: number;
  /**
   * Returns the next page, with `start` first and `end` last, then null. At most `sealedMax` of its parts are compressed (default 1).
   *
   * @throws {SnapshotBroken}
   */
  next(sealedMax?: number): SnapshotPage | null;
  /** Called once after the last use of `next`. */
  over?(): void;
};

/** Request id and instant (UTC ms) of an export, such as an `Admission`. */
export type SnapshotRequest = { readonly requestId: string; readonly at: number };

export const pageBytesTarget = 112 * 1024;
const firstPageBytesTarget = 32 * 1024;
const itemBytesGuess = 256;
const captureAttemptsMax = 3;

/** Exports the market: all items of the catalog with their quotes of one generation. */
export class MarketSnapshot {
  readonly #store: MarketSnapshotStore;

  constructor(store: MarketSnapshotStore) {
    this.#store = store;
  }

  /**
   * Begins an export and reads its first page, so that errors are refused before anything is sent.
   *
   * @throws {Failure} `snapshot_unavailable` before the first publication; a read error is rethrown unchanged.
   */
  open(request: SnapshotRequest): SnapshotRun {
    for (let attempt = 1; ; attempt += 1) {
      const captured = this.#store.capture();
      if (captured === null) {
        throw new Failure("snapshot_unavailable", { detail: "no generation of quotes is published" });
      }
      const run = new Run(this.#store, captured, request);
      try {
        run.prefetch();
        return run;
      } catch (error) {
        if (!(error instanceof SnapshotBroken)) throw error;
        // A publication happened between the two reads, but nothing was sent yet, so the export starts again with the newer generation.
        if (error.code === "snapshot_changed" && attempt < captureAttemptsMax) continue;
        throw new Failure("snapshot_unavailable", { detail: "the export could not begin" });
      }
    }
  }
}

class Run implements SnapshotRun {
  readonly requestId: string;
  readonly #store: MarketSnapshotStore;
  readonly #reader: PageReader;
  readonly #generationId: number;
  readonly #name: string;
  readonly #upTo: number;
  #first: SnapshotPage | null = null;
  #start: Buffer | null;
  #after = 0;
  /** Last item id of the range without a sealed page. */
  #missingUpTo = 0;
  #itemsRead = 0;
  #itemsSent = 0;
  #done = false;

  constructor(store: MarketSnapshotStore, captured: CapturedMarket, request: SnapshotRequest) {
    const { generationId, ingestedAt, items, bytes, maxItemId } = captured;
    this.requestId = request.requestId;
    this.#store = store;
    this.#generationId = generationId;
    this.#name = `g${generationId}`;
    this.#upTo = maxItemId;
    this.#reader = new PageReader(store, {
      bytesTarget: pageBytesTarget,
      idsFirst: Math.ceil(firstPageBytesTarget / (itemBytesGuess + bytes / Math.max(1, items))),
    });
    this.#start = encodeRecord({
      type: "start",
      request_id: request.requestId,
      generation: this.#name,
      generated_at: toTimestamp(request.at),
      ingested_at: toTimestamp(ingestedAt),
      price_as_of: null,
      consistency: "single_price_generation",
      catalog_max_item_id: this.#upTo,
    });
  }

  get itemsSent(): number {
    return this.#itemsSent;
  }

  /** Reads the first page of items. A read error is thrown unchanged, because nothing was sent. */
  prefetch(): void {
    this.#first = this.#read(1);
  }

  next(sealedMax = 1): SnapshotPage | null {
    // Sent alone, so that it does not wait for the decompression of a page.
    const start = this.#start;
    this.#start = null;
    if (start !== null) return start;
    let page = this.#first;
    this.#first = null;
    if (page === null) {
      if (this.#done) return null;
      page = readOrBreak(() => this.#read(sealedMax));
    }
    this.#itemsSent = this.#itemsRead;
    return page;
  }

  #read(sealedMax: number): SnapshotPage {
    const sealed = this.#copySealed(sealedMax);
    const lines = sealed.length > 0 ? sealed : this.#makeLines();
    this.#done = this.#after >= this.#upTo;
    return this.#done ? [...lines, this.#end()] : lines;
  }

  /** Reads the sealed pages after the last one. Returns an empty list if they are missing. */
  #copySealed(pagesMax: number): DeflatedBlock[] {
    const run = this.#store.sealed({
      after: this.#after,
      upTo: this.#upTo,
      pagesMax,
    });
    this.#missingUpTo = run.missingUpTo;
    if (run.pages.length > 0) this.#refuseOther(run.currentGenerationId);
    for (const { items, lastItemId } of run.pages) {
      this.#itemsRead += items;
      this.#after = lastItemId;
    }
    return run.pages;
  }

  /** Encodes a page of quotes and seals it for later exports. */
  #makeLines(): DeflatedBlock[] {
    const firstItemId = this.#after + 1;
    const { state, items, oversized, lines, upTo } = this.#reader.read(this.#after, this.#missingUpTo);
    this.#refuseOther(state.currentGenerationId);
    if (oversized > 0) {
      const cause = new Error(`item ${firstItemId}: its record is over ${recordBytesMax} bytes`);
      throw new SnapshotBroken("snapshot_interrupted", cause);
    }
    this.#itemsRead += items;
    this.#after = upTo;
    if (lines === null) return [];
    const block = deflateBlock(lines);
    this.#store.seal({ ...block, firstItemId, lastItemId: upTo, items }, state);
    return [block];
  }

  #refuseOther(currentGenerationId: number | null): void {
    if (currentGenerationId !== this.#generationId) throw new SnapshotBroken("snapshot_changed");
  }

  #end(): Buffer {
    return encodeRecord({ type: "end", request_id: this.requestId, generation: this.#name, items: this.#itemsRead });
  }
}

/** Returns the lines of a page uncompressed. Decompressing parts costs less than encoding them again. */
export function plainLines(page: SnapshotPage): Buffer {
  const plain: Buffer[] = [];
  let packed: DeflatedBlock[] = [];
  const unpack = () => {
    if (packed.length > 0) plain.push(inflateBlock(joinBlocks(packed)));
    packed = [];
  };
  for (const part of partsOf(page)) {
    if (Buffer.isBuffer(part)) {
      unpack();
      plain.push(part);
    } else packed.push(part);
  }
  unpack();
  return plain.length === 1 ? plain[0]! : Buffer.concat(plain);
}

/** Returns the parts of a page, each compressed separately. */
export function compressedBlocks(page: SnapshotPage): DeflatedBlock[] {
  return partsOf(page).map((part) => (Buffer.isBuffer(part) ? deflateBlock(part) : part));
}

/** Returns the parts of a page. */
export function partsOf(page: SnapshotPage): readonly (Buffer | DeflatedBlock)[] {
  return Buffer.isBuffer(page) ? [page] : (page as Exclude<SnapshotPage, Buffer>);
}

/** Encodes the `error` record, the last line of an export that failed after its first byte. */
export function errorRecord(requestId: string, code: SnapshotBrokenCode): Buffer {
  return encodeRecord({ type: "error", request_id: requestId, code });
}
