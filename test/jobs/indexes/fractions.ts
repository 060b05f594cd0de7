import type { Asks, Weighting } from "../../../src/jobs/indexes/level.ts";
import type { Constituent } from "../../../src/store/write/indexes.ts";

export type Day = { members: readonly Constituent[]; asks: Asks };
export type Fraction = { top: bigint; bottom: bigint };

/** `errorMax` is the largest sum of rounding errors at 18 decimals, in units of the last decimal. */
export type Exact = { level: Fraction; errorMax: number };

const one = 10n ** 18n;

/** The levels of an index in exact fractions, after the text of its methodology. Null without a value. The base value is 100. */
export function exactLevels(weighting: Weighting, days: readonly Day[]): (Exact | null)[] {
  let last: (Exact & Day) | null = null;
  return days.map(({ members, asks }) => {
    const priced = members.filter(({ itemId }) => asks.get(itemId) !== undefined);
    if (priced.length === 0 || priced.length / members.length < 0.9) return null;
    let found: Exact = { level: { top: 100n, bottom: 1n }, errorMax: 0 };
    if (last !== null) {
      const quotient =
        quotientOf(weighting, last.members, last.asks, asks) ?? quotientOf(weighting, members, last.asks, asks);
      if (quotient === null) return null;
      const { level, errorMax } = last;
      // Half a digit of the level, and half a digit of each relative times the level before.
      const added = 0.5 + 0.5 * numberOf(level);
      found = { level: times(level, quotient), errorMax: errorMax * numberOf(quotient) + added };
    }
    last = { ...found, members, asks };
    return found;
  });
}

/** How far a level in units of 1e-18 is from the exact one. */
export function errorOf(level: bigint, { top, bottom }: Fraction): number {
  const [scaled, expected] = [level * bottom, top * one];
  return Number((scaled > expected ? scaled - expected : expected - scaled) / bottom);
}

/** Returns null if fewer than half of the members have an ask on both days. */
function quotientOf(weighting: Weighting, members: readonly Constituent[], then: Asks, now: Asks): Fraction | null {
  const both = members.filter(({ itemId }) => then.get(itemId) !== undefined && now.get(itemId) !== undefined);
  if (both.length < members.length / 2) return null;
  let [sum, count]: [Fraction, Fraction] = [
    { top: 0n, bottom: 1n },
    { top: 0n, bottom: 1n },
  ];
  for (const { itemId, units } of both) {
    const [ask, before] = [BigInt(now.get(itemId)!), BigInt(then.get(itemId)!)];
    const isEqual = weighting === "equal";
    sum = plus(sum, isEqual ? { top: ask, bottom: before } : { top: ask * BigInt(units), bottom: 1n });
    count = plus(count, { top: isEqual ? 1n : before * BigInt(units), bottom: 1n });
  }
  return { top: sum.top * count.bottom, bottom: sum.bottom * count.top };
}

function times(one: Fraction, other: Fraction): Fraction {
  return { top: one.top * other.top, bottom: one.bottom * other.bottom };
}

/** Rounded up a little, for bounds. */
function numberOf({ top, bottom }: Fraction): number {
  return (Number((top * one) / bottom) / 1e18) * (1 + 1e-9) + 1e-9;
}

function plus(one: Fraction, other: Fraction): Fraction {
  return { top: one.top * other.bottom + other.top * one.bottom, bottom: one.bottom * other.bottom };
}
