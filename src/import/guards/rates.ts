import { dayText } from "../../values/time/calendar.ts";
import { boundText, examplesMax, found, type GuardFinding, movesMax, notJudged } from "./findings.ts";
import { Largest, largestOf } from "./largest.ts";
import { PriceRatios } from "./price-ratios.ts";

/** A rate in a file: units of `currency` per US dollar on a UTC day (since 1970). */
type Rated = { currency: string; day: number; ratePerUsd: string };
type Known = { day: number; ratePerUsd: string; isLeftOut?: boolean };

/** A rate and the earlier rate to compare with. */
export type RateMove = Rated & { before: string; beforeDay: number; ratio: number };

export type RateFinding = GuardFinding<"rate_level" | "rate_jump", string>;

/**
 * Returns the stored rates of a currency around the days of a file. `own` is of the same source, `others` of all other sources. Both are in
 * ascending day order.
 */
type StoredRates = (currency: string) => { own: readonly Known[]; others: readonly Known[] };

export type JudgedRates<Fact> = {
  acceptedFacts: Fact[];
  leftOut: RateMove[];
  /** Currencies with a rate jump, either accepted or left out. */
  jumped: Set<string>;
  findings: RateFinding[];
  /** Number of rates with an earlier rate, and of those the number of changed rates. */
  compared: number;
  changed: number;
  /** The ten largest moves by ratio. */
  moves: readonly RateMove[];
};

const daysMax = 31;
const levelBound = 2;
const jump = { low: 0.5, high: 1.5 };
const jumpThreshold = `${jump.low} to ${jump.high}`;
/** Real rates of the bank exceed this range on 8 of 3,396 days. */
const namedJump = { low: 0.9, high: 1.11 };
/** Range of a day's median ratio that needs no finding. Real medians are 0.97 to 1.03. */
const unnamedLevel = { low: 0.95, high: 1.05 };
/** A rate is inverted if it leaves the range `low` to `high` and is within `tolerance` of the inverse of the earlier rate. */
const inverse = { low: 0.9, high: 1.1, tolerance: 0.03 };
/** Minimum currencies of a day for a meaningful median or share. */
const judgedMin = 3;
const levelThreshold = `${boundText(levelBound)}, a tenth of the currencies`;
const firstBounds: Readonly<Record<string, readonly [low: number, high: number]>> = {
  EUR: [0.5, 1.5],
  GBP: [0.4, 1.2],
  JPY: [50, 400],
  CNY: [4, 12],
};

/** Returns why a word of `--accept` is invalid for rates. Null for `rate_level`, and for `rate_jump` with a currency. */
export function rateAcceptanceFault(word: string): string | null {
  if (word === "rate_level" || /^rate_jump:[A-Z]{3}$/.test(word)) return null;
  return `\`${word}\` is not a guard of rates; use rate_level, or rate_jump with a currency, such as rate_jump:LBP`;
}

/**
 * Compares each rate with the last rate of its currency within 31 days, from the file, the same source or another source. Writes nothing.
 */
export function judgeRates<Fact extends Rated>(
  facts: readonly Fact[],
  stored: StoredRates,
  accepted: readonly string[],
): JudgedRates<Fact> {
  const judged: JudgedRates<Fact> = {
    acceptedFacts: [],
    leftOut: [],
    jumped: new Set(),
    findings: [],
    compared: 0,
    changed: 0,
    moves: [],
  };
  const series = new Series(facts, stored);
  const largest = new Largest(movesMax, sizeOf);
  const unjudged: Rated[] = [];
  for (const [day, ofDay] of byDay(facts)) {
    const moves: RateMove[] = [];
    const first: Rated[] = [];
    for (const fact of ofDay) {
      const before = series.before(fact);
      if (before === null) first.push(fact);
      else moves.push(moveOf(fact, before));
    }
    unjudged.push(...first.filter(({ currency }) => firstBounds[currency] === undefined));
    const { level = 1, finding } = levelOf(day, first, moves);
    if (finding !== undefined) judged.findings.push(finding);
    const jumps = moves.filter((move) => isOutside(move.ratio / level, jump) || isInverse(move));
    for (const { currency } of jumps) judged.jumped.add(currency);
    const left = jumps.filter((move) => !isAccepted(move, accepted));
    const isLeft = new Set(left.map(({ currency }) => currency));
    for (const fact of ofDay) {
      series.take(fact, isLeft.has(fact.currency));
      if (!isLeft.has(fact.currency)) judged.acceptedFacts.push(fact);
    }
    judged.leftOut.push(...left);
    judged.compared += moves.length;
    judged.changed += moves.filter(({ ratio }) => ratio !== 1).length;
    for (const move of moves) largest.add(move);
    const odd = moves.filter(({ currency, ratio }) => !isLeft.has(currency) && isOutside(ratio / level, namedJump));
    judged.findings.push(...odd.map(namedFinding));
  }
  judged.findings.push(...leftOutFindings(judged.leftOut), ...unjudgedFindings(unjudged));
  return { ...judged, moves: largest.values };
}

