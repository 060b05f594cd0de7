import { close, existsSync, openSync } from "node:fs";
import type { AppParts, Composed, Readers } from "./compose.ts";
import type { Follower, Serving } from "./jobs/follow/follower.ts";
import { releasePartPath, takenStatePath } from "./releases/fetch.ts";
import { closeDatabase, openFixedReader } from "./store/database.ts";
import { removeFile } from "./store/file/file.ts";
import { holdLock } from "./store/file/lock.ts";
import { StoreRefusal } from "./store/file/refusal.ts";
import { filledPrivateTables, giveUpLog } from "./store/file/taken-market.ts";
import type { FileWatch } from "./store/file/watch.ts";
import { exitCodes, OperatorError } from "./values/failure/operator-error.ts";

/**
 * Makes the follower of a server, for which the file at `databasePath` is one that was taken from releases, or is not there yet. Nobody
 * else may write to it meanwhile.
 * @throws {OperatorError} when something else is there.
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

/** @throws {OperatorError} when the file at `path` is none that was taken from a release and nothing else. */
function refuseOwnFile(path: string): void {
  if (!existsSync(path)) return;
  if (!existsSync(takenStatePath(path))) throw ownFile(path, "it was not taken from a release");
  try {
    const [table] = filledPrivateTables(path);
    if (table !== undefined) throw ownFile(path, `it holds rows of ${table}`);
    giveUpLog(path);
  } catch (error) {
    if (!(error instanceof StoreRefusal)) throw error;
    // A release that this program can serve takes the place of what it cannot.
    if (error.kind === "corrupt" || error.kind === "empty") removeFile(path);
    else if (error.kind !== "older" && error.kind !== "newer") throw error;
  }
}

function ownFile(path: string, why: string): OperatorError {
  const message = `${path}: ${why}, and --follow would replace it; name another file with --db`;
  return new OperatorError(message, exitCodes.cannotCreate);
}

/** Returns whether the file at `path` can be served, which another release of the program may have taken. */
export function isServable(path: string): boolean {
  try {
    filledPrivateTables(path);
    return true;
  } catch (error) {
    if (error instanceof StoreRefusal && ["missing", "older", "newer"].includes(error.kind)) return false;
    throw error;
  }
}

/** The handles that are served from now; null: there is no market yet, or no more. */
export type Handles = { readers: Readers | null };

/** Opens the handles of a taken file. `cacheKib`: pages that the one for point reads keeps in memory. */
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

/** Opens the file at `path` for reading; where that fails, `undo` is called. */
function openOr(undo: () => void, path: string): number {
  try {
    return openSync(path, "r");
  } catch (error) {
    undo();
    throw error;
  }
}

/**
 * Lets a follower exchange what `server` answers from. A file that has lost its name is given back to the disk when it is closed for the last
 * time, which takes long: a descriptor of its own sees to it that this is beside the requests.
 */
export function servingOf(
  server: Composed,
  handles: Handles,
  { databasePath, watch, cacheKib }: { databasePath: string; watch: FileWatch; cacheKib: number },
): Serving {
  let held = openSync(databasePath, "r");
  const letGo = (file: number) => close(file, () => {});
  return {
    roomFor: (generation) => server.marketBeforeIsClosed(generation),
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
