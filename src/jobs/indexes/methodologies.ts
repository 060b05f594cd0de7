import type { Decimal } from "../../values/money/decimal.ts";

/** The rules for calculating levels. A version with levels never changes: a new rule needs a new version. */
export type Methodology = {
  /** Minimum share of the current constituents with a daily ask, in percent, for a day to have a value. */
  readonly coverageFloorPct: number;
  /** Minimum share of a membership with a daily ask on both days, in percent, for a link. It keeps a few items from moving the index. */
  readonly linkFloorPct: number;
  /** Decimals of stored levels and of price relatives. Halves are rounded to the even digit. */
  readonly exactScale: number;
  /** Decimals of displayed levels. */
  readonly valueScale: number;
};

/**
 * Version 1 is chain-linked. A level is the last level with a value times a link over the members with a daily ask on both days. With equal
 * weighting the link is the mean of their price relatives. With capitalization weighting it is the ratio of their summed asks times units.
 *
 * A day has a value if the current membership reaches `coverageFloorPct` and a link reaches `linkFloorPct`. The link uses the membership of
 * the last day with a value, even if a new membership is in force. On the first covered day of a new membership the link still uses the old
 * members. Later days are compared with the new members' asks of that day. If too few old members have asks on both days, the link uses the
 * new members. If too few of them do, the day has no value and the next day is linked instead.
 */
export const methodologies: ReadonlyMap<string, Methodology> = new Map([
  ["1", { coverageFloorPct: 90, linkFloorPct: 50, exactScale: 18, valueScale: 4 }],
]);

export const currentMethodology = "1";

/** Returns `value` in units of 10^-`scale`. The value must not have more decimals than that. */
export function scaled({ units, scale: given }: Decimal, scale: number): bigint {
  return units * 10n ** BigInt(scale - given);
}
