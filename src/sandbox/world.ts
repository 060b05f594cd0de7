import { mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { DemoKeys } from "../demo/demo.ts";
import { createDocumentedFile, documentedAt, documentedRelease } from "../demo/documented-world.ts";
import { completeMarketFile } from "../store/file/downloaded-market.ts";
import { refuseUnlessValid } from "../store/file/file.ts";
import { MarketImage } from "../store/file/market-image.ts";
import { isRunning } from "../values/drafts.ts";
import type { Ids } from "../values/ids.ts";
import type { Progress } from "../values/progress.ts";
import { WorldClocks } from "./clocks.ts";

const folderPrefix = "itemtape-sandbox-";

/** A database file of the sandbox's own. `demo` is null for a copy of an existing market. */
export type World = {
  path: string;
  clocks: WorldClocks;
  /** The release to report. Null for the program's own. */
  release: string | null;
  demo: DemoKeys | null;
  remove(): void;
};

/** Creates the documented world, which matches the examples of the contract. `make` creates its file. */
export function documentedWorld(ids: Ids, progress: Progress, make = createDocumentedFile): World {
  const { path, remove } = newPlace();
  try {
    const demo = make(path, ids, progress);
    return { path, clocks: new WorldClocks(documentedAt), release: documentedRelease, demo, remove };
  } catch (error) {
    remove();
    throw error;
  }
}

/**
 * Copies only the market of the file at `source`.
 * @throws {StoreRefusal} when the file is unreadable or damaged.
 */
export async function copiedWorld(source: string, signal: AbortSignal): Promise<World> {
  refuseUnlessValid(source);
  const { path, remove } = newPlace();
  try {
    const image = await MarketImage.copy(source, signal, path);
    try {
      image.write(path);
    } finally {
      image.close();
    }
    completeMarketFile(path, { isReadWhole: false });
    return { path, clocks: new WorldClocks(null), release: null, demo: null, remove };
  } catch (error) {
    remove();
    throw error;
  }
}

/** Creates a folder for this process, and removes folders of ended processes. */
function newPlace(): { path: string; remove(): void } {
  removeAbandoned();
  const folder = mkdtempSync(join(tmpdir(), `${folderPrefix}${process.pid}-`));
  return { path: join(folder, "sandbox.db"), remove: () => rmSync(folder, { recursive: true, force: true }) };
}

/** Removes folders that killed sandboxes left behind. Folders of other users stay. */
function removeAbandoned(): void {
  for (const name of readdirSync(tmpdir())) {
    const pid = new RegExp(`^${folderPrefix}([1-9]\\d*)-`).exec(name)?.[1];
    if (pid === undefined || isRunning(Number(pid))) continue;
    try {
      rmSync(join(tmpdir(), name), { recursive: true, force: true });
    } catch {
      // Only the owner can remove it.
    }
  }
}