/** Returns the words for `--accept` that import the rates left out. */
export function jumpWords(leftOut: readonly RateMove[]): string[] {
  return [...new Set(leftOut.map(({ currency }) => `rate_jump:${currency}`))];
}

/** Formats a move: `JPY 6.74 on 2026-11-28 is 0.043 times the 157.8 of 2026-11-26`. */
export function rateMoveText({ currency, day, ratePerUsd, before, beforeDay, ratio }: RateMove): string {
  return `${currency} ${ratePerUsd} on ${dayText(day)} is ${ratioText(ratio)} times the ${before} of ${dayText(beforeDay)}`;
}

function ratioText(ratio: number): string {
  return ratio < 100 ? ratio.toPrecision(3) : ratio.toFixed(0);
}

/** Finds the last rate of each currency before a day. */
class Series {
  readonly #last = new Map<string, Known>();
  readonly #stored = new Map<string, { own: readonly Known[]; others: readonly Known[]; next: number }>();

  constructor(facts: readonly Rated[], stored: StoredRates) {
    const replaced = new Set(facts.map(({ currency, day }) => `${currency} ${day}`));
    for (const currency of new Set(facts.map((fact) => fact.currency))) {
      const { own, others } = stored(currency);
      const staying = own.filter(({ day }) => !replaced.has(`${currency} ${day}`));
      this.#stored.set(currency, { own: staying, others, next: 0 });
    }
  }

