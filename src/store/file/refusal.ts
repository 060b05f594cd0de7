import { closeSync, existsSync, lstatSync, openSync, rmSync, statSync, writeSync } from "node:fs";
import { constants } from "node:os";
import { dirname } from "node:path";
import { draftPath } from "../../values/drafts.ts";
import { exitCodes, OperatorError } from "../../values/failure/operator-error.ts";

/** The reasons to refuse a file, with exit code and fix. */
const refusals = {
  exists: { exitCode: 73, description: "the file exists", fix: "name another file with --db" },
  missing: {
    exitCode: 66,
    description: "the file does not exist",
    fix: "`npx itemtape start` creates one with the demo world, `npx itemtape db create` an empty one",
  },
  empty: {
    exitCode: 81,
    description: "the file is empty",
    fix: "remove it and run `npx itemtape start`, or restore a backup",
  },
  foreign: { exitCode: 82, description: "not an Itemtape database", fix: "name another file with --db" },
  corrupt: { exitCode: 83, description: "the file is damaged", fix: "restore a backup with `npx itemtape db restore`" },
  newer: { exitCode: 84, description: "the file was written by a newer release", fix: "run that release" },
  older: {
    exitCode: 85,
    description: "the file was written by an older release",
    fix: "run `npx itemtape db migrate`",
  },
  readable_by_others: {
    exitCode: 77,
    description: "other users may read or write the file",
    fix: "run `chmod 600` on it",
  },
  unwritable: {
    exitCode: 74,
    description: "the file cannot be written",
    fix: "check the file system and the file's owner",
  },
  linked: {
    exitCode: 86,
    description: "the file has a second name, and each name would have its own log",
    fix: "remove one of the names, or put a copy in its place",
  },
  full: {
    exitCode: 74,
    description: "the disk is full, or a quota is used up",
    fix: "free some space and run the command again",
  },
  in_use: { exitCode: 75, description: "another process holds the file", fix: "stop that process first" },
} as const;

export type RefusalKind = keyof typeof refusals;

/** Error for a database file that cannot be used as it is. It has one line for the operator and a specific exit code. */
export class StoreRefusal extends Error {
  readonly kind: RefusalKind;
  readonly exitCode: number;

  constructor(kind: RefusalKind, path: string, reason?: string, options: ErrorOptions = {}) {
    const { exitCode, description, fix } = refusals[kind];
    super(`${path}: ${description}${reason === undefined ? "" : ` (${reason})`}; ${fix}`, options);
    this.name = "StoreRefusal";
    this.kind = kind;
    this.exitCode = exitCode;
  }

  /** Converts an error of SQLite or of the file system to a refusal. Returns any other error unchanged. */
  static from(path: string, error: unknown): unknown {
    if (!isSqliteError(error) && !isSystemError(error)) return error;
    const isOfPath = "path" in error && pathCodes.has(error.code);
    const kind = isFull(error, path) ? "full" : isOfPath ? "unwritable" : kindOf(error.code);
    return kind === null ? error : new StoreRefusal(kind, path, error.message, { cause: error });
  }
}

/**
 * Refuses a path that exists and is not a regular file, such as a folder, a pipe or a device.
 * @throws {StoreRefusal} of this kind
 */
export function refuseUnlessRegularFile(path: string, kind: RefusalKind = "foreign"): void {
  const stat = statSync(path, { throwIfNoEntry: false });
  if (stat === undefined || stat.isFile()) return;
  throw new StoreRefusal(kind, path, stat.isDirectory() ? "it is a folder" : "it is not a file");
}

/** Returns whether the name `path` is already used by a file or a broken link. */
export function isNameInUse(path: string): boolean {
  return lstatSync(path, { throwIfNoEntry: false }) !== undefined;
}

/**
 * Refuses to create a file in a missing folder.
 * @throws {StoreRefusal} `unwritable`
 */
export function refuseWithoutFolder(path: string): void {
  const folder = dirname(path);
  if (!existsSync(folder))
    throw new StoreRefusal("unwritable", path, `the folder does not exist: ${folder}; create it first`);
}

/** Error for an unavailable PostgreSQL database. `isUncertain` means an uncertain commit: it was sent, but its response was lost. */
export class DatabaseUnavailable extends OperatorError {
  readonly isUncertain: boolean;

  constructor(cause: unknown, isUncertain: boolean) {
    const why = (cause as Error).message;
    super(
      isUncertain
        ? `the private database's answer was lost (${why}); check the result before you try again`
        : `the private database cannot be reached (${why}); nothing was changed, try again`,
      exitCodes.temporary,
    );
    this.name = "DatabaseUnavailable";
    this.cause = cause;
    this.isUncertain = isUncertain;
  }
}

/**
 * Returns whether a write failed because the disk of `path` is full or a quota is exceeded. If SQLite reports only an I/O error, a test
 * write beside the file decides. Node has no name for the error number of an exceeded quota.
 */
export function isFull(error: unknown, path: string): boolean {
  if (isSystemError(error)) return error.code === "ENOSPC" || error.errno === -constants.errno.EDQUOT;
  return isSqliteError(error) && isFullCode(error.code, path);
}

/** Returns the same as `isFull` for the code of an SQLite error. */
export function isFullCode(code: string, path: string): boolean {
  return code === "SQLITE_FULL" || (maybeFullCodes.test(code) && isFolderFull(path));
}

/** Returns whether a test write of 64 KiB in the folder of `path` fails. */
export function isFolderFull(path: string): boolean {
  const probe = draftPath(path, "part", "room");
  try {
    const handle = openSync(probe, "w", 0o600);
    try {
      return writeSync(handle, Buffer.alloc(probeBytes), 0, probeBytes, 0) < probeBytes;
    } finally {
      closeSync(handle);
      rmSync(probe, { force: true });
    }
  } catch (error) {
    return isFull(error, path);
  }
}

/** SQLite reports I/O errors for writes over a quota, and for a shared index without room. */
const maybeFullCodes = /^SQLITE_IOERR_(WRITE|SHMSIZE|SHMMAP)$/;
const brokenCodes: ReadonlySet<string> = new Set(["EIO", "EROFS"]);
/** Codes of an inaccessible or invalid path. Failures to listen on a port can also have some of them. */
const pathCodes: ReadonlySet<string> = new Set(["EACCES", "EPERM", "ENOTDIR", "EISDIR", "ENAMETOOLONG", "ELOOP"]);
/** Exceeds the free bytes that a file system may have in the last block of a small file. */
const probeBytes = 64 * 1024;

/** Returns whether a system call failed. */
function isSystemError(error: unknown): error is NodeJS.ErrnoException & { code: string } {
  return error instanceof Error && "syscall" in error && typeof (error as NodeJS.ErrnoException).code === "string";
}

/**
 * Returns whether SQLite threw `error`. Compares the name instead of the class, so that code that only reports errors does not load the
 * SQLite binding.
 */
export function isSqliteError(error: unknown): error is Error & { code: string } {
  return error instanceof Error && error.name === "SqliteError" && "code" in error && typeof error.code === "string";
}

function kindOf(code: string): RefusalKind | null {
  if (code === "SQLITE_NOTADB") return "foreign";
  if (code.startsWith("SQLITE_CORRUPT")) return "corrupt";
  if (code.startsWith("SQLITE_BUSY")) return "in_use";
  if (code.startsWith("SQLITE_READONLY") || code.startsWith("SQLITE_CANTOPEN") || code.startsWith("SQLITE_IOERR"))
    return "unwritable";
  return brokenCodes.has(code) ? "unwritable" : null;
}
