import { DayVerifier } from "./day-verifier.ts";
import { confirmDigest, PriceDigest } from "./digest.ts";
import { ExportError, type ExportReason, type ItemtapeError } from "./errors.ts";
import { ExportVerifier } from "./export-verifier.ts";
import { checkOptions } from "./options.ts";
import { decompressionFault } from "./redaction.ts";
import { requestOf } from "./request.ts";
import { pauseMsFor } from "./retry.ts";
import { policyOf, type Settings } from "./settings.ts";
import type { OpenAnswer, Transport } from "./transport.ts";
import type {
  Answer,
  CallOptions,
  ChangesRecord,
  DayLine,
  ExportOptions,
  Params,
  Schema,
  SnapshotItem,
  SnapshotRecord,
  SnapshotStart,
  StreamOptions,
  VerifiedDay,
  VerifiedExport,
} from "./types.ts";

/** Reads the digest of a generation. */
export type ReadDigest = (generation: string, options: CallOptions) => Promise<Answer<"getGeneration">>;

export type Parts = { readonly settings: Settings; readonly transport: Transport };
type Begun = { began: boolean };

const snapshotId = "streamMarketSnapshot";
const defaultStreamMs = 150_000;
const attemptsMax = 100;
const streamMsMax = 86_400_000;
const secondMs = 1000;
/** Reasons after which another export may succeed. */
const passing: ReadonlySet<ExportReason> = new Set(["changed", "interrupted", "truncated"]);

/**
 * Yields the records of one export in batches, one per chunk; `end` follows when the body is complete. Pass a market state as `from` for a
 * stream of changes.
 */
export async function* streamChunks<Kind extends SnapshotRecord | ChangesRecord = SnapshotRecord>(
  { settings, transport }: Parts,
  options: StreamOptions,
  begun: Begun = { began: false },
  from: Schema<"MarketState"> | null = null,
): AsyncGenerator<readonly Kind[], void, undefined> {
  const limits = limitsOf(settings, options);
  const outgoing =
    from === null
      ? requestOf(settings, snapshotId, {})
      : requestOf(settings, "streamMarketChanges", {
          generation: from.generation,
          identity_digest: from.identity_digest,
        });
  // After a first export of the same call, a 503 is not retried.
  const mayRetry = (refusal: ItemtapeError) => !(begun.began && refusal.status === 503);
  const opened = await transport.open(outgoing, options, "application/x-ndjson", mayRetry);
  begun.began = true;
  const id = opened.response.headers.get("x-request-id");
  const verifier = new ExportVerifier<Kind>(outgoing.address, id, undefined, from);
  let isOver = false;
  try {
    for await (const chunk of chunksOf(opened, verifier, limits)) {
      const records = verifier.take(chunk);
      const { progress } = verifier;
      if (progress !== null) options.onProgress?.(progress);
      if (records.length > 0) yield records;
    }
    isOver = true;
    yield [verifier.finish()];
  } finally {
    opened.deadline.close(!isOver);
  }
}

/**
 * Reads one export, and starts further ones within `attempts` if it fails for a temporary reason.
 * @throws {ExportError|ItemtapeError|TransportError}
 */
export async function exportVerified(
  parts: Parts,
  readDigest: ReadDigest,
  options: ExportOptions,
): Promise<VerifiedExport> {
  checkOptions("an export", options);
  const { attempts = 1 } = options;
  if (!Number.isInteger(attempts) || attempts < 1 || attempts > attemptsMax) {
    throw new TypeError(`attempts: must be a whole number from 1 to ${attemptsMax}`);
  }
  const { parts: tools, onRetry } = parts.settings;
  const begun = { began: false };
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await exportOnce(parts, readDigest, options, begun);
    } catch (error) {
      if (!(error instanceof ExportError) || !passing.has(error.reason) || attempt === attempts) throw error;
      const waitMs = pauseMsFor(attempt, tools.random);
      const code = error.reason === "truncated" ? null : `snapshot_${error.reason}`;
      onRetry({ operationId: snapshotId, status: 200, code, waitMs, attempt });
      await parts.transport.wait(waitMs, options.signal);
    }
  }
}

