import { accessSync, chmodSync, constants, linkSync, lstatSync, rmSync, writeFileSync } from "node:fs";
import { threadId } from "node:worker_threads";
import type SqliteDatabase from "better-sqlite3";
import { draftPath } from "../../values/drafts.ts";
import { exitCodes, OperatorError } from "../../values/failure/operator-error.ts";
import { openBare } from "./bare.ts";
import { isSqliteError, refuseWithoutFolder, StoreRefusal } from "./refusal.ts";

/** The activities that one process at a time may run on a file. */
type LockPurpose = "serve" | "import" | "mirror" | "roi" | "release" | "turn";

const holders: Readonly<Record<LockPurpose, string>> = {
  serve: "a server",
  import: "an import",
  mirror: "a mirror",
  roi: "a calculation of returns",
  release: "a sealing or taking of a release",
  turn: "a waiting writer",
};

/** Open locks by path. A garbage collection would close a connection without a reference, and free its lock. */
const openLocks = new Map<string, SqliteDatabase.Database>();

/**
 * Holds `purpose` on the database file at `path` until `release`, or until the process ends however it ends: the lock is the
 * operating system's, on a small file beside the database, so that a crash never leaves it behind.
 * @throws {StoreRefusal} when another holder has the lock, or its file cannot be written.
 * @throws {OperatorError} when something else lies in the lock's place.
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

/** Opens the lock of `purpose` on the database file at `path`, free or not. A lock that is taken is refused with SQLITE_BUSY at once. */
export function openLock(path: string, purpose: LockPurpose): SqliteDatabase.Database {
  const lockPath = lockPathOf(path, purpose);
  makeLockFile(lockPath);
  return openBare(lockPath, { timeout: 0 });
}

/**
 * Returns whether a process holds `purpose` on the file at `path`. Makes no file; a lock's file that is not there is held by nobody.
 * @throws {Error} when it cannot be looked at.
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

/** Returns the path of the file that is locked for `purpose` on the database file at `path`. */
export function lockPathOf(path: string, purpose: LockPurpose): string {
  return `${path}-${purpose}.lock`;
}

/** Removes the files of locks of a draft, or of a file that was not made: no other process holds them, and a file that is there keeps them. */
export function removeLocks(path: string): void {
  for (const purpose of Object.keys(holders)) rmSync(lockPathOf(path, purpose as LockPurpose), { force: true });
}

function inUse(path: string, purpose: LockPurpose): StoreRefusal {
  return new StoreRefusal("in_use", path, `${holders[purpose]} is running on it`);
}

/**
 * Creates the lock's file where there is none, for its owner only. A lock's file is always empty, and whatever else lies there is
 * left as it is: a planted link would have another user's file locked and its mode changed. Opens no descriptor of a file that may be
 * locked: POSIX drops all locks of a process on a file with the first descriptor of it that any of its threads closes. SQLite knows
 * of its own descriptors in every thread.
 */
function makeLockFile(lockPath: string): void {
  try {
    if (lstatSync(lockPath, { throwIfNoEntry: false }) === undefined) linkEmptyFile(lockPath);
    const stat = lstatSync(lockPath);
    if (stat.isSymbolicLink()) throw noLock(lockPath, "it is a symbolic link");
    if (stat.isDirectory()) throw noLock(lockPath, "it is a folder");
    if (!stat.isFile()) throw noLock(lockPath, "it is no file");
    if (stat.size > 0) throw noLock(lockPath, "it is not empty");
    if ((stat.mode & 0o777) !== 0o600) chmodSync(lockPath, 0o600);
    // What SQLite cannot write it would open to read, and lock nothing.
    accessSync(lockPath, constants.R_OK | constants.W_OK);
  } catch (error) {
    if (error instanceof OperatorError) throw error;
    throw new StoreRefusal("unwritable", lockPath, (error as NodeJS.ErrnoException).code);
  }
}

/** The file gets its name when its descriptor is closed: another thread may lock it as soon as it has one. */
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
  const detail = `a lock belongs here and this is none (${why}); find out what made it, then remove it`;
  return new OperatorError(`${lockPath}: ${detail}`, exitCodes.cannotCreate);
}
