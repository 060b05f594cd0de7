import { accessSync, chmodSync, constants, linkSync, lstatSync, rmSync, writeFileSync } from "node:fs";
import { threadId } from "node:worker_threads";
import type SqliteDatabase from "better-sqlite3";
import { draftPath } from "../../values/drafts.ts";
import { exitCodes, OperatorError } from "../../values/failure/operator-error.ts";
import { openBare } from "./bare.ts";
import { isSqliteError, refuseWithoutFolder, StoreRefusal } from "./refusal.ts";

/** Activities that only one process at a time may run on a file. */
type LockPurpose = "serve" | "import" | "mirror" | "roi" | "release" | "dataset" | "turn";

const holders: Readonly<Record<LockPurpose, string>> = {
  serve: "a server",
  import: "an import",
  mirror: "a mirror",
  roi: "a calculation of returns",
  release: "a seal or fetch of a release",
  dataset: "a build of a dataset",
  turn: "a waiting writer",
};

/** Open locks by path. Garbage collection would close a connection without a reference and release its lock. */
const openLocks = new Map<string, SqliteDatabase.Database>();

/**
 * Holds the lock `purpose` of the database file at `path` until `release` or the end of the process. The operating system holds it on a
 * small file beside the database, so a crash always releases it.
 * @throws {StoreRefusal} when another process holds the lock, or the lock file cannot be written.
 * @throws {OperatorError} when something other than a lock file has its path.
 */
export function holdLock(path: string, purpose: LockPurpose): { release(): void } {
  const lockPath = lockPathOf(path, purpose);
  refuseWithoutFolder(path);
  if (openLocks.has(lockPath)) throw inUse(path, purpose);
  let client: SqliteDatabase.Database | undefined;
  try {
    client = openLock(path, purpose);
    client.pragma("locking_mode = EXCLUSIVE");
    client.exec("BEGIN EXCLUSIVE");
  } catch (error) {
    client?.close();
    throw isSqliteError(error) && error.code.startsWith("SQLITE_BUSY")
      ? inUse(path, purpose)
      : StoreRefusal.from(lockPath, error);
  }
  const lock = client;
  openLocks.set(lockPath, lock);
  return {
    release() {
      if (!lock.open) return;
      lock.close();
      openLocks.delete(lockPath);
    },
  };
}

/**
 * Opens the lock file of `purpose` for the database file at `path`, free or not. Locking it fails at once with SQLITE_BUSY if it is held.
 */
export function openLock(path: string, purpose: LockPurpose): SqliteDatabase.Database {
  const lockPath = lockPathOf(path, purpose);
  makeLockFile(lockPath);
  return openBare(lockPath, { timeout: 0 });
}

/**
 * Returns whether a process holds the lock `purpose` of the file at `path`. Creates no file; a lock without a file is free.
 * @throws {Error} when the lock file cannot be read.
 */
export function isLocked(path: string, purpose: LockPurpose): boolean {
  const lockPath = lockPathOf(path, purpose);
  if (openLocks.has(lockPath)) return true;
  if (lstatSync(lockPath, { throwIfNoEntry: false }) === undefined) return false;
  let client: SqliteDatabase.Database | undefined;
  try {
    client = openBare(lockPath, { readonly: true, timeout: 0 });
    client.pragma("schema_version");
    return false;
  } catch (error) {
    if (isSqliteError(error) && error.code.startsWith("SQLITE_BUSY")) return true;
    throw StoreRefusal.from(lockPath, error);
  } finally {
    client?.close();
  }
}

/** Returns the path of the lock file of `purpose` for the database file at `path`. */
export function lockPathOf(path: string, purpose: LockPurpose): string {
  return `${path}-${purpose}.lock`;
}

/**
 * Removes the lock files of a draft or of a file that was never created. No other process can hold them. Existing files keep their lock
 * files.
 */
export function removeLocks(path: string): void {
  for (const purpose of Object.keys(holders)) rmSync(lockPathOf(path, purpose as LockPurpose), { force: true });
}

function inUse(path: string, purpose: LockPurpose): StoreRefusal {
  return new StoreRefusal("in_use", path, `${holders[purpose]} is running on it`);
}

/**
 * Creates a missing lock file with access for its owner only. A lock file is always empty. Any other file at its path remains unchanged,
 * because a planted link would change the mode of another user's file and lock it.
 *
 * Opens no descriptor of a lock file. POSIX releases all locks of a process on a file when any thread closes a descriptor of it. Only
 * SQLite tracks its own descriptors in all threads.
 */
function makeLockFile(lockPath: string): void {
  try {
    if (lstatSync(lockPath, { throwIfNoEntry: false }) === undefined) linkEmptyFile(lockPath);
    const stat = lstatSync(lockPath);
    if (stat.isSymbolicLink()) throw noLock(lockPath, "it is a symbolic link");
    if (stat.isDirectory()) throw noLock(lockPath, "it is a folder");
    if (!stat.isFile()) throw noLock(lockPath, "it is not a file");
    if (stat.size > 0) throw noLock(lockPath, "it is not empty");
    if ((stat.mode & 0o777) !== 0o600) chmodSync(lockPath, 0o600);
    // SQLite would open a file without write access read-only, and lock nothing.
    accessSync(lockPath, constants.R_OK | constants.W_OK);
  } catch (error) {
    if (error instanceof OperatorError) throw error;
    throw new StoreRefusal("unwritable", lockPath, (error as NodeJS.ErrnoException).code);
  }
}

/** Links the file only after its descriptor is closed. Another thread may lock the file as soon as it has its name. */
function linkEmptyFile(lockPath: string): void {
  const draft = draftPath(lockPath, "new", String(threadId));
  rmSync(draft, { force: true });
  try {
    writeFileSync(draft, "", { flag: "wx", mode: 0o600 });
    linkSync(draft, lockPath);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "EEXIST") throw error;
  } finally {
    rmSync(draft, { force: true });
  }
}

function noLock(lockPath: string, why: string): OperatorError {
  const detail = `this is not a lock file (${why}); find its origin, then remove it`;
  return new OperatorError(`${lockPath}: ${detail}`, exitCodes.cannotCreate);
}
