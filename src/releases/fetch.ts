import {
  chmodSync,
  closeSync,
  existsSync,
  ftruncateSync,
  openSync,
  readSync,
  renameSync,
  statSync,
  writeSync,
} from "node:fs";
import { open } from "node:fs/promises";
import { dirname } from "node:path";
import { databaseSchema } from "../../generated/database-schema.ts";
import { refuseOpenElsewhere } from "../store/database.ts";
import { completeMarketFile, filledPrivateTables } from "../store/file/downloaded-market.ts";
import { databasePath, removeFile, removeLogs } from "../store/file/file.ts";
import { holdLock } from "../store/file/lock.ts";
import { StoreRefusal } from "../store/file/refusal.ts";
import { freeBytesAt } from "../store/file/space.ts";
import { atOnce } from "../values/at-once.ts";
import { exitCodes, OperatorError } from "../values/failure/operator-error.ts";
import type { Expiries } from "../values/release-status.ts";
import { runsOf } from "../values/runs.ts";
import { syncFolder } from "./folder.ts";
import { type Chunk, type Manifest, pagesOf, sha256Of } from "./manifest.ts";
import { ReleaseRefusal } from "./refusal.ts";
import type { ReleaseSource } from "./source.ts";
import { type DownloadedRelease, ReleaseState } from "./state.ts";
import { readNewest, type Trust, trustStatePath } from "./trust.ts";
import { readChunk } from "./verify.ts";

type FetchOrder = { source: ReleaseSource; trust: Trust; to: string; signal: AbortSignal };

/** The result of a download. `isNew` is false if the file already holds the release. */
export type FetchedRelease = {
  manifest: Manifest;
  isNew: boolean;
  /** Chunks read from the source, and their stored bytes. */
  fetchedChunks: number;
  fetchedBytes: number;
};

const readsAtOnce = 4;
/** A release may have this size, or `growthMax` times the size of the file before. */
const freeSizeBytes = 1024 ** 3;
const growthMax = 8;

/** Entry of the state of a downloaded file, which holds one release. */
const market = "market";

/** Returns the path of the file that records the newest release downloaded to `path`. */
export function downloadStatePath(path: string): string {
  return `${path}-taken.json`;
}

/** A verified release manifest of a source. `isNew` is false if the file already holds the release. */
export type FoundRelease = { manifest: Manifest; sha256: string; isNew: boolean } & Expiries;

/**
 * Downloads the newest release to a file. Verifies every chunk, and reuses chunks of the file or of an interrupted run. The file is always
 * either the old or the new release.
 * @throws {ReleaseRefusal} when the release is unsigned, expired, incomplete, or older than a release downloaded to the file before.
 * @throws {StoreRefusal} when the file is in use, the disk is full, or the release is not a valid database.
 * @throws {OperatorError} when the file holds other data than a release.
 */
export async function fetchRelease({ source, trust, to, signal }: FetchOrder): Promise<FetchedRelease> {
  const path = databasePath(to);
  const locks: { release(): void }[] = [];
  try {
    for (const purpose of ["release", "serve", "import", "mirror"] as const) locks.push(holdLock(path, purpose));
    refuseForeign(path);
    const found = await findRelease(source, trust, path);
    const { manifest, isNew } = found;
    if (!isNew) return { manifest, isNew, fetchedChunks: 0, fetchedBytes: 0 };
    const fetched = await assembleRelease(found, { source, path, signal });
    removeLogs(path);
    installRelease(found, path);
    return { manifest, isNew, ...fetched };
  } catch (error) {
    throw StoreRefusal.from(path, error);
  } finally {
    for (const lock of locks) lock.release();
  }
}

/**
 * Reads the newest manifest of a source for the file at `path`, and remembers the signed metadata.
 * @throws {ReleaseRefusal} when it is not in force, has another schema, or would write too much.
 */
export async function findRelease(source: ReleaseSource, trust: Trust, path: string): Promise<FoundRelease> {
  const { manifest, sha256, expiresAt, rootExpiresAt } = await readNewest(source, trust, trustStatePath(path));
  refuseOtherSchema(manifest);
  const known = new ReleaseState(downloadStatePath(path)).get(market);
  const isHeld = known?.sha256 === sha256 && known.next === null && existsSync(path);
  if (!isHeld) refuseTooLarge(manifest, path);
  return { manifest, sha256, isNew: !isHeld, expiresAt, rootExpiresAt };
}