  /** Returns the earlier rate to compare with, or null. Call it in ascending day order for each currency. */
  before({ currency, day }: Rated): Known | null {
    const stored = this.#stored.get(currency)!;
    for (; (stored.own[stored.next]?.day ?? day) < day; stored.next += 1) {
      const known = stored.own[stored.next]!;
      if (known.day > (this.#last.get(currency)?.day ?? -1)) this.#last.set(currency, known);
    }
    const last = this.#last.get(currency);
    // The age of a rate left out does not matter. Otherwise a wrong series would be accepted after a month.
    if (last !== undefined && (last.isLeftOut || day - last.day <= daysMax)) return last;
    return stored.others.findLast((other) => other.day <= day && day - other.day <= daysMax) ?? null;
  }

  take({ currency, day, ratePerUsd }: Rated, isLeftOut: boolean): void {
    const last = this.#last.get(currency);
    if (!isLeftOut) this.#last.set(currency, { day, ratePerUsd });
    else if (last !== undefined) this.#last.set(currency, { ...last, isLeftOut: true });
  }
}

function byDay<Fact extends Rated>(facts: readonly Fact[]): [day: number, facts: Fact[]][] {
  const days = new Map<number, Fact[]>();
  for (const fact of facts) {
    const known = days.get(fact.day);
    if (known === undefined) days.set(fact.day, [fact]);
    else known.push(fact);
  }
  return Array.from(days).sort(([one], [other]) => one - other);
}

function moveOf({ currency, day, ratePerUsd }: Rated, before: Known): RateMove {
  const ratio = Number(ratePerUsd) / Number(before.ratePerUsd);
  return { currency, day, ratePerUsd, before: before.ratePerUsd, beforeDay: before.day, ratio };
}

function isOutside(ratio: number, { low, high }: { low: number; high: number }): boolean {
  return ratio < low || ratio > high;
}

function isInverse({ before, ratePerUsd, ratio }: RateMove): boolean {
  return isOutside(ratio, inverse) && Math.abs(Number(before) * Number(ratePerUsd) - 1) <= inverse.tolerance;
}

function isAccepted({ currency }: Rated, accepted: readonly string[]): boolean {
  return accepted.includes(`rate_jump:${currency}`);
}

function sizeOf({ ratio }: RateMove): number {
  return Math.abs(Math.log(ratio));
}

/** Checks the first rate of a currency against fixed bounds. */
function firstFinding(first: readonly Rated[]): RateFinding | null {
  for (const { currency, day, ratePerUsd } of first) {
    const bounds = firstBounds[currency];
    const rate = Number(ratePerUsd);
    if (bounds === undefined || (rate >= bounds[0] && rate <= bounds[1])) continue;
    const figure = `its first rate of ${currency}, ${ratePerUsd} per dollar on ${dayText(day)}, is outside its fixed bounds`;
    return found("rate_level", "broken", figure, bounds.join(" to "));
  }
  return null;
}

/**
 * Returns a finding about all rates of a day. If their median ratio is wrong, also returns it, so that single rates are compared with it.
 */
function levelOf(
  day: number,
  first: readonly Rated[],
  moves: readonly RateMove[],
): { finding?: RateFinding; level?: number } {
  const firstOnes = firstFinding(first);
  if (firstOnes !== null) return { finding: firstOnes };
  if (moves.length < judgedMin) return {};
  const ratios = new PriceRatios();
  const numbers = moves.map((move) => [Number(move.before), Number(move.ratePerUsd)] as const);
  for (const [index, [before, now]] of numbers.entries()) ratios.add(index, before, now);
  const median = ratios.median()!;
  const isLevel = median > levelBound || median < 1 / levelBound;
  const outside = ratios.outside(levelBound);
  const isMany = outside > Math.max(1, moves.length / 10);
  const isMoved = isOutside(median, unnamedLevel);
  if (!isMany && !isMoved) return {};
  const since = dayText(moves[0]!.beforeDay);
  const figure =
    isLevel || !isMany
      ? `the rates of ${dayText(day)} are ${median.toPrecision(2)} times the rates of ${since} (median of ${moves.length} currencies)${hint(numbers, median)}`
      : `${outside} of ${moves.length} currencies of ${dayText(day)} are outside ${boundText(levelBound)} times their last rates`;
  const examples = largestOf(moves, examplesMax, sizeOf).map(rateMoveText);
  const finding = found("rate_level", isLevel || isMany ? "broken" : "named", figure, levelThreshold, examples);
  return { finding, level: isMoved ? median : 1 };
}

const invertedHint = ": dollars per unit instead of units per dollar";

function hint(numbers: readonly (readonly [before: number, now: number])[], median: number): string {
  const inverted = numbers.filter(([before, now]) => Math.abs(Math.log(before * now)) < Math.log(levelBound));
  if (inverted.length * 2 > numbers.length) return invertedHint;
  return median > 0.009 && median < 0.011 ? ": a hundredth of the rates" : "";
}

function namedFinding(move: RateMove): RateFinding {
  return found("rate_jump", "named", rateMoveText(move), `${namedJump.low} to ${namedJump.high}`);
}

function leftOutFindings(leftOut: readonly RateMove[]): RateFinding[] {
  const byCurrency = Map.groupBy(leftOut, ({ currency }) => currency);
  return Array.from(byCurrency.values(), (moves) => {
    const more = moves.length === 1 ? "" : `, and so on until ${dayText(moves.at(-1)!.day)}`;
    const figure = `${rateMoveText(moves[0]!)}${isInverse(moves[0]!) ? invertedHint : ""}${more}; it was omitted`;
    return found("rate_jump", "named", figure, jumpThreshold);
  });
}

function unjudgedFindings(unjudged: readonly Rated[]): RateFinding[] {
  if (unjudged.length === 0) return [];
  const examples = unjudged.slice(0, examplesMax).map(({ currency, day }) => `${currency} ${dayText(day)}`);
  const figure = `${unjudged.length} rates have no other rate of their currency in the ${daysMax} days before`;
  return [notJudged("rate_jump", figure, jumpThreshold, examples)];
}
