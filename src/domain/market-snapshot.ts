import type { Schema } from "../contract/types.ts";
import type { CurrentGeneration, GenerationsStore } from "../store/generations.ts";
import type { MarketSnapshotStore, PageRow } from "../store/market-snapshot.ts";
import { toTimestamp } from "../values/clock.ts";
import { Failure } from "../values/failure.ts";
import { encodeRecord } from "../wire/export-record.ts";

export type SnapshotBrokenCode = Schema<"SnapshotError">["code"];

/** An export that cannot be completed: the code of its `error` record, and the unexpected error behind it, if any. */
export class SnapshotBroken extends Error {
  readonly code: SnapshotBrokenCode;

  constructor(code: SnapshotBrokenCode, cause?: unknown) {
    super(code, { cause });
    this.name = "SnapshotBroken";
    this.code = code;
  }
}

/** One export under way. It holds no more than its next page, and that only until it is taken the first time. */
export type SnapshotRun = {
  /** Request that the records name. */
  readonly requestId: string;
  /** Item records in the pages handed out so far. */
  readonly itemsSent: number;
  /**
   * Returns the next page of whole lines (maybe none), `start` first and `end` last; null after that.
   *
   * @throws {SnapshotBroken}
   */
  next(): Buffer | null;
};

/** Request id and instant (UTC ms) of an export; an `Admission` is one. */
export type SnapshotRequest = { readonly requestId: string; readonly at: number };

export const recordBytesMax = 256 * 1024;
export const pageBytesTarget = 112 * 1024;
const firstPageBytesTarget = 32 * 1024;
const pageIdsMax = 1024;
/** A page is at most this many times its target, however unequal the records are. */
const pageSpread = 8;
const itemBytesGuess = 256;
const captureAttemptsMax = 3;

/** The market export: all items of the catalog with their quotes of one generation. */
export class MarketSnapshot {
  readonly #generations: GenerationsStore;
  readonly #store: MarketSnapshotStore;

  constructor(parts: { generations: GenerationsStore; store: MarketSnapshotStore }) {
    this.#generations = parts.generations;
    this.#store = parts.store;
  }

  /**
   * Begins an export and reads its first page, so that whatever is wrong already is refused before anything is sent.
   *
   * @throws {Failure} `snapshot_unavailable` when nothing is published; a read error passes through as it is.
   */
  open(request: SnapshotRequest): SnapshotRun {
    for (let attempt = 1; ; attempt += 1) {
      const generation = this.#generations.current();
      if (generation === null) {
        throw new Failure("snapshot_unavailable", { detail: "no generation of quotes is published" });
      }
      const run = new Run(this.#store, generation, request);
      try {
        run.prefetch();
        return run;
      } catch (error) {
        if (!(error instanceof SnapshotBroken)) throw error;
        // Published between the two reads: nothing was sent yet, so the newer generation serves as well.
        if (error.code === "snapshot_changed" && attempt < captureAttemptsMax) continue;
        throw new Failure("snapshot_unavailable", { detail: "the export could not begin" });
      }
    }
  }
}

class Run implements SnapshotRun {
  readonly requestId: string;
  readonly #store: MarketSnapshotStore;
  readonly #generationId: number;
  readonly #name: string;
  readonly #upTo: number;
  #first: Buffer | null = null;
  #start: Buffer | null;
  #after = 0;
  #pageIds: number;
  #itemsRead = 0;
  #itemsSent = 0;
  #done = false;

  constructor(store: MarketSnapshotStore, generation: CurrentGeneration, request: SnapshotRequest) {
    this.requestId = request.requestId;
    this.#store = store;
    this.#generationId = generation.generationId;
    this.#name = `g${generation.generationId}`;
    this.#upTo = store.maxItemId();
    this.#pageIds = Math.ceil(
      firstPageBytesTarget / (itemBytesGuess + generation.bytes / Math.max(1, generation.items)),
    );
    this.#start = encodeRecord({
      type: "start",
      request_id: request.requestId,
      generation: this.#name,
      generated_at: toTimestamp(request.at),
      ingested_at: toTimestamp(generation.ingestedAt),
      price_as_of: null,
      consistency: "single_price_generation",
      catalog_max_item_id: this.#upTo,
    });
  }

  get itemsSent(): number {
    return this.#itemsSent;
  }

  /** Reads the first page. A read error is thrown as it is: nothing was sent. */
  prefetch(): void {
    this.#first = this.#read();
  }

  next(): Buffer | null {
    let page = this.#first;
    this.#first = null;
    if (page === null) {
      if (this.#done) return null;
      try {
        page = this.#read();
      } catch (error) {
        throw error instanceof SnapshotBroken ? error : new SnapshotBroken("snapshot_interrupted", error);
      }
    }
    this.#itemsSent = this.#itemsRead;
    return page;
  }

  #read(): Buffer {
    const { items, lines } = this.#readPage();
    const ids = this.#pageIds;
    this.#itemsRead += items;
    this.#after += ids;
    this.#done = this.#after >= this.#upTo;
    const fitting = lines === null ? pageIdsMax : Math.round((ids * pageBytesTarget) / lines.length);
    this.#pageIds = Math.min(Math.max(1, fitting), ids * 2, pageIdsMax);
    const parts = [this.#start, lines, this.#done ? this.#end() : null].filter((part) => part !== null);
    this.#start = null;
    return parts.length === 1 ? parts[0]! : Buffer.concat(parts);
  }

  /** Takes fewer items where one of them is much longer than the others, so that no page is much longer than its target. */
  #readPage(): PageRow {
    for (;;) {
      const ids = this.#pageIds;
      const page = this.#store.page({
        generationId: this.#generationId,
        after: this.#after,
        upTo: Math.min(this.#after + ids, this.#upTo),
        recordBytesMax: Math.min(recordBytesMax, Math.floor((pageSpread * pageBytesTarget) / ids)),
      });
      if (page.currentGenerationId !== this.#generationId) throw new SnapshotBroken("snapshot_changed");
      if (page.oversized === 0) return page;
      if (ids === 1) {
        const cause = new Error(`item ${this.#after + 1}: its record is over ${recordBytesMax} bytes`);
        throw new SnapshotBroken("snapshot_interrupted", cause);
      }
      this.#pageIds = Math.ceil(ids / 4);
    }
  }

  #end(): Buffer {
    return encodeRecord({ type: "end", request_id: this.requestId, generation: this.#name, items: this.#itemsRead });
  }
}

/** Encodes the `error` record, the last line of an export that failed after its first byte. */
export function errorRecord(requestId: string, code: SnapshotBrokenCode): Buffer {
  return encodeRecord({ type: "error", request_id: requestId, code });
}
