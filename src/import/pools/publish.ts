import type { Database } from "../../store/database.ts";
import { type BatchStats, inShortTransactions, runAtOnce } from "../../store/write/batches.ts";
import { type Progress, silent } from "../../values/progress.ts";
import type { Clock } from "../../values/time/clock.ts";
import { PoolPublisher, type Publication } from "./pool-publisher.ts";

/**
 * Result of publishing one pool. `published` means a new revision, `reactivated` a retired pool with its last revision. `unchanged` means
 * that the revision in force is equal. `blocked` means no change, for the given reasons.
 */
export type PublishOutcome = Omit<Publication, "rows" | "write" | "basis">;

export type PublishParts = { clock: Clock; progress?: Progress };

/**
 * Publishes pools: a draft, resolved with the current catalog, becomes the revision in force. Each pool is published completely or not at
 * all. A pool without a draft is resolved again, because the catalog may have grown.
 *
 * @throws {OperatorError} when a slug has no pool. Nothing is written.
 */
export function* publishPoolInBatches(
  database: Database,
  slugs: readonly string[],
  { clock, progress = silent }: PublishParts,
): Generator<BatchStats, PublishOutcome[]> {
  const publisher = new PoolPublisher(database, clock);
  for (const slug of slugs) publisher.requireKnown(slug);
  progress.phase("resolving pools", slugs.length);
  const publications = slugs.map((slug) => {
    const publication = publisher.plan(slug);
    progress.advance(1);
    return publication;
  });
  const outcomes = new Map(publications.map((publication) => [publication.slug, outcomeOf(publication)]));
  const changesOf = (planned: readonly Publication[]) => planned.filter(({ write }) => write !== null);
  let changes = changesOf(publications);
  do {
    progress.phase("publishing pools", changes.length);
    const stale: string[] = [];
    const publish = (publication: Publication) => {
      if (publisher.isStale(publication)) stale.push(publication.slug);
      else publication.write?.();
    };
    for (const batch of inShortTransactions(database, clock, changes, publish, ({ rows }) => rows * rowBytes)) {
      progress.advance(batch.rows);
      yield batch;
    }
    // Plans again outside the lock, because resolving a pool is too slow for waiting writers.
    const again = stale.map((slug) => publisher.plan(slug));
    for (const publication of again) outcomes.set(publication.slug, outcomeOf(publication));
    changes = changesOf(again);
  } while (changes.length > 0);
  return [...outcomes.values()];
}

/**
 * Publishes one pool without pauses.
 *
 * @throws {OperatorError} when the pool does not exist.
 */
export function publishPool(database: Database, slug: string, parts: PublishParts): PublishOutcome {
  return runAtOnce(publishPoolInBatches(database, [slug], parts))[0]!;
}

/** Approximate bytes that a transaction flushes for an outcome with its index entry. */
const rowBytes = 200;

function outcomeOf({ rows: _rows, write: _write, basis: _basis, ...outcome }: Publication): PublishOutcome {
  return outcome;
}
