import { closeDatabase, openWriter } from "../store/database.ts";
import { setCursorKey } from "../store/write/demo-mark.ts";
import type { Ids } from "../values/ids.ts";
import { type Progress, silent } from "../values/progress.ts";
import { createDemoFile, type DemoKeys } from "./demo.ts";
import { readDemoList } from "./list.ts";

/** Time at which the contract's examples were recorded, UTC ms. */
export const documentedAt = Date.UTC(2026, 0, 15, 12);

/** The release shown in the examples. */
export const documentedRelease = "0.1.0+1a2b3c4";

/** The cursor key of the examples. */
export const documentedCursorKey = Buffer.alloc(32, "itemtape demo ");

/** Days of daily history in the examples. A full year would double the file size. */
const dailyDays = 60;

/** Creates the demo file of the contract's examples, with random cursors. `ids` draws its secrets. */
export function createExampleFile(path: string, ids: Ids, list = readDemoList(), progress = silent): DemoKeys {
  return createDemoFile(path, documentedAt, { ids, dailyDays, list, progress });
}

/** Creates the documented world: the example file with the cursor key of the examples. */
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
