import type { Database } from "../../store/database.ts";
import { CatalogStore } from "../../store/read/catalog.ts";
import { FramesStore } from "../../store/read/frames.ts";
import { type BatchStats, inOneTransaction } from "../../store/write/batches.ts";
import { DataEvents } from "../../store/write/data-events.ts";
import { type FeedFacts, FeedWriter } from "../../store/write/feeds.ts";
import type { RefusedName } from "../../store/write/frames.ts";
import { QuoteLevels } from "../../store/write/quote-levels.ts";
import { type Progress, silent } from "../../values/progress.ts";
import { hourOf } from "../../values/time/calendar.ts";
import type { Clock } from "../../values/time/clock.ts";
import type { Book } from "../../wire/quotes.ts";
import { createFeedDerivedInBatches } from "../catalog/feed-derived.ts";
import { type FeedFile, refusedFile } from "../feed-file.ts";
import { believableSaveTime } from "../guards/body.ts";
import type { GuardFinding } from "../guards/findings.ts";
import { digestOf, logAccepted } from "../guards/log.ts";
import { type FeedAdapter, ownerOf, readFeed } from "./adapters.ts";
import type { BookMoves, FeedBefore } from "./compared-books.ts";
import { type GuardedFeed, type GuardOptions, guardFeed, itemName } from "./guards.ts";
import { type Joined, joinObservations, PlainCollector, type QuoteCollector } from "./join.ts";
import { recordTermsInBatches, type TermsConflict, termsConflictOf } from "./mapping-terms.ts";
import { ItemNames, itemLookup } from "./name-index.ts";
import type { ListedReading, Refusals } from "./observation.ts";
import { refuseForeignProviders } from "./publish.ts";
import type { RowSample } from "./row-sample.ts";

type Named = { name: string };

export type AcceptOptions = GuardOptions & {
  adapter: FeedAdapter;
  /** Additional checks of the caller. It throws `OperatorError` for an unexpected body. */
  demand?: (reading: ListedReading) => void;
};

/**
 * `names` is a name index; absent to build one for each body. `collect` creates the quote collector; absent to store quotes in memory.
 * `rows` collects a few sample prices.
 */
export type AcceptParts = {
  clock: Clock;
  names?: ItemNames;
  progress?: Progress;
  collect?: () => QuoteCollector;
  rows?: RowSample;
};

/** Figures of a body. `items` counts the quoted items. `feedDerivedItems` counts the items among them that only feeds name. */
export type FeedSummary = {
  body: string;
  feed: string;
  adapter: string;
  asks: number;
  bids: number;
  items: number;
  feedDerivedItems: number;
  /** Number of crossed books: the buy order is above the offer. They are stored. */
  crossed: number;
  /** Number of prices marked as absent. */
  absent: number;
  /** The save time of the previous body if it is newer than this one, UTC ms; else null. */
  olderThan: number | null;
  /** Findings of the guards. Broken guards were accepted. */
  guards: readonly GuardFinding[];
  /** Conflict of the mapping's terms with the operator's setting. Null without one. */
  termsConflict: TermsConflict | null;
  /** Numbers of new, changed and removed quotes. Null if the earlier prices are unknown. */
  moves: BodyMoves | null;
};

/** Numbers of new, changed and removed quotes, and the largest moves with item names. */
export type BodyMoves = Omit<BookMoves, "largest"> & { largest: readonly NamedMove[] };
export type NamedMove = BookMoves["largest"][number] & { name: string };

/** A body to accept: its bytes, or the result of reading them elsewhere. */
type FeedBody = FeedFile | { name: string; digest?: Buffer; reading: ListedReading };

/** A verified body. Every quote and every name in it is resolved to an item. */
export type AcceptedFeed = {
  facts: FeedFacts;
  items: ReadonlyMap<number, Book>;
  /** Items that the body names without a usable price. */
  itemsWithoutQuote: Set<number>;
  /** Names in the body that joined no item. Null if they are too many for a frame. */
  refusedNames: readonly RefusedName[] | null;
  /** The source's own save time, UTC ms. Null if the format has none. */
  savedAt: number | null;
  /** Time at which the source had this content, UTC ms. It is the save time of a dated body, else the time of acceptance. */
  takenAt: number;
  summary: FeedSummary;
  refusals: Refusals;
};

