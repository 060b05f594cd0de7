import type { Database } from "../../store/database.ts";
import { CatalogStore } from "../../store/read/catalog.ts";
import { FeedWriter } from "../../store/write/feeds.ts";
import { amountRefusals } from "../../values/money/money.ts";
import { secondMs } from "../../values/time/calendar.ts";
import { toTimestamp } from "../../values/time/clock.ts";
import type { Book } from "../../wire/quotes.ts";
import { refusedFile } from "../feed-file.ts";
import {
  besideEachOther,
  ComparedBooks,
  type FeedBefore,
  isLost,
  type Loss,
  lossesOf,
  type PriceChange,
  type PricedBook,
  publishedBefore,
} from "./compared-books.ts";
import { type Joined, refusedNamesMax } from "./join.ts";
import type { ListedReading, RefusalCount, RefusalReason } from "./observation.ts";

/** Names of the guards that stop a body whose prices are readable and cannot be true. An operator accepts a body by these names. */
export const guardNames = [
  "future_time",
  "unreadable_prices",
  "joined_share",
  "shrink",
  "lost_quotes",
  "price_level",
  "crossed_books",
] as const;

export type GuardName = (typeof guardNames)[number];

/** Thresholds by guard: seconds, percent, percentage points, percent, percent, a ratio, percent. A body beyond one is refused. */
export type GuardThresholds = Readonly<Record<GuardName, number>>;

export const guardDefaults: GuardThresholds = {
  future_time: 300,
  unreadable_prices: 5,
  joined_share: 10,
  shrink: 50,
  lost_quotes: 50,
  price_level: 3,
  crossed_books: 10,
};

/** What a guard found: `broken`: the body is beyond the threshold. `not_judged`: there was too little to compare. */
export type GuardFinding = {
  guard: GuardName;
  verdict: "broken" | "not_judged";
  /** The measured figure in words, such as `15307 of 16012 two-sided books of buff163 cross`, or why nothing was judged. */
  figure: string;
  threshold: number;
  /** Up to three items that show it. */
  examples: readonly string[];
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

/** A body as the guards look at it, and what they compare it with. */
type GuardedBody = {
  /** Items of the catalog in ascending id, then those that the body derives. */
  items: ReadonlyMap<number, Book>;
  derived: ReadonlyMap<number, Book>;
  providers: readonly string[];
  /** Prices that were read, that joined an item, and those that were refused by reason. */
  prices: number;
  joined: number;
  refused: readonly RefusalCount[];
  /** Names of the body that joined no item, each once. */
  unjoinedNames: number;
  /** When the source says that it saved the body, and the time of the import, UTC ms; null: it tells none. */
  savedAt: number | null;
  now: number;
  /** The source says that its sweep is not finished: that fewer items are in it is explained. */
  isUnfinished: boolean;
  before: FeedBefore & {
    /** Joined prices of a million. */
    joinedPpm: number | null;
  };
  nameOf(itemId: number): string;
};

/** Items that a comparison needs; below it a guard says `not_judged`. */
export const comparedMin = 200;
/** Prices or two-sided books of a body without which a share of them means nothing. */
const countedMin = 20;
const examplesMax = 3;
const nothingBefore = "nothing of the feed came before it";
const pricesUnknown = "of what came before it only the number of items is known";
const unfinished = "it says that its sweep is unfinished";
/** A row that contradicts another one of its item cannot be read either. */
const unreadableReasons: readonly RefusalReason[] = [...amountRefusals, "conflicting_rows"];
const joinReasons = ["unknown_name", "ambiguous_name", "unknown_item"] as const satisfies readonly RefusalReason[];

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
  const guarded: GuardedBody = {
    items: joined.items,
    derived: joined.derivedQuotes,
    providers: facts.providers.map(({ provider }) => provider),
    prices: reading.observations.length,
    joined: joined.asks + joined.bids,
    refused: reading.refusals.list(),
    unjoinedNames: joined.refusedNames?.length ?? refusedNamesMax,
    savedAt: reading.savedAt,
    now,
    isUnfinished: reading.isUnfinished,
    before: { ...before, joinedPpm: feeds.joinedPpm(facts.feed) },
    nameOf: (itemId) => catalog.marketName(itemId) ?? `item ${itemId}`,
  };
  const books = new ComparedBooks({
    items: joined.items,
    derived: joined.derivedQuotes.values(),
    before: before.items,
  });
  const findings = findingsOf(guarded, books, options.thresholds ?? guardDefaults);
  const accepted = new Set(options.accepted);
  const refused = findings.filter(({ guard, verdict }) => verdict === "broken" && !accepted.has(guard));
  if (refused.length > 0) {
    const guards = refused.map(({ guard }) => guard);
    const command = options.acceptCommand?.(guards) ?? acceptedByImport(facts.adapter, guards);
    throw refusedFile(body.name, `${refused.map(findingText).join("; ")}; if that is true, \`${command}\` takes it`);
  }
  return { findings, joinedPpm: joinedPpmOf(guarded), crossed: books.crossed };
}

