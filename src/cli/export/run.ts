import { extname } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { ExportError, type ExportProgress } from "../../client/index.ts";
import type { ProgressStream } from "../../values/progress.ts";
import { plural } from "../../values/text/counted.ts";
import { perhaps } from "../../values/text/suggestion.ts";
import { backoffMs } from "../../values/time/backoff.ts";
import { secondMs } from "../../values/time/calendar.ts";
import { type Clock, systemClock } from "../../values/time/clock.ts";
import { type Call, usageError, wholeNumberFlag } from "../command.ts";
import { connect } from "../connect.ts";
import { printJson } from "../print.ts";
import { untilStopped } from "../signals.ts";
import { failureOf } from "./failure.ts";
import { PartFile } from "./part-file.ts";
import { receive, retryUnanswered, Tap } from "./receive.ts";
import { CsvMetadata, readTerms } from "./terms.ts";
import type { ExportFacts, ExportWriter, ProviderTerms } from "./writer.ts";

type ExportRequest = ReturnType<typeof readRequest>;
/** `unsynced` is the reason why the file's name may not be on the disk, null if it is. */
type Written = ExportFacts & { fileBytes: number; tookMs: number; unsynced: string | null };

const attemptsMax = 10;
const retry = { firstMs: 250, maxMs: 8 * secondMs };
/** Failures that a further attempt may avoid. */
const passing: ReadonlySet<string> = new Set(["changed", "interrupted", "truncated"]);

/**
 * Writes a verified export into a file.
 * @throws {OperatorError} with an exit code for each kind of failure.
 */
export async function run(call: Call): Promise<void> {
  const request = readRequest(call);
  // Refuses an invalid address or key before it creates a file.
  const { client, base } = connect(call, true);
  const progress = exportProgress(progressStream(call), systemClock);
  try {
    const { written, attempt } = await untilStopped(async (signal) => {
      const repeat = (why: string) => call.out.note(`listProviders: ${why}; asking again`);
      const providers = request.format === "ndjson" ? [] : await readTerms(client, signal, repeat);
      return persist(call, request, { signal, progress, providers }).finally(progress.end);
    });
    print(call, request, written, attempt);
  } catch (error) {
    throw failureOf(error, request.file, base);
  }
}

function readRequest(call: Call) {
  const file = call.operands[0]!;
  if (file === "-") {
    throw usageError("FILE: must be a file, not standard output, because an export is verified only at its end");
  }
  if (file === "" || file.endsWith("/")) throw usageError("FILE: must be the name of a file, not of a folder");
  const attempts = wholeNumberFlag(call, "attempts", [1, attemptsMax]) ?? 1;
  return {
    file,
    format: formatOf(call.flag("format"), file),
    mayReplace: call.has("force"),
    checksDigest: !call.has("no-digest"),
    attempts,
  };
}

type ExportContext = { signal: AbortSignal; progress: ExportLines; providers: readonly ProviderTerms[] };

/** Repeats a whole export after a temporary failure, or without a response of the service. */
async function persist(call: Call, request: ExportRequest, around: ExportContext) {
  const tellRepeat = (why: string) => call.out.note(`export: ${why}; asking again`);
  for (let attempt = 1; ; attempt += 1) {
    try {
      return { written: await retryUnanswered(() => once(call, request, around), around.signal, tellRepeat), attempt };
    } catch (error) {
      if (!(error instanceof ExportError) || !passing.has(error.reason) || attempt === request.attempts) throw error;
      call.out.note(`export ${error.reason}: attempt ${attempt + 1} of ${request.attempts} follows`);
      await sleep(backoffMs(attempt, retry), undefined, { signal: around.signal }).catch(() => undefined);
      around.signal.throwIfAborted();
    }
  }
}

async function once(
  call: Call,
  request: ExportRequest,
  { signal, progress, providers }: ExportContext,
): Promise<Written> {
  const startedMs = systemClock.monotonicMs();
  const part = new PartFile(request.file, request);
  let metadata: CsvMetadata | null = null;
  try {
    if (request.format === "csv") metadata = new CsvMetadata(request.file, request);
    const writer = await formats[request.format](part.path);
    try {
      const { checksDigest } = request;
      const tap = new Tap({ take: writer.bytes?.bind(writer) ?? null, checksDigest });
      const { client } = connect(call, true, tap.fetch);
      const options = {
        signal,
        checksDigest,
        onProgress: progress.draw,
        onRepeat: (why: string) => call.out.note(`getGeneration: ${why}; asking again`),
      };
      const facts = await receive(client, writer, options).catch((error: unknown) => {
        throw tap.fault ?? error;
      });
      signal.throwIfAborted();
      writer.finish(facts, providers);
      const fileBytes = part.bytes;
      const unsynced = part.publish();
      metadata?.publish(providers);
      return { ...facts, fileBytes, unsynced, tookMs: systemClock.monotonicMs() - startedMs };
    } finally {
      writer.abandon();
    }
  } finally {
    metadata?.remove();
    part.remove();
  }
}

