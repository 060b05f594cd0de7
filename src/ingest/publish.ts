import { type Database, writeTransaction } from "../store/database.ts";
import { type Totals, totalsOf } from "../store/generation-totals.ts";
import type { Clock } from "../values/clock.ts";
import { exitCodes, OperatorError } from "../values/operator-error.ts";
import type { FeedFacts } from "./feeds/observation.ts";
import { type CurrentGeneration, GenerationRows, type ProviderSides } from "./generation-rows.ts";
import { type ItemQuotes, type Merged, mergeQuotes } from "./merge-quotes.ts";
import { type Progress, silent } from "./progress.ts";
import { type Held, inShortTransactions } from "./short-transactions.ts";

/** What a feed offers now, by item id: all of it, since what is absent here has no quote any more. */
export type FeedQuotes = { facts: FeedFacts; items: ReadonlyMap<number, ItemQuotes> };

export type Published = Totals & {
  /** `verified`: the published generation already said exactly this, so that only the time of the check moved. */
  outcome: "published" | "verified";
  generationId: number;
  /** Items of this feed in the generation, and those left out because their record would exceed 256 KiB. */
  feedItems: number;
  tooLarge: readonly number[];
};

export type PublishParts = { clock: Clock; progress?: Progress };

/**
 * Publishes a feed's quotes together with the other feeds' as a new generation. Each step ends with a yield, where the
 * writer's lock is free; a crash at any point leaves the published generation whole. The caller holds the import lock.
 */
export function* publishSteps(database: Database, feed: FeedQuotes, parts: PublishParts): Generator<Held, Published> {
  const { clock, progress = silent } = parts;
  const store = new GenerationRows(database);
  refuseForeignProviders(store, feed.facts);
  const current = store.current();
  yield* removeStrays(database, store, current, parts);
  const owned = new Set([
    ...store.providersOf(feed.facts.feed),
    ...feed.facts.providers.map(({ provider }) => provider),
  ]);
  const before = current === null ? [] : store.rows(current.generationId);
  const merged = mergeQuotes(before, current?.ingestedAt ?? null, feed.items, owned);
  const totals = totalsOf(merged.rows);
  const sides = sidesOf(feed);
  const { feedItems, tooLarge } = merged;
  if (current !== null && !merged.changed) {
    yield once(database, clock, () => store.recordFeed(feed.facts, sides, { checkedAt: clock.now() }));
    return { outcome: "verified", generationId: current.generationId, feedItems, tooLarge, ...totals };
  }
  const generationId = yield* stage(database, store, merged, totals, parts);
  progress.phase("publishing");
  yield once(database, clock, () => {
    if (store.current()?.generationId !== current?.generationId) {
      throw new OperatorError("another generation was published meanwhile; import the file again", exitCodes.temporary);
    }
    const at = clock.now();
    store.publish(generationId, totals, at);
    store.recordFeed(feed.facts, sides, { checkedAt: at, ingestedAt: at, itemCount: feedItems });
  });
  yield* removeStrays(database, store, { generationId, ingestedAt: 0 }, parts);
  return { outcome: "published", generationId, feedItems, tooLarge, ...totals };
}

/** Throws `OperatorError` when a provider of the feed belongs to another one. */
export function refuseForeignProviders(store: GenerationRows, facts: FeedFacts): void {
  const slugs = facts.providers.map(({ provider }) => provider);
  const foreign = store.ownersOf(slugs).find(({ feed }) => feed !== facts.feed);
  if (foreign === undefined) return;
  throw new OperatorError(
    `feed ${facts.feed}: the provider ${foreign.provider} belongs to the feed ${foreign.feed}; a provider belongs to one feed`,
  );
}

function* stage(
  database: Database,
  store: GenerationRows,
  merged: Merged,
  totals: Totals,
  { clock, progress = silent }: PublishParts,
): Generator<Held, number> {
  let generationId = 0;
  yield once(database, clock, () => {
    generationId = store.startStaging(clock.now());
  });
  progress.phase("staging", merged.rows.length);
  for (const held of inShortTransactions(database, clock, merged.rows, (row) => store.stage(generationId, row))) {
    progress.advance(held.rows);
    yield held;
  }
  if (!totalsOf(store.rows(generationId)).digest.equals(totals.digest)) {
    throw new OperatorError(
      "what was staged does not read back as it was written; check the disk",
      exitCodes.unexpected,
    );
  }
  return generationId;
}

/** Removes the quotes of superseded generations and of imports that did not end. */
function* removeStrays(
  database: Database,
  store: GenerationRows,
  current: CurrentGeneration | null,
  { clock, progress = silent }: PublishParts,
): Generator<Held> {
  for (;;) {
    const keys = store.strayKeys(current?.generationId ?? null);
    if (keys.length === 0) break;
    progress.phase("removing superseded quotes", keys.length);
    for (const held of inShortTransactions(database, clock, keys, (key) => store.removeQuotes(key))) {
      progress.advance(held.rows);
      yield held;
    }
  }
  yield once(database, clock, () => store.removeStaging());
}

function once(database: Database, clock: Clock, work: () => void): Held {
  let startedMs = 0;
  writeTransaction(database, () => {
    startedMs = clock.monotonicMs();
    work();
  });
  return { rows: 1, heldMs: clock.monotonicMs() - startedMs };
}

function sidesOf({ facts, items }: FeedQuotes): ProviderSides[] {
  const asking = new Set<string>();
  const bidding = new Set<string>();
  for (const { asks, bids } of items.values()) {
    for (const { provider } of asks) asking.add(provider);
    for (const { provider } of bids) bidding.add(provider);
  }
  return facts.providers.map((facts) => ({
    ...facts,
    hasAsks: asking.has(facts.provider),
    hasBids: bidding.has(facts.provider),
  }));
}
