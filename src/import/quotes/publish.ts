import type { Database } from "../../store/database.ts";
import { exportedItems } from "../../store/read/catalog.ts";
import { type CurrentGeneration, type Totals, TotalsCount, totalsOf } from "../../store/read/generations.ts";
import { type BatchStats, inOneTransaction, inShortTransactions } from "../../store/write/batches.ts";
import { ExportPageWriter, type OrphanPage, sealExportInBatches } from "../../store/write/export-pages.ts";
import { ExportStateWriter, stateOfPublication } from "../../store/write/export-states.ts";
import { type FeedFacts, type FeedTimes, FeedWriter, type ProviderSides } from "../../store/write/feeds.ts";
import { GenerationWriter, type OrphanKey, type QuoteRow } from "../../store/write/generations.ts";
import { exitCodes, OperatorError } from "../../values/failure/operator-error.ts";
import { type Progress, silent } from "../../values/progress.ts";
import type { Clock } from "../../values/time/clock.ts";
import { type ItemQuotes, MergedQuotes, type QuotesByItem } from "./merge-quotes.ts";

/** All quotes of a feed by item id: what is absent here has no quote any more. */
export type FeedQuotes = {
  facts: FeedFacts;
  items: ReadonlyMap<number, ItemQuotes>;
  /** Last verification of the source, UTC ms; left out: the publication. */
  checkedAt?: number;
  /** The source's save time of this, UTC ms; null: its shape has none. Left out: the stored one stays. */
  savedAt?: number | null;
};

export type Published = Totals & {
  /** `verified`: the published generation has exactly these quotes already, so that only the time of the check moved. */
  outcome: "published" | "verified";
  generationId: number;
  /** Items of the fresh feeds in the generation, and those left out because their record would exceed 256 KiB. */
  feedItems: number;
  tooLarge: readonly number[];
};

/**
 * Publishes the quotes of `fresh` feeds together with the other feeds' as one new generation. Each step ends with a yield, where
 * the writer's lock is free; a crash at any point leaves the published generation whole. The caller holds the import lock.
 */
export function* publishInBatches(
  database: Database,
  fresh: readonly FeedQuotes[],
  parts: PublishParts,
): Generator<BatchStats, Published> {
  const { clock } = parts;
  const store = new GenerationWriter(database);
  const feeds = new FeedWriter(database);
  for (const { facts } of fresh) refuseForeignProviders(feeds, facts);
  const current = store.current();
  yield* removeOrphansInBatches(database, store, current?.generationId ?? null, parts);
  const merged = mergeInto(feeds, store, current, fresh);
  const exported = exportedItems(database);
  const known = totalsOf(merged.rowsUntilChanged(), exported);
  const isVerified = current?.hasExportDigest === true && !merged.isChanged;
  const records = fresh.map((feed) => ({
    ...feed,
    before: feeds.times(feed.facts.feed),
    sides: sidesOf(feed.facts, feed.items),
  }));
  const recordFeeds = (at: number, isPublished: boolean) => {
    for (const { facts, before, sides, items, checkedAt = at, savedAt } of records) {
      const heard = heardTimes(before, savedAt, checkedAt, isPublished);
      // What was verified later stays so when an older file has the same quotes.
      const verifiedAt = Math.max(before.checkedAt ?? checkedAt, checkedAt);
      const itemCount = items.size - merged.tooLarge.filter((itemId) => items.has(itemId)).length;
      const state = isPublished ? { checkedAt, ingestedAt: at, itemCount } : { checkedAt: verifiedAt };
      feeds.record(facts, sides, { ...state, ...heard });
    }
  };
  if (isVerified) {
    yield inOneTransaction(database, clock, () => recordFeeds(clock.now(), false));
    // An older release has published it, or an import of the catalog was broken off.
    yield* sealExportInBatches(database, current.generationId, clock);
    const { feedItems, tooLarge } = merged;
    return { outcome: "verified", generationId: current.generationId, feedItems, tooLarge, ...known };
  }
  const itemsAbout = fresh.reduce((most, { items }) => Math.max(most, items.size), 0);
  const activation = { rows: merged.rows(), exported, alongside: (at: number) => recordFeeds(at, true), itemsAbout };
  const activated = yield* activateGenerationInBatches(database, store, current, activation, parts);
  const { feedItems, tooLarge } = merged;
  return { outcome: "published", feedItems, tooLarge, ...activated };
}

/** Returns whether the published generation has exactly the quotes of the feed. Writes nothing. */
export function isPublished(database: Database, feed: FeedQuotes): boolean {
  const store = new GenerationWriter(database);
  const feeds = new FeedWriter(database);
  const current = store.current();
  if (current === null) return false;
  const merged = mergeInto(feeds, store, current, [feed]);
  for (const _ of merged.rowsUntilChanged());
  return !merged.isChanged;
}

/**
 * Refuses a feed that covers a provider of another one. `refusal` makes the error.
 * @throws {OperatorError} when a provider of the feed belongs to another feed.
 */
export function refuseForeignProviders(
  feeds: FeedWriter,
  facts: FeedFacts,
  refusal = (why: string) => new OperatorError(why),
): void {
  const slugs = facts.providers.map(({ provider }) => provider);
  for (const [provider, feed] of feeds.ownersOf(slugs)) {
    if (feed === facts.feed) continue;
    throw refusal(
      `feed ${facts.feed}: the provider ${provider} belongs to the feed ${feed}; a provider belongs to one feed`,
    );
  }
}

