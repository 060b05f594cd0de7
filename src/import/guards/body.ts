import { amountRefusals } from "../../values/money/money.ts";
import { secondMs } from "../../values/time/calendar.ts";
import { toTimestamp } from "../../values/time/clock.ts";
import type { Book } from "../../wire/quotes.ts";
import {
  besideEachOther,
  type ComparedBooks,
  type FeedBefore,
  isLost,
  type Loss,
  lossesOf,
  type PricedBook,
  type Side,
  sides,
} from "../quotes/compared-books.ts";
import type { RefusalCount, RefusalReason } from "../quotes/observation.ts";
import {
  comparedMin,
  examplesMax,
  found,
  type GuardFinding,
  type GuardName,
  type GuardThresholds,
  guardDefaults,
  isOutside,
  moveText,
  notJudged,
  percentText,
  ratioText,
  tooFew,
} from "./findings.ts";
import { unitHint } from "./kinds.ts";

/** A body as the guards look at it, and what they compare it with. */
export type GuardedBody = {
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
    /** Joined prices of a million, and the last verification, UTC ms. */
    joinedPpm: number | null;
    checkedAt: number | null;
  };
  nameOf(itemId: number): string;
};

/** Prices or two-sided books of a body without which a share of them means nothing. */
const countedMin = 20;
export const nothingBefore = "nothing of the feed came before it";
const pricesUnknown = "of what came before it only the number of items is known";
const unfinished = "it says that its sweep is unfinished";
/** A row that contradicts another one of its item cannot be read either. */
const unreadableReasons: readonly RefusalReason[] = [...amountRefusals, "conflicting_rows"];
const joinReasons = ["unknown_name", "ambiguous_name", "unknown_item"] as const satisfies readonly RefusalReason[];

/** Checks a body as such and beside the last accepted one. Returns no finding if all is well. */
export function checkBody(body: GuardedBody, books: ComparedBooks, thresholds: GuardThresholds): GuardFinding[] {
  return [
    checkTime(body, thresholds.future_time),
    checkReadable(body, thresholds.unreadable_prices),
    checkJoined(body, thresholds.joined_share),
    checkShrink(body, thresholds.shrink),
    checkLost(body, books, thresholds.lost_quotes),
    ...checkLevel(body, books, thresholds),
    ...checkCrossed(body, books, thresholds.crossed_books),
  ].filter((finding) => finding !== null);
}

/** Returns the share of joined prices in a million; null where a body names too few items to tell. */
export function joinedPpmOf(body: GuardedBody): number | null {
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
  const figure = `${count} of its ${total} prices (${percentText(count, total)}) are unreadable: ${reasons}`;
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

/** Checks the median of new price to published price, over the whole feed, each provider and each of its sides with enough to compare. */
function checkLevel(body: GuardedBody, { changes }: ComparedBooks, thresholds: GuardThresholds): GuardFinding[] {
  const { before, providers } = body;
  const unjudged = (why: string) =>
    (["price_level", "price_jumps"] as const).map((guard) => notJudged(guard, why, thresholds[guard]));
  const ratioMax = thresholds.price_level;
  if (isFirst(before)) return unjudged(nothingBefore);
  if (before.items === null) return unjudged(pricesUnknown);
  const common = changes.itemsOf(null);
  if (common < comparedMin) return unjudged(tooFew(`${common} items in common with the published ones`));
  const isBeyond = (provider: string | null, side: Side | null = null) => {
    const items = side === null ? changes.itemsOf(provider) : changes.of(provider, side).count;
    return items >= comparedMin && isOutside(changes.of(provider, side).median()!, ratioMax);
  };
  const single = providers.filter((provider) => isBeyond(provider));
  const isWhole = isBeyond(null) && !(single.length === 1 && providers.length > 1);
  const ofSide = providers.flatMap((provider) =>
    sides.flatMap((side) => (isBeyond(provider, side) ? [{ provider, side }] : [])),
  );
  const [provider = null] = isWhole ? [] : single;
  const [side] = isWhole || provider !== null ? [] : ofSide;
  if (!isWhole && provider === null && side === undefined) return [];
  const prices = changes.of(side?.provider ?? provider, side?.side ?? null);
  const ratio = prices.median()!;
  const whose = isWhole ? "its prices" : `the ${side?.side ?? "prices"} of ${side?.provider ?? provider}`;
  const figure = `${whose} are ${ratioText(ratio)} times the published ones (median of ${prices.count})${unitHint(ratio)}`;
  const around = prices.middle(examplesMax).map((move) => moveText(body.nameOf(move.itemId), move));
  return [broken("price_level", figure, ratioMax, around)];
}

function checkCrossed(body: GuardedBody, { crossings }: ComparedBooks, percent: number): GuardFinding[] {
  for (const provider of body.providers) {
    const { twoSided, crossed, examples } = crossings.of(provider);
    if (twoSided < countedMin || crossed * 100 <= percent * twoSided) continue;
    const figure = `${crossed} of ${twoSided} two-sided books of ${provider} (${percentText(crossed, twoSided)}) cross`;
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

function broken(guard: GuardName, figure: string, threshold: number, examples: readonly string[]): GuardFinding {
  return found(guard, "broken", figure, threshold, examples.slice(0, examplesMax));
}

/** Returns whether nothing came before, or its quotes were dropped. */
export function isFirst({ items, itemCount }: GuardedBody["before"]): boolean {
  return itemCount === 0 || (itemCount === null && items === null);
}

function countOf(refused: readonly RefusalCount[], reasons: readonly RefusalReason[]): number {
  return refused.filter(({ reason }) => hasReason(reasons, reason)).reduce((sum, { count }) => sum + count, 0);
}

function hasReason(reasons: readonly RefusalReason[], reason: RefusalReason): boolean {
  return reasons.includes(reason);
}

function percentOf(ppm: number): string {
  return `${(ppm / 10_000).toFixed(1)} %`;
}
