import { CatalogStore } from "../../store/catalog.ts";
import type { Database } from "../../store/database.ts";
import { MarketStateStore } from "../../store/market-state.ts";
import { type BatchStats, inOneTransaction } from "../../store/write/batches.ts";
import { type FeedFacts, FeedWriter } from "../../store/write/feeds.ts";
import type { Clock } from "../../values/clock.ts";
import { OperatorError } from "../../values/operator-error.ts";
import { type Progress, silent } from "../../values/progress.ts";
import type { CatalogVariant } from "../catalog/variants.ts";
import { type FeedFile, refusedFile } from "../feed-file.ts";
import { type AdapterName, ownerOf, readFeed } from "./adapters.ts";
import { countCrossed, type ItemLookup, type Joined, joinObservations } from "./join.ts";
import type { ItemQuotes } from "./merge-quotes.ts";
import type { FeedReading, Refusals } from "./observation.ts";
import { refuseForeignProviders } from "./publish.ts";

const feedDerivedBatchRows = 32;

/** What an import asks of the catalog: the item of a name, and new items for the variants that a body proves. */
export type ImportCatalog = {
  names(database: Database): Pick<ItemLookup, "resolve">;
  /** Makes the items in one short transaction; ids by identity key. */
  createFeedDerived(database: Database, variants: readonly CatalogVariant[], at: number): ReadonlyMap<string, number>;
};

export type AcceptOptions = {
  adapter: AdapterName;
  /** Takes a body although it lost more than half of the feed's items. */
  acceptShrink?: boolean;
  /** What the shrink guard compares with; left out: the items that the feed's last published body quoted. Null: nothing. */
  itemsBefore?: number | null;
  /** What the caller demands of a body beyond its shape. Throws `OperatorError` for one that is not what was asked for. */
  demand?: (reading: FeedReading) => void;
};

export type AcceptParts = { clock: Clock; catalog: ImportCatalog; progress?: Progress };

/** What a body said, in numbers. `items` are those that it quotes, `feedDerivedItems` those among them that it proved to exist. */
export type FeedSummary = {
  body: string;
  feed: string;
  adapter: string;
  asks: number;
  bids: number;
  items: number;
  feedDerivedItems: number;
  /** Books whose buy order is above the offer; they are kept. */
  crossed: number;
  /** Prices that the body states not to exist. */
  absent: number;
  /** The save time of the body before, when this one says that it is older; else null. */
  olderThan: number | null;
};

/** A verified body: every quote and every name in it has its item. */
export type AcceptedFeed = {
  facts: FeedFacts;
  items: Map<number, ItemQuotes>;
  /** Items that the body names without a usable price. */
  itemsWithoutQuote: Set<number>;
  /** The source's own save time; null where the shape tells none. */
  savedAt: number | null;
  takenAt: number;
  summary: FeedSummary;
  refusals: Refusals;
};

/** A body that was read and judged, and of which nothing is written yet. */
export type ValidatedFeed = { reading: FeedReading; joined: Joined; summary: FeedSummary };

/**
 * Takes in a body: reads, joins and judges it, makes the items that it proves and the feed's rows that a frame refers to.
 * Throws `OperatorError` for a body that is not to be trusted, before anything is written.
 */
export function* acceptFeedInBatches(
  database: Database,
  body: FeedFile,
  options: AcceptOptions,
  parts: AcceptParts,
): Generator<BatchStats, AcceptedFeed> {
  const takenAt = parts.clock.now();
  const { reading, joined, summary } = validateFeed(database, body, options, parts);
  const feedDerived = [...joined.feedDerivable.values()];
  const take = (itemId: number, { quotes }: { quotes: ItemQuotes }) => void joined.items.set(itemId, quotes);
  yield* createFeedDerivedInBatches(database, feedDerived, takenAt, parts, take);
  if (!isKnownFeed(database, reading.facts)) yield introduceFeed(database, reading.facts, parts.clock);
  const { facts, refusals, savedAt } = reading;
  return {
    facts,
    items: joined.items,
    itemsWithoutQuote: joined.itemsWithoutQuote,
    savedAt,
    takenAt,
    summary,
    refusals,
  };
}

