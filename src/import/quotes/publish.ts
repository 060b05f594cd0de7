import type { Database } from "../../store/database.ts";
import type { Totals } from "../../store/read/market-count.ts";
import { type BatchStats, inOneTransaction, inWrittenBackTransaction } from "../../store/write/batches.ts";
import { ExportStateWriter } from "../../store/write/export-states.ts";
import { type FeedFacts, type FeedTimes, FeedWriter, type ProviderSides } from "../../store/write/feeds.ts";
import { GenerationWriter } from "../../store/write/generations.ts";
import { QuoteWriter } from "../../store/write/quotes.ts";
import { exitCodes, OperatorError } from "../../values/failure/operator-error.ts";
import { lowestAsk } from "../../values/price-source.ts";
import { type Progress, silent } from "../../values/progress.ts";
import { hourOf } from "../../values/time/calendar.ts";
import type { Clock } from "../../values/time/clock.ts";
import type { Book } from "../../wire/quotes.ts";
import { isConfirmed } from "../guards/first-body.ts";
import { type ComparedMarket, compareAtMost, type FreshQuotes, isPublishedAlready } from "./compare-market.ts";

/** All quotes of a feed by item id. Items without an entry lose their quotes. */
export type FeedQuotes = {
  facts: FeedFacts;
  items: ReadonlyMap<number, Book>;
  /** Last verification of the source, UTC ms. Absent for the time of publication. */
  checkedAt?: number;
  /** The source's save time of these quotes, UTC ms. Null if the format has none. If absent, the stored time stays. */
  savedAt?: number | null;
};

export type Published = Totals & {
  /** `verified` means that the published generation already has exactly these quotes, so only the check time changed. */
  outcome: "published" | "verified";
  generationId: number;
  /** Items without the quotes of a fresh feed, because their record would exceed 256 KiB. */
  tooLarge: readonly number[];
};

/** Maximum changed rows of feeds published together. With more, each feed is published separately, to keep transactions short. */
const rowsTogetherMax = 30_000;

/**
 * Publishes the quotes of `fresh` feeds, together with the quotes of all other feeds, as one new generation. One transaction writes it, so
 * a crash leaves either the published generation or the new one. Feeds with very many changes are published one after another. The caller
 * holds the import lock.
 */
export function* publishInBatches(
  database: Database,
  fresh: readonly FeedQuotes[],
  parts: PublishParts,
): Generator<BatchStats, Published> {
  const { clock, progress = silent } = parts;
  const feeds = new FeedWriter(database);
  for (const { facts } of fresh) refuseForeignProviders(feeds, facts);
  progress.phase("comparing");
  const rowsMax = fresh.length > 1 ? rowsTogetherMax : Number.POSITIVE_INFINITY;
  const compared = compareAtMost(
    database,
    fresh.map((feed) => freshOf(feeds, feed)),
    { rowsMax },
  );
  if (compared === null) {
    let last: Published | undefined;
    for (const feed of fresh) last = added(last, yield* publishInBatches(database, [feed], parts));
    return last!;
  }
  const { changes, totals } = compared;
  const records = fresh.map((feed, index) => ({
    ...feed,
    itemCount: feed.items.size - changes.tooLarge[index]!.length,
    before: feeds.times(feed.facts.feed),
    sides: sidesOf(feed.facts, feed.items),
  }));
  const recordFeeds = (at: number, isPublished: boolean) => {
    for (const { facts, before, sides, itemCount, checkedAt = at, savedAt } of records) {
      const heard = heardTimes(before, savedAt, checkedAt, isPublished);
      // A later verification stays if an older file has the same quotes.
      const verifiedAt = Math.max(before.checkedAt ?? checkedAt, checkedAt);
      const state = isPublished ? { checkedAt, ingestedAt: at, itemCount } : { checkedAt: verifiedAt };
      feeds.record(facts, sides, { ...state, ...heard });
    }
  };
  const tooLarge = [...new Set(changes.tooLarge.flat())];
  const { generationId } = new GenerationWriter(database).current() ?? {};
  if (generationId !== undefined && !compared.isChanged) {
    yield inOneTransaction(database, clock, () => recordFeeds(clock.now(), false));
    return { outcome: "verified", generationId, tooLarge, ...totals };
  }
  const since = new Map(fresh.flatMap((feed) => firstSeen(feed)));
  const alongside = (at: number) => recordFeeds(at, true);
  const published = yield* publishCompared(database, compared, { since, alongside }, parts);
  // Feeds without a comparison are rechecked once an hour, not after each publication.
  const hour = hourOf(clock.now());
  const isDue = records.some(({ before }) => before.ingestedAt === null || hourOf(before.ingestedAt) < hour);
  if (isDue) yield* confirmInBatches(database, clock);
  return { outcome: "published", generationId: published, tooLarge, ...totals };
}

