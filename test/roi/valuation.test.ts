import { expect } from "chai";
import { OddsError } from "../../src/roi/odds.ts";
import { type ValuedOutcome, valuate } from "../../src/roi/valuation.ts";
import { floating } from "./arithmetic.ts";
import {
  completeNumbers,
  completeOutcomes,
  flat,
  goldenCost,
  goldenDenominator,
  goldenNumbers,
  goldenOutcomes,
} from "./golden.ts";
import { type Mutation, reference, referenceWith } from "./reference.ts";

const golden = { outcomes: goldenOutcomes, denominator: goldenDenominator, cost: goldenCost };
const complete = { ...golden, outcomes: completeOutcomes };
/** The first vector with a container so dear that one outcome is worth exactly the cost. */
const even = { ...golden, cost: { containerCents: 51, keyCents: 249 } };

describe("The value of an opening", () => {
  it("the model values the first golden vector to the last digit", () => {
    const valuation = valuate(goldenOutcomes, goldenDenominator, goldenCost);
    expect(flat(valuation)).to.deep.equal({ ...goldenNumbers, flags: ["unpriced_outcomes", "upper_bound_assumed"] });
    expect(valuation.tier_coverage_pct).to.deep.equal(["100.0000", "100.0000", "100.0000", "90.0000", "97.0000"]);
    expect([valuation.container_cost_cents, valuation.key_cost_cents]).to.deep.equal([45, 249]);
  });

  it("the model values the second golden vector to the last digit", () => {
    const reported = flat(valuate(completeOutcomes, goldenDenominator, goldenCost));
    expect(reported).to.include(completeNumbers);
    expect(reported).to.deep.include({ quantiles: goldenNumbers.quantiles, confidence: "high", flags: [] });
  });

  it("the model agrees with formulas in fractions that share no code with it", () => {
    for (const input of [golden, complete, even]) expect(reported(input)).to.deep.equal(reference(input));
  });

  it("only outcomes worth strictly more than the cost count as profit", () => {
    const chances = ["profit_chance_lower_pct", "profit_chance_pct", "profit_chance_upper_pct"] as const;
    expect(chances.map((name) => reported(even)[name])).to.deep.equal(["1.1432", "1.2148", "1.2149"]);
  });

  it("the model refuses a pool with a missing outcome", () => {
    expect(() => valuate(goldenOutcomes.slice(0, -1), goldenDenominator, goldenCost)).to.throw(
      OddsError,
      "the numerators sum to 312400, which is not the denominator 312800",
    );
    expect(() => valuate([], 0n, goldenCost)).to.throw(OddsError, "the numerators sum to 0");
    const negative = [...goldenOutcomes, outcome("covert", -1n, 5), outcome("covert", 1n, 5)];
    expect(() => valuate(negative, goldenDenominator, goldenCost)).to.throw(OddsError, "the numerator -1 is negative");
  });

  for (const [containerCents, keyCents] of [
    [0, 0],
    [-1, 249],
    [Number.MAX_SAFE_INTEGER, 249],
    [Number.NaN, 249],
  ] as const)
    it(`the model refuses a cost of ${containerCents} + ${keyCents} cents`, () => {
      expect(() => valuate(goldenOutcomes, goldenDenominator, { containerCents, keyCents })).to.throw(RangeError);
    });

  it("the model ignores an outcome without a chance", () => {
    const none = outcome("covert", 0n, 1_000_000, 2_000_000);
    const other = { ...outcome("nowhere", 0n, null), recentHighCents: 7 };
    expect(reported({ ...golden, outcomes: [none, ...goldenOutcomes, other] })).to.deep.equal(reported(golden));
  });
});

describe("Careless implementations", () => {
  const mutants: readonly [title: string, mutation: Mutation, input: typeof golden, differs: object][] = [
    [
      "counting the unpriced as 0",
      "unpriced_as_zero",
      golden,
      { expected_value_cents: 107, profit_chance_pct: "4.0205" },
    ],
    ["spreading what is missing over all tiers", "all_tiers_as_one", golden, { expected_value_cents: 107 }],
    ["counting an even outcome as profit", "at_least_the_cost", even, { profit_chance_lower_pct: "4.0204" }],
    ["computing the return from unrounded values", "return_from_exact_values", golden, { return_pct: "37.46" }],
    ["rounding bounds inwards", "bounds_half_up", golden, { expected_value_lower_cents: 107 }],
  ];
  for (const [title, mutation, input, differs] of mutants)
    it(title, () => {
      const wrong = reference(input, mutation);
      expect(wrong).to.deep.include(differs);
      expect(wrong).not.to.deep.equal(reported(input));
    });

  it("adding in binary floating point gives other digits", () => {
    expect(referenceWith(floating, complete).priced_probability_mass_pct).to.equal("99.9999");
    expect(reported(complete).priced_probability_mass_pct).to.equal("100.0000");
  });

  it("pricing a phase as another gives other digits", () => {
    const values = reported(revalued({ 14: 20_000 }));
    expect([values.expected_value_cents, goldenNumbers.expected_value_cents]).to.deep.equal([94, 110]);
  });

  it("pricing a counter variant as its base gives other digits", () => {
    const bases = { 2: 10, 3: 6, 5: 8, 7: 60, 9: 300, 15: 20_000 };
    expect(reported(revalued(bases)).expected_value_cents).to.equal(105);
    const unpricedToo = reported(revalued({ ...bases, 11: 2500, 16: 24_000, 17: 90_000 }));
    expect(unpricedToo).to.include({ expected_value_cents: 107, priced_probability_mass_pct: "100.0000" });
  });

  it("keeping the weights of all tiers where one is absent gives other digits", () => {
    const outcomes = goldenOutcomes.filter(({ tier }) => tier !== "rare_special");
    const wrong = reference({ ...golden, outcomes });
    const right = reported({ ...golden, outcomes, denominator: 312_000n });
    expect([right.expected_value_cents, right.priced_probability_mass_pct]).to.deep.equal([47, "99.9358"]);
    expect(wrong.priced_probability_mass_pct).to.equal("99.6803");
    expect(() => reported({ ...golden, outcomes })).to.throw(OddsError, "sum to 312000, which is not the denominator");
  });

  it("taking quantiles of all the mass gives other digits than those of the priced mass", () => {
    const outcomes = [outcome("a", 24n, 10), outcome("a", 24n, 20), outcome("a", 2n, null)];
    const input = { outcomes, denominator: 50n, cost: goldenCost };
    expect(reported(input).quantiles).to.deep.equal({ p05: 10, p25: 10, p50: 10, p75: 20, p95: 20, p99: 20 });
    expect(reference(input, "quantiles_of_all_mass").quantiles).to.deep.include({ p50: 20, p99: null });
  });
});

function reported({ outcomes, denominator, cost }: typeof golden) {
  return flat(valuate(outcomes, denominator, cost));
}

function revalued(values: Record<number, number>): typeof golden {
  return {
    ...golden,
    outcomes: goldenOutcomes.map((row, at) => ({ ...row, valueCents: values[at] ?? row.valueCents })),
  };
}

function outcome(
  tier: string,
  numerator: bigint,
  valueCents: number | null,
  high: number | null = null,
): ValuedOutcome {
  return { tier, numerator, valueCents, recentHighCents: high };
}
