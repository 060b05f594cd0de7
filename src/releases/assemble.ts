import { chmodSync, closeSync, existsSync, ftruncateSync, openSync, renameSync, rmSync } from "node:fs";
import { constants, copyFile, open } from "node:fs/promises";
import { dirname } from "node:path";
import { lockPages } from "../store/database.ts";
import { completeMarketFile } from "../store/file/downloaded-market.ts";
import { removeFile, removeLogs } from "../store/file/file.ts";
import { windowPages } from "../store/file/market-image.ts";
import { linksOf, releaseSparePath } from "../store/file/names.ts";
import { refuseUnlessRegularFile, StoreRefusal } from "../store/file/refusal.ts";
import { atOnce } from "../values/at-once.ts";
import { chunkIn, clearOthers, type Pages, writePages } from "./file-pages.ts";
import { syncFolder } from "./folder.ts";
import { type HeldRelease, heldIn, ownPagesIn, recordHeld } from "./held.ts";
import { type Chunk, type Manifest, type ManifestFile, pagesOf } from "./manifest.ts";
import { ReleaseRefusal } from "./refusal.ts";
import type { ReleaseSource } from "./source.ts";
import { readChunk } from "./verify.ts";

/**
 * The work of one download. Chunks and their stored bytes were read from the source. `writtenBytes` counts pages, but not a first copy.
 * `isWhole` is true if every chunk of the file was verified.
 */
export type Assembled = { fetchedChunks: number; fetchedBytes: number; writtenBytes: number; isWhole: boolean };

type AssembleOrder = { source: ReleaseSource; path: string; signal: AbortSignal; isServed?: boolean };

const readsAtOnce = 4;
const aheadBytesMax = 64 * 1024 * 1024;
const noPages: Pages = new Map();

/** Returns the path of the file in which a release for `path` is assembled. */
export function releasePartPath(path: string): string {
  return `${path}-release.part`;
}

/**
 * Assembles a release as a complete database beside the file at `path`. Writes only changed pages into a file
 * that is known to hold an earlier release: the spare, or a copy of the file at `path`. With `isServed` the file at `path` stays open, and the slow comparison of
 * redundant data is skipped.
 * @throws {ReleaseRefusal} when a chunk is missing or damaged, or the release is not a valid database.
 */
export async function assembleFile(found: ManifestFile, order: AssembleOrder): Promise<Assembled> {
  const { path, signal, isServed = false } = order;
  const part = releasePartPath(path);
  for (const file of [part, releaseSparePath(path)]) refuseUnlessRegularFile(file, "unwritable");
  const base = existsSync(part) ? null : findBase(path);
  const assembled = await assemble(part, found.manifest, order, base);
  const check = base !== null ? "schema" : isServed ? "pages" : "all";
  recordHeld(path, part, found, await complete(part, found.manifest, check, signal));
  return { ...assembled, isWhole: base === null };
}

/**
 * A file that is known to hold its release exactly: the spare, or a copy of the file at `path` that is to be made. `lock` is that of the
 * spare: other programs may still have it open by its earlier name.
 */
type Base = HeldRelease & { lock: { close(): void } | null };

function findBase(path: string): Base | null {
  const spare = releaseSparePath(path);
  const before = heldIn(path, spare);
  const lock = before !== null && linksOf(spare) === 1 ? lockPages(spare) : null;
  if (before !== null && lock !== null) return { ...before, lock };
  rmSync(spare, { force: true });
  const served = heldIn(path, path);
  return served === null ? null : { ...served, lock: null };
}

/** Makes the part file of a base. After a crash no part file is trusted: renaming the spare forgets its release before the first write. */
async function beginFrom({ lock }: Base, path: string, part: string): Promise<void> {
  // File systems that share blocks copy nothing.
  if (lock === null) return copyFile(path, part, constants.COPYFILE_FICLONE | constants.COPYFILE_EXCL);
  renameSync(releaseSparePath(path), part);
  syncFolder(dirname(part));
}