/** Reads, joins and judges a body. Writes nothing. Throws `OperatorError`. */
export function validateFeed(
  database: Database,
  body: FeedFile,
  options: AcceptOptions,
  { clock, catalog, progress = silent }: AcceptParts,
): ValidatedFeed {
  progress.phase("joining");
  const reading = readFeed(options.adapter, body, clock.now());
  options.demand?.(reading);
  const lookup = itemLookup(database, catalog.names(database));
  const joined = joinObservations(reading.observations, reading.references, lookup, reading.refusals);
  const books = [...joined.items.values(), ...Array.from(joined.feedDerivable.values(), ({ quotes }) => quotes)];
  const store = new FeedWriter(database);
  refuseUnlessUsable(store, body, reading, books.length, options);
  const { facts, absent, savedAt } = reading;
  const before = store.times(facts.feed).savedAt;
  const summary = {
    body: body.name,
    feed: facts.feed,
    adapter: facts.adapter,
    asks: joined.asks,
    bids: joined.bids,
    items: books.length,
    feedDerivedItems: joined.feedDerivable.size,
    crossed: countCrossed(books),
    absent,
    olderThan: savedAt !== null && before !== null && savedAt < before ? before : null,
  };
  return { reading, joined, summary };
}

/** The items of a file, by name and by id. */
export function itemLookup(database: Database, names: Pick<ItemLookup, "resolve">): ItemLookup {
  const catalog = new CatalogStore(database);
  return { resolve: names.resolve.bind(names), has: (itemId) => catalog.marketName(itemId) !== null };
}

/** The same catalog, whose index of names is built anew only when the catalog has changed. */
export function withKeptNames(catalog: ImportCatalog): ImportCatalog {
  let kept: { version: number; names: ReturnType<ImportCatalog["names"]> } | undefined;
  return {
    names(database) {
      const version = new MarketStateStore(database).catalogVersion();
      if (kept?.version !== version) kept = { version, names: catalog.names(database) };
      return kept.names;
    },
    createFeedDerived: catalog.createFeedDerived,
  };
}

function refuseUnlessUsable(
  store: FeedWriter,
  body: FeedFile,
  { facts, refusals }: FeedReading,
  quoted: number,
  { adapter, acceptShrink = false, itemsBefore }: AcceptOptions,
): void {
  if (quoted === 0) {
    const why = refusals.list().map(({ reason, count }) => `${count} ${reason}`);
    throw refusedFile(body.name, `no price joins an item of the catalog (${why.join(", ") || "it holds none"})`);
  }
  refuseReservedProviders(body, facts, adapter);
  refuseForeignProviders(store, facts);
  const before = itemsBefore === undefined ? store.itemCount(facts.feed) : itemsBefore;
  if (before !== null && quoted * 2 < before && !acceptShrink) {
    const command = `itemtape import quotes FILE --adapter ${adapter} --accept-shrink`;
    throw refusedFile(
      body.name,
      `feed ${facts.feed} shrinks from ${before} items to ${quoted}; if that is true, \`${command}\` takes it`,
    );
  }
}

/** A provider belongs to the feed that names it first, for good: those whose shapes have adapters wait for these. */
function refuseReservedProviders(body: FeedFile, { providers: covered }: FeedFacts, adapter: AdapterName): void {
  for (const { provider } of covered) {
    const owner = ownerOf(provider);
    if (owner === null || owner === adapter) continue;
    throw refusedFile(
      body.name,
      `it covers the provider ${provider}, which only a body of the adapter ${owner} may; give the provider another name`,
    );
  }
}

/** Makes the items of variants that no catalog states, a few at a time, and gives each to `take`. */
export function* createFeedDerivedInBatches<Derived extends { variant: CatalogVariant }>(
  database: Database,
  feedDerived: readonly Derived[],
  at: number,
  { clock, catalog }: Pick<AcceptParts, "clock" | "catalog">,
  take: (itemId: number, feedDerived: Derived) => void,
): Generator<BatchStats> {
  for (let first = 0; first < feedDerived.length; first += feedDerivedBatchRows) {
    const batch = feedDerived.slice(first, first + feedDerivedBatchRows);
    const startedMs = clock.monotonicMs();
    const ids = catalog.createFeedDerived(
      database,
      batch.map(({ variant }) => variant),
      at,
    );
    for (const one of batch) {
      const { identityKey } = one.variant;
      const itemId = ids.get(identityKey);
      if (itemId === undefined) throw new OperatorError(`the catalog made no item for ${identityKey}`);
      take(itemId, one);
    }
    yield { rows: batch.length, lockHeldMs: clock.monotonicMs() - startedMs };
  }
}

function isKnownFeed(database: Database, { feed, providers: covered }: FeedFacts): boolean {
  const known = new Set(new FeedWriter(database).providersOf(feed));
  return covered.every(({ provider }) => known.has(provider));
}

/** A frame refers to its feed and providers, and may be recorded before anything of them is published. */
function introduceFeed(database: Database, facts: FeedFacts, clock: Clock): BatchStats {
  const feeds = new FeedWriter(database);
  return inOneTransaction(database, clock, () => feeds.introduce(facts), 1 + facts.providers.length);
}
