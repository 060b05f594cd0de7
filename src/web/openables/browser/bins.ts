import { share } from "./numbers.ts";
import type { Outcome, Tier } from "./types.ts";

/**
 * Outcomes of like value together. `chance` and `worth` are percentages by tier, in the pool's order: of all openings, and of
 * the priced part of the expected value.
 */
export type Bin = {
  /** Lowest value of it in cents. */
  first: number;
  /** Highest value of it in cents. */
  last: number;
  /** Of its place on the axis. */
  index: number;
  chance: number[];
  worth: number[];
  outcomes: Outcome[];
};
export type Distribution = {
  /** Places on the axis from one value to its tenfold. */
  perDecade: number;
  /** First place. */
  low: number;
  /** Place after the last. */
  high: number;
  /** Those that have outcomes, ascending. */
  bins: Bin[];
  /** What has no price, on no axis. */
  unpriced: Bin | null;
};

/** @param marked Values in cents that must lie on the axis as well. */
export function distributionOf(
  outcomes: readonly Outcome[],
  tiers: readonly Tier[],
  perDecade: number,
  marked: readonly number[],
): Distribution {
  const placeOf = (cents: number) => Math.floor(Math.log10(Math.max(1, cents)) * perDecade + 1e-9);
  const groups: Map<number | null, Outcome[]> = new Map();
  for (const outcome of outcomes) {
    if (outcome.status === "excluded") continue;
    const place = outcome.value_cents === null ? null : placeOf(outcome.value_cents);
    groups.set(place, [...(groups.get(place) ?? []), outcome]);
  }
  const whole = BigInt(outcomes[0]?.probability_denominator ?? "1");
  const total = outcomes.reduce((sum, one) => sum + weightOf(one), 0n);
  const binOf = (index: number, members: Outcome[]) => makeBin(index, members, tiers, { whole, total });
  const missing = groups.get(null);
  groups.delete(null);
  const bins = [...groups].map(([place, members]) => binOf(place ?? 0, members)).sort((a, b) => a.index - b.index);
  const places = [...bins.map(({ index }) => index), ...marked.map(placeOf)];
  return {
    perDecade,
    low: Math.min(...places),
    high: Math.max(...places) + 1,
    bins,
    unpriced: missing === undefined ? null : binOf(0, missing),
  };
}

function makeBin(
  index: number,
  members: Outcome[],
  tiers: readonly Tier[],
  { whole, total }: { whole: bigint; total: bigint },
): Bin {
  const values = members.map(({ value_cents }) => value_cents ?? 0);
  const sumOf = (tier: string, of: (one: Outcome) => bigint) =>
    members.filter((one) => one.tier === tier).reduce((sum, one) => sum + of(one), 0n);
  return {
    index,
    first: Math.min(...values),
    last: Math.max(...values),
    chance: tiers.map(({ tier }) =>
      Number(
        share(
          sumOf(tier, (one) => BigInt(one.probability_numerator)),
          whole,
          8,
        ),
      ),
    ),
    worth: tiers.map(({ tier }) => Number(share(sumOf(tier, weightOf), total, 8))),
    outcomes: members,
  };
}

/** Returns chance times value, in parts of the denominator. */
function weightOf({ probability_numerator, value_cents }: Outcome) {
  return BigInt(probability_numerator) * BigInt(value_cents ?? 0);
}

/** Returns the sum of numbers. */
export function sum(parts: readonly number[]) {
  return parts.reduce((total, part) => total + part, 0);
}
