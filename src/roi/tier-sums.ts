import { FractionSum } from "./rational.ts";

/** An outcome with a chance, as a calculation weighs it. `numerator` over the pool's denominator. */
export type WeighedOutcome = {
  tier: string;
  numerator: bigint;
  valueCents: bigint | null;
  recentHighCents: bigint | null;
};

/** Masses and sums of one tier, times the pool's denominator. */
export type TierSums = {
  mass: bigint;
  priced: bigint;
  /** Sum of chance times value in cents, over what is priced. */
  worth: bigint;
  /** Mass that is worth strictly more than the cost. */
  profitable: bigint;
  /** Largest priced value in cents; null: nothing is priced. */
  dearest: bigint | null;
  unpriced: WeighedOutcome[];
};

/** By tier, in the order in which the tiers first come. */
export function tierSums(outcomes: readonly WeighedOutcome[], costCents: bigint): TierSums[] {
  const tiers = new Map<string, TierSums>();
  for (const outcome of outcomes) {
    let tier = tiers.get(outcome.tier);
    if (tier === undefined) {
      tier = { mass: 0n, priced: 0n, worth: 0n, profitable: 0n, dearest: null, unpriced: [] };
      tiers.set(outcome.tier, tier);
    }
    addOutcome(tier, outcome, costCents);
  }
  return [...tiers.values()];
}

function addOutcome(tier: TierSums, outcome: WeighedOutcome, costCents: bigint): void {
  const { numerator, valueCents } = outcome;
  tier.mass += numerator;
  if (valueCents === null) {
    tier.unpriced.push(outcome);
    return;
  }
  tier.priced += numerator;
  tier.worth += numerator * valueCents;
  if (valueCents > costCents) tier.profitable += numerator;
  if (tier.dearest === null || valueCents > tier.dearest) tier.dearest = valueCents;
}

/** What unpriced outcomes add at most to the worth of what is priced. */
export type Assumed = {
  /** Null: one of them has no value to assume. */
  worth: bigint | null;
  /** One of them was taken for the dearest of its tier. */
  tookDearest: boolean;
};

/** Every unpriced outcome is taken for the dearest of its tier or its own recent high, whichever is more. */
export function assumedWorth(tiers: readonly TierSums[]): Assumed {
  let worth: bigint | null = 0n;
  let tookDearest = false;
  for (const { dearest, unpriced } of tiers) {
    for (const { numerator, recentHighCents } of unpriced) {
      const takesDearest = dearest !== null && (recentHighCents === null || dearest >= recentHighCents);
      const assumed = takesDearest ? dearest : recentHighCents;
      tookDearest ||= takesDearest;
      worth = worth === null || assumed === null ? null : worth + numerator * assumed;
    }
  }
  return { worth, tookDearest };
}

/**
 * Sum over the tiers of mass x part / priced: every tier stands for its whole mass, whatever of it is priced. Each tier must have
 * something priced.
 */
export function projected(tiers: readonly TierSums[], part: "worth" | "profitable"): FractionSum {
  const sum = new FractionSum();
  for (const tier of tiers) {
    if (tier.mass === tier.priced) sum.add(tier[part], 1n);
    else sum.add(tier.mass * tier[part], tier.priced);
  }
  return sum;
}
