import { chmodSync, existsSync } from "node:fs";
import { dirname } from "node:path";
import SqliteDatabase from "better-sqlite3";
import { StoreRefusal } from "./refusal.ts";

/** What one process at a time may do with a file. */
export type LockPurpose = "serve" | "import";

/**
 * Holds `purpose` on the database file at `path` until `release`, or until the process ends however it ends: the lock is the
 * operating system's, on a small file beside the database, so that a crash never leaves it behind.
 */
export function holdLock(path: string, purpose: LockPurpose): { release(): void } {
  const lockPath = `${path}-${purpose}.lock`;
  if (!existsSync(dirname(path))) throw new StoreRefusal("unwritable", path, "there is no such folder");
  let client: SqliteDatabase.Database | undefined;
  try {
    client = new SqliteDatabase(lockPath, { timeout: 0 });
    chmodSync(lockPath, 0o600);
    client.pragma("locking_mode = EXCLUSIVE");
    client.exec("BEGIN EXCLUSIVE");
  } catch (error) {
    client?.close();
    throw error instanceof SqliteDatabase.SqliteError && error.code.startsWith("SQLITE_BUSY")
      ? new StoreRefusal(
          "in_use",
          path,
          purpose === "serve" ? "a server is running on it" : "an import is running on it",
        )
      : StoreRefusal.from(lockPath, error);
  }
  const held = client;
  return { release: () => void held.close() };
}
