/** @import { Outcome, Tier } from "./types.mjs" */
import { share } from "./numbers.mjs";

/**
 * Outcomes of like value together. `chance` and `worth` are percentages by tier, in the pool's order: of all openings, and of
 * the priced part of the expected value.
 * @typedef {object} Bin
 * @property {number} first Lowest value of it in cents.
 * @property {number} last Highest value of it in cents.
 * @property {number} index Of its place on the axis.
 * @property {number[]} chance
 * @property {number[]} worth
 * @property {Outcome[]} outcomes
 *
 * @typedef {object} Distribution
 * @property {number} perDecade Places on the axis from one value to its tenfold.
 * @property {number} low First place.
 * @property {number} high Place after the last.
 * @property {Bin[]} bins Those that have outcomes, ascending.
 * @property {Bin | null} unpriced What has no price, on no axis.
 */

/**
 * @param {readonly Outcome[]} outcomes
 * @param {readonly Tier[]} tiers
 * @param {number} perDecade
 * @param {readonly number[]} marked Values in cents that must lie on the axis as well.
 * @returns {Distribution}
 */
export function distributionOf(outcomes, tiers, perDecade, marked) {
  const placeOf = (/** @type {number} */ cents) => Math.floor(Math.log10(Math.max(1, cents)) * perDecade + 1e-9);
  /** @type {Map<number | null, Outcome[]>} */
  const groups = new Map();
  for (const outcome of outcomes) {
    if (outcome.status === "excluded") continue;
    const place = outcome.value_cents === null ? null : placeOf(outcome.value_cents);
    groups.set(place, [...(groups.get(place) ?? []), outcome]);
  }
  const whole = BigInt(outcomes[0]?.probability_denominator ?? "1");
  const total = outcomes.reduce((sum, one) => sum + weightOf(one), 0n);
  const binOf = (/** @type {number} */ index, /** @type {Outcome[]} */ members) =>
    makeBin(index, members, tiers, { whole, total });
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

/** @param {number} index @param {Outcome[]} members @param {readonly Tier[]} tiers @param {{ whole: bigint, total: bigint }} sums @returns {Bin} */
function makeBin(index, members, tiers, { whole, total }) {
  const values = members.map(({ value_cents }) => value_cents ?? 0);
  const sumOf = (/** @type {string} */ tier, /** @type {(one: Outcome) => bigint} */ of) =>
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

/** Returns chance times value, in parts of the denominator. @param {Outcome} outcome */
function weightOf({ probability_numerator, value_cents }) {
  return BigInt(probability_numerator) * BigInt(value_cents ?? 0);
}

/** @param {readonly number[]} parts */
export function sum(parts) {
  return parts.reduce((total, part) => total + part, 0);
}