function mergeInto(
  feeds: FeedWriter,
  store: GenerationWriter,
  current: CurrentGeneration | null,
  fresh: readonly FeedQuotes[],
): MergedQuotes {
  const owned = fresh.flatMap(({ facts }) => [
    ...feeds.providersOf(facts.feed),
    ...facts.providers.map(({ provider }) => provider),
  ]);
  return new MergedQuotes({
    published: () => (current === null ? [] : store.rows(current.generationId)),
    publishedAt: current?.ingestedAt ?? null,
    fresh: quotesOf(fresh),
    providers: new Set(owned),
  });
}

/** Returns the times that a verification sets. A source with save times has news when the time is later; another one, when its quotes were published. */
function heardTimes(
  before: FeedTimes,
  savedAt: number | null | undefined,
  checkedAt: number,
  isPublished: boolean,
): Partial<FeedTimes> {
  if (savedAt === undefined) return {};
  const isNews = savedAt === null ? isPublished : before.savedAt === null || savedAt > before.savedAt;
  return {
    ...(savedAt === null ? {} : { savedAt }),
    ...(isNews || before.changedAt === null ? { changedAt: checkedAt } : {}),
  };
}

/** Merges the quotes of several feeds by item, when they are asked for. */
function quotesOf(feeds: readonly FeedQuotes[]): QuotesByItem {
  return {
    keys: () => new Set(feeds.flatMap(({ items }) => [...items.keys()])).values(),
    get(itemId) {
      const found = feeds.flatMap(({ items }) => items.get(itemId) ?? []);
      if (found.length <= 1) return found[0];
      return { asks: found.flatMap(({ asks }) => asks), bids: found.flatMap(({ bids }) => bids) };
    },
  };
}

function sidesOf(facts: FeedFacts, items: FeedQuotes["items"]): ProviderSides[] {
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

export type PublishParts = { clock: Clock; progress?: Progress };

/**
 * A generation to publish, whose rows are gone over once. `exported`: the items that are in the catalog once `alongside` has run: it is
 * part of the transaction that makes the generation the published one.
 */
type Activation = {
  rows: Iterable<QuoteRow>;
  exported: ReadonlySet<number>;
  /** The items that `alongside` lets enter or leave the catalog: where there are any, the caller seals the export afterwards. */
  moved?: readonly number[];
  alongside: (at: number) => void;
  /** Number of items that the rows are of at least; left out: about those of the published generation. */
  itemsAbout?: number;
};

type Activated = Totals & { generationId: number };

/**
 * Stages the rows and seals their export, publishes them in place of `current` and removes what is superseded. Returns the new generation. A crash at
 * any point leaves the published generation whole.
 */
export function* activateGenerationInBatches(
  database: Database,
  store: GenerationWriter,
  current: CurrentGeneration | null,
  activation: Activation,
  parts: PublishParts,
): Generator<BatchStats, Activated> {
  const { clock, progress = silent } = parts;
  const itemsAbout = Math.max(current?.items ?? 0, activation.itemsAbout ?? 0);
  const { generationId, ...totals } = yield* stage(database, store, { ...activation, itemsAbout }, parts);
  progress.phase("publishing");
  const { moved = [] } = activation;
  if (moved.length === 0) yield* sealExportInBatches(database, generationId, clock);
  const between = { before: current?.generationId ?? null, after: generationId };
  const { identity, changed } = stateOfPublication(database, between, moved);
  const states = new ExportStateWriter(database);
  yield inOneTransaction(database, clock, () => {
    if (store.current()?.generationId !== current?.generationId) {
      throw new OperatorError("another generation was published meanwhile; import the file again", exitCodes.temporary);
    }
    const at = clock.now();
    store.activate(generationId, totals, at);
    activation.alongside(at);
    states.append(identity, changed, at);
  });
  yield* removeOrphansInBatches(database, store, generationId, parts);
  return { generationId, ...totals };
}

function* stage(
  database: Database,
  store: GenerationWriter,
  { rows, exported, itemsAbout }: Activation,
  { clock, progress = silent }: PublishParts,
): Generator<BatchStats, Activated> {
  let generationId = 0;
  yield inOneTransaction(database, clock, () => {
    generationId = store.startStaging(clock.now());
  });
  progress.phase("staging", itemsAbout);
  const count = new TotalsCount(exported);
  const write = (row: QuoteRow) => store.stage(generationId, row);
  for (const batch of inShortTransactions(database, clock, count.watch(rows), write, bytesOf)) {
    progress.advance(batch.rows);
    yield batch;
  }
  const totals = count.end();
  const staged = totalsOf(store.rows(generationId), exported);
  if (!staged.digest.equals(totals.digest) || !staged.delistedDigest.equals(totals.delistedDigest)) {
    throw new OperatorError(
      "what was staged does not read back as it was written; check the disk",
      exitCodes.unexpected,
    );
  }
  return { generationId, ...totals };
}

/** Removes the quotes and sealed pages of superseded generations and of imports that did not end. */
export function* removeOrphansInBatches(
  database: Database,
  store: GenerationWriter,
  currentId: number | null,
  { clock, progress = silent }: PublishParts,
): Generator<BatchStats> {
  for (;;) {
    const keys = store.orphanKeys(currentId);
    if (keys.length === 0) break;
    progress.phase("removing superseded quotes", keys.length);
    const remove = (key: OrphanKey) => store.removeQuotes(key);
    for (const batch of inShortTransactions(database, clock, keys, remove, ({ bytes }) => bytes)) {
      progress.advance(batch.rows);
      yield batch;
    }
  }
  const writer = new ExportPageWriter(database);
  const pages = writer.orphans(currentId);
  const remove = (page: OrphanPage) => writer.remove(page);
  yield* inShortTransactions(database, clock, pages, remove, ({ bytes }) => bytes);
  yield inOneTransaction(database, clock, () => store.removeStaging());
}

function bytesOf({ quotes, observed }: QuoteRow): number {
  return quotes.length + (observed?.length ?? 0);
}
