import { fileURLToPath } from "node:url";
import { entryFlags } from "../../src/values/root.ts";

/** Returns the words behind `node` that start the TypeScript program at `address`, as the program starts its own entries. */
export function childProgram(address: URL): string[] {
  return [...entryFlags, fileURLToPath(address)];
}
