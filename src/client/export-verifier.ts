import { ExportError, type ExportReason } from "./errors.ts";
import { BrokenLine, LineReader } from "./lines.ts";
import { type AnyRecord, readRecord } from "./records.ts";
import type { ExportProgress, SnapshotEnd, SnapshotItemRecord, SnapshotRecord, SnapshotStart } from "./types.ts";

/** The largest export that is read, uncompressed: twenty times a large market. */
const streamBytesMax = 1024 * 1024 * 1024;

/**
 * Verifies one export from `start` to `end`. After an ExportError nothing of the export is to be used.
 */
export class ExportVerifier {
  readonly #address: string;
  /** Request id of the header; null where there was none. */
  readonly #requestId: string | null;
  readonly #lines = new LineReader();
  readonly #bytesMax: number;
  #start: SnapshotStart | null = null;
  #end: SnapshotEnd | null = null;
  #items = 0;
  #lastItemId = 0;
  #bytes = 0;

  constructor(address: string, requestId: string | null, bytesMax = streamBytesMax) {
    this.#bytesMax = bytesMax;
    this.#address = address;
    this.#requestId = requestId;
  }

  /** Null before `start`. */
  get progress(): ExportProgress | null {
    if (this.#start === null) return null;
    const { catalog_max_item_id: upTo } = this.#start;
    return { items: this.#items, bytes: this.#bytes, itemId: this.#end === null ? this.#lastItemId : upTo, upTo };
  }

  /**
   * Returns the records that end in this chunk but `end`, which is kept until the body is over.
   *
   * @throws {ExportError} when the contract forbids the record here, or the server gave up the export.
   */
  take(chunk: Uint8Array): SnapshotRecord[] {
    this.#bytes += chunk.length;
    if (this.#bytes > this.#bytesMax) throw this.broken("malformed", `it is larger than ${this.#bytesMax} bytes`);
    const records: SnapshotRecord[] = [];
    try {
      for (const line of this.#lines.take(chunk)) {
        const record = this.#accept(readRecord(line));
        if (record !== null) records.push(record);
      }
    } catch (error) {
      if (error instanceof BrokenLine) throw this.broken("malformed", error.message);
      throw error;
    }
    return records;
  }

  /**
   * Returns `end`, once the body is over.
   *
   * @throws {ExportError} `truncated` when none came, `malformed` when something follows it.
   */
  finish(): SnapshotEnd {
    if (this.#lines.hasRest && this.#end !== null) throw this.#after();
    if (this.#end === null) throw this.broken("truncated", "the stream ended without its `end` record");
    return this.#end;
  }

  /** Makes the error of an export that is broken at the current line. */
  broken(reason: ExportReason, why: string, cause?: unknown): ExportError {
    const { line } = this.#lines;
    const message = `${this.#address}: the export is ${reasonDescriptions[reason]}, after ${line} lines: ${why}`;
    const requestId = this.#start?.request_id ?? this.#requestId;
    return new ExportError(reason, message, { requestId, line, cause });
  }

  #accept(record: AnyRecord): SnapshotRecord | null {
    if (this.#end !== null) throw this.#after();
    if (this.#start === null) return this.#begin(record);
    switch (record.type) {
      case "start":
        throw this.broken("malformed", "a second `start`");
      case "item":
        return this.#item(record, this.#start);
      case "end":
        this.#close(record, this.#start);
        return null;
      case "error":
        return this.#refuse(record, this.#start);
    }
  }

  #begin(record: AnyRecord): SnapshotStart {
    if (record.type !== "start") throw this.broken("malformed", `\`${record.type}\` before \`start\``);
    if (this.#requestId !== null && record.request_id !== this.#requestId) {
      throw this.broken("malformed", "`start` is of another request than X-Request-Id");
    }
    this.#start = record;
    return record;
  }

  #item(record: SnapshotItemRecord, { catalog_max_item_id: upTo }: SnapshotStart): SnapshotItemRecord {
    const { item_id: itemId } = record.data;
    if (itemId === this.#lastItemId) throw this.broken("malformed", `item ${itemId} comes twice`);
    if (itemId < this.#lastItemId) {
      throw this.broken("malformed", `item ${itemId} stands after item ${this.#lastItemId}`);
    }
    if (itemId > upTo) throw this.broken("malformed", `item ${itemId} is beyond catalog_max_item_id, ${upTo}`);
    this.#lastItemId = itemId;
    this.#items += 1;
    return record;
  }

  #close(end: SnapshotEnd, start: SnapshotStart): void {
    if (end.request_id !== start.request_id) throw this.broken("malformed", "`end` is of another request than `start`");
    if (end.generation !== start.generation) {
      throw this.broken("malformed", `\`end\` is of ${end.generation}, \`start\` of ${start.generation}`);
    }
    if (end.items !== this.#items) {
      throw this.broken("malformed", `\`end\` counts ${end.items} items, and ${this.#items} came`);
    }
    this.#end = end;
  }

  #refuse({ code, request_id: requestId }: Extract<AnyRecord, { type: "error" }>, start: SnapshotStart): never {
    if (requestId !== start.request_id) throw this.broken("malformed", "`error` is of another request than `start`");
    if (code === "snapshot_changed") {
      throw this.broken("changed", "a new generation was published meanwhile (snapshot_changed)");
    }
    throw this.broken("interrupted", "the server gave up (snapshot_interrupted)");
  }

  #after(): ExportError {
    return this.broken("malformed", "something stands after `end`");
  }
}

const reasonDescriptions: Readonly<Record<ExportReason, string>> = {
  changed: "outdated",
  interrupted: "interrupted",
  truncated: "truncated",
  malformed: "malformed",
  digest: "not what was published",
  unconfirmed: "not confirmed",
};
