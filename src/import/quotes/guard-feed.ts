import { CatalogStore } from "../../store/catalog.ts";
import type { Database } from "../../store/database.ts";
import { FeedWriter } from "../../store/write/feeds.ts";
import { GenerationWriter } from "../../store/write/generations.ts";
import { decodeQuotes, type Quote } from "../../wire/quotes.ts";
import { refusedFile } from "../feed-file.ts";
import {
  applyGuards,
  type GuardFinding,
  type GuardName,
  type GuardThresholds,
  guardDefaults,
  joinedPpmOf,
} from "./guards.ts";
import { type Joined, refusedNamesMax } from "./join.ts";
import type { ListedReading } from "./observation.ts";
import type { PricedBook } from "./priced-books.ts";

/** What a feed had before a body: its prices in ascending item id, and the number of its items. Null: not known. */
export type FeedBefore = {
  items: Iterable<readonly [itemId: number, book: PricedBook]> | null;
  itemCount: number | null;
};

/** What the caller of an import decides about guards. */
export type GuardOptions = {
  /** Guards that an operator accepts a breach of, for this body. */
  accepted?: readonly GuardName[];
  /** Thresholds of the feed; left out: the defaults. */
  thresholds?: GuardThresholds;
  /** What the body is compared with; left out: what the file has published of the feed. */
  before?: FeedBefore | undefined;
  /** Names the command that accepts a body in spite of these guards. */
  acceptCommand?: (guards: readonly GuardName[]) => string;
};

type GuardedFeed = {
  /** Every finding; the broken ones among them were accepted. Not judged: what had too little to compare. */
  findings: readonly GuardFinding[];
  /** Joined prices of a million; null: too few to tell. */
  joinedPpm: number | null;
  /** Books whose buy order is above the offer. */
  crossed: number;
};

/**
 * Checks a joined body by every guard. Writes nothing.
 * @throws {OperatorError} when a guard is broken that nobody accepted; the message names guard, figure, threshold and examples.
 */
export function guardFeed(
  database: Database,
  body: { name: string },
  { reading, joined }: { reading: ListedReading; joined: Joined },
  now: number,
  options: GuardOptions,
): GuardedFeed {
  const { facts } = reading;
  const feeds = new FeedWriter(database);
  const catalog = new CatalogStore(database);
  const before = options.before ?? publishedBefore(database, feeds, facts.feed);
  const counted = {
    items: joined.items,
    derived: joined.derivedQuotes,
    joined: joined.asks + joined.bids,
    refused: reading.refusals.list(),
    unjoinedNames: joined.refusedNames?.length ?? refusedNamesMax,
  };
  const { findings, crossed } = applyGuards(
    {
      ...counted,
      providers: facts.providers.map(({ provider }) => provider),
      prices: reading.observations.length,
      savedAt: reading.savedAt,
      isUnfinished: reading.isUnfinished,
      now,
      before: { ...before, joinedPpm: feeds.joinedPpm(facts.feed) },
      nameOf: (itemId) => catalog.marketName(itemId) ?? `item ${itemId}`,
    },
    options.thresholds ?? guardDefaults,
  );
  const accepted = new Set(options.accepted);
  const refused = findings.filter(({ guard, verdict }) => verdict === "broken" && !accepted.has(guard));
  if (refused.length > 0) {
    const guards = refused.map(({ guard }) => guard);
    const command = options.acceptCommand?.(guards) ?? acceptedByImport(facts.adapter)(guards);
    throw refusedFile(body.name, `${refused.map(findingText).join("; ")}; if that is true, \`${command}\` takes it`);
  }
  return { findings, joinedPpm: joinedPpmOf(counted), crossed };
}

/** Returns what a guard found as one sentence: `guard price_level (threshold 3): …, such as …`. */
export function findingText({ guard, figure, threshold, examples }: GuardFinding): string {
  const such = examples.length === 0 ? "" : `, such as ${examples.join("; ")}`;
  return `guard ${guard} (threshold ${threshold}): ${figure}${such}`;
}

/** Returns what was not judged, a sentence for each reason: `price_level, lost_quotes not judged: …`. */
export function unjudgedTexts(findings: readonly GuardFinding[]): string[] {
  const unjudged = new Map<string, GuardName[]>();
  for (const { guard, verdict, figure } of findings) {
    if (verdict === "not_judged") unjudged.set(figure, [...(unjudged.get(figure) ?? []), guard]);
  }
  return Array.from(unjudged, ([why, guards]) => `${guards.join(", ")} not judged: ${why}`);
}

function acceptedByImport(adapter: string): (guards: readonly GuardName[]) => string {
  return (guards) => `itemtape import quotes FILE --adapter ${adapter} --accept ${guards.join(",")}`;
}

/** What the published generation holds of a feed's providers. */
function publishedBefore(database: Database, feeds: FeedWriter, feed: string): FeedBefore {
  const itemCount = feeds.itemCount(feed);
  const generations = new GenerationWriter(database);
  const current = generations.current();
  if (itemCount === null || current === null) return { items: null, itemCount };
  const own = new Set(feeds.providersOf(feed));
  return { items: { [Symbol.iterator]: () => booksOf(generations, current.generationId, own) }, itemCount };
}

/** Yields the published prices of these providers: read as they are asked for, because all together they are large. */
function* booksOf(
  generations: GenerationWriter,
  generationId: number,
  own: ReadonlySet<string>,
): Generator<readonly [itemId: number, book: PricedBook]> {
  for (const { itemId, quotes } of generations.rows(generationId)) {
    const { asks, bids } = decodeQuotes(quotes);
    const book = { asks: pricesOf(asks, own), bids: pricesOf(bids, own) };
    if (book.asks.length > 0 || book.bids.length > 0) yield [itemId, book];
  }
}

function pricesOf(quotes: readonly Quote[], providers: ReadonlySet<string>): PricedBook["asks"] {
  return quotes
    .filter(({ provider }) => providers.has(provider))
    .map(({ provider, amount }) => ({ provider, amountCents: amount }));
}
