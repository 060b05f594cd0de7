import { spawnSync } from "node:child_process";
import { copyFileSync } from "node:fs";
import { join } from "node:path";
import { readIfPresent } from "../contract/derived-drift.ts";

/**
 * Installs the packages of a folder with its own manifest and lock file, unless they are installed.
 * @throws {Error} when npm fails.
 */
export function installPackages(folder: string): void {
  const lock = join(folder, "package-lock.json");
  // `npm ci` first removes this copy with all packages, so that an interrupted installation is repeated.
  const copy = join(folder, "node_modules/.installed-lock.json");
  if (readIfPresent(copy) === readIfPresent(lock)) return;
  process.stderr.write(`installing the packages of ${folder}\n`);
  // A shell finds npm on every system. Standard output is reserved for the report.
  const { status } = spawnSync("npm ci --no-audit --no-fund", { cwd: folder, shell: true, stdio: ["ignore", 2, 2] });
  if (status !== 0) throw new Error(`\`npm ci\` in ${folder} ended with ${status}`);
  copyFileSync(lock, copy);
}