/** Bounds the file that a manifest makes this machine write: pages that no chunk fills cost the publisher nothing. */
function refuseTooLarge({ bytes, number }: Manifest, path: string): void {
  const [before, begun] = [path, releasePartPath(path)].map(
    (file) => statSync(file, { throwIfNoEntry: false })?.size ?? 0,
  );
  const room = freeBytesAt(path) + begun!;
  if (bytes > room)
    throw new StoreRefusal("full", path, `release ${number} has ${bytes} bytes, the disk has ${room} left`);
  const most = before === 0 ? bytes : Math.max(freeSizeBytes, growthMax * before!);
  if (bytes > most)
    throw new ReleaseRefusal(
      "too_large",
      `release ${number} has ${bytes} bytes, more than ${growthMax} times the ${before} before`,
    );
}

/** Returns the path of the file in which a release for `path` is assembled. */
export function releasePartPath(path: string): string {
  return `${path}-release.part`;
}

/**
 * Assembles a release as a complete database beside the file at `path`. `installRelease` then replaces that file. With `isServed` the file at
 * `path` stays open, and the slow comparison of redundant data is skipped.
 * @throws {ReleaseRefusal} when a chunk is missing or damaged, or the release is not a valid database.
 */
export async function assembleRelease(
  { manifest }: FoundRelease,
  {
    source,
    path,
    signal,
    isServed = false,
  }: { source: ReleaseSource; path: string; signal: AbortSignal; isServed?: boolean },
): Promise<Pick<FetchedRelease, "fetchedChunks" | "fetchedBytes">> {
  const part = releasePartPath(path);
  settleInstall(path);
  const fetched = await assemble(part, path, manifest, source, signal);
  await complete(part, manifest, { isReadWhole: !isServed, signal });
  return fetched;
}

/** Replaces the file at `path` by the assembled release. Older releases are rejected from now on, even after a crash. */
export function installRelease({ manifest, sha256 }: FoundRelease, path: string): void {
  const state = new ReleaseState(downloadStatePath(path));
  const known = { number: manifest.number, sha256, generation: nameOf(manifest), sealed_at: manifest.sealed_at };
  const { number, generation, sealed_at } = downloadedRelease(path) ?? {};
  // Saved before the file is replaced.
  state.set(market, {
    ...known,
    next: sha256,
    ...(number !== undefined && { before: { number, generation, sealed_at } }),
  });
  renameSync(releasePartPath(path), path);
  syncFolder(dirname(path));
  state.set(market, { ...known, next: null });
}

/**
 * Returns the release in the file at `path`, or null. A process killed between saving the state and renaming leaves its part file. Then the
 * file still holds the release before.
 */
export function downloadedRelease(path: string): DownloadedRelease | null {
  const known = new ReleaseState(downloadStatePath(path)).get(market);
  if (known === null || known.next === null) return known;
  const isBefore = known.isBefore ?? existsSync(releasePartPath(path));
  return isBefore ? (known.before ?? null) : known;
}

/**
 * Saves which release the file at `path` holds after an interrupted replacement. The part file cannot show it any more once it belongs to
 * another release.
 */
function settleInstall(path: string): void {
  const state = new ReleaseState(downloadStatePath(path));
  const known = state.get(market);
  if (known !== null && known.next !== null && known.isBefore === undefined)
    state.set(market, { ...known, isBefore: existsSync(releasePartPath(path)) });
}

/** Returns the generation of a release, for example `g7`. Null if the release has no published generation. */
export function nameOf({ generation }: Manifest): string | null {
  return generation?.generation ?? null;
}

/**
 * Rejects a file with private data.
 * @throws {OperatorError} when the file at `path` holds more than a market.
 */
function refuseForeign(path: string): void {
  if (!existsSync(path)) return;
  refuseOpenElsewhere(path);
  const [table] = filledPrivateTables(path);
  if (table === undefined) return;
  const message = `${path}: it holds rows of ${table}, which a release would replace; name another file`;
  throw new OperatorError(message, exitCodes.cannotCreate);
}

