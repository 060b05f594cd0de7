import { setTimeout as sleep } from "node:timers/promises";
import { isOlder } from "../../client/follow.ts";
import { ExportError, ItemtapeError, type Market } from "../../client/index.ts";
import { isUnavailable } from "../../client/retry.ts";
import { isSqliteError } from "../../store/file/refusal.ts";
import { exitCodes, OperatorError } from "../../values/failure/operator-error.ts";
import { displayText } from "../../values/text/display-text.ts";
import { backoffMs } from "../../values/time/backoff.ts";
import { secondMs } from "../../values/time/calendar.ts";
import { systemClock } from "../../values/time/clock.ts";
import { type Call, usageError, wholeNumberFlag } from "../command.ts";
import { type Connection, connect } from "../connect.ts";
import { exportCodes, isSystemError } from "../export/failure.ts";
import { PartFile, placeOf } from "../export/part-file.ts";
import { exportProgress, progressStream } from "../export/run.ts";
import { readTerms } from "../export/terms.ts";
import type { ProviderTerms } from "../export/writer.ts";
import { refusalOf } from "../get/refusal.ts";
import { printResult } from "../print.ts";
import { Stopped, untilStopped } from "../signals.ts";
import { type CopyFile, damagedCode, type StoredMarket } from "./copy-file.ts";

/** Delays after temporary failures. */
const retry = { firstMs: secondMs, maxMs: 60 * secondMs };
/** Maximum pause between two reads, in seconds. */
export const pauseSecondsMax = 86_400;
const detailCharsMax = 400;

type Sync = {
  readonly call: Call;
  readonly path: string;
  readonly file: CopyFile;
  readonly connection: Connection;
  readonly signal: AbortSignal;
  readonly isWatch: boolean;
  /** Null to wait at the service. */
  readonly pauseMs: number | null;
};

/**
 * Updates a file to the current state of the market and, with `--watch`, to each later one.
 *
 * @throws {OperatorError} with an exit code for each kind of failure.
 */
export async function run(call: Call): Promise<void> {
  const path = call.operands[0]!;
  const isWatch = call.has("watch");
  if (isWatch && call.has("once")) throw usageError("--once and --watch: give one of them");
  const pauseMs = pauseMsOf(call, isWatch);
  const file = await copyFileAt(path, { mayReplace: call.has("force") });
  // Refuses pipes, because reading one would wait for its writer.
  placeOf(path);
  const connection = connect(call, true);
  const stored = readStored(call, path, file);
  // Checks that a file can be created before the export, which costs units and a start.
  if (stored === null) new PartFile(path, { mayReplace: call.has("force") }).remove();
  await untilStopped((signal) => keep({ call, path, file, connection, signal, isWatch, pauseMs }, stored));
}

function pauseMsOf(call: Call, isWatch: boolean): number | null {
  const seconds = wholeNumberFlag(call, "pause", [1, pauseSecondsMax]);
  if (seconds !== null && !isWatch) throw usageError("--pause: goes with --watch");
  return seconds === null ? null : seconds * secondMs;
}

/**
 * Opens the copy at `path` in the format of its extension. With `mayReplace`, a file without a state is replaced.
 *
 * @throws {OperatorError} for another extension.
 */
export async function copyFileAt(path: string, options: { mayReplace: boolean }): Promise<CopyFile> {
  if (/\.(?:sqlite3?|db)$/i.test(path)) return new (await import("./sqlite-copy.ts")).SqliteCopy(path, options);
  if (/\.ndjson$/i.test(path)) return new (await import("./ndjson-copy.ts")).NdjsonCopy(path, options);
  throw usageError("FILE: its name has to end with .sqlite, .sqlite3 or .db, or with .ndjson");
}

/** Returns the state in the file. With `--force`, a file without a state counts as missing. */
function readStored(call: Call, path: string, file: CopyFile): StoredMarket | null {
  try {
    return file.read();
  } catch (error) {
    const isReplaceable =
      error instanceof OperatorError && (error.exitCode === exitCodes.cannotCreate || error.exitCode === damagedCode);
    if (isReplaceable && call.has("force")) return null;
    if (!isSqliteError(error) && !isSystemError(error)) throw error;
    throw new OperatorError(`${path}: cannot be read (${error.code})`, exitCodes.ioError);
  }
}

/** Follows the market. With `--watch` it continues after temporary failures. */
async function keep(sync: Sync, first: StoredMarket | null): Promise<void> {
  let stored = first;
  for (let failures = 0; ; ) {
    try {
      for await (const market of followed(sync, stored)) {
        const unsynced = isSame(market, stored)
          ? null
          : sync.file.write(market, stored, await termsFor(sync, market, stored));
        print(sync, market, { stored, unsynced });
        stored = market;
        failures = 0;
        if (!sync.isWatch) return;
      }
    } catch (error) {
      // A signal is the normal end of a watch.
      if (error instanceof Stopped && sync.isWatch && stored !== null) return;
      const failure = otherMarket(error, sync, stored) ?? failureOf(error, sync);
      if (!sync.isWatch || !isPassing(error)) throw failure;
      failures += 1;
      const pauseMs = backoffMs(failures, retry);
      sync.call.out.note(`itemtape: ${(failure as Error).message}; trying again in ${pauseMs / secondMs} s`);
      await sleep(pauseMs, undefined, { signal: sync.signal }).catch(() => undefined);
    }
  }
}