/** Marks feeds as confirmed if other sources now agree, or after seven days. */
function* confirmInBatches(database: Database, clock: Clock): Generator<BatchStats> {
  const feeds = new FeedWriter(database);
  const now = clock.now();
  const confirmed = feeds.unconfirmed().filter(({ feed, until }) => until <= now || isConfirmed(database, feed, now));
  if (confirmed.length === 0) return;
  yield inOneTransaction(database, clock, () => {
    for (const { feed } of confirmed) feeds.recordUnconfirmed(feed, null);
  });
}

/** Returns the combined result of two publications. */
function added(before: Published | undefined, last: Published): Published {
  if (before === undefined) return last;
  return {
    ...last,
    outcome: before.outcome === "published" ? "published" : last.outcome,
    tooLarge: [...before.tooLarge, ...last.tooLarge],
  };
}

/** Returns the first-seen time of new offers in a feed's quotes, by provider. Empty if it is the time of publication. */
function firstSeen({ facts, checkedAt, savedAt }: FeedQuotes): [provider: string, at: number][] {
  const at = savedAt ?? checkedAt;
  return at === undefined ? [] : facts.providers.map(({ provider }) => [provider, at]);
}

/** Returns whether the published generation has exactly the quotes of the feed. Writes nothing. */
export function isPublished(database: Database, feed: FeedQuotes): boolean {
  if (new GenerationWriter(database).current() === null) return false;
  return isPublishedAlready(database, freshOf(new FeedWriter(database), feed));
}

/**
 * Rejects a feed that covers a provider of another feed, or a provider with a reserved slug. `refusal` creates the error.
 * @throws {OperatorError} when a provider belongs to another feed, or its slug is reserved.
 */
export function refuseForeignProviders(
  feeds: FeedWriter,
  facts: FeedFacts,
  refusal = (why: string) => new OperatorError(why),
): void {
  const slugs = facts.providers.map(({ provider }) => provider);
  if (slugs.includes(lowestAsk))
    throw refusal(`feed ${facts.feed}: \`${lowestAsk}\` is a reserved word; give the provider another slug`);
  for (const [provider, feed] of feeds.ownersOf(slugs)) {
    if (feed === facts.feed) continue;
    throw refusal(
      `feed ${facts.feed}: the provider ${provider} belongs to the feed ${feed}; a provider belongs to one feed`,
    );
  }
}

/** Returns the quotes of a feed with all its providers, including providers that it no longer covers. */
function freshOf(feeds: FeedWriter, { facts, items }: FeedQuotes): FreshQuotes {
  const covered = facts.providers.map(({ provider }) => provider);
  return { quotes: items, providers: new Set([...feeds.providersOf(facts.feed), ...covered]) };
}

/**
 * Returns the times that a verification sets. Content of a source with save times is new if its time is later. For other sources it is new
 * if its quotes were published.
 */
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

/** `since` is the first-seen time of new offers by provider, UTC ms. `alongside` runs in the publication's transaction at `at` (UTC ms). */
type Publication = { since?: ReadonlyMap<string, number>; alongside: (at: number) => void };

/**
 * Publishes a comparison in one transaction, then checkpoints the log. Returns the id of the new generation.
 * @throws {OperatorError} when another generation was published since the comparison.
 */
export function* publishCompared(
  database: Database,
  compared: ComparedMarket,
  { since = new Map(), alongside }: Publication,
  { clock, progress = silent }: PublishParts,
): Generator<BatchStats, number> {
  const generations = new GenerationWriter(database);
  const states = new ExportStateWriter(database);
  const quotes = new QuoteWriter(database);
  const { totals, items, changes, bestAsks } = compared;
  const before = generations.currentId();
  progress.phase("publishing");
  let generationId = 0;
  const publish = () => {
    if (generations.currentId() !== before)
      throw new OperatorError("another generation was published meanwhile; import the file again", exitCodes.temporary);
    const at = clock.now();
    alongside(at);
    const checksum = quotes.write({ changes, bestAsks, since, at }, generations.timesChecksum());
    generationId = generations.publish(totalsOf(totals), checksum, at);
    const { identityDigest, exportBytes } = totals;
    const changed = before === null ? [] : items;
    states.append({ generationId, exportBytes, digest: () => identityDigest }, changed, at);
  };
  yield inWrittenBackTransaction(database, clock, publish, changes.rows.length);
  return generationId;
}

function totalsOf({ items, bytes, digest, delistedDigest, quotes }: Totals): Totals {
  return { items, bytes, digest, delistedDigest, quotes };
}
