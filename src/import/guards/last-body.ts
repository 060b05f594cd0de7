import type { ComparedBooks } from "../quotes/compared-books.ts";
import {
  boundText,
  comparedMin,
  found,
  type GuardFinding,
  type GuardThresholds,
  isOutside,
  movesMax,
  moveText,
  percentText,
  ratioText,
} from "./findings.ts";
import type { PriceRatios } from "./price-ratios.ts";
import { type Turned, type TwinKind, turnedTwins, type twinsOf } from "./twins.ts";
import type { Week } from "./week.ts";

/** New prices and the prices of the last accepted body. */
type ComparedPrices = {
  changes: ComparedBooks["changes"];
  twins: ReturnType<typeof twinsOf>;
  week: Week;
  nameOf(itemId: number): string;
};

/** Ratio of a jump, and of a leap, which almost certainly has another unit. */
const jumpBound = 3;
const leapBound = 100;
const jumpsNamed = 1;
const leapsNamed = 0.1;
const leapsMin = 5;
const levelNamed = { low: 0.7, high: 1.4 };
const pairsMin = 50;
const turnedNamed = 2;
/** Cents from which whole dollars count. */
const roundFrom = 1000;
const twinTexts: Readonly<Record<TwinKind, string>> = {
  phases: "pairs of phases",
  editions: "pairs of StatTrak and plain items",
  wears: "pairs of neighbouring wears",
};

/** Checks the prices of each provider and side against those of the last accepted body. */
export function checkPrices(compared: ComparedPrices, thresholds: GuardThresholds): GuardFinding[] {
  const findings: GuardFinding[] = [];
  for (const { provider, side, prices } of compared.changes.bySide()) {
    const one = { ...compared, whose: `${side} of ${provider}`, prices };
    if (prices.count >= comparedMin && !isOutside(prices.median()!, thresholds.price_level)) {
      const before = compared.week.dayBefore(provider, side, prices);
      findings.push(...levelFindings(one, before, thresholds.price_level));
      findings.push(...jumpFindings(one, thresholds.price_jumps), ...roundFindings(one, thresholds.round_prices));
    }
    findings.push(...twinFindings(one, thresholds.twins));
  }
  const order = ["price_level", "price_jumps", "twins", "round_prices"];
  return findings.sort((one, other) => order.indexOf(one.guard) - order.indexOf(other.guard));
}

type OneSide = ComparedPrices & { whose: string; prices: PriceRatios };

/** Names a level that moved in this body or in a day. `sinceDay`: ratio to the day before, null if unknown. */
function levelFindings({ whose, prices }: OneSide, sinceDay: number | null, threshold: number): GuardFinding[] {
  const isUnusual = (ratio: number) => ratio < levelNamed.low || ratio > levelNamed.high;
  const ratio = prices.median()!;
  const [from, to] = prices.medians();
  const medians = `their median went from ${from} to ${to} cents`;
  if (isUnusual(ratio))
    return [
      found("price_level", "named", `the ${whose} are ${ratioText(ratio)} times those before; ${medians}`, threshold),
    ];
  if (sinceDay === null || !isUnusual(sinceDay)) return [];
  const figure = `the ${whose} are ${ratioText(sinceDay)} times those of a day before; in this body ${medians}`;
  return [found("price_level", "named", figure, threshold)];
}

function jumpFindings({ whose, prices, nameOf }: OneSide, percent: number): GuardFinding[] {
  const [jumps, leaps] = [prices.outside(jumpBound), prices.outside(leapBound)];
  const isNamed =
    jumps * 100 > jumpsNamed * prices.count || (leaps >= leapsMin && leaps * 100 > leapsNamed * prices.count);
  if (!isNamed && jumps * 100 <= percent * prices.count) return [];
  const moves = prices.largest(movesMax, jumpBound).map((move) => moveText(nameOf(move.itemId), move));
  const head = `${jumps} of ${prices.count} ${whose} (${percentText(jumps, prices.count)}) are outside ${boundText(jumpBound)} times those before`;
  const figure = leaps === 0 ? head : `${head}, ${leaps} of them outside ${boundText(leapBound)}`;
  return [found("price_jumps", jumps * 100 > percent * prices.count ? "broken" : "named", figure, percent, moves)];
}

function twinFindings({ whose, prices, twins, nameOf }: OneSide, percent: number): GuardFinding[] {
  if (prices.changed === 0) return [];
  const isNamed = ({ turned, pairs }: Turned) => pairs >= pairsMin && turned * 100 > turnedNamed * pairs;
  return turnedTwins(twins, prices)
    .filter(isNamed)
    .map(({ kind, turned, pairs, examples }) => {
      const figure = `the order turned round in ${turned} of ${pairs} ${twinTexts[kind]} (${percentText(turned, pairs)}) of the ${whose}`;
      const names = examples.map((pair) => pair.map(nameOf).join(" and "));
      return found("twins", turned * 100 > percent * pairs ? "broken" : "named", figure, percent, names);
    });
}

/** Names a side with prices that became whole dollars. */
function roundFindings({ whose, prices }: OneSide, percent: number): GuardFinding[] {
  const { before, now } = prices.multiples(100, roundFrom);
  if (now.of < comparedMin || before.of === 0 || now.count * 100 <= percent * now.of) return [];
  if (2 * (before.count / before.of) > now.count / now.of) return [];
  const figure = `${percentText(now.count, now.of)} of the ${whose} above ${roundFrom} cents are whole dollars, ${percentText(before.count, before.of)} were before`;
  return [found("round_prices", "named", figure, percent)];
}
