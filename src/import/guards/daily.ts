import { dayText } from "../../values/time/calendar.ts";
import type { Side } from "../quotes/observation.ts";
import {
  alikeText,
  boundText,
  comparedMin,
  examplesMax,
  found,
  type GuardFinding,
  isOutside,
  leapsOf,
  levelNamed,
  movesMax,
  notJudged,
  percentText,
  ratioText,
} from "./findings.ts";
import { isWithin, type ProviderKind, usualRatios } from "./kinds.ts";
import { Largest, largestOf } from "./largest.ts";
import { oddPrices } from "./odd-prices.ts";
import { medianOf, PriceRatios } from "./price-ratios.ts";
import { isBeyond, type TwinPairs, turnedText, turnedTwins } from "./twins.ts";

export const dailyGuardNames = ["price_level", "moved_prices", "twins", "other_providers", "day_to_day"] as const;
export type DailyGuardName = (typeof dailyGuardNames)[number];

type DailyFinding = GuardFinding<DailyGuardName, string>;

/** Prices of one item and side in ascending day order, in cents. Without `itemId` the file creates the item. */
export type GuardedBook = {
  itemId?: number;
  label: string;
  side: Side;
  points: readonly { day: number; amount: number }[];
};

type DailySpan = { itemId: number; side: Side; from: number; to: number };
/** The stored rows that a file is compared with, ascending in day. */
type StoredDays = {
  own(span: DailySpan): readonly (readonly [day: number, amount: number])[];
  others(span: DailySpan): readonly (readonly [day: number, provider: string, amount: number])[];
  kindOf(provider: string): string | null;
  /** Twins to compare in order. */
  twins(): TwinPairs;
  /** Returns the currencies that explain a ratio to dollar amounts, as the end of a sentence. */
  explain(ratio: number): string;
};

/** A price and the earlier price that it is compared with, in cents. */
type DailyMove = {
  label: string;
  side: Side;
  day: number;
  amount: number;
  before: number;
  beforeDay: number;
};

export type JudgedDaily = {
  /** Number of prices with a stored price within 30 days, and of those the number with another price. */
  compared: number;
  changed: number;
  /** Sampling interval: 1 if every item was judged. */
  sampledEvery: number;
  findings: DailyFinding[];
  /** The ten largest moves by the difference in money. */
  moves: readonly DailyMove[];
};

type DailyFile = { books: readonly GuardedBook[]; provider: string; kind: ProviderKind; replaces: boolean };

const nearDays = 30;
/** Minimum items of a day for a meaningful share. */
const dayMin = 50;
const bound = 3;
const refusedPercent = 10;
const namedPercent = 1;
const turnedNamedPercent = 2;
const oddThreshold = "single prices of a new provider";
const others = { level: 20, bound: 10, percent: 20 };
/** Maximum compared prices, at about 60 bytes each. */
const rowsMax = 500_000;

/**
 * Compares the prices of a daily history file with stored rows of the same item and side within 30 days. Without such rows it compares with
 * other providers on the same days. Also compares each day with the previous day. Samples the items of a long file. Writes nothing.
 */
export function judgeDaily(file: DailyFile, stored: StoredDays, maxRows = rowsMax): JudgedDaily {
  const rows = file.books.reduce((sum, { points }) => sum + points.length, 0);
  const sampledEvery = Math.max(1, Math.ceil(rows / maxRows));
  const books = file.books.filter(({ itemId = 0 }) => Math.imul(itemId, 0x9e3779b1) >>> 0 < 2 ** 32 / sampledEvery);
  const judged: JudgedDaily = { compared: 0, changed: 0, sampledEvery, findings: [], moves: [] };
  const moves: LargestMoves = { ask: new Largest(movesMax, sizeOf), bid: new Largest(movesMax, sizeOf) };
  for (const side of ["ask", "bid"] as const) {
    const ofSide = books.filter((book) => book.side === side);
    if (ofSide.length === 0) continue;
    const { own, last } = besideStored(ofSide, file, stored, moves);
    judged.compared += own.count;
    judged.changed += own.outside(1);
    const found =
      own.count < comparedMin
        ? othersFindings(ofSide, side, file, stored)
        : [...ownFindings(own, side, moves, stored), ...twinFindings(last, side, stored)];
    judged.findings.push(...found, ...dayFindings(ofSide, side, judged.compared === 0 ? moves : null));
  }
  return { ...judged, moves: largestOf([...moves.ask.values, ...moves.bid.values], movesMax, sizeOf) };
}

/** Formats a move: `AK-47 | Redline (Field-Tested) ask: 1002 cents on 2026-08-30, 1001 on 2026-08-29`. */
export function dailyMoveText({ label, side, day, amount, before, beforeDay }: DailyMove): string {
  return `${label} ${side}: ${amount} cents on ${dayText(day)}, ${before} on ${dayText(beforeDay)}`;
}

