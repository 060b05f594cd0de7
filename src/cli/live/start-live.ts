import { accessSync, constants, existsSync } from "node:fs";
import { dirname, join } from "node:path";
import { liveDatabase } from "../../config/config.ts";
import { makeOwnFolder } from "../../config/data-folder.ts";
import { checkedFeeds, type WrittenFeed, writeMirrorConfig, writtenFeeds } from "../../jobs/mirror/mirror-config.ts";
import { databasePath, refuseUnlessValid } from "../../store/file/file.ts";
import { holdLock, removeLocks } from "../../store/file/lock.ts";
import { refuseWithoutFolder } from "../../store/file/refusal.ts";
import { exitCodes, OperatorError } from "../../values/failure/operator-error.ts";
import { progressOn } from "../../values/progress.ts";
import { systemClock } from "../../values/time/clock.ts";
import { type Call, usageError } from "../command.ts";
import { isDemoFile } from "../open.ts";
import type { Bases } from "../print-demo.ts";
import { Stopped, untilStopped } from "../signals.ts";
import { pollFirst } from "./first-body.ts";
import { defineIndexes, makeMarketFile, type PublishedPools } from "./market-file.ts";
import { greetOwner } from "./owner.ts";
import { mergedFeeds, namedSources } from "./sources.ts";
import { withReadTerms } from "./terms.ts";

/** The server as `start` runs it. */
export type Serving = {
  /** @throws {OperatorError} when it cannot listen on the address. */
  tryListening(config: Call["config"]): Promise<void>;
  /** `roiAtOnce`: calculates the returns of containers at the start. */
  serve(call: Call, onListening: (bases: Bases) => Promise<void>, more: { roiAtOnce: boolean }): Promise<number>;
};

/** Runs `start --live`: creates or extends the live file, then serves it and polls its feeds. */
export async function startLive(given: Call, { tryListening, serve }: Serving): Promise<number> {
  const call = onLiveFile(given);
  const { db, mirrorConfig } = call.config;
  makeOwnFolder(db);
  const path = databasePath(db);
  const isThere = existsSync(path);
  if (isThere) await refuseDemo(path, db);
  const sources = namedSources(call);
  if (!isThere && sources.length === 0)
    throw usageError(`${db} does not exist yet; name a source, as in \`npx itemtape start --live skinport\``);
  const before = writtenFeeds(mirrorConfig);
  const { feeds: merged, added } = mergedFeeds(before, sources);
  if (merged.length === 0) throw usageError(`${mirrorConfig} names no feed; name a source, such as --live skinport`);
  // Checked first, so that a start does not fail after minutes because a file is not writable.
  for (const file of [path, mirrorConfig]) {
    refuseWithoutFolder(file);
    accessSync(dirname(file), constants.W_OK);
  }
  checkedFeeds(mirrorConfig, merged, call.feedValues);
  const feeds = await withReadTerms(call, merged, new Set(sources.map(({ feed }) => feed.feed))).catch(tellAgain);
  await tryListening(call.config);
  const pools = await untilStopped((signal) => bring(call, path, { feeds, added, signal })).catch(tellAgain);
  // A new source has prices for containers that had none.
  return serve(call, (bases) => greetOwner(call, bases, pools), { roiAtOnce: added.length > 0 });
}

/** @throws {OperatorError} that a signal stopped the start, else the error itself. */
function tellAgain(error: unknown): never {
  if (!(error instanceof Stopped)) throw error;
  const again = "nothing was changed; run the same command again to continue";
  throw new OperatorError(`${error.message}; ${again}`, error.exitCode);
}

type Bringing = { feeds: readonly WrittenFeed[]; added: readonly WrittenFeed[]; signal: AbortSignal };

/** Creates the file, or imports the added feeds into it, and then writes the configuration. Returns null if the file already existed. */
async function bring(call: Call, path: string, { feeds, added, signal }: Bringing): Promise<PublishedPools | null> {
  const { mirrorConfig } = call.config;
  const configs = checkedFeeds(mirrorConfig, feeds, call.feedValues);
  const progress = progressOn(process.stderr, systemClock);
  // Two concurrent starts create only one file.
  const lock = holdLock(path, "serve");
  try {
    let pools: PublishedPools | null = null;
    if (!existsSync(path)) pools = await makeMarketFile(path, configs, { signal, progress });
    else if (added.length > 0) {
      refuseUnlessValid(path);
      const names = new Set(added.map(({ feed }) => feed));
      const news = configs.filter(({ feed }) => names.has(feed));
      await pollFirst(path, news, { signal, progress });
      await defineIndexes(path);
    }
    writeMirrorConfig(mirrorConfig, feeds);
    return pools;
  } finally {
    progress.end();
    if (!existsSync(path)) removeLocks(path);
    lock.release();
  }
}

/** Returns the call on the live file. Its server polls the feeds configured beside it. */
function onLiveFile(call: Call): Call {
  const db = call.isGiven("db") ? call.config.db : liveDatabase;
  const mirrorConfig = call.isGiven("mirrorConfig") ? call.config.mirrorConfig : join(dirname(db), "mirror.json");
  return {
    ...call,
    config: { ...call.config, db, mirrorConfig },
    has: (name) => name === "mirror" || call.has(name),
  };
}

async function refuseDemo(path: string, db: string): Promise<void> {
  refuseUnlessValid(path);
  if (!(await isDemoFile(path))) return;
  throw new OperatorError(
    `${db} holds the demo world with invented prices; name another file with --db`,
    exitCodes.usage,
  );
}
