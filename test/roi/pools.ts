import fc from "fast-check";
import type { OddsPhase, OddsTier, OddsWear } from "../../src/roi/odds.ts";
import type { OpeningCost, ValuedOutcome } from "../../src/roi/valuation.ts";

export type Pool = { outcomes: ValuedOutcome[]; denominator: bigint; cost: OpeningCost };

const value = fc.integer({ min: 1, max: 2000 });
const outcome = fc.record({
  tier: fc.constantFrom("a", "b", "c", "d"),
  numerator: fc.oneof(fc.bigInt(1n, 1000n), fc.bigInt(1n, 10n ** 24n), fc.constant(0n)),
  valueCents: value,
  recentHighCents: fc.constant(null),
});
/** Small beside most priced outcomes, so that the gates are often passed. */
const unpriced = fc.record({
  tier: fc.constantFrom("a", "b", "c", "d"),
  numerator: fc.bigInt(1n, 60n),
  valueCents: fc.constant(null),
  recentHighCents: fc.option(value, { freq: 3 }),
  aboveCeilingCents: fc.option(fc.constant(2000), { freq: 1 }),
});

/** Two tiers with a coverage at or near a gate, in thousandths. */
const gated = fc
  .record({
    share: fc.integer({ min: 1, max: 300 }),
    covered: fc.constantFrom(740, 749, 750, 760, 799, 800, 810, 949, 950, 994, 995, 999),
    cents: fc.tuple(value, value, fc.option(value)),
  })
  .map(({ share, covered, cents: [most, some, high] }): ValuedOutcome[] => [
    { tier: "a", numerator: BigInt(1000 - share) * 1000n, valueCents: most, recentHighCents: null },
    { tier: "b", numerator: BigInt(share * covered), valueCents: some, recentHighCents: null },
    { tier: "b", numerator: BigInt(share * (1000 - covered)), valueCents: null, recentHighCents: high },
  ]);

const mixed = fc
  .tuple(fc.array<ValuedOutcome>(outcome, { minLength: 1, maxLength: 9 }), fc.array(unpriced, { maxLength: 4 }))
  .chain(([some, others]) => fc.shuffledSubarray([...some, ...others], { minLength: some.length + others.length }))
  .filter((outcomes) => massOf(outcomes) > 0n);

/** Pools as the engine values them, any tier order, often with something unpriced. */
export const pools: fc.Arbitrary<Pool> = fc
  .record({
    outcomes: fc.oneof({ weight: 3, arbitrary: mixed }, { weight: 1, arbitrary: gated }),
    cost: fc.record({ containerCents: value, keyCents: fc.constantFrom(0, 249) }),
  })
  .map((pool) => ({ ...pool, denominator: massOf(pool.outcomes) }));

export function massOf(outcomes: readonly ValuedOutcome[]): bigint {
  return outcomes.reduce((mass, { numerator }) => mass + numerator, 0n);
}

/** Slot weights sum to a divisor of 12, phase weights to one of 6, the rest are quarters: see the enumerator. */
const slotWeights = fc.constantFrom([1], [1, 1], [2, 1], [1, 1, 1], [3, 1], [2, 2, 2]);
const phaseWeights = fc.constantFrom([1], [1], [1, 1], [2, 1], [0, 1], [1, 1, 1]);
const counterChances = fc.constantFrom<(readonly [number, number])[]>([0, 1], [1, 4], [2, 4], [1, 2], [1, 1]);
const wears = fc.constantFrom([1_000_000], [500_000, 500_000], [250_000, 750_000], [0, 1_000_000]);

const phase = (weight: number): fc.Arbitrary<OddsPhase> =>
  fc.record({
    weight: fc.constant(weight),
    counterChance: counterChances,
    wears: wears.map((parts) => parts.map((ppm) => ({ ppm, plainItemId: null, counterItemId: null }))),
  });

const slot = (weight: number) =>
  fc.record({
    weight: fc.constant(weight),
    phases: phaseWeights.chain((weights) => fc.tuple(...weights.map(phase))),
  });

const tier = (name: string): fc.Arbitrary<OddsTier> =>
  fc.record({
    tier: fc.constant(name),
    weight: fc.integer({ min: 1, max: 4 }),
    slots: slotWeights.chain((weights) => fc.tuple(...weights.map(slot))),
  });

/** Small definitions. Items are numbered from 1. Some impossible variants have no item. */
export const definitions: fc.Arbitrary<OddsTier[]> = fc
  .constantFrom(["a"], ["a", "b"], ["c", "b", "a"])
  .chain((names) => fc.tuple(...names.map(tier)))
  .map(numbered);

function numbered(tiers: OddsTier[]): OddsTier[] {
  let itemId = 0;
  const next = () => ++itemId;
  return eachPhase(tiers, (phase) => {
    const [counter, of] = phase.counterChance;
    const wearOf = ({ ppm }: OddsWear): OddsWear => ({
      ppm,
      plainItemId: counter === of ? null : next(),
      counterItemId: counter === 0 && ppm > 0 ? null : next(),
    });
    return { ...phase, wears: phase.wears.map(wearOf) };
  });
}

export function eachPhase(tiers: readonly OddsTier[], change: (phase: OddsPhase) => OddsPhase): OddsTier[] {
  return tiers.map((tier) => ({
    ...tier,
    slots: tier.slots.map((slot) => ({ ...slot, phases: slot.phases.map(change) })),
  }));
}
