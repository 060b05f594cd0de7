import { ExportError, type ExportReason } from "./errors.ts";
import { BrokenLine, LineReader } from "./lines.ts";
import { type AnyRecord, readRecord } from "./records.ts";
import type { ChangesRecord, ExportProgress, Schema, SnapshotEnd, SnapshotRecord, SnapshotStart } from "./types.ts";

type AnyStart = SnapshotStart | Schema<"ChangesStart">;
type AnyEnd = SnapshotEnd | Schema<"ChangesEnd">;
/** State at which a stream of changes starts; null for an export. */
type From = Schema<"MarketState"> | null;

/** Largest export that is read, in uncompressed bytes: twenty times a large market. */
const streamBytesMax = 1024 * 1024 * 1024;

/** Verifies one export or one stream of changes, from `start` to `end`. After an ExportError, discard all its records. */
export class ExportVerifier<Kind extends SnapshotRecord | ChangesRecord = SnapshotRecord> {
  readonly #address: string;
  /** Request id from the header; null without one. */
  readonly #requestId: string | null;
  readonly #lines = new LineReader();
  readonly #bytesMax: number;
  readonly #from: From;
  #start: AnyStart | null = null;
  #end: AnyEnd | null = null;
  #items = 0;
  #removed = 0;
  #lastItemId = 0;
  #bytes = 0;

  constructor(address: string, requestId: string | null, bytesMax = streamBytesMax, from: From = null) {
    this.#bytesMax = bytesMax;
    this.#from = from;
    this.#address = address;
    this.#requestId = requestId;
  }

  /** Progress of an export. Null before `start`, and for a stream of changes. */
  get progress(): ExportProgress | null {
    if (this.#start === null || !("catalog_max_item_id" in this.#start)) return null;
    const { catalog_max_item_id: upTo } = this.#start;
    return { items: this.#items, bytes: this.#bytes, itemId: this.#end === null ? this.#lastItemId : upTo, upTo };
  }

  /**
   * Returns the records that end in this chunk. Holds back `end` until the body is complete.
   * @throws {ExportError} if the contract forbids a record at this point, or the server aborted the export.
   */
  take(chunk: Uint8Array): Kind[] {
    this.#bytes += chunk.length;
    if (this.#bytes > this.#bytesMax) throw this.broken("malformed", `it is larger than ${this.#bytesMax} bytes`);
    const records: Kind[] = [];
    try {
      for (const line of this.#lines.take(chunk)) {
        const record = this.#accept(readRecord(line, this.#from === null ? "export" : "changes"));
        if (record !== null) records.push(record as Kind);
      }
    } catch (error) {
      if (error instanceof BrokenLine) throw this.broken("malformed", error.message);
      throw error;
    }
    return records;
  }

  /**
   * Returns the `end` record. Call it after the last chunk.
   * @throws {ExportError} `truncated` without `end`, `malformed` if data follows it.
   */
  finish(): Extract<Kind, { type: "end" }> {
    if (this.#lines.hasRest && this.#end !== null) throw this.#after();
    if (this.#end === null) throw this.broken("truncated", "the stream ended without its `end` record");
    return this.#end as Extract<Kind, { type: "end" }>;
  }

  /** Makes an error for the current line. */
  broken(reason: ExportReason, why: string, cause?: unknown): ExportError {
    const { line } = this.#lines;
    const what = this.#from === null ? "export is" : "stream of changes is";
    const message = `${this.#address}: the ${what} ${reasonDescriptions[reason]}, after ${line} lines: ${why}`;
    const requestId = this.#start?.request_id ?? this.#requestId;
    return new ExportError(reason, message, { requestId, line, cause });
  }

  #accept(record: AnyRecord): AnyRecord | null {
    if (this.#end !== null) throw this.#after();
    const start = this.#start;
    if (start === null) return this.#begin(record);
    switch (record.type) {
      case "start":
        throw this.broken("malformed", "a second `start`");
      case "item":
        this.#item(record.data.item_id, start);
        this.#items += 1;
        return record;
      case "removed":
        this.#item(record.item_id, start);
        this.#removed += 1;
        return record;
      case "end":
        this.#close(record, start);
        return null;
      case "error":
        return this.#refuse(record, start);
    }
  }

  #begin(record: AnyRecord): AnyStart {
    if (record.type !== "start") throw this.broken("malformed", `\`${record.type}\` before \`start\``);
    if (this.#requestId !== null && record.request_id !== this.#requestId) {
      throw this.broken("malformed", "`start` names another request than X-Request-Id");
    }
    if ("from" in record && this.#from !== null && !isSame(record.from, this.#from)) {
      throw this.broken("digest", "it starts from another state than the copy");
    }
    this.#start = record;
    return record;
  }

  #item(itemId: number, start: AnyStart): void {
    if (itemId === this.#lastItemId) throw this.broken("malformed", `item ${itemId} is listed twice`);
    if (itemId < this.#lastItemId) {
      throw this.broken("malformed", `item ${itemId} follows item ${this.#lastItemId}`);
    }
    if ("catalog_max_item_id" in start && itemId > start.catalog_max_item_id) {
      throw this.broken("malformed", `item ${itemId} is beyond catalog_max_item_id, ${start.catalog_max_item_id}`);
    }
    this.#lastItemId = itemId;
  }

  #close(end: AnyEnd, start: AnyStart): void {
    if (end.request_id !== start.request_id) throw this.broken("malformed", "`end` names another request than `start`");
    if ("generation" in end && "generation" in start && end.generation !== start.generation) {
      throw this.broken("malformed", `\`end\` names ${end.generation}, \`start\` names ${start.generation}`);
    }
    if ("to" in end && "to" in start && !isSame(end.to, start.to)) {
      throw this.broken("malformed", "`end` names another state than `start`");
    }
    if (end.items !== this.#items) {
      throw this.broken("malformed", `\`end\` counts ${end.items} items, but the stream has ${this.#items}`);
    }
    if ("removed" in end && end.removed !== this.#removed) {
      throw this.broken(
        "malformed",
        `\`end\` counts ${end.removed} removed items, but the stream has ${this.#removed}`,
      );
    }
    this.#end = end;
  }

  #refuse({ code, request_id: requestId }: Extract<AnyRecord, { type: "error" }>, start: AnyStart): never {
    if (requestId !== start.request_id) throw this.broken("malformed", "`error` names another request than `start`");
    if (code === "snapshot_changed") {
      throw this.broken("changed", "a new generation was published meanwhile (snapshot_changed)");
    }
    throw this.broken("interrupted", "the server gave up (snapshot_interrupted)");
  }

  #after(): ExportError {
    return this.broken("malformed", "a record follows `end`");
  }
}

function isSame(one: Schema<"MarketState">, other: Schema<"MarketState">): boolean {
  return (
    one.generation === other.generation && one.digest === other.digest && one.identity_digest === other.identity_digest
  );
}

const reasonDescriptions: Readonly<Record<ExportReason, string>> = {
  changed: "outdated",
  interrupted: "interrupted",
  truncated: "truncated",
  malformed: "malformed",
  digest: "not the published market",
  unconfirmed: "not confirmed",
};
