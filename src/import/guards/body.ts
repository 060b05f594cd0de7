import { amountRefusals } from "../../values/money/money.ts";
import { secondMs } from "../../values/time/calendar.ts";
import { toTimestamp } from "../../values/time/clock.ts";
import type { Book } from "../../wire/quotes.ts";
import {
  type ComparedBooks,
  type FeedBefore,
  isLost,
  type Loss,
  lossesOf,
  mergeByItem,
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
  goneUnnamed,
  guardDefaults,
  isOutside,
  moveText,
  notJudged,
  percentText,
  ratioText,
  tooFew,
} from "./findings.ts";
import { unitHint } from "./kinds.ts";

/** A body and the facts that the guards compare it with. */
export type GuardedBody = {
  /** Catalog items in ascending id, then derived items of the body. */
  items: ReadonlyMap<number, Book>;
  derived: ReadonlyMap<number, Book>;
  providers: readonly string[];
  /** Counts of prices: read, joined to an item, and refused by reason. */
  prices: number;
  joined: number;
  refused: readonly RefusalCount[];
  /** Number of distinct names in the body that joined no item. */
  unjoinedNames: number;
  /** Save time according to the source (null if unknown) and time of the import, UTC ms. */
  savedAt: number | null;
  now: number;
  /** The source reports an unfinished sweep, which explains missing items. */
  isUnfinished: boolean;
  before: FeedBefore & {
    /** Share of joined prices in millionths (null if unknown), and time of the last verification in UTC ms. */
    joinedPpm: number | null;
    checkedAt: number | null;
  };
  nameOf(itemId: number): string;
};

/** Minimum prices or two-sided books of a body for a meaningful share. */
const countedMin = 20;
/** Percentage of unreadable prices that needs no finding. */
const unreadableUnnamed = 1;
export const nothingBefore = "it is the first body of the feed";
const pricesUnknown = "only the number of items of the previous body is known";
const unfinished = "its sweep is marked as unfinished";
/** A row that contradicts another row of its item counts as unreadable. */
const unreadableReasons: readonly RefusalReason[] = [...amountRefusals, "conflicting_rows"];
const joinReasons = ["unknown_name", "ambiguous_name", "unknown_item"] as const satisfies readonly RefusalReason[];

/** Checks a body by itself and against the last accepted one. Returns an empty array if no guard has a finding. */
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

/** Returns the share of joined prices in millionths. Null if the body names fewer than 200 items. */
export function joinedPpmOf(body: GuardedBody): number | null {
  const { joined, refused } = body;
  if (namesOf(body) < comparedMin) return null;
  return Math.round((1_000_000 * joined) / (joined + countOf(refused, joinReasons)));
}

function namesOf({ items, derived, unjoinedNames }: GuardedBody): number {
  return items.size + derived.size + unjoinedNames;
}

/**
 * Returns a stored save time, UTC ms. Null if it is missing or in the future. An earlier version stored such times from invalid bodies, and
 * no later body could replace them.
 */
export function believableSaveTime(savedAt: number | null, now: number, thresholds = guardDefaults): number | null {
  return savedAt !== null && savedAt > now + thresholds.future_time * secondMs ? null : savedAt;
}

function checkTime({ savedAt, now }: GuardedBody, seconds: number): GuardFinding | null {
  if (savedAt === null || savedAt <= now + seconds * secondMs) return null;
  const ahead = Math.round((savedAt - now) / secondMs);
  const figure = `its save time is ${toTimestamp(savedAt)}, ${ahead} s in the future`;
  return broken("future_time", figure, seconds, []);
}

function checkReadable({ prices, refused }: GuardedBody, percent: number): GuardFinding | null {
  const unreadable = refused.filter(({ reason }) => hasReason(unreadableReasons, reason));
  const count = countOf(refused, unreadableReasons);
  const total = prices + countOf(refused, amountRefusals);
  const isBroken = count * 100 > percent * total;
  const isNamed = total >= comparedMin && count * 100 > unreadableUnnamed * total;
  if (total < countedMin || !(isBroken || isNamed)) return null;
  const reasons = unreadable.map((entry) => `${entry.count} ${entry.reason}`).join(", ");
  const figure = `${count} of its ${total} prices (${percentText(count, total)}) are unreadable: ${reasons}`;
  const examples = unreadable.flatMap((entry) => entry.examples).slice(0, examplesMax);
  return found("unreadable_prices", isBroken ? "broken" : "named", figure, percent, examples);
}