/** A body that was read, joined and validated but not written. */
type ValidatedFeed = {
  reading: ListedReading;
  joined: Joined;
  /** The source's own save time, UTC ms. Null if the format has none, or if an accepted time is in the future. */
  savedAt: number | null;
  guarded: GuardedFeed;
  summary: FeedSummary;
};

/**
 * Accepts a body. Reads, joins and validates it, then creates its feed-derived items and the feed rows that a frame refers to.
 * @throws {OperatorError} when the body is not trustworthy. Nothing is written.
 */
export function* acceptFeedInBatches(
  database: Database,
  body: FeedBody,
  options: AcceptOptions,
  parts: AcceptParts,
): Generator<BatchStats, AcceptedFeed> {
  const now = parts.clock.now();
  const { reading, joined, savedAt, guarded, summary } = validateFeed(database, body, options, parts);
  const feedDerived = joined.derived.map((variant, index) => ({ variant, index }));
  const take = (itemId: number, { index }: { index: number }) =>
    joined.items.append(itemId, joined.derivedQuotes.get(index)!);
  yield* createFeedDerivedInBatches(database, feedDerived, now, parts, take);
  if (!isKnownFeed(database, reading.facts)) yield introduceFeed(database, reading.facts, parts.clock);
  yield* recordTermsInBatches(database, options.adapter, parts.clock);
  // Later bodies are not compared with an outdated one.
  if (summary.olderThan === null) yield* recordGuardedInBatches(database, reading.facts.feed, guarded, parts.clock);
  const broken = summary.guards.filter(({ verdict }) => verdict === "broken");
  if (broken.length > 0) {
    const judged = { name: body.name, feed: reading.facts.feed, digest: digestOf(body), at: now };
    const { ingestedAt } = new FeedWriter(database).times(judged.feed);
    const log = () => logAccepted(new DataEvents(database), judged, broken, ingestedAt ?? 0);
    yield inOneTransaction(database, parts.clock, log);
  }
  const { facts, refusals } = reading;
  return {
    facts,
    items: joined.items,
    itemsWithoutQuote: joined.itemsWithoutQuote,
    refusedNames: joined.refusedNames,
    savedAt,
    takenAt: options.isDated === true && savedAt !== null ? Math.min(savedAt, now) : now,
    summary,
    refusals,
  };
}

/**
 * Reads, joins and validates a body. Writes nothing.
 * @throws {OperatorError} when the body is not trustworthy.
 */
export function validateFeed(
  database: Database,
  body: FeedBody,
  options: AcceptOptions,
  { clock, names = new ItemNames(), progress = silent, collect = () => new PlainCollector(), rows }: AcceptParts,
): ValidatedFeed {
  progress.phase("joining");
  const reading = "reading" in body ? body.reading : readFeed(options.adapter, body, clock.now());
  options.demand?.(reading);
  const lookup = itemLookup(database, names);
  rows?.addUnread(reading.refusals);
  const joined = joinObservations(reading.observations, reading.references, lookup, reading.refusals, {
    collect,
    rows,
  });
  const quoted = joined.items.size + joined.derivedQuotes.size;
  const store = new FeedWriter(database);
  refuseUnlessUsable(store, body, reading, quoted, options.adapter);
  const olderThan = newerSaveTime(store, reading, clock.now());
  const guarding = olderThan === null ? options : { before: frameBefore(database, reading), ...options };
  const guarded = guardFeed(database, body, { reading, joined, names }, clock.now(), guarding);
  const { findings, moves, crossed } = guarded;
  const catalog = new CatalogStore(database);
  const named = (move: BookMoves["largest"][number]) => ({ ...move, name: itemName(catalog, move.itemId) });
  const { facts, absent } = reading;
  const isAhead = findings.some(({ guard }) => guard === "future_time");
  const savedAt = isAhead ? null : reading.savedAt;
  const summary = {
    body: body.name,
    feed: facts.feed,
    adapter: facts.adapter,
    asks: joined.asks,
    bids: joined.bids,
    items: quoted,
    feedDerivedItems: joined.derived.length,
    crossed,
    absent,
    olderThan,
    guards: findings,
    termsConflict: termsConflictOf(database, options.adapter),
    moves: moves === null ? null : { ...moves, largest: moves.largest.map(named) },
  };
  return { reading, joined, savedAt, guarded, summary };
}

