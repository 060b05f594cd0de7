import { constants, copyFileSync, mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { DemoKeys } from "../demo/demo.ts";
import { createDocumentedFile, documentedAt, documentedRelease } from "../demo/documented-world.ts";
import { withoutNewLog } from "../store/database.ts";
import { completeMarketFile } from "../store/file/downloaded-market.ts";
import { refuseUnlessValid } from "../store/file/file.ts";
import { MarketImage } from "../store/file/market-image.ts";
import type { ReplayBy, ReplaySpan } from "../store/read/replay-moments.ts";
import { isRunning } from "../values/drafts.ts";
import type { Ids } from "../values/ids.ts";
import type { Progress } from "../values/progress.ts";
import { systemClock } from "../values/time/clock.ts";
import { WorldClocks } from "./clocks.ts";
import { spanOf, type WantedSpan } from "./replay/span.ts";

const folderPrefix = "itemtape-sandbox-";

/** A database file of the sandbox's own. `demo` is null for a copy of an existing market. */
export type World = {
  path: string;
  clocks: WorldClocks;
  /** The release to report. Null for the program's own. */
  release: string | null;
  demo: DemoKeys | null;
  /** The recorded market that a replay plays; `signal` ends its beginning. Null without a replay. */
  replay: { source: string; span: ReplaySpan; by: ReplayBy; signal: AbortSignal } | null;
  remove(): void;
};

/** Creates the documented world, which matches the examples of the contract. `make` creates its file. */
export function documentedWorld(ids: Ids, progress: Progress, make = createDocumentedFile): World {
  const { path, remove } = newPlace();
  try {
    const demo = make(path, ids, progress);
    return { path, clocks: new WorldClocks(documentedAt), release: documentedRelease, demo, replay: null, remove };
  } catch (error) {
    remove();
    throw error;
  }
}

/**
 * Copies only the market of the file at `source`. With `wanted`, the world replays that span of it.
 * @throws {StoreRefusal} when the file is unreadable or damaged.
 * @throws {OperatorError} when the span cannot be replayed.
 */
export async function copiedWorld(
  source: string,
  signal: AbortSignal,
  wanted: WantedSpan | null = null,
): Promise<World> {
  const removeNewLog = withoutNewLog(source);
  const { path, remove } = newPlace();
  try {
    refuseUnlessValid(source);
    const image = MarketImage.open(source);
    try {
      await image.write(path, signal);
    } finally {
      image.close(removeNewLog);
    }
    completeMarketFile(path, "pages");
    const common = { path, release: null, demo: null, remove };
    if (wanted === null) return { ...common, clocks: new WorldClocks(null), replay: null };
    const span = spanOf(path, wanted);
    const recorded = `${path}.recorded`;
    copyFileSync(path, recorded, constants.COPYFILE_FICLONE);
    const clocks = new WorldClocks(span.from, systemClock.now());
    return { ...common, clocks, replay: { source: recorded, span, by: wanted.by, signal } };
  } catch (error) {
    remove();
    throw error;
  } finally {
    removeNewLog();
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
