import { existsSync, mkdirSync } from "node:fs";
import { join } from "node:path";
import { readDay } from "../../client/exports.ts";
import { ItemtapeError } from "../../client/index.ts";
import { settingsOf } from "../../client/settings.ts";
import { Transport } from "../../client/transport.ts";
import { exitCodes } from "../../values/failure/operator-error.ts";
import { plural } from "../../values/text/counted.ts";
import { dayText, parseDay } from "../../values/time/calendar.ts";
import { type Call, usageError, wholeNumberFlag } from "../command.ts";
import { connect, requiredKey, serviceAddress } from "../connect.ts";
import { printJson } from "../print.ts";
import { untilStopped } from "../signals.ts";
import { type DayResolution, DayRows } from "./day-rows.ts";
import { failureOf } from "./failure.ts";
import { PartFile } from "./part-file.ts";
import { retryUnanswered } from "./receive.ts";
import type { FormatName } from "./run.ts";
import { CsvMetadata, readTerms } from "./terms.ts";
import type { DayFacts, DayWriter, ProviderTerms } from "./writer.ts";

type Request = ReturnType<typeof readRequest>;

const daysMax = 366;
/** Codes of a day without an export. */
const missingDayCodes: ReadonlySet<string | null> = new Set(["day_not_found", "invalid_range"]);

/** Creates the writer of a format. Its libraries are loaded only then. */
const dayFormats: Record<FormatName, (path: string, resolution: DayResolution) => Promise<DayWriter>> = {
  ndjson: async (path) => new (await import("./ndjson-writer.ts")).NdjsonWriter(path),
  csv: async (path, resolution) => new (await import("./csv-writer.ts")).DayCsvWriter(path, resolution),
  parquet: async (path, resolution) => new (await import("./parquet-writer.ts")).DayParquetWriter(path, resolution),
  sqlite: async (path, resolution) => new (await import("./sqlite-writer.ts")).DaySqliteWriter(path, resolution),
};

/**
 * Writes sealed days into a folder, one verified file each. Existing files are not changed, so the same command continues an interrupted
 * run.
 * @throws {OperatorError} with an exit code for each kind of failure.
 */
export async function runDays(call: Call): Promise<number> {
  const request = readRequest(call);
  // Refuses an invalid address or key before it creates a folder.
  const { client } = connect(call, true);
  const counts = { written: 0, there: 0, not_found: 0 };
  await untilStopped(async (signal) => {
    const repeat = (why: string) => call.out.note(`listProviders: ${why}; asking again`);
    let providers: Promise<ProviderTerms[]> | null = request.format === "ndjson" ? Promise.resolve([]) : null;
    // Read once, and only if a file is to be written.
    const terms = () => (providers ??= readTerms(client, signal, repeat));
    for (const date of request.days) counts[await handled(call, request, date, { signal, terms })] += 1;
  });
  if (call.has("json")) printJson(call, { ...counts, folder: request.folder });
  else if (request.days.length > 1)
    call.out.line(
      `${plural(counts.written, "day")} written, ${counts.there} there already, ${counts.not_found} not found`,
    );
  return counts.not_found > 0 ? exitCodes.noInput : exitCodes.ok;
}

type Context = { signal: AbortSignal; terms: () => Promise<readonly ProviderTerms[]> };

/** Writes one day unless its file exists, and prints the result. */
async function handled(call: Call, request: Request, date: string, context: Context) {
  const file = fileOf(request, date);
  if (existsSync(file) && !request.mayReplace) return "there";
  try {
    const tellRepeat = (why: string) => call.out.note(`${date}: ${why}; asking again`);
    const { rows, revision, digest } = await retryUnanswered(
      () => write(call, request, date, context),
      context.signal,
      tellRepeat,
    );
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
    throw usageError("DATE: must be a date or a range, such as 2026-01-01..2026-01-31");
  }
  if (to - from >= daysMax) throw usageError(`DATE: must cover at most ${daysMax} days`);
  const names = Object.keys(dayFormats) as FormatName[];
  const format = names.find((name) => name === call.flag("format"));
  if (format === undefined) throw usageError(`--format: must be one of ${names.join(", ")}`);
  const resolution = call.flag("resolution") ?? "daily";
  if (resolution !== "daily" && resolution !== "hourly") throw usageError("--resolution: must be daily or hourly");
  const revision = wholeNumberFlag(call, "revision", [1, 2_147_483_647]);
  if (revision !== null && to > from) throw usageError("--revision: needs a single DATE");
  const days = Array.from({ length: to - from + 1 }, (_, index) => dayText(from + index));
  return { days, folder, format, resolution: resolution as DayResolution, revision, mayReplace: call.has("force") };
}

/** The name lets tools that read folders as partitions find the date. */
function fileOf({ folder, format, resolution }: Request, date: string): string {
  return join(folder, `date=${date}`, `${resolution}.${format}`);
}

async function write(call: Call, request: Request, date: string, { signal, terms }: Context): Promise<DayFacts> {
  const file = fileOf(request, date);
  mkdirSync(join(request.folder, `date=${date}`), { recursive: true });
  const part = new PartFile(file, request);
  let metadata: CsvMetadata | null = null;
  try {
    if (request.format === "csv") metadata = new CsvMetadata(file, request);
    const providers = await terms();
    const writer = await dayFormats[request.format](part.path, request.resolution);
    try {
      const facts = await receive(call, request, date, { writer, signal });
      signal.throwIfAborted();
      writer.finish(facts, providers);
      part.publish();
      metadata?.publish(providers);
      return facts;
    } finally {
      writer.abandon();
    }
  } finally {
    metadata?.remove();
    part.remove();
  }
}

/** Passes one export to the writer, and returns its facts after its end is verified. */
async function receive(
  call: Call,
  { resolution, revision: asked }: Request,
  date: string,
  { writer, signal }: { writer: DayWriter; signal: AbortSignal },
): Promise<DayFacts> {
  const settings = settingsOf({ baseUrl: serviceAddress(call), apiKey: requiredKey(call), userAgent: "itemtape-cli" });
  const parts = { settings, transport: new Transport(settings) };
  let dayRows: DayRows | null = null;
  const { end } = await readDay(
    parts,
    { date, resolution, ...(asked !== null && { revision: asked }) },
    { signal },
    (records, start, chunk) => {
      if (writer.row !== undefined && start !== null) {
        dayRows ??= new DayRows(start);
        for (const record of records) for (const row of dayRows.of(record)) writer.row(row);
      }
      writer.bytes?.(chunk);
    },
  );
  const { revision, rows, digest } = end;
  return { date, revision, resolution, rows, digest };
}
