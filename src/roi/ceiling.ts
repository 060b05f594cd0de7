import type { PricedOutcome } from "./valuation.ts";

/**
 * Marks the outcomes that count as above the price ceiling of a mode's providers; `ceilingCents` null: they have none. Without a price an
 * outcome does, unless its own high and its value in the other mode, or without both the dearest value of its tier, are below half of the
 * ceiling. `elsewhere` returns the value in the other mode by position, null: it has none there.
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
    // Half: marketplaces differ by about as much.
    const isBelow = evidence !== null && 2n * BigInt(evidence) < BigInt(ceilingCents);
    return isBelow ? outcome : { ...outcome, aboveCeilingCents: ceilingCents };
  });
}

function larger(one: number | null, other: number | null): number | null {
  if (one === null || other === null) return one ?? other;
  return one > other ? one : other;
}
