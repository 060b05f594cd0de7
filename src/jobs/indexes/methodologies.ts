import type { Decimal } from "../../values/money/decimal.ts";

/** The rules by which levels are calculated. A version never changes once levels have it: another rule is another version. */
export type Methodology = {
  /** Share of the constituents in force that need a daily ask, in percent, for a day to have a value. */
  readonly coverageFloorPct: number;
  /** Share of a membership that needs a daily ask on both days, in percent, for a link over it: a few items never move all. */
  readonly linkFloorPct: number;
  /** Decimals with which a level is stored and chained, and each price relative is rounded; halves go to the even digit. */
  readonly exactScale: number;
  /** Decimals with which a level is shown. */
  readonly valueScale: number;
};

/**
 * Version 1 is chain-linked: a level is that of the last day with a value, times a link over the members with a daily ask on
 * both days. Equal weighting: the mean of their price relatives. Capitalization: the quotient of their summed asks times units.
 *
 * A day has a value when the membership in force reaches `coverageFloorPct` and a link reaches `linkFloorPct`. The link is over
 * the membership of the last day with a value, also when another one has come into force since: the first day on which the
 * new one is covered still ends a link over the old one, and later days are compared with the new one's asks of that day. Where
 * too few of the old members have asks on both days, the link is over the new ones. Where too few of those have, the day has
 * no value and the next day is linked instead.
 */
export const methodologies: ReadonlyMap<string, Methodology> = new Map([
  ["1", { coverageFloorPct: 90, linkFloorPct: 50, exactScale: 18, valueScale: 4 }],
]);

export const currentMethodology = "1";

/** Returns `value` in units of 10^-`scale`. The caller has checked that it has no more decimals than that. */
export function scaled({ units, scale: given }: Decimal, scale: number): bigint {
  return units * 10n ** BigInt(scale - given);
}
