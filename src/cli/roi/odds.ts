import type { Schema } from "../../contract/types.ts";
import { probabilityPct } from "../../roi/current.ts";
import { gcd } from "../../roi/rational.ts";
import { OperatorError } from "../../values/failure/operator-error.ts";
import { displayText } from "../../values/text/display-text.ts";
import type { Differences } from "./difference.ts";
import type { Outcome } from "./sources.ts";

export type Odds = {
  /** True if the numerators sum to the denominator. */
  addUp: boolean;
  denominator: bigint;
  /** Possible outcomes by tier, in the order of the tiers' first outcome. `mass` is a numerator of the denominator. */
  tiers: ReadonlyMap<string, { mass: bigint; outcomes: number }>;
};

/**
 * Checks numerators, denominators, percentages and weights.
 * @throws {OperatorError} when the responses are not one pool and its outcomes.
 */
export function compareOdds(
  tiers: readonly Schema<"PoolTier">[],
  outcomes: readonly Outcome[],
  differences: Differences,
): Odds {
  refuseForeign(namesOf(tiers), outcomes);
  const numerators = outcomes.map(({ probability_numerator }) => BigInt(probability_numerator));
  const sum = numerators.reduce((total, numerator) => total + numerator, 0n);
  if (sum === 0n) throw new OperatorError("outcomes: none has a chance (probability_numerator)");
  const denominator = denominatorOf(outcomes, sum, differences);
  // With the least common denominator, the numerators have no common factor.
  const common = numerators.reduce(gcd, denominator);
  const addUp = sum === denominator;
  differences.compare("outcomes[*].probability_numerator (sum)", String(sum), String(denominator));
  if (addUp) {
    differences.compare("outcomes[*].probability_denominator", String(denominator), String(denominator / common));
  }
  for (const [index, { item_id, probability_pct }] of outcomes.entries()) {
    const recomputed = probabilityPct(numerators[index]!, denominator);
    differences.compare(`outcomes[item ${item_id}].probability_pct`, probability_pct, recomputed);
  }
  const possible = tierMasses(outcomes, numerators);
  if (addUp) compareWeights(tiers, possible, differences);
  return { addUp, denominator, tiers: possible };
}

/** Returns the names of the tiers. Refuses duplicate names. */
function namesOf(tiers: readonly Schema<"PoolTier">[]): Set<string> {
  const known = new Set<string>();
  for (const { tier } of tiers) {
    if (known.has(tier)) throw new OperatorError(`pool.tiers: the tier \`${displayText(tier)}\` is listed twice`);
    known.add(tier);
  }
  return known;
}

function refuseForeign(known: ReadonlySet<string>, outcomes: readonly Outcome[]): void {
  if (outcomes.length === 0) throw new OperatorError("outcomes: the list is empty");
  const seen = new Set<number>();
  for (const { item_id, tier } of outcomes) {
    if (seen.has(item_id)) throw new OperatorError(`outcomes: item ${item_id} is listed twice`);
    seen.add(item_id);
    if (known.has(tier)) continue;
    const names = [...known].map((name) => displayText(name)).join(", ");
    throw new OperatorError(
      `outcomes: item ${item_id} is of the tier \`${displayText(tier)}\`, and the pool has ${names}: the outcomes belong to another pool`,
    );
  }
}

/** Returns the common denominator: the sum of the numerators if any outcome has it, else the first outcome's. */
function denominatorOf(outcomes: readonly Outcome[], sum: bigint, differences: Differences): bigint {
  const denominators = outcomes.map(({ probability_denominator }) => BigInt(probability_denominator));
  const denominator = denominators.includes(sum) || denominators[0] === 0n ? sum : denominators[0]!;
  for (const { item_id, probability_denominator } of outcomes) {
    const field = `outcomes[item ${item_id}].probability_denominator`;
    differences.compare(field, probability_denominator, String(denominator));
  }
  return denominator;
}

function tierMasses(outcomes: readonly Outcome[], numerators: readonly bigint[]) {
  const tiers = new Map<string, { mass: bigint; outcomes: number }>();
  for (const [index, { tier }] of outcomes.entries()) {
    const numerator = numerators[index]!;
    if (numerator === 0n) continue;
    const { mass, outcomes: count } = tiers.get(tier) ?? { mass: 0n, outcomes: 0 };
    tiers.set(tier, { mass: mass + numerator, outcomes: count + 1 });
  }
  return tiers;
}

/** Weights are only relative, so both sides are reduced to the smallest integers. */
function compareWeights(tiers: readonly Schema<"PoolTier">[], possible: Odds["tiers"], differences: Differences): void {
  const served = smallest(tiers.map(({ weight }) => BigInt(weight)));
  const recomputed = smallest(tiers.map(({ tier }) => possible.get(tier)?.mass ?? 0n));
  differences.compareTexts("pool.tiers[*].weight", `[${served}]`, `[${recomputed}]`);
}

function smallest(weights: readonly bigint[]): bigint[] {
  const common = weights.reduce(gcd, 0n);
  return weights.map((weight) => weight / common);
}
