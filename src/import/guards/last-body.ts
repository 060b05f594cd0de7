import type { ComparedBooks } from "../quotes/compared-books.ts";
import {
  alikeText,
  boundText,
  comparedMin,
  found,
  type GuardFinding,
  type GuardThresholds,
  isOutside,
  leapsOf,
  levelNamed,
  movesMax,
  moveText,
  percentText,
  ratioText,
} from "./findings.ts";
import type { PriceRatios } from "./price-ratios.ts";
import { roundFrom, roundShares } from "./round-prices.ts";
import { isBeyond, turnedText, turnedTwins, type twinsOf } from "./twins.ts";
import type { Week } from "./week.ts";

/** New prices and the prices of the last accepted body. */
type ComparedPrices = {
  changes: ComparedBooks["changes"];
  twins: ReturnType<typeof twinsOf>;
  week: Week;
  nameOf(itemId: number): string;
  /** Returns the currencies that explain a ratio to dollar amounts, as the end of a sentence. */
  explain(ratio: number): string;
};

/** Minimum ratio of a price jump. */
const jumpBound = 3;
const jumpsNamed = 1;
const turnedNamed = 2;

/** Compares the prices of each provider and side with the last accepted body. */
export function checkPrices(compared: ComparedPrices, thresholds: GuardThresholds): GuardFinding[] {
  const findings: GuardFinding[] = [];
  for (const { provider, side, prices } of compared.changes.bySide()) {
    const one = { ...compared, subject: `${side} of ${provider}`, of: [{ provider, side }], prices };
    if (prices.count >= comparedMin && !isOutside(prices.median()!, thresholds.price_level)) {
      const before = compared.week.dayBefore(provider, side, prices);
      findings.push(...levelFindings(one, before, thresholds.price_level));
      findings.push(...jumpFindings(one, thresholds.price_jumps));
      findings.push(...roundFindings(one, thresholds.round_prices));
    }
    findings.push(...twinFindings(one, thresholds.twins));
  }
  const order = ["price_level", "price_jumps", "twins", "round_prices"];
  return findings.sort((one, other) => order.indexOf(one.guard) - order.indexOf(other.guard));
}

type OneSide = ComparedPrices & { subject: string; of: NonNullable<GuardFinding["of"]>; prices: PriceRatios };

/** Reports a price level that moved in this body or within a day. `sinceDay` is the ratio to the day before, or null if unknown. */
function levelFindings(
  { subject, prices, explain }: OneSide,
  sinceDay: number | null,
  threshold: number,
): GuardFinding[] {
  const isUnusual = (ratio: number) => ratio < levelNamed.low || ratio > levelNamed.high;
  const ratio = prices.median()!;
  const [from, to] = prices.medians();
  const medians = `their median changed from ${from} to ${to} cents`;
  if (isUnusual(ratio))
    return [
      found(
        "price_level",
        "named",
        `the ${subject} are ${ratioText(ratio)} times the previous ones; ${medians}`,
        threshold,
      ),
    ];
  if (sinceDay === null || !isUnusual(sinceDay)) {
    const single = alikeText(subject, prices);
    return single === null ? [] : [found("price_level", "named", `${single.text}${explain(single.ratio)}`, threshold)];
  }
  const figure = `the ${subject} are ${ratioText(sinceDay)} times the prices of a day before; in this body ${medians}`;
  return [found("price_level", "named", figure, threshold)];
}

function jumpFindings({ subject, of, prices, nameOf }: OneSide, percent: number): GuardFinding[] {
  const [jumps, leaps] = [prices.outside(jumpBound), prices.outside(100)];
  const isNamed = jumps * 100 > jumpsNamed * prices.count || leapsOf(prices) !== null;
  if (!isNamed && jumps * 100 <= percent * prices.count) return [];
  const moves = prices.largest(movesMax, jumpBound).map((move) => moveText(nameOf(move.itemId), move));
  const head = `${jumps} of ${prices.count} ${subject} (${percentText(jumps, prices.count)}) are outside ${boundText(jumpBound)} times the previous ones`;
  const figure = leaps === 0 ? head : `${head}, ${leaps} of them outside ${boundText(100)}`;
  const verdict = jumps * 100 > percent * prices.count ? "broken" : "named";
  return [{ ...found("price_jumps", verdict, figure, percent, moves), of }];
}

function twinFindings({ subject, prices, twins, nameOf }: OneSide, percent: number): GuardFinding[] {
  if (prices.changed === 0) return [];
  const turned = turnedTwins(twins, prices).filter((kind) => isBeyond(kind, turnedNamed));
  return turned.map((one) => {
    const names = one.examples.map((pair) => pair.map(nameOf).join(" and "));
    const figure = `the order changed in ${turnedText(one)} of the ${subject}`;
    return found("twins", isBeyond(one, percent) ? "broken" : "named", figure, percent, names);
  });
}

/** Reports a side with prices that became whole dollars. */
function roundFindings({ subject, prices }: OneSide, percent: number): GuardFinding[] {
  const shares = roundShares(prices, percent);
  if (shares === null) return [];
  const before = percentText(...shares.before);
  const figure = `${percentText(...shares.now)} of the ${subject} above ${roundFrom} cents are whole dollars, ${before} were before`;
  return [found("round_prices", "named", figure, percent)];
}
