import { createHash } from "node:crypto";
import { existsSync, mkdirSync } from "node:fs";
import { join } from "node:path";
import { chunksOf, limitsOf } from "../../client/exports.ts";
import { ExportError, type ExportReason, ItemtapeError } from "../../client/index.ts";
import { BrokenLine, LineReader } from "../../client/lines.ts";
import { requestOf } from "../../client/request.ts";
import { settingsOf } from "../../client/settings.ts";
import { Transport } from "../../client/transport.ts";
import type { Schema } from "../../contract/types.ts";
import { exitCodes } from "../../values/failure/operator-error.ts";
import { plural } from "../../values/text/counted.ts";
import { dayText, hoursOfDay, parseDay } from "../../values/time/calendar.ts";
import { type Call, usageError } from "../command.ts";
import { connect, requiredKey, serviceAddress } from "../connect.ts";
import { printJson } from "../print.ts";
import { untilStopped } from "../signals.ts";
import { type DayResolution, DayRows, type DayStart } from "./day-rows.ts";
import { failureOf } from "./failure.ts";
import { PartFile } from "./part-file.ts";
import { whileAway } from "./receive.ts";
import type { FormatName } from "./run.ts";
import type { DayFacts, DayWriter } from "./writer.ts";

type Request = ReturnType<typeof readRequest>;
type DayRecord = Schema<"DayExportRecord">;
type DayLine = Schema<"DayDaily"> | Schema<"DayQuotes"> | Schema<"DayMarkers">;

const daysMax = 366;
/** Codes of a day that the service has no export of. */
const missingDayCodes: ReadonlySet<string | null> = new Set(["day_not_found", "invalid_range"]);

/** Makes the writer of a format. Libraries are loaded when a format is asked for. */
const dayFormats: Record<FormatName, (path: string, resolution: DayResolution) => Promise<DayWriter>> = {
  ndjson: async (path) => new (await import("./ndjson-writer.ts")).NdjsonWriter(path),
  csv: async (path, resolution) => new (await import("./csv-writer.ts")).DayCsvWriter(path, resolution),
  parquet: async (path, resolution) => new (await import("./parquet-writer.ts")).DayParquetWriter(path, resolution),
  sqlite: async (path, resolution) => new (await import("./sqlite-writer.ts")).DaySqliteWriter(path, resolution),
};

/**
 * Writes sealed days into a folder, a verified file for each. A day that has its file is left alone, so that the same command goes
 * on where it ended.
 * @throws {OperatorError} with an exit code for each way in which it can fail.
 */
export async function runDays(call: Call): Promise<number> {
  const request = readRequest(call);
  // Refuses an address and a key that cannot be used before a folder is made.
  connect(call, true);
  const counts = { written: 0, there: 0, not_found: 0 };
  await untilStopped(async (signal) => {
    for (const date of request.days) counts[await handled(call, request, date, signal)] += 1;
  });
  if (call.has("json")) printJson(call, { ...counts, folder: request.folder });
  else if (request.days.length > 1)
    call.out.line(
      `${plural(counts.written, "day")} written, ${counts.there} there already, ${counts.not_found} not found`,
    );
  return counts.not_found > 0 ? exitCodes.noInput : exitCodes.ok;
}

/** Writes one day unless it is there, and prints what came of it. */
async function handled(call: Call, request: Request, date: string, signal: AbortSignal) {
  const file = fileOf(request, date);
  if (existsSync(file) && !request.mayReplace) return "there";
  try {
    const tellRepeat = (why: string) => call.out.note(`${date}: ${why}; asking again`);
    const { rows, revision, digest } = await whileAway(() => write(call, request, date, signal), signal, tellRepeat);
    if (!call.has("json"))
      call.out.line(`${file}: complete, ${plural(rows, "record")}, revision ${revision}, digest ${digest}`);
    return "written";
  } catch (error) {
    const isMissing = error instanceof ItemtapeError && missingDayCodes.has(error.code);
    if (!isMissing || request.days.length === 1) throw failureOf(error, file, serviceAddress(call));
    call.out.note(`${date}: no such sealed day`);
    return "not_found";
  }
}

function readRequest(call: Call) {
  const [range = "", folder = ""] = call.operands;
  const [first = "", last = first, ...more] = range.split("..");
  const [from, to] = [parseDay(first), parseDay(last)];
  if (from === null || to === null || more.length > 0 || to < from) {
    throw usageError("DATE: must be a date or two with .. between, such as 2026-01-01..2026-01-31");
  }
  if (to - from >= daysMax) throw usageError(`DATE: must cover at most ${daysMax} days`);
  const names = Object.keys(dayFormats) as FormatName[];
  const format = names.find((name) => name === call.flag("format"));
  if (format === undefined) throw usageError(`--format: must be one of ${names.join(", ")}`);
  const resolution = call.flag("resolution") ?? "daily";
  if (resolution !== "daily" && resolution !== "hourly") throw usageError("--resolution: must be daily or hourly");
  const days = Array.from({ length: to - from + 1 }, (_, index) => dayText(from + index));
  return { days, folder, format, resolution: resolution as DayResolution, mayReplace: call.has("force") };
}

/** Named so that tools that read folders as partitions find the date. */
function fileOf({ folder, format, resolution }: Request, date: string): string {
  return join(folder, `date=${date}`, `${resolution}.${format}`);
}