function acceptedByImport(adapter: string, guards: readonly GuardName[]): string {
  return `itemtape import quotes FILE --adapter ${adapter} --accept ${guards.join(",")}`;
}

/** Applies every guard. Returns the findings in the order of `guardNames`, none where all is well. */
function findingsOf(body: GuardedBody, books: ComparedBooks, thresholds: GuardThresholds): GuardFinding[] {
  return [
    checkTime(body, thresholds.future_time),
    checkReadable(body, thresholds.unreadable_prices),
    checkJoined(body, thresholds.joined_share),
    checkShrink(body, thresholds.shrink),
    checkLost(body, books, thresholds.lost_quotes),
    checkLevel(body, books, thresholds.price_level),
    ...checkCrossed(body, books, thresholds.crossed_books),
  ].filter((finding) => finding !== null);
}

/** Returns the share of joined prices in a million; null where a body names too few items to tell. */
function joinedPpmOf(body: GuardedBody): number | null {
  const { joined, refused } = body;
  if (namesOf(body) < comparedMin) return null;
  return Math.round((1_000_000 * joined) / (joined + countOf(refused, joinReasons)));
}

function namesOf({ items, derived, unjoinedNames }: GuardedBody): number {
  return items.size + derived.size + unjoinedNames;
}

/**
 * Returns a stored save time, UTC ms; null where there is none, or where it lies in the future: an earlier version took such a time
 * from a wrong body, and no later body could replace it.
 */
export function believableSaveTime(savedAt: number | null, now: number, thresholds = guardDefaults): number | null {
  return savedAt !== null && savedAt > now + thresholds.future_time * secondMs ? null : savedAt;
}

function checkTime({ savedAt, now }: GuardedBody, seconds: number): GuardFinding | null {
  if (savedAt === null || savedAt <= now + seconds * secondMs) return null;
  const ahead = Math.round((savedAt - now) / secondMs);
  const figure = `it says that it was saved at ${toTimestamp(savedAt)}, ${ahead} s in the future`;
  return broken("future_time", figure, seconds, []);
}

function checkReadable({ prices, refused }: GuardedBody, percent: number): GuardFinding | null {
  const unreadable = refused.filter(({ reason }) => hasReason(unreadableReasons, reason));
  const count = countOf(refused, unreadableReasons);
  const total = prices + countOf(refused, amountRefusals);
  if (total < countedMin || count * 100 <= percent * total) return null;
  const reasons = unreadable.map((entry) => `${entry.count} ${entry.reason}`).join(", ");
  const figure = `${count} of its ${total} prices (${share(count, total)}) are unreadable: ${reasons}`;
  const examples = unreadable.flatMap((entry) => entry.examples);
  return broken("unreadable_prices", figure, percent, examples);
}

function checkJoined(body: GuardedBody, points: number): GuardFinding | null {
  const { refused, before } = body;
  const now = joinedPpmOf(body);
  if (before.joinedPpm === null) {
    return notJudged("joined_share", isFirst(before) ? nothingBefore : "of the body before no share is known", points);
  }
  if (now === null) return notJudged("joined_share", tooFew(`it names ${namesOf(body)} items`), points);
  if (before.joinedPpm - now <= points * 10_000) return null;
  const counts = joinReasons.map((reason) => [countOf(refused, [reason]), reason] as const);
  const missing = counts.filter(([count]) => count > 0).map(([count, reason]) => `${count} ${reason}`);
  const figure = `${percentOf(now)} of its prices join an item, ${percentOf(before.joinedPpm)} of the body before did (${missing.join(", ")})`;
  const examples = refused.filter(({ reason }) => hasReason(joinReasons, reason));
  return broken(
    "joined_share",
    figure,
    points,
    examples.flatMap((entry) => entry.examples),
  );
}

function checkShrink({ before, isUnfinished, ...body }: GuardedBody, percent: number): GuardFinding | null {
  const { itemCount } = before;
  const items = body.items.size + body.derived.size;
  if (isFirst(before)) return notJudged("shrink", nothingBefore, percent);
  if (isUnfinished) return notJudged("shrink", unfinished, percent);
  if (itemCount === null || !isLost(itemCount, items, percent)) return null;
  return broken("shrink", `it shrinks from ${itemCount} items to ${items}`, percent, []);
}

