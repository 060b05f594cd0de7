import { closeDatabase, type Database, deferCheckpoints, openReader, openWriter } from "../store/database.ts";
import { refuseUnlessOurs } from "../store/file.ts";
import { holdLock } from "../store/lock.ts";
import { type BatchStats, importBusyMs, pauseAfter } from "../store/write/batches.ts";
import { markReal } from "../store/write/demo-mark.ts";

/**
 * Opens our file for `work` while no other import runs on it, and says afterwards that it holds somebody's own data. A dry run
 * gets a handle that cannot write and keeps nobody out. Throws `StoreRefusal`.
 */
export async function importing<T>(
  databasePath: string,
  work: (database: Database) => T | Promise<T>,
  { dryRun = false }: { dryRun?: boolean } = {},
): Promise<T> {
  refuseUnlessOurs(databasePath);
  const lock = dryRun ? null : holdLock(databasePath, "import");
  try {
    const database = dryRun ? openReader(databasePath) : openWriter(databasePath, importBusyMs);
    try {
      if (!dryRun) deferCheckpoints(database);
      const done = await work(database);
      if (!dryRun) markReal(database);
      return done;
    } finally {
      closeDatabase(database);
    }
  } finally {
    lock?.release();
  }
}

/** Runs steps to their end with a pause after each. `lockHeldMsMax`: the longest time for which the writer's lock was held. */
export async function runBatches<T>(
  steps: Generator<BatchStats, T>,
  pause: (held: BatchStats) => Promise<void> = pauseAfter,
): Promise<{ value: T; lockHeldMsMax: number }> {
  let lockHeldMsMax = 0;
  let step = steps.next();
  for (; step.done !== true; step = steps.next()) {
    lockHeldMsMax = Math.max(lockHeldMsMax, step.value.lockHeldMs);
    await pause(step.value);
  }
  return { value: step.value, lockHeldMsMax };
}