function checkJoined(body: GuardedBody, points: number): GuardFinding | null {
  const { refused, before } = body;
  const now = joinedPpmOf(body);
  if (before.joinedPpm === null) {
    return notJudged(
      "joined_share",
      isFirst(before) ? nothingBefore : "the share of the previous body is unknown",
      points,
    );
  }
  if (now === null) return notJudged("joined_share", tooFew(`it names ${namesOf(body)} items`), points);
  if (before.joinedPpm - now <= points * 10_000) return null;
  const counts = joinReasons.map((reason) => [countOf(refused, [reason]), reason] as const);
  const missing = counts.filter(([count]) => count > 0).map(([count, reason]) => `${count} ${reason}`);
  const figure = `${percentOf(now)} of its prices join an item, ${percentOf(before.joinedPpm)} of the previous body did (${missing.join(", ")})`;
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
  const isBroken = itemCount !== null && isLost(itemCount, items, percent);
  if (!isBroken && ((itemCount ?? 0) < comparedMin || !isLost(itemCount!, items, goneUnnamed))) return null;
  return found("shrink", isBroken ? "broken" : "named", `it shrinks from ${itemCount} items to ${items}`, percent);
}

/** Finds a provider or a side that loses its quotes while the others stay. `shrink` reports the loss of a whole feed. */
function checkLost(body: GuardedBody, books: ComparedBooks, percent: number): GuardFinding | null {
  const { before, isUnfinished } = body;
  if (isFirst(before)) return notJudged("lost_quotes", nothingBefore, percent);
  if (before.items === null) return notJudged("lost_quotes", pricesUnknown, percent);
  if (isUnfinished) return notJudged("lost_quotes", unfinished, percent);
  const { items } = books.before.whole;
  if (items < comparedMin) return notJudged("lost_quotes", tooFew(`${items} items before it`), percent);
  const losses = lossesOf(books.before, books.now, percent);
  const loss = losses.find(({ itemCount }) => itemCount >= comparedMin);
  if (loss !== undefined) return lostFinding(body, loss, "broken", percent);
  const named = lossesOf(books.before, books.now, goneUnnamed).find(({ itemCount }) => itemCount >= comparedMin);
  if (named !== undefined) return lostFinding(body, named, "named", percent);
  const [small] = losses;
  return small === undefined
    ? null
    : notJudged("lost_quotes", tooFew(`${small.figure}: ${small.itemCount} items`), percent);
}

function lostFinding(body: GuardedBody, loss: Loss, verdict: "broken" | "named", percent: number): GuardFinding {
  const { figure, provider } = loss;
  const of = loss.sides.map((side) => ({ provider, side }));
  return { ...found("lost_quotes", verdict, figure, percent, lostNames(body, loss)), of };
}

/** Checks the median ratio of new to published prices for the feed, each provider and each side with at least 200 items. */
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
  const subject = isWhole ? "its prices" : `the ${side?.side ?? "prices"} of ${side?.provider ?? provider}`;
  const figure = `${subject} are ${ratioText(ratio)} times the published ones (median of ${prices.count})${unitHint(ratio)}`;
  const around = prices.middle(examplesMax).map((move) => moveText(body.nameOf(move.itemId), move));
  const of = ofSide.length > 0 ? ofSide : [{ provider, side: null }];
  return [{ ...broken("price_level", figure, ratioMax, around), of }];
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
  for (const { itemId, old, book } of mergeByItem(before.items ?? [], items)) {
    if (names.length === examplesMax) break;
    if (has(old) && !has(book)) names.push(nameOf(itemId));
  }
  return names;
}

function broken(guard: GuardName, figure: string, threshold: number, examples: readonly string[]): GuardFinding {
  return found(guard, "broken", figure, threshold, examples.slice(0, examplesMax));
}

/** Returns whether the feed has no accepted body, or its quotes were dropped. */
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
