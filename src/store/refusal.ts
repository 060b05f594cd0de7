/** The reasons to refuse a file, with exit code and fix. */
const refusals = {
  exists: { exitCode: 73, description: "there is a file already", fix: "name another file with --db" },
  missing: {
    exitCode: 66,
    description: "there is no such file",
    fix: "`itemtape start` creates one with the demo world, `itemtape db create` an empty one",
  },
  empty: {
    exitCode: 81,
    description: "the file is empty",
    fix: "remove it and run `itemtape start`, or restore a backup",
  },
  foreign: { exitCode: 82, description: "this is not an Itemtape database", fix: "name another file with --db" },
  corrupt: { exitCode: 83, description: "the file is damaged", fix: "restore a backup with `itemtape db restore`" },
  newer: { exitCode: 84, description: "the file was written by a newer release", fix: "run that release" },
  older: { exitCode: 85, description: "the file was written by an older release", fix: "run `itemtape db migrate`" },
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
  in_use: { exitCode: 75, description: "another process holds the file", fix: "stop that process first" },
} as const;

export type RefusalKind = keyof typeof refusals;

/** A database file that must not be used as it is: one line for the operator and an exit code of its own. */
export class StoreRefusal extends Error {
  readonly kind: RefusalKind;
  readonly exitCode: number;

  constructor(kind: RefusalKind, path: string, cause?: string) {
    const { exitCode, description, fix } = refusals[kind];
    super(`${path}: ${description}${cause === undefined ? "" : ` (${cause})`}; ${fix}`);
    this.name = "StoreRefusal";
    this.kind = kind;
    this.exitCode = exitCode;
  }

  /** Returns the refusal that an error of SQLite means; any other error is returned as it came. */
  static from(path: string, error: unknown): unknown {
    if (!isSqliteError(error)) return error;
    const kind = kindOf(error.code);
    return kind === null ? error : new StoreRefusal(kind, path, error.message);
  }
}

/**
 * Returns whether SQLite threw `error`. Asks for the name instead of the class, so that what only reports errors, such as a command
 * that opens no file, runs where the binding cannot be loaded.
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
  return null;
}
