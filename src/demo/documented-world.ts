import { closeDatabase, openWriter } from "../store/database.ts";
import { setCursorKey } from "../store/write/demo-mark.ts";
import type { Ids } from "../values/ids.ts";
import { type Progress, silent } from "../values/progress.ts";
import { createDemoFile, type DemoKeys } from "./demo.ts";
import { readDemoList } from "./list.ts";

/** The instant at which the examples of the contract were recorded, UTC ms. */
export const documentedAt = Date.UTC(2026, 0, 15, 12);

/** The release that the examples name. */
export const documentedRelease = "0.1.0+1a2b3c4";

/** The key of the cursors in the examples. */
export const documentedCursorKey = Buffer.alloc(32, "itemtape demo ");

/** Days of daily history that the examples look back: with a year the file would be twice as large. */
const dailyDays = 60;

/** Creates the demo file that the examples of the contract show, with random cursors. `ids` draws its secrets. */
export function createExampleFile(path: string, ids: Ids, list = readDemoList(), progress = silent): DemoKeys {
  return createDemoFile(path, documentedAt, { ids, dailyDays, list, progress });
}

/** Creates the documented world: an example file whose cursors are those of the examples. */
export function createDocumentedFile(path: string, ids: Ids, progress: Progress = silent): DemoKeys {
  const keys = createExampleFile(path, ids, readDemoList(), progress);
  const database = openWriter(path, 0);
  try {
    setCursorKey(database, documentedCursorKey);
  } finally {
    closeDatabase(database);
  }
  return keys;
}
