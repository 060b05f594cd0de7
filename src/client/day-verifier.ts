import { createHash } from "node:crypto";
import { ExportError, type ExportReason } from "./errors.ts";
import { BrokenLine, LineReader } from "./lines.ts";
import type { DayLine, Params, Schema } from "./types.ts";

type DayRecord = Schema<"DayExportRecord">;
type Start = Schema<"DayExportStart">;
type End = Schema<"DayExportEnd">;

const hoursOfDay = 24;
/** Permitted members of each record, or of its `data`. Other members are refused. */
const members: Readonly<Record<string, ReadonlySet<string>>> = {
  start: words("request_id date revision resolution generated_at sealed_at currency minor_units selection frames"),
  end: words("request_id date revision rows digest"),
  error: words("request_id code"),
  daily: words(
    "item_id side provider amount low_amount high_amount observations quantity source_observed_at recorded_at",
  ),
  quotes: words("item_id side provider feed hours amounts quantities source_observed_at"),
  markers: words("item_id side hours availability feeds"),
};

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
    const record = parsed(line);
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
    if (!isOfResolution(record, resolution)) throw this.broken("malformed", "a line that is not a valid row");
    this.#rows += 1;
    this.#hash.update(`${line}\n`);
    return record;
  }
}

function parsed(line: string): DayRecord {
  const record = objectOf(line);
  const { type, ...others } = record ?? {};
  const known = typeof type === "string" && Object.hasOwn(members, type) ? members[type] : undefined;
  if (known === undefined) throw new BrokenLine("a line that is not a record of a day");
  const isRow = !known.has("request_id");
  const given = isRow ? others.data : others;
  const isKnown = isObject(given) && Object.keys(given).every((name) => known.has(name));
  if (!isKnown || (isRow && Object.keys(others).length > 1)) throw new BrokenLine(`${type}: an unknown member`);
  return record as DayRecord;
}

function objectOf(line: string): Record<string, unknown> | null {
  try {
    const value: unknown = JSON.parse(line);
    return isObject(value) ? value : null;
  } catch {
    return null;
  }
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** Returns whether a row has the resolution, and its ranges of hours are ascending, disjoint and within a day. */
function isOfResolution({ type, data }: DayLine, resolution: Start["resolution"]): boolean {
  if (resolution === "daily" || type === "daily") return resolution === type;
  if (!Array.isArray(data.hours)) return false;
  let next = 0;
  return data.hours.every((range) => {
    const [first, last] = Array.isArray(range) ? range : [];
    const isRange = Number.isInteger(first) && Number.isInteger(last) && first! >= next && last! >= first!;
    next = last! + 1;
    return isRange && last! < hoursOfDay;
  });
}

function words(text: string): ReadonlySet<string> {
  return new Set(text.split(" "));
}