/** Returns the save time of the published body if it is newer than this one, UTC ms; else null. */
function newerSaveTime(feeds: FeedWriter, { facts, savedAt }: ListedReading, now: number): number | null {
  // A feed with dropped quotes has no published body.
  if (feeds.itemCount(facts.feed) === 0) return null;
  const before = believableSaveTime(feeds.times(facts.feed).savedAt, now);
  return savedAt !== null && before !== null && savedAt < before ? before : null;
}

/** Returns the reference for guards of a body older than the published one: the item count of the preceding frame. */
function frameBefore(database: Database, { facts, savedAt }: ListedReading): FeedBefore {
  return { items: null, itemCount: new FramesStore(database).itemsBefore(facts.feed, hourOf(savedAt!)) };
}

function refuseUnlessUsable(
  store: FeedWriter,
  body: Named,
  { facts, refusals }: ListedReading,
  quoted: number,
  adapter: FeedAdapter,
): void {
  if (quoted === 0) {
    const list = refusals.list();
    const why = list.map(({ reason, count }) => `${count} ${reason}`).join(", ") || "it has none";
    const [example] = list.flatMap(({ examples }) => examples);
    const such = example === undefined ? "" : `, such as ${example}`;
    throw refusedFile(body.name, `no price matches an item of the catalog (${why}${such})`);
  }
  refuseReservedProviders(body, facts, adapter);
  refuseForeignProviders(store, facts, (why) => refusedFile(body.name, why));
}

/** Rejects providers that are reserved for an adapter: a provider permanently belongs to the first feed that names it. */
function refuseReservedProviders(body: Named, { providers: covered }: FeedFacts, adapter: FeedAdapter): void {
  for (const { provider } of covered) {
    const owner = ownerOf(provider);
    if (owner === null || owner === adapter) continue;
    throw refusedFile(
      body.name,
      `it covers the provider ${provider}, which belongs to the adapter ${owner}; give the provider another name`,
    );
  }
}

function isKnownFeed(database: Database, { feed, providers: covered }: FeedFacts): boolean {
  const known = new Set(new FeedWriter(database).providersOf(feed));
  return covered.every(({ provider }) => known.has(provider));
}

/** Records the figures of an accepted body for comparison with later bodies. */
function* recordGuardedInBatches(
  database: Database,
  feed: string,
  { joinedPpm, levels, unconfirmedUntil }: GuardedFeed,
  clock: Clock,
): Generator<BatchStats> {
  const feeds = new FeedWriter(database);
  yield inOneTransaction(database, clock, () => {
    if (joinedPpm !== null && joinedPpm !== feeds.joinedPpm(feed)) feeds.recordJoined(feed, joinedPpm);
    if (unconfirmedUntil !== undefined) feeds.recordUnconfirmed(feed, unconfirmedUntil);
    if (levels !== null) new QuoteLevels(database).record(levels.hour, levels.sides, levels.restarted);
  });
}

/** Adds the rows of a feed, because a frame that refers to them may be recorded before the first publication. */
function introduceFeed(database: Database, facts: FeedFacts, clock: Clock): BatchStats {
  const feeds = new FeedWriter(database);
  return inOneTransaction(database, clock, () => feeds.introduce(facts), 1 + facts.providers.length);
}
