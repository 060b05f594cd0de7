import { fileURLToPath } from "node:url";
import { entryFlags } from "../../src/values/root.ts";

/** Returns the arguments of `node` that start the TypeScript program at `address`, as for the program's own entries. */
export function childProgram(address: URL): string[] {
  return [...entryFlags, fileURLToPath(address)];
}
