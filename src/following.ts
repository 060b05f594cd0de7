import { close, existsSync, openSync } from "node:fs";
import type { AppParts, Composed, Readers } from "./compose.ts";
import type { Follower, Serving } from "./jobs/follow/follower.ts";
import { releasePartPath } from "./releases/assemble.ts";
import { downloadStatePath } from "./releases/fetch.ts";
import { closeDatabase, openFixedReader } from "./store/database.ts";
import { filledPrivateTables, removeLog } from "./store/file/downloaded-market.ts";
import { removeFile } from "./store/file/file.ts";
import { holdLock } from "./store/file/lock.ts";
import { StoreRefusal } from "./store/file/refusal.ts";
import type { FileWatch } from "./store/file/watch.ts";
import { exitCodes, OperatorError } from "./values/failure/operator-error.ts";

/**
 * Creates the follower of a server. The file at `databasePath` is a downloaded release or missing. Other processes must not write to it
 * meanwhile.
 * @throws {OperatorError} when the file is not a downloaded release.
 */
export async function openFollower(
  { databasePath, follow, clock, events }: AppParts,
  opened: (() => unknown)[],
): Promise<Follower | null> {
  if (follow === undefined) return null;
  for (const purpose of ["import", "mirror", "roi"] as const) {
    const lock = holdLock(databasePath, purpose);
    opened.push(() => lock.release());
  }
  refuseOwnFile(databasePath);
  const { Follower } = await import("./jobs/follow/follower.ts");
  const follower = new Follower({ setup: follow, databasePath, clock, events });
  opened.push(() => follower.close());
  return follower;
}

/** @throws {OperatorError} unless the file at `path` contains only a downloaded release. */
function refuseOwnFile(path: string): void {
  if (!existsSync(path)) return;
  if (!existsSync(downloadStatePath(path))) throw ownFile(path, "it was not fetched from a release");
  try {
    const [table] = filledPrivateTables(path);
    if (table !== undefined) throw ownFile(path, `it holds rows of ${table}`);
    removeLog(path);
  } catch (error) {
    if (!(error instanceof StoreRefusal)) throw error;
    // The next release replaces a file that this program cannot serve.
    if (error.kind === "corrupt" || error.kind === "empty") removeFile(path);
    else if (error.kind !== "older" && error.kind !== "newer") throw error;
  }
}

function ownFile(path: string, why: string): OperatorError {
  const message = `${path}: ${why}, and --follow would replace it; name another file with --db`;
  return new OperatorError(message, exitCodes.cannotCreate);
}

/** Returns whether this program can serve the file at `path`, which another version may have downloaded. */
export function isServable(path: string): boolean {
  try {
    filledPrivateTables(path);
    return true;
  } catch (error) {
    if (error instanceof StoreRefusal && ["missing", "older", "newer"].includes(error.kind)) return false;
    throw error;
  }
}

/** The current handles, null before the first market and after the last. */
export type Handles = { readers: Readers | null };

/** Opens the handles of a downloaded file. `cacheKib`: cache size for point reads. */
export function openFixedReaders(path: string, cacheKib: number): Readers {
  const opened: Readers["market"][] = [];
  const open = (kib?: number) => {
    const reader = openFixedReader(path, kib);
    opened.push(reader);
    return reader;
  };
  try {
    return { market: open(cacheKib), exports: open(), access: open() };
  } catch (error) {
    for (const reader of opened) closeDatabase(reader);
    throw error;
  }
}

/** Opens the file at `path` for reading. Calls `undo` if that fails. */
function openOr(undo: () => void, path: string): number {
  try {
    return openSync(path, "r");
  } catch (error) {
    undo();
    throw error;
  }
}

/**
 * Lets a follower replace the market of `server`. When a deleted file is closed for the last time, the system frees its disk space, which
 * is slow. An extra descriptor, closed asynchronously, keeps that from delaying requests.
 */
export function servingOf(
  server: Composed,
  handles: Handles,
  { databasePath, watch, cacheKib }: { databasePath: string; watch: FileWatch; cacheKib: number },
): Serving {
  let held = openSync(databasePath, "r");
  const letGo = (file: number) => close(file, () => {});
  return {
    waitForRoom: (generation) => server.marketBeforeIsClosed(generation),
    async open() {
      const path = releasePartPath(databasePath);
      const readers = openFixedReaders(path, cacheKib);
      const market = await server.prepareMarket(readers);
      const next = openOr(() => market.close(), path);
      return {
        swap() {
          const before = held;
          held = next;
          handles.readers = readers;
          void server.exchangeMarket(market).then(() => letGo(before));
        },
        close() {
          market.close();
          letGo(next);
        },
      };
    },
    end: () => letGo(held),
    replacing: (work) => watch.replacing(work),
  };
}