async function* followed(
  { call, connection, signal, pauseMs, isWatch }: Sync,
  since: StoredMarket | null,
): AsyncGenerator<Market> {
  const progress = exportProgress(progressStream(call), systemClock);
  try {
    // Without `--watch`, it does not wait until another export of the account has ended.
    const refusals = isWatch ? "wait" : "throw";
    const from = since !== null && call.has("force") ? { ...since, baseUrl: new URL(connection.base).href } : since;
    const options = { since: from, signal, refusals, onProgress: progress.draw } as const;
    for await (const market of connection.client.follow({ ...options, ...(pauseMs !== null && { pauseMs }) })) {
      progress.end();
      yield market;
    }
  } finally {
    progress.end();
  }
}

/** Reads the terms if the file needs them, at most once a day. */
async function termsFor(
  { file, connection, signal, call }: Sync,
  market: Market,
  stored: StoredMarket | null,
): Promise<ProviderTerms[] | null> {
  if (!file.needsTerms(market, stored)) return null;
  return readTerms(connection.client, signal, (why) => call.out.note(`listProviders: ${why}; asking again`));
}

function isSame(market: Market, stored: StoredMarket | null): boolean {
  return (
    market.generation === stored?.generation &&
    market.digest === stored.digest &&
    market.identityDigest === stored.identityDigest
  );
}

function print(
  { call, path }: Sync,
  market: Market,
  { stored, unsynced }: { stored: StoredMarket | null; unsynced: string | null },
): void {
  const { generation, ingestedAt, digest, identityDigest, items, changes } = market;
  if (unsynced !== null)
    call.out.note(`${path}: is complete, but its folder could not be synced to the disk (${unsynced})`);
  if (stored !== null && isOlder(generation, stored.generation)) {
    call.out.note(
      `${path}: the service no longer has ${stored.generation}, as after a restore; the copy started again`,
    );
  }
  const result = isSame(market, stored) ? "current" : changes === null ? "exported" : "changed";
  const [changed = null, removed = null] = [changes?.items.length, changes?.removed.length];
  const counts = { items: items.size, changed, removed };
  const facts = { generation, ingested_at: ingestedAt, ...counts, digest, identity_digest: identityDigest };
  const how = {
    current: "unchanged",
    exported: "from an export",
    changed: `${changed} changed or new, ${removed} removed`,
  };
  const text = `${path}: ${items.size} items of ${generation} (${ingestedAt}), ${how[result]}`;
  printResult(call, { result, file: path, ...facts }, [text]);
}

/** Returns the failure if the service has an older market than a copy from another address, null for any other failure. */
function otherMarket(error: unknown, { path, connection }: Sync, stored: StoredMarket | null): OperatorError | null {
  if (stored === null || !(error instanceof ItemtapeError) || error.code !== "generation_not_found") return null;
  const from = stored.baseUrl === null ? "does not name its service" : `is a copy of ${stored.baseUrl}`;
  const why = `${connection.base} does not have ${stored.generation} and has an older market; ${path} ${from}`;
  return new OperatorError(`${why} and stays unchanged; check --url, or start again with --force`, exitCodes.noInput);
}

/** Returns the failure as one line with the exit code of its kind. Other errors are returned unchanged. */
function failureOf(error: unknown, { path, connection }: Sync): unknown {
  const stays = `${path} stays as it was`;
  if (error instanceof Stopped) return new OperatorError(`${error.message}; ${stays}`, error.exitCode);
  if (error instanceof ExportError && error.reason !== "unconfirmed") {
    const message = `sync ${error.reason}: ${displayText(error.message, detailCharsMax)}`;
    return new OperatorError(`${message}; ${stays}; run it again`, exportCodes[error.reason]);
  }
  if (isSqliteError(error) && error.code.startsWith("SQLITE_BUSY")) {
    return new OperatorError(`${path}: another process is writing it (${error.code})`, exitCodes.temporary);
  }
  if (isSqliteError(error) || isSystemError(error)) {
    return new OperatorError(`${path}: cannot be written (${error.code}); it stays unchanged`, exitCodes.ioError);
  }
  return refusalOf(error, "sync", connection.base);
}

/** Returns whether a failure is temporary. */
export function isPassing(error: unknown): boolean {
  if (isUnavailable(error)) return true;
  if (error instanceof ItemtapeError) {
    return [429, 502, 503, 504].includes(error.status) && error.code !== "monthly_quota_exceeded";
  }
  return error instanceof ExportError && ["changed", "interrupted", "truncated"].includes(error.reason);
}