/** One provider or one side that loses its quotes while the other stays. A whole loss is `shrink`. */
function checkLost(body: GuardedBody, books: ComparedBooks, percent: number): GuardFinding | null {
  const { before, isUnfinished } = body;
  if (isFirst(before)) return notJudged("lost_quotes", nothingBefore, percent);
  if (before.items === null) return notJudged("lost_quotes", pricesUnknown, percent);
  if (isUnfinished) return notJudged("lost_quotes", unfinished, percent);
  const { items } = books.before.whole;
  if (items < comparedMin) return notJudged("lost_quotes", tooFew(`${items} items before it`), percent);
  const losses = lossesOf(books.before, books.now, percent);
  const loss = losses.find(({ itemCount }) => itemCount >= comparedMin);
  if (loss !== undefined) return broken("lost_quotes", loss.figure, percent, lostNames(body, loss));
  const [small] = losses;
  return small === undefined
    ? null
    : notJudged("lost_quotes", tooFew(`${small.figure}: ${small.itemCount} items`), percent);
}

/** Checks the median of new price to published price, over the whole feed and over each provider that has enough to compare. */
function checkLevel(body: GuardedBody, { changes }: ComparedBooks, ratioMax: number): GuardFinding | null {
  const { before, providers } = body;
  if (isFirst(before)) return notJudged("price_level", nothingBefore, ratioMax);
  if (before.items === null) return notJudged("price_level", pricesUnknown, ratioMax);
  const common = changes.itemsOf(null);
  if (common < comparedMin) {
    return notJudged("price_level", tooFew(`${common} items in common with the published ones`), ratioMax);
  }
  const isBeyond = (provider: string | null) => {
    if (changes.itemsOf(provider) < comparedMin) return false;
    const ratio = changes.medianOf(provider);
    return ratio > ratioMax || ratio < 1 / ratioMax;
  };
  const single = providers.filter(isBeyond);
  const isWhole = isBeyond(null) && !(single.length === 1 && providers.length > 1);
  if (!isWhole && single.length === 0) return null;
  const provider = isWhole ? null : single[0]!;
  const { ratio, prices, around } = changes.levelOf(provider, examplesMax);
  const whose = provider === null ? "its prices" : `the prices of ${provider}`;
  const figure = `${whose} are ${round(ratio)} times the published ones (median of ${prices})${unitHint(ratio)}`;
  const text = ({ itemId, from, to }: PriceChange) => `${body.nameOf(itemId)}: ${from} to ${to} cents`;
  return broken("price_level", figure, ratioMax, around.map(text));
}

function checkCrossed(body: GuardedBody, { crossings }: ComparedBooks, percent: number): GuardFinding[] {
  for (const provider of body.providers) {
    const { twoSided, crossed, examples } = crossings.of(provider);
    if (twoSided < countedMin || crossed * 100 <= percent * twoSided) continue;
    const figure = `${crossed} of ${twoSided} two-sided books of ${provider} (${share(crossed, twoSided)}) cross`;
    const texts = examples.map(({ itemId, bid, ask }) => `${body.nameOf(itemId)}: bid ${bid}, ask ${ask} cents`);
    return [broken("crossed_books", figure, percent, texts)];
  }
  return [];
}

function lostNames({ before, items, nameOf }: GuardedBody, { provider, sides: of }: Loss): string[] {
  const isOf = (quote: { provider: string }) => provider === null || quote.provider === provider;
  const has = (book: PricedBook | null) => of.some((side) => book?.[side].some(isOf));
  const names: string[] = [];
  for (const { itemId, old, book } of besideEachOther(before.items ?? [], items)) {
    if (names.length === examplesMax) break;
    if (has(old) && !has(book)) names.push(nameOf(itemId));
  }
  return names;
}

function unitHint(ratio: number): string {
  if (ratio > 0.009 && ratio < 0.011) return ": dollars where cents are expected, or cents divided by 100";
  if (ratio > 90 && ratio < 110) return ": cents where dollars are expected, or cents multiplied by 100";
  return "";
}

function broken(guard: GuardName, figure: string, threshold: number, examples: readonly string[]): GuardFinding {
  return { guard, verdict: "broken", figure, threshold, examples: examples.slice(0, examplesMax) };
}

function notJudged(guard: GuardName, figure: string, threshold: number): GuardFinding {
  return { guard, verdict: "not_judged", figure, threshold, examples: [] };
}

function tooFew(figure: string): string {
  return `${figure}, ${comparedMin} are needed`;
}

/** Returns whether nothing came before, or its quotes were dropped. */
function isFirst({ items, itemCount }: GuardedBody["before"]): boolean {
  return itemCount === 0 || (itemCount === null && items === null);
}

function countOf(refused: readonly RefusalCount[], reasons: readonly RefusalReason[]): number {
  return refused.filter(({ reason }) => hasReason(reasons, reason)).reduce((sum, { count }) => sum + count, 0);
}

function hasReason(reasons: readonly RefusalReason[], reason: RefusalReason): boolean {
  return reasons.includes(reason);
}

function share(part: number, whole: number): string {
  return `${((100 * part) / whole).toFixed(1)} %`;
}

function percentOf(ppm: number): string {
  return `${(ppm / 10_000).toFixed(1)} %`;
}

function round(ratio: number): string {
  return ratio >= 10 ? ratio.toFixed(0) : ratio.toPrecision(2);
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
