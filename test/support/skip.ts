import { spawnSync } from "node:child_process";
import { existsSync, readFileSync, statSync } from "node:fs";
import { delimiter, dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import type { Context } from "mocha";

/** Folder of real public data beside the checkout. Tests that read it skip without it. */
export const realDataFolder = fileURLToPath(new URL("../../../shared/data/", import.meta.url));

/** Skips the test with a printed reason if the real data is not beside the checkout. */
export function needRealData(test: Context): void {
  if (!existsSync(realDataFolder)) skip(test, "the folder of real data is not beside the checkout");
}

/** Tools that were found. Some need a tenth of a second to print their version. */
const found = new Set<string>();

/**
 * Skips the test if `tool` is not installed. Fails if skips are forbidden. `probe` are the arguments of a trial run. Without them the tool
 * only has to be on the PATH, which is enough for a tool with a slow start.
 */
export function needTool(test: Context, tool: string, ...probe: string[]): void {
  const isThere = () => (probe.length === 0 ? isOnPath(tool) : spawnSync(tool, probe).status === 0);
  if (!found.has(tool) && process.platform === "linux" && isThere()) found.add(tool);
  if (!found.has(tool)) skipForWant(test, `${tool} is not installed`);
}

function isOnPath(tool: string): boolean {
  return (process.env.PATH ?? "").split(delimiter).some((folder) => existsSync(join(folder, tool)));
}

/** Skips the test if the system has no file or folder at `path`. Fails if skips are forbidden. */
export function needPath(test: Context, path: string): void {
  if (!existsSync(path)) skipForWant(test, `there is no ${path}`);
}

/** Skips the test with a printed reason if files have no POSIX modes and links. */
export function needPosix(test: Context): void {
  if (process.platform === "win32") skip(test, "this system has no POSIX files");
}

/** Skips the test if root runs the tests and no other user can read the program. Permissions do not restrict root. */
export function needOrdinaryUser(test: Context): void {
  let folder = dirname(fileURLToPath(import.meta.url));
  let reachable = process.platform !== "win32";
  for (; process.getuid?.() === 0 && folder !== dirname(folder); folder = dirname(folder)) {
    reachable &&= (statSync(folder).mode & 0o005) === 0o005;
  }
  if (reachable) return;
  skip(test, "no other user can run the program here");
}

/** Returns whether this process may mount file systems and make networks: not every root may. */
export function mayAdminister(): boolean {
  if (process.platform !== "linux") return false;
  const rights = /^CapEff:\s*([0-9a-f]+)$/m.exec(readFileSync("/proc/self/status", "utf8"))?.[1] ?? "0";
  const needed = (1n << 21n) | (1n << 12n);
  return (BigInt(`0x${rights}`) & needed) === needed;
}

/** Skips the test because an installable tool is missing. Throws if ITEMTAPE_FORBID_SKIPS=1. */
export function skipForWant(test: Context, reason: string): never {
  if (process.env.ITEMTAPE_FORBID_SKIPS === "1") throw new Error(`${reason}, and skips are forbidden`);
  skip(test, reason);
}

/**
 * Prints the reason and skips. Only for causes that cannot be installed: another system, real data, the checkout's folder, a permission.
 */
export function skip(test: Context, reason: string): never {
  process.stdout.write(`skipping: ${test.test?.fullTitle() ?? test.currentTest?.fullTitle() ?? "?"}: ${reason}\n`);
  return test.skip() as never;
}