/** Returns the ratios of new prices to the nearest stored prices, and the last ratio of each item. */
function besideStored(books: readonly GuardedBook[], file: DailyFile, stored: StoredDays, moves: LargestMoves) {
  const [own, ofItems] = [new PriceRatios(), new PriceRatios()];
  for (const { itemId, label, side, points } of books) {
    const [first, last] = [points[0], points.at(-1)];
    if (itemId === undefined || first === undefined || last === undefined) continue;
    const all = stored.own({ itemId, side, from: first.day - nearDays, to: last.day + nearDays });
    const rows = file.replaces ? staying(all, points) : all;
    let next = 0;
    let lastPair: [before: number, amount: number] | null = null;
    for (const { day, amount } of rows.length === 0 ? [] : points) {
      while (next + 1 < rows.length && Math.abs(rows[next + 1]![0] - day) < Math.abs(rows[next]![0] - day)) next += 1;
      const [beforeDay, before] = rows[next]!;
      const isKept = beforeDay === day && (before === amount || !file.replaces);
      if (isKept || Math.abs(beforeDay - day) > nearDays) continue;
      own.add(itemId, before, amount);
      lastPair = [before, amount];
      if (moves[side].takes(Math.abs(amount - before)))
        moves[side].add({ label, side, day, amount, before, beforeDay });
    }
    if (lastPair !== null) ofItems.add(itemId, ...lastPair);
  }
  return { own, last: ofItems };
}

/** Returns the stored rows that the points do not replace. Returns all rows if none would be left. */
function staying<Row extends readonly [day: number, amount: number]>(
  rows: readonly Row[],
  points: GuardedBook["points"],
): readonly Row[] {
  const days = new Set(points.map(({ day }) => day));
  const left = rows.filter(([day]) => !days.has(day));
  return left.length === 0 ? rows : left;
}

/** Checks the order of twins, by the last price of each item. */
function twinFindings(last: PriceRatios, side: Side, { twins }: StoredDays): DailyFinding[] {
  if (last.changed === 0) return [];
  const turned = turnedTwins(twins(), last).filter((one) => isBeyond(one, turnedNamedPercent));
  return turned.map((one) => {
    const verdict = isBeyond(one, refusedPercent) ? "broken" : "named";
    const figure = `the order changed in ${turnedText(one)} of its ${side}s`;
    return found(
      "twins",
      verdict,
      figure,
      `${verdict === "broken" ? refusedPercent : turnedNamedPercent} % of the pairs`,
    );
  });
}

function ownFindings(ratios: PriceRatios, side: Side, moves: LargestMoves, { explain }: StoredDays): DailyFinding[] {
  const median = ratios.median()!;
  const examples = moves[side].values.slice(0, examplesMax).map(dailyMoveText);
  const findings: DailyFinding[] = [];
  const level = `its ${side}s are ${ratioText(median)} times the stored ones within ${nearDays} days (median of ${ratios.count})`;
  const single = alikeText(`${side}s`, ratios);
  if (isOutside(median, bound)) findings.push(found("price_level", "broken", level, boundText(bound), examples));
  else if (!isWithin(median, levelNamed))
    findings.push(found("price_level", "named", level, `${levelNamed.low} to ${levelNamed.high}`, examples));
  else if (single !== null)
    findings.push(found("price_level", "named", `${single.text}${explain(single.ratio)}`, "one ratio", examples));
  const outside = ratios.outside(bound);
  if (outside * 100 <= namedPercent * ratios.count && leapsOf(ratios) === null) return findings;
  const isBroken = outside * 100 > refusedPercent * ratios.count;
  const verdict = isBroken ? "broken" : "named";
  const threshold = `${isBroken ? refusedPercent : namedPercent} % outside ${boundText(bound)}`;
  const figure = `${percentText(outside, ratios.count)} of its ${ratios.count} ${side}s are outside ${boundText(bound)} times the stored ones within ${nearDays} days`;
  findings.push(found("moved_prices", verdict, figure, threshold, examples));
  return findings;
}

/** Compares prices with the median of other providers on the same day. Bids are compared with asks if other bids are missing. */
function othersFindings(
  books: readonly GuardedBook[],
  side: Side,
  { provider, kind }: DailyFile,
  stored: StoredDays,
): DailyFinding[] {
  const same = besideOthers(books, side, stored);
  const isByAsks = side === "bid" && same.all.count < comparedMin;
  const compared = isByAsks ? besideOthers(books, "ask", stored) : same;
  const { all } = compared;
  if (all.count < comparedMin) {
    const days = books.flatMap(({ points }) => [points[0]?.day ?? 0, points.at(-1)?.day ?? 0]);
    const [first, last] = [days.reduce((a, b) => Math.min(a, b)), days.reduce((a, b) => Math.max(a, b))];
    const figure = `fewer than ${comparedMin} of its ${side}s, ${dayText(first)} to ${dayText(last)}, have a stored row of ${provider} within ${nearDays} days or other rows on their day`;
    return [notJudged("other_providers", figure, boundText(others.level))];
  }
  const median = all.median()!;
  const outside = isByAsks ? 0 : all.outside(others.bound);
  const beside = `the prices of other providers on the same days${isByAsks ? ", which are asks" : ""}`;
  const isBroken = isOutside(median, others.level);
  if (isBroken || outside * 100 > others.percent * all.count) {
    const figure = isBroken
      ? `its ${side}s are ${ratioText(median)} times ${beside} (median of ${all.count})`
      : `${percentText(outside, all.count)} of its ${all.count} ${side}s are outside ${boundText(others.bound)} times ${beside}`;
    const threshold = isBroken ? boundText(others.level) : `${others.percent} % outside ${boundText(others.bound)}`;
    return [found("other_providers", "broken", figure, threshold)];
  }
  if (isByAsks) return [];
  const odd = oddPrices(`${side}s`, all, { twins: stored.twins(), ofItems: compared.last });
  const single = odd.map(({ text, isBroken }) =>
    found("other_providers", isBroken ? "broken" : "named", text, oddThreshold),
  );
  return [...kindFindings(compared, side, kind), ...single];
}

