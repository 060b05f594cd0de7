import { existsSync, linkSync, readdirSync, renameSync, rmSync, statSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { abandonedDrafts, draftOf, draftPath, removeAbandonedDrafts } from "../../values/drafts.ts";
import { toTimestamp } from "../../values/time/clock.ts";
import { StoreRefusal } from "./refusal.ts";

const logSuffixes = ["-wal", "-shm"] as const;

/**
 * Refuses a file with another name, such as a hard link. Locks and logs are named after the file, so each name would have its own. Removes
 * names left by killed commands. Ignores names that a running command is about to remove.
 * @throws {StoreRefusal} `linked`
 */
export function refuseSecondName(path: string): void {
  if (linksOf(path) <= 1) return;
  removeAbandonedFiles(path);
  const folder = dirname(path);
  const others = readdirSync(folder).filter((name) => name !== basename(path) && isSameFile(join(folder, name), path));
  const passing = others.filter((name) => draftOf(folder, name) !== null);
  if (linksOf(path) - passing.length <= 1) return;
  const [other] = others.filter((name) => !passing.includes(name));
  throw new StoreRefusal("linked", path, other === undefined ? "in another folder" : join(folder, other));
}

/** Returns the path of the file before the release at `path`. The release after that one is written into it. */
export function releaseSparePath(path: string): string {
  return `${path}-release.spare`;
}

/** Returns the number of names of the file at `path`, or 0 without a file. */
export function linksOf(path: string): number {
  return statSync(path, { throwIfNoEntry: false })?.nlink ?? 0;
}

/**
 * Removes files that killed commands have left in the folder of `path`. A file that an interrupted restore replaced gets its permanent
 * name. Never throws.
 */
export function removeAbandonedFiles(path: string): void {
  removeAbandonedDrafts(path);
  removeSecondSpare(path);
  for (const { kind, place, path: replaced, suffix } of abandonedDrafts(path)) {
    if (kind !== "old" || suffix !== "") continue;
    try {
      if (isSameFile(place, replaced)) unlinkOldFile(place, replaced);
      else nameReplacedFile(place, replaced);
    } catch {
      // The folder is read-only and stays unchanged.
    }
  }
}

/** Removes the second name that a killed installation of a release has left. */
function removeSecondSpare(path: string): void {
  const spare = releaseSparePath(path);
  try {
    if (isSameFile(path, spare)) rmSync(spare);
  } catch {
    // The folder is read-only, or the installation has ended.
  }
}

/**
 * Gives the file at `path` a second name, under which it survives its replacement. Moves its log along unless `isWhole`, which means that
 * the file itself contains all data. Returns that name.
 */
export function linkOldFile(path: string, isWhole: boolean): string {
  const place = draftPath(path, "old");
  linkSync(path, place);
  if (!isWhole) moveLogs(path, place);
  return place;
}

/** Gives a replaced file its permanent name, and returns it. `place` is the temporary name from `linkOldFile`. */
export function nameReplacedFile(place: string, path: string): string {
  const kept = replacedFileName(path, statSync(place).mtimeMs);
  moveLogs(place, kept);
  renameSync(place, kept);
  return kept;
}

/** Undoes `linkOldFile`. */
export function unlinkOldFile(place: string, path: string): void {
  moveLogs(place, path);
  rmSync(place, { force: true });
}

function moveLogs(from: string, to: string): void {
  for (const suffix of logSuffixes) if (existsSync(from + suffix)) renameSync(from + suffix, to + suffix);
}

function replacedFileName(path: string, changedAt: number): string {
  const stamp = toTimestamp(Math.floor(changedAt)).replaceAll(/[-:.]/g, "");
  const name = `${path}.before-${stamp}`;
  let free = name;
  for (let count = 2; existsSync(free); count += 1) free = `${name}-${count}`;
  return free;
}

function isSameFile(one: string, other: string): boolean {
  const [a, b] = [one, other].map((path) => statSync(path, { throwIfNoEntry: false, bigint: true }));
  return a !== undefined && b !== undefined && a.ino === b.ino && a.dev === b.dev;
}
