import { importShippedCatalog } from "../../import/catalog/shipped-catalog.ts";
import { publishShippedPools } from "../../import/pools/publish-all.ts";
import { importing } from "../../import/run-import.ts";
import { defineStandardIndexesInBatches } from "../../jobs/indexes/standard.ts";
import type { FeedConfig } from "../../jobs/mirror/mirror-config.ts";
import type { Database } from "../../store/database.ts";
import { createDatabase, nameDraft, removeFile } from "../../store/file/file.ts";
import { removeLocks } from "../../store/file/lock.ts";
import { ProvidersStore } from "../../store/read/providers.ts";
import { runBatches, turnOfLoop } from "../../store/write/batches.ts";
import { draftPath } from "../../values/drafts.ts";
import type { Progress } from "../../values/progress.ts";
import { type Clock, systemClock } from "../../values/time/clock.ts";
import { pollFirst } from "./first-body.ts";

const providersMax = 100;

type Parts = { signal: AbortSignal; progress: Progress };

/** Number of containers, and of published ones. */
export type PublishedPools = Pick<Awaited<ReturnType<typeof publishShippedPools>>, "pools" | "inForce">;

/**
 * Creates the file at `path` from the shipped catalog and the first bodies of `feeds`, with containers and indexes. The file gets its name
 * at the end, so an interrupted run leaves nothing.
 * @throws {OperatorError} when a feed gives no acceptable body.
 */
export async function makeMarketFile(
  path: string,
  feeds: readonly FeedConfig[],
  parts: Parts,
): Promise<PublishedPools> {
  const draft = draftPath(path, "new");
  const { signal, progress } = parts;
  try {
    progress.phase("making the file");
    createDatabase(draft, () => undefined);
    await importShippedCatalog(draft, { clock: systemClock, progress });
    signal.throwIfAborted();
    await pollFirst(draft, feeds, parts);
    const pools = await publishShippedPools(draft, { clock: systemClock, progress, pause: turnOfLoop });
    await defineIndexes(draft);
    signal.throwIfAborted();
    nameDraft(draft, path);
    return pools;
  } finally {
    removeFile(draft);
    removeLocks(draft);
  }
}

/** Defines the standard indexes for each provider of the file without them. */
export function defineIndexes(path: string, clock: Clock = systemClock): Promise<void> {
  return importing(path, async (database: Database) => {
    for (const { provider } of new ProvidersStore(database).page("", providersMax))
      await runBatches(defineStandardIndexesInBatches(database, provider, { clock }));
  });
}
