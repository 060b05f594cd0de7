import { createHash } from "node:crypto";
import { ExportError, type ExportReason } from "./errors.ts";
import { BrokenLine, LineReader } from "./lines.ts";
import { readRecord } from "./records.ts";
import type { DayLine, Params, Schema } from "./types.ts";

type Start = Schema<"DayExportStart">;
type End = Schema<"DayExportEnd">;

/** Verifies the export of one day from `start` to `end`. After an ExportError, discard all its records. */
export class DayVerifier {
  readonly #address: string;
  readonly #lines = new LineReader();
  readonly #hash = createHash("sha256");
  readonly #asked: Params<"streamHistoryDay">;
  #start: Start | null = null;
  #rows = 0;
  #end: End | null = null;

  constructor(address: string, asked: Params<"streamHistoryDay">) {
    this.#address = address;
    this.#asked = asked;
  }

  /** First record; null before it arrives. */
  get start(): Start | null {
    return this.#start;
  }

  /**
   * Returns the rows that end in this chunk.
   *
   * @throws {ExportError} if the contract forbids a record at this point, or the server aborted the export.
   */
  take(chunk: Uint8Array): DayLine[] {
    const rows: DayLine[] = [];
    try {
      for (const line of this.#lines.take(chunk)) {
        const row = this.#accept(line);
        if (row !== null) rows.push(row);
      }
    } catch (error) {
      throw error instanceof BrokenLine ? this.broken("malformed", error.message, error) : error;
    }
    return rows;
  }

  /**
   * Returns the first and the last record. Call it after the last chunk.
   *
   * @throws {ExportError} if the export is incomplete, or its digest differs.
   */
  finish(): { start: Start; end: End } {
    if (this.#start === null || this.#end === null) throw this.broken("truncated", "the stream ended before its end");
    if (this.#lines.hasRest) throw this.broken("malformed", "a line follows the end");
    const { rows, digest } = this.#end;
    if (rows !== this.#rows) throw this.broken("malformed", `the end counts ${rows} lines of ${this.#rows}`);
    if (digest !== this.#hash.digest("hex")) throw this.broken("digest", "the rows do not have the digest of the end");
    return { start: this.#start, end: this.#end };
  }

  /** Makes an error for the current line. */
  broken(reason: ExportReason, why: string, cause?: unknown): ExportError {
    const { line } = this.#lines;
    const message = `${this.#address}: the day is ${reason}, after ${line} lines: ${why}`;
    return new ExportError(reason, message, { requestId: this.#start?.request_id ?? null, line, cause });
  }

  #accept(line: string): DayLine | null {
    const record = readRecord(line, "day");
    if (this.#end !== null) throw this.broken("malformed", "a record follows the end");
    if (record.type === "error") {
      const isChanged = record.code === "snapshot_changed";
      throw this.broken(
        isChanged ? "changed" : "interrupted",
        isChanged ? "the day was sealed again" : "the service gave up",
      );
    }
    const { date, resolution, revision: asked } = this.#asked;
    if (this.#start === null) {
      const isOfDay = record.type === "start" && record.date === date && record.resolution === resolution;
      if (!isOfDay || record.revision !== (asked ?? record.revision))
        throw this.broken("malformed", "the first record is not the start of this day");
      this.#start = record;
      return null;
    }
    if (record.type === "start") throw this.broken("malformed", "a second start");
    if (record.type === "end") {
      const { request_id, revision } = this.#start;
      if (record.request_id !== request_id || record.date !== date || record.revision !== revision)
        throw this.broken("malformed", "the end is of another export than the start");
      this.#end = record;
      return null;
    }
    if ((record.type === "daily") !== (resolution === "daily"))
      throw this.broken("malformed", "a row of the other resolution");
    this.#rows += 1;
    this.#hash.update(`${line}\n`);
    return record;
  }
}
