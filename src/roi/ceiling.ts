import type { PricedOutcome } from "./valuation.ts";

/**
 * Marks the unpriced outcomes that may be above the price ceiling of a mode's providers.
 *
 * An outcome is not marked if a known value is below half of the ceiling. That value is the larger of its recent high and its value in the
 * other mode. Without either, it is the dearest value of its tier. Pass null as `ceilingCents` if the providers have no ceiling.
 * `elsewhere` returns the value in the other mode by position, or null.
 */
export function markAboveCeiling(
  outcomes: readonly PricedOutcome[],
  ceilingCents: number | null,
  elsewhere: (position: number) => number | null,
): PricedOutcome[] {
  if (ceilingCents === null) return [...outcomes];
  const dearest = new Map<string, number | null>();
  for (const { tier, numerator, valueCents } of outcomes)
    if (numerator > 0n) dearest.set(tier, larger(valueCents, dearest.get(tier) ?? null));
  return outcomes.map((outcome, position) => {
    const { tier, numerator, valueCents, recentHighCents } = outcome;
    if (numerator === 0n || valueCents !== null) return outcome;
    const evidence = larger(recentHighCents, elsewhere(position)) ?? dearest.get(tier) ?? null;
    // Prices differ between marketplaces by about a factor of two.
    const isBelow = evidence !== null && 2n * BigInt(evidence) < BigInt(ceilingCents);
    return isBelow ? outcome : { ...outcome, aboveCeilingCents: ceilingCents };
  });
}

function larger(one: number | null, other: number | null): number | null {
  if (one === null || other === null) return one ?? other;
  return one > other ? one : other;
}
