import { marketState } from "../../../db/schema/reference.ts";
import type { Database } from "../database.ts";

/** Returns whether the file holds the demo world and nothing that was imported since. */
export function isDemo(database: Database): boolean {
  return database.select({ at: marketState.demoAnchorAt }).from(marketState).get()?.at !== null;
}

/** Marks the file as holding the demo world of the instant `anchorAt`. */
export function markDemo(database: Database, anchorAt: number): void {
  database.update(marketState).set({ demoAnchorAt: anchorAt }).run();
}

/** Marks the file as holding somebody's own data: from now on the file is not thrown away as a demo. */
export function markReal(database: Database): void {
  if (isDemo(database)) database.update(marketState).set({ demoAnchorAt: null }).run();
}

/** Replaces the key (32 bytes) that seals the cursors of lists. */
export function setCursorKey(database: Database, cursorKey: Buffer): void {
  database.update(marketState).set({ cursorKey }).run();
}
