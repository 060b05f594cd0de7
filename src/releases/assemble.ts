import { chmodSync, closeSync, existsSync, ftruncateSync, openSync, renameSync, rmSync } from "node:fs";
import { constants, copyFile, open } from "node:fs/promises";
import { dirname } from "node:path";
import { isOpenElsewhere } from "../store/database.ts";
import { completeMarketFile } from "../store/file/downloaded-market.ts";
import { removeFile, removeLogs } from "../store/file/file.ts";
import { linksOf, releaseSparePath } from "../store/file/names.ts";
import { StoreRefusal } from "../store/file/refusal.ts";
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
const noPages: Pages = new Map();

/** Returns the path of the file in which a release for `path` is assembled. */
export function releasePartPath(path: string): string {
  return `${path}-release.part`;
}

/**
 * Assembles a release as a complete database beside the file at `path`. Writes only pages that changed if the file before the served one, or
 * a copy of the served one, is known to hold its release exactly. With `isServed` the file at `path` stays open, and the slow comparison of
 * redundant data is skipped.
 * @throws {ReleaseRefusal} when a chunk is missing or damaged, or the release is not a valid database.
 */
export async function assembleFile(found: ManifestFile, order: AssembleOrder): Promise<Assembled> {
  const { path, signal, isServed = false } = order;
  const part = releasePartPath(path);
  const isBegun = existsSync(part);
  const base = isBegun ? null : await beginFromHeld(path, part);
  const assembled = await assemble(part, found.manifest, { ...order, base, isBegun });
  const check = base !== null ? "schema" : isServed ? "pages" : "all";
  recordHeld(path, part, found, await complete(part, found.manifest, check, signal));
  return { ...assembled, isWhole: base === null };
}

/**
 * Makes the part file from the spare, or from a copy of the file at `path`. Returns the release that it then holds, null if there is no part
 * file. Nothing trusts a part file after a crash, so that renaming the spare forgets its release before the first write.
 */
async function beginFromHeld(path: string, part: string): Promise<HeldRelease | null> {
  const spare = releaseSparePath(path);
  const before = heldIn(path, spare);
  if (before !== null && linksOf(spare) === 1 && !isOpenElsewhere(spare)) {
    renameSync(spare, part);
    syncFolder(dirname(part));
    return before;
  }
  rmSync(spare, { force: true });
  const served = heldIn(path, path);
  // File systems that share blocks copy nothing.
  if (served !== null) await copyFile(path, part, constants.COPYFILE_FICLONE | constants.COPYFILE_EXCL);
  return served;
}

/** Writes the release to `part`. Chunks are reused from `part` and from the file at `path`; the rest is read from the source. */
async function assemble(
  part: string,
  manifest: Manifest,
  { source, path, signal, base, isBegun }: AssembleOrder & { base: HeldRelease | null; isBegun: boolean },
): Promise<Omit<Assembled, "isWhole">> {
  removeLogs(part);
  if (!existsSync(part)) closeSync(openSync(part, "wx", 0o600));
  chmodSync(part, 0o600);
  const size = manifest.page_bytes;
  const own = ownPagesIn(path);
  const file = openSync(part, "r+");
  const old = existsSync(path) ? openSync(path, "r") : null;
  const inOld = (chunk: Chunk) => (old === null ? null : chunkIn(old, manifest, chunk, own));
  try {
    const done = { fetchedChunks: 0, fetchedBytes: 0, writtenBytes: 0 };
    for (const [page, bytes] of base?.own ?? []) done.writtenBytes += writePages(file, bytes.length, [page], bytes);
    ftruncateSync(file, manifest.bytes);
    const known = new Set(base?.manifest.chunks.map(keyOf));
    const others = manifest.chunks.filter((chunk) => !known.has(keyOf(chunk)));
    await atOnce(readsAtOnce, others, async (chunk) => {
      signal.throwIfAborted();
      if (isBegun && chunkIn(file, manifest, chunk, noPages) !== null) return;
      const kept = inOld(chunk);
      const bytes = kept ?? (await readChunk(source, manifest, chunk));
      done.writtenBytes += writePages(file, size, pagesOf(chunk), bytes);
      if (kept !== null) return;
      done.fetchedChunks += 1;
      done.fetchedBytes += chunk[1];
    });
    if (isBegun || base !== null) done.writtenBytes += clearOthers(file, manifest, base?.manifest ?? null);
    return done;
  } finally {
    closeSync(file);
    if (old !== null) closeSync(old);
  }
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
