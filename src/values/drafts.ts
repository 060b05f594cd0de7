import { readdirSync, rmSync } from "node:fs";
import { dirname, join } from "node:path";

/** Kinds of temporary files that a command keeps beside a file. `new` and `part` will replace the file; a restore has replaced `old`. */
export type DraftKind = "new" | "part" | "old";

/** A draft file. `place` is its own path, `path` the file that it belongs to. `suffix` is set for a log or lock of the draft, else "". */
export type Draft = { kind: DraftKind; pid: number; place: string; path: string; suffix: string };

/** Returns the path of this process's draft of the file at `path`. `tag` separates several drafts of one process. */
export function draftPath(path: string, kind: DraftKind, tag = ""): string {
  return `${path}.itemtape-${kind}-${process.pid}${tag === "" ? "" : `-${tag}`}`;
}

/** Parses the file name `name` in `folder` as a draft. Returns null if it is not a draft. */
export function draftOf(folder: string, name: string): Draft | null {
  const found = /^(.*)\.itemtape-(new|part|old)-([1-9]\d*)(?:-[0-9A-Za-z]+)??(-wal|-shm|-journal|-[a-z]+\.lock)?$/.exec(
    name,
  );
  if (found === null) return null;
  const [, target = "", kind, pid, suffix = ""] = found;
  const path = join(folder, target);
  return { kind: kind as DraftKind, pid: Number(pid), place: join(folder, name), path, suffix };
}

/** Returns all drafts of ended processes in the folder of `path`. Returns none if the folder cannot be read. */
export function abandonedDrafts(path: string): Draft[] {
  const folder = dirname(path);
  try {
    const drafts = readdirSync(folder).map((name) => draftOf(folder, name));
    return drafts.filter((draft): draft is Draft => draft !== null && !isRunning(draft.pid));
  } catch {
    return [];
  }
}

/** Removes the drafts of killed commands from the folder of `path`, except `old` ones. Never throws. */
export function removeAbandonedDrafts(path: string): void {
  try {
    for (const { kind, place } of abandonedDrafts(path)) if (kind !== "old") rmSync(place, { force: true });
  } catch {
    // A later write to the same folder reports the error.
  }
}

/** Returns whether a process is running. A process of another user cannot be signalled, but counts as running. */
export function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code !== "ESRCH";
  }
}
