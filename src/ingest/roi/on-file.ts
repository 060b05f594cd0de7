import { type Database, openWriter } from "../../store/database.ts";
import { importBusyMs } from "../short-transactions.ts";

/** Opens the file at `path` for a run of the ROI model. What it commits is brought over after it, where nobody waits for that. */
export async function onFile<T>(path: string, work: (database: Database) => T | Promise<T>): Promise<T> {
  const database = openWriter(path, importBusyMs);
  try {
    database.$client.pragma("wal_autocheckpoint = 0");
    const done = await work(database);
    database.$client.pragma("wal_checkpoint(PASSIVE)");
    return done;
  } finally {
    database.$client.close();
  }
}
