import { mkdirSync, statSync } from "node:fs";
import { dirname, resolve } from "node:path";

/**
 * Creates a folder with its missing parents. Returns the first created one, or undefined if the folder exists. Node's own `recursive` never
 * ends in `/proc`.
 * @throws {Error} the system's error, `EEXIST` or `ENOTDIR` when a file is in the way.
 */
export function makeFolders(path: string): string | undefined {
  const folder = resolve(path);
  if (statSync(folder, { throwIfNoEntry: false })?.isDirectory() === true) return undefined;
  const parent = dirname(folder);
  const first = parent === folder ? undefined : makeFolders(parent);
  mkdirSync(folder);
  return first ?? folder;
}
