import { expect } from "chai";
import fc from "fast-check";
import { type ValuedOutcome, valuate } from "../../src/roi/valuation.ts";
import { flat } from "./golden.ts";
import { massOf, type Pool, pools } from "./pools.ts";
import { reference } from "./reference.ts";

const runs = { numRuns: 300 };

describe("Every valuation", () => {
  it("every valuation agrees with the formulas in fractions", () => {
    const seen = new Map<string, number>();
    fc.assert(
      fc.property(pools, (pool) => {
        const reported = numbersOf(pool);
        for (const kind of [reported.confidence, ...reported.flags]) seen.set(kind, 1 + (seen.get(kind) ?? 0));
        expect(reported).to.deep.equal(reference(pool));
      }),
      { numRuns: 600 },
    );
    // Otherwise the agreement would say little.
    const kinds = ["high", "medium", "low", "insufficient", "upper_bound_unknown", "upper_bound_assumed"];
    expect(kinds.filter((kind) => (seen.get(kind) ?? 0) < 5)).to.deep.equal([]);
  });

  it("the bounds of every valuation bracket its point", () => {
    fc.assert(
      fc.property(pools, (pool) => {
        const reported = numbersOf(pool);
        const { expected_value_lower_cents: lower, expected_value_upper_cents: upper } = reported;
        if (upper !== null) expect(lower).to.be.at.most(upper);
        const chance = [reported.profit_chance_lower_pct, reported.profit_chance_upper_pct].map(units);
        expect(chance[0]! <= chance[1]! && chance[1]! <= 1_000_000n).to.equal(true);
        if (reported.expected_value_cents === null) return;
        expect(reported.expected_value_cents).to.be.within(lower, upper ?? Number.POSITIVE_INFINITY);
        const point = units(reported.profit_chance_pct!);
        expect(chance[0]! <= point && point <= chance[1]!).to.equal(true);
      }),
      runs,
    );
  });

  it("a new price raises coverage and lower bound, and lowers the upper bound when it is no more than was assumed", () => {
    const priced = pools.filter(({ outcomes }) => unpricedOf(outcomes).length > 0);
    fc.assert(
      fc.property(priced, fc.nat(), fc.integer({ min: 1, max: 3000 }), (pool, pick, cents) => {
        const candidates = unpricedOf(pool.outcomes);
        const chosen = candidates[pick % candidates.length]!;
        const before = numbersOf(pool);
        const after = numbersOf({ ...pool, outcomes: replaced(pool.outcomes, chosen, { valueCents: cents }) });
        for (const name of ["priced_probability_mass_pct", "lowest_tier_coverage_pct", "priced_outcome_pct"] as const)
          expect(units(after[name]) >= units(before[name]), name).to.equal(true);
        expect(after.expected_value_lower_cents).to.be.at.least(before.expected_value_lower_cents);
        expect(units(after.profit_chance_lower_pct) >= units(before.profit_chance_lower_pct)).to.equal(true);
        expect(units(after.profit_chance_upper_pct) <= units(before.profit_chance_upper_pct)).to.equal(true);
        if (before.expected_value_upper_cents !== null && staysBelow(pool, chosen, cents))
          expect(after.expected_value_upper_cents).to.be.at.most(before.expected_value_upper_cents);
      }),
      { numRuns: 500 },
    );
  });
});

describe("Invariants of a valuation", () => {
  it("numbers do not change with the order of outcomes and tiers", () => {
    const reordered = pools.chain((pool) =>
      fc.tuple(fc.constant(pool), fc.shuffledSubarray(pool.outcomes, { minLength: pool.outcomes.length })),
    );
    fc.assert(
      fc.property(reordered, ([pool, outcomes]) => {
        expect(numbersOf({ ...pool, outcomes })).to.deep.equal(numbersOf(pool));
      }),
      runs,
    );
  });

  it("numbers do not change with the denominator that they are written over", () => {
    fc.assert(
      fc.property(pools, fc.bigInt(2n, 10n ** 9n), (pool, factor) => {
        expect(numbersOf(each(pool, (row) => [{ ...row, numerator: row.numerator * factor }]))).to.deep.equal(
          numbersOf(pool),
        );
      }),
      runs,
    );
  });

  it("numbers but the counts do not change with a tier cut into two halves of itself", () => {
    fc.assert(
      fc.property(pools, fc.constantFrom("a", "b", "c", "d"), (pool, name) => {
        const halves = each(pool, (row) => {
          if (row.tier !== name) return [{ ...row, numerator: row.numerator * 2n }];
          return [row, { ...row, tier: `other ${name}` }];
        });
        expect(uncounted(halves)).to.deep.equal(uncounted(pool));
      }),
      runs,
    );
  });

  it("numbers but the counts do not change with an outcome given as two of the same worth", () => {
    fc.assert(
      fc.property(pools, fc.nat(), fc.bigInt(0n, 2n ** 64n), (pool, pick, cut) => {
        const chosen = pool.outcomes[pick % pool.outcomes.length]!;
        const first = chosen.numerator === 0n ? 0n : cut % chosen.numerator;
        const parts = each(pool, (row) => {
          if (row !== chosen) return [row];
          return [
            { ...row, numerator: first },
            { ...row, numerator: row.numerator - first },
          ];
        });
        expect(uncounted(parts)).to.deep.equal(uncounted(pool));
      }),
      runs,
    );
  });

  it("numbers do not change with the recent high of a priced outcome", () => {
    fc.assert(
      fc.property(pools, fc.nat(), (pool, high) => {
        const reported = each(pool, (row) => [row.valueCents === null ? row : { ...row, recentHighCents: high }]);
        expect(numbersOf(reported)).to.deep.equal(numbersOf(pool));
      }),
      runs,
    );
  });
});

function numbersOf({ outcomes, denominator, cost }: Pool) {
  return flat(valuate(outcomes, denominator, cost));
}

function uncounted(pool: Pool) {
  const { outcome_count, priced_outcome_count, priced_outcome_pct, ...numbers } = numbersOf(pool);
  return numbers;
}

function each(pool: Pool, change: (row: ValuedOutcome) => ValuedOutcome[]): Pool {
  const outcomes = pool.outcomes.flatMap(change);
  return { ...pool, outcomes, denominator: massOf(outcomes) };
}

function unpricedOf(outcomes: readonly ValuedOutcome[]): ValuedOutcome[] {
  return outcomes.filter(({ numerator, valueCents }) => numerator > 0n && valueCents === null);
}

function replaced(outcomes: readonly ValuedOutcome[], chosen: ValuedOutcome, part: Partial<ValuedOutcome>) {
  return outcomes.map((row) => (row === chosen ? { ...row, ...part } : row));
}

/**
 * Whether the price is no more than was assumed, of the outcome itself and, as it may become the dearest of its tier, of every other
 * unpriced outcome there.
 */
function staysBelow({ outcomes }: Pool, chosen: ValuedOutcome, cents: number): boolean {
  const tier = outcomes.filter((row) => row.tier === chosen.tier && row.numerator > 0n);
  const dearest = Math.max(0, ...tier.map(({ valueCents }) => valueCents ?? 0));
  return unpricedOf(tier).every(({ recentHighCents }) => cents <= Math.max(dearest, recentHighCents ?? 0));
}

/** A decimal text as whole ten-thousandths. */
function units(text: string): bigint {
  return BigInt(text.replace(".", ""));
}
