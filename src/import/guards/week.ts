import type { Database } from "../../store/database.ts";
import { type LevelRow, QuoteLevels } from "../../store/write/quote-levels.ts";
import { type ComparedBooks, isLost, type Side, sides } from "../quotes/compared-books.ts";
import {
  comparedMin,
  found,
  type GuardFinding,
  type GuardThresholds,
  goneUnnamed,
  isOutside,
  notJudged,
  ratioText,
} from "./findings.ts";
import type { PriceRatios } from "./price-ratios.ts";

/** Quotes and price levels of one provider and side in seven days. Levels are millionths of a natural logarithm. */
type SideWeek = {
  /** The largest number of quotes in an accepted body. */
  countMax: number;
  /** Median level of the hours, and the levels of the first and the last body. */
  middle: number;
  first: number;
  last: number;
  /** Level of the day before. Null if unknown. */
  dayBefore: number | null;
};

/** Number of quotes and level of one provider and side in an accepted body. */
export type SideLevel = { provider: string; side: Side; count: number; level: number };

const weekHours = 7 * 24;
const dayHours = 24;
/** Maximum percentage of the largest list that a partial list may lack. Real lists lack up to 77 %. */
const partLack = 85;
/** Maximum ratio to the first level of the week that needs no finding. */
const weekNamed = 2;
export const emptyWeek = "no body of the last seven days is known";

/** The accepted bodies of a feed in the seven days before a body. */
export class Week {
  readonly #sides = new Map<string, SideWeek>();

  /** Reads the week before `hour` (UTC hours since 1970). */
  constructor(database: Database, providers: readonly string[], hour: number) {
    const rows = new QuoteLevels(database).between(hour - weekHours, hour, providers);
    for (const [key, of] of Map.groupBy(rows, ({ provider, side }) => `${provider} ${side}`))
      this.#sides.set(key, sideWeekOf(of, hour));
  }

  get isEmpty(): boolean {
    return this.#sides.size === 0;
  }

  of(provider: string, side: Side): SideWeek | null {
    return this.#sides.get(`${provider} ${side}`) ?? null;
  }

  /** Returns the level of the new prices. */
  levelOf(provider: string, side: Side, prices: PriceRatios): number {
    const mean = prices.count < comparedMin ? 1 : prices.mean();
    return (this.of(provider, side)?.last ?? 0) + Math.round(1e6 * Math.log(mean));
  }

  /** Returns the ratio of prices to the level of the day before. Null if that level is unknown. */
  dayBefore(provider: string, side: Side, prices: PriceRatios): number | null {
    const before = this.of(provider, side)?.dayBefore ?? null;
    return before === null ? null : ratioOf(this.levelOf(provider, side, prices) - before);
  }

  /** Returns the count and level of each provider and side of an accepted body. */
  levelsOf({ now, changes }: ComparedBooks): SideLevel[] {
    return Array.from(now.providers.keys()).flatMap((provider) =>
      sides.flatMap((side) => {
        const count = now.providers.get(provider)![side];
        const level = this.levelOf(provider, side, changes.of(provider, side));
        return count === 0 ? [] : [{ provider, side, count, level }];
      }),
    );
  }
}

/** A body and its preceding week. `isPart` is true if the source reports an unfinished sweep. */
type WeekBody = {
  week: Week;
  books: ComparedBooks;
  providers: readonly string[];
  isPart: boolean;
  /** Reason for an empty week, as text. */
  why: string;
};

/** Checks the number of quotes and the level of prices of each provider and side against the last seven days. */
export function checkWeek(
  { week, books, providers, isPart, why }: WeekBody,
  thresholds: GuardThresholds,
): GuardFinding[] {
  const { week_count: percent, week_price: bound } = thresholds;
  if (week.isEmpty) return [notJudged("week_count", why, percent), notJudged("week_price", why, bound)];
  const findings: GuardFinding[] = [];
  for (const provider of providers) {
    for (const side of sides) {
      const before = week.of(provider, side);
      if (before === null) continue;
      const count = books.now.providers.get(provider)?.[side] ?? 0;
      const of = [{ provider, side }];
      const counts = { count, countMax: before.countMax, isPart, subject: `${side} of ${provider}` };
      findings.push(...countFindings(counts, percent).map((finding) => ({ ...finding, of })));
      const prices = books.changes.of(provider, side);
      // `price_level` reports a step in this body alone.
      if (prices.count >= comparedMin && isOutside(prices.median()!, thresholds.price_level)) continue;
      const level = week.levelOf(provider, side, prices);
      const levels = { ...before, level, subject: `${side} of ${provider}` };
      findings.push(...priceFindings(levels, bound).map((finding) => ({ ...finding, of })));
    }
  }
  return findings;
}

function priceFindings(
  { middle, first, level, subject }: SideWeek & { level: number; subject: string },
  bound: number,
) {
  const [toMiddle, toFirst] = [ratioOf(level - middle), ratioOf(level - first)];
  if (isOutside(toMiddle, bound)) {
    const figure = `the ${subject} are ${ratioText(toMiddle)} times the middle of the last seven days`;
    return [found("week_price", "broken", figure, bound)];
  }
  if (!isOutside(toFirst, weekNamed)) return [];
  const figure = `the ${subject} are ${ratioText(toFirst)} times the first of the last seven days`;
  return [found("week_price", "named", figure, bound)];
}

function countFindings(
  { count, countMax, isPart, subject }: { count: number; countMax: number; isPart: boolean; subject: string },
  percent: number,
): GuardFinding[] {
  if (countMax < comparedMin || !isLost(countMax, count, goneUnnamed)) return [];
  const isRefused = isLost(countMax, count, isPart ? partLack : percent);
  const part = isPart ? ", and it is marked as partial" : "";
  const figure = `${count} ${subject} are ${Math.round((100 * count) / countMax)} % of the most in the last seven days (${countMax})${part}`;
  return [found("week_count", isRefused ? "broken" : "named", figure, percent)];
}

function sideWeekOf(rows: readonly LevelRow[], hour: number): SideWeek {
  const levels = rows.map(({ firstLevel }) => firstLevel).sort((one, other) => one - other);
  return {
    countMax: Math.max(...rows.map(({ count }) => count)),
    middle: (levels[(levels.length - 1) >> 1]! + levels[levels.length >> 1]!) / 2,
    first: rows[0]!.firstLevel,
    last: rows.at(-1)!.lastLevel,
    dayBefore: rows.findLast((row) => row.hour <= hour - dayHours)?.lastLevel ?? null,
  };
}

function ratioOf(difference: number): number {
  return Math.exp(difference / 1e6);
}
