import { existsSync, linkSync, renameSync, rmSync, statSync } from "node:fs";
import { dirname } from "node:path";
import { databaseSchema } from "../../generated/database-schema.ts";
import { refuseOpenElsewhere } from "../store/database.ts";
import { filledPrivateTables } from "../store/file/downloaded-market.ts";
import { databasePath, removeLogs } from "../store/file/file.ts";
import { holdLock } from "../store/file/lock.ts";
import { releaseSparePath } from "../store/file/names.ts";
import { StoreRefusal } from "../store/file/refusal.ts";
import { freeBytesAt } from "../store/file/space.ts";
import { exitCodes, OperatorError } from "../values/failure/operator-error.ts";
import type { Expiries } from "../values/release-status.ts";
import { type Assembled, assembleFile, releasePartPath } from "./assemble.ts";
import { syncFolder } from "./folder.ts";
import { heldIn, isDamaged } from "./held.ts";
import type { Manifest, ManifestFile } from "./manifest.ts";
import { ReleaseRefusal } from "./refusal.ts";
import type { ReleaseSource } from "./source.ts";
import { type DownloadedRelease, ReleaseState } from "./state.ts";
import { readNewest, type Trust, trustStatePath } from "./trust.ts";

type FetchOrder = { source: ReleaseSource; trust: Trust; to: string; signal: AbortSignal };

/** The result of a download. `isNew` is false if the file already holds the release. */
export type FetchedRelease = { manifest: Manifest; isNew: boolean } & Omit<Assembled, "isWhole">;

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
export type FoundRelease = ManifestFile & { isNew: boolean } & Expiries;

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
    if (!isNew) return { manifest, isNew, fetchedChunks: 0, fetchedBytes: 0, writtenBytes: 0 };
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
  const newest = await readNewest(source, trust, trustStatePath(path));
  refuseOtherSchema(newest.manifest);
  const known = new ReleaseState(downloadStatePath(path)).get(market);
  const isSame = known?.sha256 === newest.sha256 && known.next === null;
  const isNew = !isSame || isDamaged(path) || !existsSync(path);
  if (isNew) refuseTooLarge(newest.manifest, path);
  return { ...newest, isNew };
}

/** Bounds the file that a manifest makes this machine write: pages that no chunk fills cost the publisher nothing. */
function refuseTooLarge({ bytes, number }: Manifest, path: string): void {
  const [before, begun, spare] = [path, releasePartPath(path), releaseSparePath(path)].map(
    (file) => statSync(file, { throwIfNoEntry: false })?.size ?? 0,
  );
  const room = freeBytesAt(path) + begun! + spare!;
  if (bytes > room)
    throw new StoreRefusal("full", path, `release ${number} has ${bytes} bytes, the disk has ${room} left`);
  const most = before === 0 ? bytes : Math.max(freeSizeBytes, growthMax * before!);
  if (bytes > most)
    throw new ReleaseRefusal(
      "too_large",
      `release ${number} has ${bytes} bytes, more than ${growthMax} times the ${before} before`,
    );
}

/** Assembles a release beside the file at `path`, as `assembleFile` does. `installRelease` then replaces that file. */
export async function assembleRelease(
  found: FoundRelease,
  order: Parameters<typeof assembleFile>[1],
): Promise<Assembled> {
  settleInstall(order.path);
  return assembleFile(found, order);
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
  keepSpare(path);
  renameSync(releasePartPath(path), path);
  syncFolder(dirname(path));
  state.set(market, { ...known, next: null });
}

/** Gives the file at `path` a second name, which remains when it is replaced. Without one the next download copies that file. */
function keepSpare(path: string): void {
  rmSync(releaseSparePath(path), { force: true });
  try {
    linkSync(path, releaseSparePath(path));
  } catch {
    // The first download has no file to keep. Some file systems have no second names.
  }
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
  if (heldIn(path, path) !== null) return;
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
