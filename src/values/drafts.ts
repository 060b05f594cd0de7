import { readdirSync, rmSync } from "node:fs";
import { dirname, join } from "node:path";

/** Kinds of a file that lies beside another while a command runs: it will get that one's name, or has just lost it (`old`). */
export type DraftKind = "new" | "part" | "old";

/** A draft in a folder. `path`: the file that it belongs to; `suffix`: of a log or lock of the draft, else "". */
export type Draft = { kind: DraftKind; pid: number; place: string; path: string; suffix: string };

/** Returns the name of this process's draft of the file at `path`. `tag` tells it from others of the same process. */
export function draftPath(path: string, kind: DraftKind, tag = ""): string {
  return `${path}.itemtape-${kind}-${process.pid}${tag === "" ? "" : `-${tag}`}`;
}

/** Returns the draft that the file `name` in `folder` is; null: it is none. */
export function draftOf(folder: string, name: string): Draft | null {
  const found = /^(.*)\.itemtape-(new|part|old)-([1-9]\d*)(?:-[0-9A-Za-z]+)??(-wal|-shm|-journal|-[a-z]+\.lock)?$/.exec(
    name,
  );
  if (found === null) return null;
  const [, target = "", kind, pid, suffix = ""] = found;
  const path = join(folder, target);
  return { kind: kind as DraftKind, pid: Number(pid), place: join(folder, name), path, suffix };
}

/** Returns the drafts of ended processes in the folder of `path`, whichever file they belong to. None where it cannot be read. */
export function abandonedDrafts(path: string): Draft[] {
  const folder = dirname(path);
  try {
    const drafts = readdirSync(folder).map((name) => draftOf(folder, name));
    return drafts.filter((draft): draft is Draft => draft !== null && !isRunning(draft.pid));
  } catch {
    return [];
  }
}

/** Removes what killed commands have left in the folder of `path`, but for files that a restore has replaced. Never throws. */
export function removeAbandonedDrafts(path: string): void {
  try {
    for (const { kind, place } of abandonedDrafts(path)) if (kind !== "old") rmSync(place, { force: true });
  } catch {
    // A folder that cannot be changed: whatever writes there says so.
  }
}

/** Returns whether a process runs. One of another user cannot be signalled, and runs all the same. */
export function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code !== "ESRCH";
  }
}
