import type { Schema } from "../contract/types.ts";
import type { ChangedItems, ExportStateRow, ExportStatesStore } from "../store/read/export-states.ts";
import { Failure } from "../values/failure/failure.ts";
import { toTimestamp } from "../values/time/clock.ts";
import { encodeRecord } from "../wire/export-record.ts";
import { olderHere } from "./generations.ts";
import {
  pageBytesTarget,
  readOrBreak,
  SnapshotBroken,
  type SnapshotRequest,
  type SnapshotRun,
} from "./market-snapshot.ts";

/** The state of a client's copy. */
export type ClientState = {
  readonly generation: string;
  readonly generationId: number;
  readonly identityDigest: Buffer;
};

/** Share of an export's bytes above which changes are not streamed. */
const shareMax = 0.5;
const firstPageBytes = 32 * 1024;
const captureAttemptsMax = 3;

/** Streams the changes of the market since a given state. */
export class MarketChanges {
  readonly #store: ExportStatesStore;
  readonly #mayBeBehind: boolean;

  /** `mayBeBehind`: as in `Generations`. */
  constructor(store: ExportStatesStore, mayBeBehind = false) {
    this.#store = store;
    this.#mayBeBehind = mayBeBehind;
  }

  prepare({ body }: { body: Schema<"ChangesRequest"> }): ClientState {
    return {
      generation: body.generation,
      generationId: Number(body.generation.slice(1)),
      identityDigest: Buffer.from(body.identity_digest, "hex"),
    };
  }

  /**
   * Begins the stream from the client's state to the current one and reads its first page.
   *
   * @throws {Failure} `generation_not_found` for an unknown state; `changes_too_large`; `service_unavailable` if the market changes
   * repeatedly, or if a follower may not have the client's state yet. A read error is rethrown unchanged.
   */
  open(clientState: ClientState, request: SnapshotRequest): SnapshotRun {
    for (let attempt = 1; ; attempt += 1) {
      try {
        return this.#open(clientState, request);
      } catch (error) {
        // The market changed between the reads, but nothing was sent yet, so the stream starts again with the newer state.
        if (!(error instanceof SnapshotBroken)) throw error;
        if (attempt === captureAttemptsMax) throw new Failure("service_unavailable");
      }
    }
  }

  #open(clientState: ClientState, request: SnapshotRequest): SnapshotRun {
    const difference = this.#store.since(clientState, request.at, shareMax);
    if (difference === null) {
      const current = this.#store.current();
      if (this.#mayBeBehind && current !== null && current.generationId < clientState.generationId) {
        throw olderHere("property `generation`", clientState.generation, current.generationId);
      }
      const detail = `property \`generation\`: no state of ${clientState.generation} with this \`identity_digest\` is known; start with an export`;
      throw new Failure("generation_not_found", { detail });
    }
    const { from, to, items } = difference;
    if (items === null) throw new Failure("changes_too_large");
    const run = new ChangesRun(this.#store, pagesOf(items), { from, to }, request);
    run.prefetch();
    return run;
  }
}

/** Splits items into pages of about as many bytes as an export's. Returns at least one page. */
function pagesOf({ ids, bytes }: ChangedItems): number[][] {
  const pages: number[][] = [[]];
  let room = firstPageBytes;
  for (const [index, id] of ids.entries()) {
    const size = bytes[index] ?? 0;
    if (size > room && pages.at(-1)!.length > 0) {
      pages.push([]);
      room = pageBytesTarget;
    }
    pages.at(-1)!.push(id);
    room -= size;
  }
  return pages;
}

class ChangesRun implements SnapshotRun {
  readonly requestId: string;
  readonly #store: ExportStatesStore;
  readonly #pages: number[][];
  readonly #to: ExportStateRow;
  #first: Buffer | null = null;
  #start: Buffer | null;
  #itemsRead = 0;
  #removedRead = 0;
  #itemsSent = 0;

  constructor(
    store: ExportStatesStore,
    pages: number[][],
    { from, to }: { from: ExportStateRow; to: ExportStateRow },
    request: SnapshotRequest,
  ) {
    this.requestId = request.requestId;
    this.#store = store;
    this.#pages = pages;
    this.#to = to;
    this.#start = encodeRecord({
      type: "start",
      request_id: request.requestId,
      generated_at: toTimestamp(request.at),
      ingested_at: toTimestamp(to.ingestedAt),
      from: stateOf(from),
      to: stateOf(to),
    });
  }

  get itemsSent(): number {
    return this.#itemsSent;
  }

  /** Reads the first page. A read error is thrown unchanged, because nothing was sent. */
  prefetch(): void {
    this.#first = this.#read();
  }

  next(): Buffer | null {
    let page = this.#first;
    this.#first = null;
    if (page === null) {
      if (this.#pages.length === 0) return null;
      page = readOrBreak(() => this.#read());
    }
    this.#itemsSent = this.#itemsRead;
    return page;
  }

  #read(): Buffer {
    const { stateId, items, removed, lines } = this.#store.page(this.#pages[0] ?? []);
    if (stateId !== this.#to.stateId) throw new SnapshotBroken("snapshot_changed");
    this.#pages.shift();
    this.#itemsRead += items;
    this.#removedRead += removed;
    const parts = [this.#start, lines, this.#pages.length === 0 ? this.#end() : null].filter((part) => part !== null);
    this.#start = null;
    return Buffer.concat(parts);
  }

  #end(): Buffer {
    return encodeRecord({
      type: "end",
      request_id: this.requestId,
      to: stateOf(this.#to),
      items: this.#itemsRead,
      removed: this.#removedRead,
    });
  }
}

function stateOf({ generationId, digest, identityDigest }: ExportStateRow): Schema<"MarketState"> {
  return {
    generation: `g${generationId}`,
    digest: digest.toString("hex"),
    identity_digest: identityDigest.toString("hex"),
  };
}
