import { accessSync, constants, copyFileSync, existsSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";

/** Temporary copies of files on read-only disks, by path. They are removed when the process ends. */
const copies = new Map<string, string>();

/** Returns whether the file system of `path` is read-only, for example remounted after an error. */
export function isOnReadOnlyDisk(path: string): boolean {
  try {
    accessSync(dirname(path), constants.W_OK);
    return false;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === "EROFS";
  }
}

/**
 * Returns a path to read the file at `path`. SQLite creates a missing log beside a file even to read it. On a read-only disk the path is
 * therefore a copy in the temporary folder.
 */
export function readablePath(path: string): string {
  const suffixes = ["", "-wal", "-shm"].filter((suffix) => existsSync(path + suffix));
  if (suffixes.length === 3 || !isOnReadOnlyDisk(path)) return path;
  const known = copies.get(path);
  if (known !== undefined) return known;
  const folder = mkdtempSync(join(tmpdir(), "itemtape-"));
  process.once("exit", () => rmSync(folder, { recursive: true, force: true }));
  const copy = join(folder, "copy.db");
  for (const suffix of suffixes) copyFileSync(path + suffix, copy + suffix, constants.COPYFILE_FICLONE);
  copies.set(path, copy);
  return copy;
}
