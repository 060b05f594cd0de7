import {
  checkpointAfterCommit,
  closeDatabase,
  type Database,
  deferCheckpoints,
  openReader,
  openWriter,
} from "../store/database.ts";
import { refuseUnlessValid } from "../store/file/file.ts";
import { holdLock } from "../store/file/lock.ts";
import { type BatchStats, importBusyMs } from "../store/write/batches.ts";
import { markReal } from "../store/write/demo-mark.ts";
import type { Progress } from "../values/progress.ts";
import type { Clock } from "../values/time/clock.ts";
import { logRefusal } from "./guards/log.ts";

/** `pause` waits between two transactions, so that other writers can run. */
export type ImportParts = { clock: Clock; progress?: Progress; pause?: (batch: BatchStats) => Promise<void> };

/** Runs `work`, and adds a refusal by its guards to the log of the data. */
async function logged<T>(
  database: Database,
  work: (database: Database) => T | Promise<T>,
  dryRun: boolean,
): Promise<T> {
  try {
    return await work(database);
  } catch (error) {
    if (!dryRun) logRefusal(database, error);
    throw error;
  }
}

/**
 * Opens our file for `work` under the import lock. Afterwards marks the file as real data, unless `marksReal` is false. A dry run uses a
 * read-only handle without the lock.
 * @throws {StoreRefusal} when the file cannot be used or another import is running.
 */
export async function importing<T>(
  databasePath: string,
  work: (database: Database) => T | Promise<T>,
  { dryRun = false, marksReal = true }: { dryRun?: boolean; marksReal?: boolean } = {},
): Promise<T> {
  refuseUnlessValid(databasePath);
  const lock = dryRun ? null : holdLock(databasePath, "import");
  try {
    const database = dryRun ? openReader(databasePath) : openWriter(databasePath, importBusyMs);
    try {
      if (!dryRun) deferCheckpoints(database);
      const done = await logged(database, work, dryRun);
      if (!dryRun && marksReal) markReal(database);
      // Otherwise a running server would checkpoint in the thread of its charges.
      if (!dryRun) checkpointAfterCommit(database);
      return done;
    } finally {
      closeDatabase(database);
    }
  } finally {
    lock?.release();
  }
}