/** Writes the release to `part`. Chunks are reused from `part` and from the file at `path`; the rest is read from the source. */
async function assemble(
  part: string,
  manifest: Manifest,
  { source, path, signal }: AssembleOrder,
  base: Base | null,
): Promise<Omit<Assembled, "isWhole">> {
  const done = { fetchedChunks: 0, fetchedBytes: 0, writtenBytes: 0 };
  const own = ownPagesIn(path);
  const old = existsSync(path) ? openSync(path, "r") : null;
  const read = async (chunk: Chunk) => {
    signal.throwIfAborted();
    const kept = old === null ? null : chunkIn(old, manifest, chunk, own);
    if (kept !== null) return kept;
    const bytes = await readChunk(source, manifest, chunk);
    done.fetchedChunks += 1;
    done.fetchedBytes += chunk[1];
    return bytes;
  };
  try {
    const others = withoutKnown(manifest, base);
    const ahead = await readAhead(base === null ? [] : others, manifest, read);
    if (base !== null) await beginFrom(base, path, part);
    // Page numbers of another page size name other bytes.
    const isOfSize = base?.manifest.page_bytes === manifest.page_bytes;
    done.writtenBytes = await withPart(part, async (file, isBegun) => {
      let written = 0;
      for (const [page, bytes] of base?.own ?? []) written += writePages(file, bytes.length, [page], bytes);
      ftruncateSync(file, manifest.bytes);
      await atOnce(readsAtOnce, others, async (chunk) => {
        if (isBegun && base === null && chunkIn(file, manifest, chunk, noPages) !== null) return;
        const bytes = ahead.get(chunk) ?? (await read(chunk));
        written += writePages(file, manifest.page_bytes, pagesOf(chunk), bytes);
      });
      return written + (isBegun ? clearOthers(file, manifest, base !== null && isOfSize ? base.manifest : null) : 0);
    });
    return done;
  } finally {
    base?.lock?.close();
    if (old !== null) closeSync(old);
  }
}

/** Reads few chunks before the first write, so that a failed download leaves the spare as it is. */
async function readAhead(
  chunks: readonly Chunk[],
  { page_bytes: size }: Manifest,
  read: (chunk: Chunk) => Promise<Buffer>,
): Promise<ReadonlyMap<Chunk, Buffer>> {
  if (chunks.length * windowPages * size > aheadBytesMax) return new Map();
  return new Map(await atOnce(readsAtOnce, chunks, async (chunk) => [chunk, await read(chunk)] as const));
}

/** Opens the part file, which is created if it is missing. `isBegun` is true if it has content. */
async function withPart<T>(part: string, work: (file: number, isBegun: boolean) => Promise<T>): Promise<T> {
  removeLogs(part);
  const isBegun = existsSync(part);
  if (!isBegun) closeSync(openSync(part, "wx", 0o600));
  chmodSync(part, 0o600);
  const file = openSync(part, "r+");
  try {
    return await work(file, isBegun);
  } finally {
    closeSync(file);
  }
}

/** Returns the chunks that `base` does not hold at the same place. */
function withoutKnown({ chunks }: Manifest, base: Base | null): readonly Chunk[] {
  const known = new Set(base?.manifest.chunks.map(keyOf));
  return chunks.filter((chunk) => !known.has(keyOf(chunk)));
}

/** Returns a text that chunks with the same bytes at the same place share. */
function keyOf([sha256, , window, bits]: Chunk): string {
  return `${sha256} ${window} ${bits}`;
}

/** Turns the assembled file into a database. Returns the release's bytes of the pages that this writes. Removes the file if it is invalid. */
async function complete(
  part: string,
  { number }: Manifest,
  check: Parameters<typeof completeMarketFile>[1],
  signal: AbortSignal,
): Promise<Pages> {
  // The file stays open until SQLite has closed it: closing any descriptor drops the process's locks on the file.
  const file = await open(part, "r+");
  // The file is flushed to disk while its pages are checked.
  const flushing = file.sync();
  flushing.catch(() => {});
  try {
    const own = completeMarketFile(part, check);
    await flushing;
    await file.sync();
    removeLogs(part);
    return own;
  } catch (error) {
    await flushing.catch(() => {});
    const refusal = StoreRefusal.from(part, error);
    if (signal.aborted || isOfDisk(refusal)) throw refusal;
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