type ProviderRatios = { all: PriceRatios; last: PriceRatios; byKind: ReadonlyMap<string, PriceRatios> };

function besideOthers(books: readonly GuardedBook[], side: Side, stored: StoredDays): ProviderRatios {
  const [all, ofItems] = [new PriceRatios(), new PriceRatios()];
  const byKind = new Map<string, PriceRatios>();
  const kinds = new Map<string, string>();
  const kindOf = (provider: string) => {
    const kind = kinds.get(provider) ?? stored.kindOf(provider) ?? "";
    kinds.set(provider, kind);
    return kind;
  };
  for (const { itemId, points } of books) {
    const [first, last] = [points[0], points.at(-1)];
    if (itemId === undefined || first === undefined || last === undefined) continue;
    const rows = stored.others({ itemId, side, from: first.day, to: last.day });
    if (rows.length === 0) continue;
    const byDay = Map.groupBy(rows, ([day]) => day);
    let lastPair: [before: number, amount: number] | null = null;
    for (const { day, amount } of points) {
      const ofDay = byDay.get(day);
      if (ofDay === undefined) continue;
      lastPair = [medianOf(ofDay.map(amountOf)), amount];
      all.add(itemId, ...lastPair);
      for (const [kind, ofKind] of Map.groupBy(ofDay, ([, provider]) => kindOf(provider))) {
        const ratios = byKind.get(kind) ?? new PriceRatios();
        ratios.add(itemId, medianOf(ofKind.map(amountOf)), amount);
        byKind.set(kind, ratios);
      }
    }
    if (lastPair !== null) ofItems.add(itemId, ...lastPair);
  }
  return { all, last: ofItems, byKind };
}

function kindFindings({ byKind }: ProviderRatios, side: Side, own: ProviderKind): DailyFinding[] {
  return usualRatios(own).flatMap(({ of, range }): DailyFinding[] => {
    const ratios = byKind.get(of);
    if (ratios === undefined || ratios.count < comparedMin) return [];
    const median = ratios.median()!;
    if (isWithin(median, range)) return [];
    const { low, high } = range;
    const figure = `its ${side}s are ${ratioText(median)} times the prices of the kind ${of} on the same days (median of ${ratios.count})`;
    const threshold = low === 0 ? `at most ${high}` : high > 1000 ? `at least ${low}` : `${low} to ${high}`;
    return [found("other_providers", "named", figure, threshold)];
  });
}

/** Checks the share of items that jump from one day of the file to the next. */
function dayFindings(books: readonly GuardedBook[], side: Side, moves: LargestMoves | null): DailyFinding[] {
  const days = new Map<number, { pairs: number; outside: number; examples: string[] }>();
  for (const { label, points } of books) {
    for (let index = 1; index < points.length; index += 1) {
      const [before, { day, amount }] = [points[index - 1]!, points[index]!];
      if (day - before.day > nearDays + 1) continue;
      const counts = days.get(day) ?? { pairs: 0, outside: 0, examples: [] };
      days.set(day, counts);
      counts.pairs += 1;
      const move = () => ({ label, side, day, amount, before: before.amount, beforeDay: before.day });
      if (moves?.[side].takes(Math.abs(amount - before.amount))) moves[side].add(move());
      if (amount <= bound * before.amount && before.amount <= bound * amount) continue;
      counts.outside += 1;
      if (counts.examples.length < examplesMax) counts.examples.push(dailyMoveText(move()));
    }
  }
  const worst = Array.from(days)
    .filter(([, { pairs, outside }]) => pairs >= dayMin && outside * 100 > refusedPercent * pairs)
    .toSorted(([, one], [, other]) => other.outside / other.pairs - one.outside / one.pairs)[0];
  if (worst === undefined) return [];
  const [day, { pairs, outside, examples }] = worst;
  const figure = `${percentText(outside, pairs)} of the ${side}s of ${dayText(day)} are outside ${boundText(bound)} times the file's previous day`;
  const threshold = `${refusedPercent} % outside ${boundText(bound)}`;
  return [found("day_to_day", "broken", figure, threshold, examples)];
}

/** The ten largest moves of each side, in cents. */
type LargestMoves = Record<Side, Largest<DailyMove>>;

function sizeOf({ amount, before }: DailyMove): number {
  return Math.abs(amount - before);
}

function amountOf([, , amount]: readonly [day: number, provider: string, amount: number]): number {
  return amount;
}
