import {
  checkpoint,
  closeDatabase,
  type Database,
  deferCheckpoints,
  openWriter,
  setCacheKib,
} from "../../store/database.ts";
import { importBusyMs } from "../../store/write/batches.ts";

/** More than one run's transaction changes: a page that goes to the disk early would be written in the lock's time. */
const cacheKib = 64 * 1024;

/** Opens the file at `path` for a run of the ROI model. What it commits is brought over after it, where nobody waits for that. */
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