/** Returns the stream for progress: standard error on a terminal, else the notes. */
export function progressStream(call: Call) {
  return process.stderr.isTTY ? process.stderr : { write: (text: string) => call.out.note(text.trimEnd()) };
}

function print(call: Call, { file, format }: ExportRequest, written: Written, attempts: number): void {
  const { start, items, quotes, digest, digestChecked, fileBytes, tookMs } = written;
  const { generation, ingested_at, generated_at, request_id } = start;
  if (written.unsynced !== null) {
    call.out.note(`${file}: is complete, but its folder could not be synced to the disk (${written.unsynced})`);
  }
  if (call.has("json")) {
    const facts = { generation, ingested_at, generated_at, request_id, items, quotes, bytes: fileBytes };
    printJson(call, { result: "complete", file, format, ...facts, digest, digest_checked: digestChecked, attempts });
    return;
  }
  const size = `${megabytes(fileBytes)} in ${(tookMs / secondMs).toFixed(1)} s`;
  call.out.line(
    `${file}: complete, ${plural(items, "item")} and ${plural(quotes, "quote")} of ${generation} (${ingested_at}), ${size}`,
  );
  call.out.line(`digest ${digest}${digestChecked ? ", as published" : ", not compared"}`);
}

/** Creators of the writer for an existing empty file. The libraries of a format are loaded only for it. */
export const formats: Record<FormatName, (path: string) => Promise<ExportWriter>> = {
  ndjson: async (path) => new (await import("./ndjson-writer.ts")).NdjsonWriter(path),
  csv: async (path) => new (await import("./csv-writer.ts")).CsvWriter(path),
  parquet: async (path) => new (await import("./parquet-writer.ts")).ParquetWriter(path),
  sqlite: async (path) => new (await import("./sqlite-writer.ts")).SqliteWriter(path),
};

export type FormatName = "ndjson" | "csv" | "parquet" | "sqlite";

/**
 * Returns the format `text`. If it is undefined, returns the format for the file's extension.
 * @throws {OperatorError} for an unknown format; it lists them.
 */
function formatOf(text: string | undefined, file: string): FormatName {
  const names = Object.keys(formats) as FormatName[];
  const wanted = text ?? extname(file).slice(1).toLowerCase();
  const name = names.find((one) => one === wanted);
  if (name !== undefined) return name;
  const orName = text === undefined ? "; a FILE that ends in .csv or another of these needs none" : "";
  throw usageError(`--format: must be one of ${names.join(", ")}${perhaps(wanted, names)}${orName}`);
}

type ExportLines = { draw(progress: ExportProgress): void; end(): void };

const redrawMs = 100;
const lineMs = 10 * secondMs;
const barCells = 20;
const columnsUnknown = 80;

/**
 * Shows the progress of an export: one updated line on a terminal, else a line at intervals. The total is unknown until the end, so the bar
 * shows the progress in item ids. The main figures are first, for narrow terminals.
 */
export function exportProgress(stream: ProgressStream, clock: Clock): ExportLines {
  const isTerminal = stream.isTTY === true;
  let shownMs: number | null = null;
  return {
    draw: (progress) => {
      const nowMs = clock.monotonicMs();
      if (shownMs !== null && nowMs - shownMs < (isTerminal ? redrawMs : lineMs)) return;
      if (isTerminal) stream.write(`\r\u001b[2K${barOf(progress).slice(0, (stream.columns || columnsUnknown) - 1)}`);
      else stream.write(shownMs === null ? "exporting\n" : `exporting: ${soFar(progress)}\n`);
      shownMs = nowMs;
    },
    end: () => {
      if (isTerminal) stream.write("\r\u001b[2K");
    },
  };
}

function barOf(progress: ExportProgress): string {
  const cells = Math.round((Math.min(progress.itemId, progress.upTo) / Math.max(1, progress.upTo)) * barCells);
  return `${soFar(progress)} [${"#".repeat(cells)}${"-".repeat(barCells - cells)}]`;
}

function soFar({ items, bytes }: ExportProgress): string {
  return `${plural(items, "item")} ${megabytes(bytes)}`;
}

/** Returns bytes as decimal megabytes, such as `1.2 MB`. */
export function megabytes(bytes: number): string {
  return `${(bytes / 1e6).toFixed(1)} MB`;
}
