import { statSync } from "node:fs";
import { linksOf } from "./names.ts";

/** Time between two checks, ms. A change is noticed within two seconds. */
const checkIntervalMs = 1_000;

/** Suffixes of the files that must not change under open connections. */
const watched = ["", "-wal", "-shm"] as const;

/** A running file watch. `replacing` runs `work`, which may replace the file. */
export type FileWatch = { lost: Promise<Error>; stop(): void; replacing(work: () => Promise<void>): Promise<void> };

/**
 * Watches the database file at `path` and its log while connections are open. `lost` resolves when one of them was moved, replaced or
 * removed, because later writes would be lost. Calls `onSecondName` when the file gets another name, because other programs would write
 * another log under it.
 */
export function watchFile(path: string, onSecondName: () => void): FileWatch {
  const look = () => watched.map((suffix) => inodeOf(path + suffix));
  let first = look();
  let isPaused = false;
  let timer: NodeJS.Timeout | undefined;
  let hasSecondName = false;
  const lost = new Promise<Error>((resolve) => {
    timer = setInterval(() => {
      if (isPaused) return;
      const changed = watched.find((suffix, index) => inodeOf(path + suffix) !== first[index]);
      if (changed !== undefined) resolve(lostFile(path, changed));
      const isLinked = linksOf(path) > 1;
      if (isLinked && !hasSecondName) onSecondName();
      hasSecondName = isLinked;
    }, checkIntervalMs);
    timer.unref();
  });
  return {
    lost,
    stop: () => clearInterval(timer),
    async replacing(work) {
      isPaused = true;
      await work().finally(() => {
        first = look();
        isPaused = false;
      });
    },
  };
}

/** Returns `device:inode`, or null without a file. */
function inodeOf(path: string): string | null {
  const stat = statSync(path, { throwIfNoEntry: false, bigint: true });
  return stat === undefined ? null : `${stat.dev}:${stat.ino}`;
}

function lostFile(path: string, suffix: (typeof watched)[number]): Error {
  if (suffix === "") return new Error(`${path}: the file was moved or replaced while the server ran`);
  return new Error(
    `${path}${suffix}: the log was moved, removed or replaced while the server ran; later writes of other programs may be lost`,
  );
}