async function write(call: Call, request: Request, date: string, signal: AbortSignal): Promise<DayFacts> {
  const file = fileOf(request, date);
  mkdirSync(join(request.folder, `date=${date}`), { recursive: true });
  const part = new PartFile(file, request);
  try {
    const writer = await dayFormats[request.format](part.path, request.resolution);
    try {
      const facts = await receive(call, request, date, { writer, signal });
      signal.throwIfAborted();
      writer.finish(facts);
      part.publish();
      return facts;
    } finally {
      writer.abandon();
    }
  } finally {
    part.remove();
  }
}

/** Reads one export into the writer, and returns its facts once its end proves it. */
async function receive(
  call: Call,
  { resolution }: Request,
  date: string,
  { writer, signal }: { writer: DayWriter; signal: AbortSignal },
): Promise<DayFacts> {
  const settings = settingsOf({ baseUrl: serviceAddress(call), apiKey: requiredKey(call), userAgent: "itemtape-cli" });
  const outgoing = requestOf(settings, "streamHistoryDay", { date, resolution });
  const opened = await new Transport(settings).open(outgoing, { signal }, "application/x-ndjson");
  const verifier = new DayVerifier(date, resolution, writer);
  let isOver = false;
  try {
    for await (const chunk of chunksOf(opened, verifier, limitsOf(settings, {}))) {
      verifier.take(chunk);
      writer.bytes?.(chunk);
    }
    isOver = true;
    return verifier.finish();
  } finally {
    opened.deadline.close(!isOver);
  }
}

/** Checks the records of one export as they come, and hands their rows on. */
class DayVerifier {
  readonly #lines = new LineReader();
  readonly #hash = createHash("sha256");
  readonly #asked: { date: string; resolution: DayResolution };
  readonly #writer: DayWriter;
  #start: DayStart | null = null;
  #rows: DayRows | null = null;
  #count = 0;
  #end: Schema<"DayExportEnd"> | null = null;

  constructor(date: string, resolution: DayResolution, writer: DayWriter) {
    this.#asked = { date, resolution };
    this.#writer = writer;
  }

  take(chunk: Uint8Array): void {
    try {
      for (const line of this.#lines.take(chunk)) this.#record(line);
    } catch (error) {
      throw error instanceof BrokenLine ? this.broken("malformed", error.message, error) : error;
    }
  }

  /** @throws {ExportError} when the export is not whole. */
  finish(): DayFacts {
    if (this.#start === null || this.#end === null) throw this.broken("truncated", "the stream ended before its end");
    if (this.#lines.hasRest) throw this.broken("malformed", "something follows the end");
    const { date, revision, resolution } = this.#start;
    const digest = this.#hash.digest("hex");
    const { rows } = this.#end;
    if (rows !== this.#count) throw this.broken("malformed", `the end counts ${rows} lines of ${this.#count}`);
    if (this.#end.digest !== digest) throw this.broken("digest", "the lines are not those of the digest");
    return { date, revision, resolution, rows, digest };
  }

  /** Makes the error of an export that is broken at the current line. */
  broken(reason: ExportReason, why: string, cause?: unknown): ExportError {
    const requestId = this.#start?.request_id ?? null;
    return new ExportError(reason, why, { requestId, line: this.#lines.line, cause });
  }

  #record(line: string): void {
    const record = parsed(line);
    if (this.#end !== null) throw this.broken("malformed", "a record follows the end");
    if (record.type === "error") {
      const isChanged = record.code === "snapshot_changed";
      throw this.broken(
        isChanged ? "changed" : "interrupted",
        isChanged ? "the day was sealed again" : "the service gave up",
      );
    }
    if (this.#start === null || this.#rows === null) {
      const isAsked =
        record.type === "start" && record.date === this.#asked.date && record.resolution === this.#asked.resolution;
      if (!isAsked) throw this.broken("malformed", "the first record is not the start of this day");
      this.#start = record;
      this.#rows = new DayRows(record);
      return;
    }
    if (record.type === "start") throw this.broken("malformed", "a second start");
    if (record.type === "end") {
      const { request_id, date, revision } = this.#start;
      if (record.request_id !== request_id || record.date !== date || record.revision !== revision)
        throw this.broken("malformed", "the end is of another export than the start");
      this.#end = record;
      return;
    }
    if (!isLineOf(record, this.#asked.resolution)) throw this.broken("malformed", "a line that no row can be");
    this.#count += 1;
    this.#hash.update(`${line}\n`);
    if (this.#writer.row === undefined) return;
    for (const row of this.#rows.of(record)) this.#writer.row(row);
  }
}

function parsed(line: string): DayRecord {
  try {
    const record: unknown = JSON.parse(line);
    if (typeof record === "object" && record !== null) return record as DayRecord;
  } catch {
    // Is no JSON.
  }
  throw new BrokenLine("a line that is not one JSON object");
}

/** Tells whether a line is of the resolution, and names no hours but those of a day, each once. */
function isLineOf({ type, data }: DayLine, resolution: DayResolution): boolean {
  if (typeof data !== "object" || data === null) return false;
  if (resolution === "daily") return type === "daily";
  if ((type !== "quotes" && type !== "markers") || !Array.isArray(data.hours)) return false;
  let next = 0;
  return data.hours.every((range) => {
    const [first, last] = Array.isArray(range) ? range : [];
    const isRange = Number.isInteger(first) && Number.isInteger(last) && first! >= next && last! >= first!;
    next = last! + 1;
    return isRange && last! < hoursOfDay;
  });
}
