import { readFileSync } from "node:fs";
import { join } from "node:path";

export const lockFile = "package-lock.json";

/**
 * Returns the text of the lock file below `root` with `"gypfile": false` in the entry of better-sqlite3. npm drops that key from the
 * package's manifest. Without it `npm ci` starts a compiler, although the package contains its binaries.
 */
export function lockWithoutBuild(root: string): string {
  const lock = JSON.parse(readFileSync(join(root, lockFile), "utf8"));
  const entry = lock.packages["node_modules/better-sqlite3"];
  entry.gypfile = false;
  delete entry.hasInstallScript;
  return `${JSON.stringify(lock, null, 2)}\n`;
}
