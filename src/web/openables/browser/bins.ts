import { share, weightOf } from "./numbers.ts";
import type { Outcome, Tier } from "./types.ts";

/** Outcomes of similar value. `first` and `last` are their lowest and highest value in cents, `index` is the position on the axis. */
export type Bin = {
  index: number;
  first: number;
  last: number;
  /** Percentage of all openings, by tier in the order of the pool. */
  chance: number[];
  /** Percentage of the priced part of the expected value, by tier. */
  worth: number[];
  outcomes: Outcome[];
};

/** Ascending bins on an axis from position `low` to before `high`, and a bin for outcomes without a price. */
export type Distribution = {
  tiers: readonly Tier[];
  /** Number of positions on the axis per power of ten. */
  perDecade: number;
  low: number;
  high: number;
  bins: Bin[];
  unpriced: Bin | null;
};

/** @param marked Further values in cents that must be on the axis. */
export function distributionOf(
  outcomes: readonly Outcome[],
  tiers: readonly Tier[],
  perDecade: number,
  marked: readonly number[],
): Distribution {
  const placeOf = (cents: number) => Math.floor(Math.log10(Math.max(1, cents)) * perDecade + 1e-9);
  const groups = new Map<number | null, Outcome[]>();
  for (const outcome of outcomes) {
    if (outcome.status === "excluded") continue;
    const place = outcome.value_cents === null ? null : placeOf(outcome.value_cents);
    groups.set(place, [...(groups.get(place) ?? []), outcome]);
  }
  const whole = BigInt(outcomes[0]?.probability_denominator ?? "1");
  const total = outcomes.reduce((sum, one) => sum + weightOf(one), 0n);
  const binOf = (index: number, members: Outcome[]): Bin => {
    const values = members.map(({ value_cents }) => value_cents ?? 0);
    const byTier = (of: (one: Outcome) => bigint, all: bigint) =>
      tiers.map(({ tier }) => {
        const part = members.filter((one) => one.tier === tier).reduce((sum, one) => sum + of(one), 0n);
        return Number(share(part, all, 8));
      });
    return {
      index,
      first: Math.min(...values),
      last: Math.max(...values),
      chance: byTier((one) => BigInt(one.probability_numerator), whole),
      worth: byTier(weightOf, total),
      outcomes: members,
    };
  };
  const unpriced = groups.get(null);
  groups.delete(null);
  const bins = [...groups].map(([place, members]) => binOf(place ?? 0, members)).sort((a, b) => a.index - b.index);
  const places = [...bins.map(({ index }) => index), ...marked.map(placeOf)];
  return {
    tiers,
    perDecade,
    low: Math.min(...places),
    high: Math.max(...places) + 1,
    bins,
    unpriced: unpriced === undefined ? null : binOf(0, unpriced),
  };
}

/** Adds up percentages of tiers. */
export function sum(parts: readonly number[]): number {
  return parts.reduce((total, part) => total + part, 0);
}