function refuseOtherSchema({ schema, number }: Manifest): void {
  if (schema === databaseSchema.version) return;
  const versions = `release ${number} has schema ${schema}, this program knows ${databaseSchema.version}`;
  throw new ReleaseRefusal("other_schema", versions);
}

/** Writes the release to `part`. Chunks are reused from `part` and from the file at `path`; the rest is read from the source. */
async function assemble(
  part: string,
  path: string,
  manifest: Manifest,
  source: ReleaseSource,
  signal: AbortSignal,
): Promise<Pick<FetchedRelease, "fetchedChunks" | "fetchedBytes">> {
  removeLogs(part);
  const isBegun = existsSync(part);
  if (!isBegun) closeSync(openSync(part, "wx", 0o600));
  chmodSync(part, 0o600);
  const file = openSync(part, "r+");
  const old = existsSync(path) ? openSync(path, "r") : null;
  try {
    ftruncateSync(file, manifest.bytes);
    const fetched = { fetchedChunks: 0, fetchedBytes: 0 };
    await atOnce(readsAtOnce, manifest.chunks, async (chunk) => {
      signal.throwIfAborted();
      if (isBegun && chunkIn(file, manifest, chunk) !== null) return;
      const kept = old === null ? null : chunkIn(old, manifest, chunk);
      writePages(file, manifest, chunk, kept ?? (await readChunk(source, manifest, chunk)));
      if (kept !== null) return;
      fetched.fetchedChunks += 1;
      fetched.fetchedBytes += chunk[1];
    });
    if (isBegun) clearOthers(file, manifest);
    return fetched;
  } finally {
    closeSync(file);
    if (old !== null) closeSync(old);
  }
}

/** Turns the assembled file into a database. Removes the file if it is invalid. */
async function complete(
  part: string,
  { number }: Manifest,
  order: { isReadWhole: boolean; signal: AbortSignal },
): Promise<void> {
  // The file stays open until SQLite has closed it: closing any descriptor drops the process's locks on the file.
  const file = await open(part, "r+");
  // The file is flushed to disk while its pages are checked.
  const flushing = file.sync();
  flushing.catch(() => {});
  try {
    completeMarketFile(part, order);
    await flushing;
    await file.sync();
    removeLogs(part);
  } catch (error) {
    await flushing.catch(() => {});
    const refusal = StoreRefusal.from(part, error);
    if (order.signal.aborted || isOfDisk(refusal)) throw refusal;
    removeFile(part);
    throw new ReleaseRefusal("malformed", `release ${number} is not a complete database (${(error as Error).message})`);
  } finally {
    await file.close();
  }
}

/** Returns whether the local disk caused a failure, so that the release may be valid. */
function isOfDisk(refusal: unknown): boolean {
  return refusal instanceof StoreRefusal && (refusal.kind === "full" || refusal.kind === "unwritable");
}

/** Returns the pages of a chunk from a file. Null if the file has other contents there. */
function chunkIn(file: number, manifest: Manifest, chunk: Chunk): Buffer | null {
  const size = manifest.page_bytes;
  const pages = pagesOf(chunk);
  const bytes = Buffer.allocUnsafe(pages.length * size);
  for (const { index, first, count } of runsOf(pages)) {
    if (readSync(file, bytes, index * size, count * size, first * size) < count * size) return null;
  }
  return sha256Of(bytes) === chunk[0] ? bytes : null;
}

function writePages(file: number, { page_bytes: size }: Manifest, chunk: Chunk, bytes: Buffer): void {
  for (const { index, first, count } of runsOf(pagesOf(chunk))) {
    for (let done = 0; done < count * size; ) {
      done += writeSync(file, bytes, index * size + done, count * size - done, first * size + done);
    }
  }
}

/** Zeroes all pages outside the chunks: a run for an earlier release may have written them. */
function clearOthers(file: number, manifest: Manifest): void {
  const size = manifest.page_bytes;
  const used = new Set(manifest.chunks.flatMap(pagesOf));
  const zero = Buffer.alloc(size);
  const page = Buffer.alloc(size);
  for (let number = 0; number < manifest.bytes / size; number += 1) {
    if (used.has(number)) continue;
    readSync(file, page, 0, size, number * size);
    if (!page.equals(zero)) writeSync(file, zero, 0, size, number * size);
  }
}