async function exportOnce(
  parts: Parts,
  readDigest: ReadDigest,
  options: ExportOptions,
  begun: Begun,
): Promise<VerifiedExport> {
  const digest = options.digest === "skip" ? null : new PriceDigest();
  const items: SnapshotItem[] = [];
  let start: SnapshotStart | null = null;
  for await (const records of streamChunks(parts, options, begun)) {
    for (const record of records) {
      if (record.type === "start") start = record;
      else if (record.type === "item") {
        items.push(record.data);
        digest?.add(record.data);
      } else if (start !== null) {
        if (digest === null) return { start, end: record, items, digest };
        const { signal, retry } = options;
        const read = () => readDigest(record.generation, { signal, retry });
        const hint = '; digest: "skip" omits it';
        return { start, end: record, items, digest: await confirmDigest(start, digest.result(), read, hint) };
      }
    }
  }
  throw new Error("an export ended without its `end` record");
}

/**
 * Reads the export of a day. `onRows` receives the rows and bytes of each chunk, before the export is verified.
 *
 * @throws {ExportError|ItemtapeError|TransportError}
 */
export async function readDay(
  { settings, transport }: Parts,
  params: Params<"streamHistoryDay">,
  options: StreamOptions,
  onRows: (rows: readonly DayLine[], start: VerifiedDay["start"] | null, chunk: Uint8Array) => void,
): Promise<Omit<VerifiedDay, "rows">> {
  const limits = limitsOf(settings, options);
  const outgoing = requestOf(settings, "streamHistoryDay", params);
  const opened = await transport.open(outgoing, options, "application/x-ndjson");
  const verifier = new DayVerifier(outgoing.address, params);
  let isOver = false;
  try {
    for await (const chunk of chunksOf(opened, verifier, limits)) {
      const rows = verifier.take(chunk);
      onRows(rows, verifier.start, chunk);
    }
    isOver = true;
    return verifier.finish();
  } finally {
    opened.deadline.close(!isOver);
  }
}

/** Time limits in ms: until the next bytes, and for the whole stream. */
type Limits = { readonly answerMs: number; readonly streamMs: number; readonly clock: Settings["parts"]["clock"] };

/** Returns the limits of one stream. */
function limitsOf({ policy, parts }: Settings, options: StreamOptions): Limits {
  const { streamMs = defaultStreamMs } = options;
  if (!(streamMs >= 1 && streamMs <= streamMsMax)) throw new TypeError(`streamMs: must be 1 to ${streamMsMax}`);
  return { answerMs: policyOf(policy, options.retry).answerMs, streamMs, clock: parts.clock };
}

/**
 * Yields the chunks of the body. The stream never times out while the caller processes a chunk, but this time counts towards `streamMs`.
 * @throws {ExportError} or the reason of an abort.
 */
async function* chunksOf(
  { response, deadline }: OpenAnswer,
  verifier: Pick<ExportVerifier, "broken">,
  { answerMs, streamMs, clock }: Limits,
): AsyncGenerator<Uint8Array, void, undefined> {
  const reader = response.body?.getReader();
  const startedMs = clock.monotonicMs();
  while (reader !== undefined) {
    const leftMs = startedMs + streamMs - clock.monotonicMs();
    const isTotal = leftMs < answerMs;
    const why = isTotal
      ? `it did not end within ${streamMs / secondMs} s`
      : `no data arrived for ${answerMs / secondMs} s`;
    if (leftMs < 1) throw verifier.broken("truncated", why);
    deadline.within(Math.min(answerMs, leftMs), () => verifier.broken("truncated", why));
    const { done, value } = await reader.read().catch((error: unknown) => {
      if (deadline.signal.aborted) throw deadline.signal.reason;
      const undone = decompressionFault(error);
      if (undone !== null) throw verifier.broken("malformed", `it cannot be decompressed (${undone})`, error);
      throw verifier.broken("truncated", "the connection broke off", error);
    });
    deadline.lift();
    if (done) return;
    yield value;
  }
}
