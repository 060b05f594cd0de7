import { marketState, nodeSecrets } from "../../../db/schema/reference.ts";
import type { Database } from "../database.ts";

/** Returns whether the file contains only the demo world, without later imports. */
export function isDemo(database: Database): boolean {
  return database.select({ at: marketState.demoAnchorAt }).from(marketState).get()?.at !== null;
}

/** Marks the file as the demo world of the instant `anchorAt`. */
export function markDemo(database: Database, anchorAt: number): void {
  database.update(marketState).set({ demoAnchorAt: anchorAt }).run();
}

/** Marks the file as containing real data, so that it is no longer discarded as a demo. */
export function markReal(database: Database): void {
  if (isDemo(database)) database.update(marketState).set({ demoAnchorAt: null }).run();
}

/** Replaces the key (32 bytes) of the MAC of list cursors. */
export function setCursorKey(database: Database, cursorKey: Buffer): void {
  database.update(nodeSecrets).set({ cursorKey }).run();
}
