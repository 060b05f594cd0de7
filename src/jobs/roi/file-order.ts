import {
  checkpoint,
  closeDatabase,
  type Database,
  deferCheckpoints,
  openWriter,
  setCacheKib,
} from "../../store/database.ts";
import { importBusyMs } from "../../store/write/batches.ts";

/** Larger than the changes of one run's transaction: a page that is flushed early would be written while the lock is held. */
const cacheKib = 64 * 1024;

/** Opens the file at `path` for a run of the ROI model, and writes the log back after the run, when nobody waits. */
export async function onFile<T>(path: string, work: (database: Database) => T | Promise<T>): Promise<T> {
  const database = openWriter(path, importBusyMs);
  try {
    deferCheckpoints(database);
    setCacheKib(database, cacheKib);
    const done = await work(database);
    checkpoint(database);
    return done;
  } finally {
    closeDatabase(database);
  }
}
