import type { Database } from "../../store/database.ts";
import { type BatchStats, runBatches } from "../../store/write/batches.ts";
import { PoolWriter } from "../../store/write/openables.ts";
import { shippedWord } from "../catalog/shipped-catalog.ts";
import { poolCompletions } from "../pool-completions.ts";
import { type ImportParts, importing } from "../run-import.ts";
import { type DraftReport, draftPoolInBatches } from "./draft.ts";
import type { BlockKind } from "./pool-block.ts";
import { type PublishOutcome, type PublishParts, publishPoolInBatches } from "./publish.ts";
import { readPoolFiles } from "./read-files.ts";

/** Result of publishing drafted pools. `retired` lists the slugs of pools that stay retired. */
type BulkReport = { outcomes: PublishOutcome[]; retired: string[] };

/** Numbers of pools. `inForce` counts pools with a published revision. `blocked` counts drafts by the reason that blocks them. */
type PoolCounts = { pools: number; inForce: number; blocked: [reason: BlockKind, pools: number][] };

/** Publishes each drafted pool that passes its checks. Retired pools stay retired. */
export function* publishDraftedInBatches(
  database: Database,
  { drafted }: DraftReport,
  parts: PublishParts,
): Generator<BatchStats, BulkReport> {
  const stored = new PoolWriter(database).list();
  const retired = new Set(stored.filter(({ state }) => state === "retired").map(({ slug }) => slug));
  const slugs = drafted.map(({ slug }) => slug);
  const open = slugs.filter((slug) => !retired.has(slug));
  const outcomes = yield* publishPoolInBatches(database, open, parts);
  return { outcomes, retired: slugs.filter((slug) => retired.has(slug)) };
}

/** Counts blocked pools by reason. A pool counts once for each of its reasons. */
export function blockedByReason(outcomes: readonly PublishOutcome[]): PoolCounts["blocked"] {
  const blocked = outcomes.filter(({ outcome }) => outcome === "blocked");
  const kinds = blocked.flatMap(({ reasons }) => [...new Set(reasons.map(({ kind }) => kind))]);
  return Array.from(
    Map.groupBy(kinds, (kind) => kind),
    ([kind, same]) => [kind, same.length],
  );
}

/**
 * Drafts and publishes the containers of the shipped catalog. The file at `databasePath` must have that catalog.
 *
 * @throws {StoreRefusal} when the file cannot be used or another import is running.
 */
export async function publishShippedPools(databasePath: string, parts: ImportParts): Promise<PoolCounts> {
  const drafts = await readPoolFiles("cs2-lib", shippedWord, null, process.cwd());
  const completions = poolCompletions();
  const { outcomes } = await importing(databasePath, async (database) => {
    const draft = draftPoolInBatches(database, drafts, { ...parts, completions });
    const { value } = await runBatches(draft, parts.pause);
    return (await runBatches(publishDraftedInBatches(database, value, parts), parts.pause)).value;
  });
  const inForce = outcomes.filter(({ revisionId }) => revisionId !== null).length;
  return { pools: outcomes.length, inForce, blocked: blockedByReason(outcomes) };
}
