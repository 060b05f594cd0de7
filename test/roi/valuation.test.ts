import { expect } from "chai";
import { OddsError } from "../../src/roi/odds.ts";
import { type ValuedOutcome, valuate } from "../../src/roi/valuation.ts";
import {
  completeNumbers,
  completeOutcomes,
  flat,
  goldenCost,
  goldenDenominator,
  goldenNumbers,
  goldenOutcomes,
} from "./golden.ts";
import { reference } from "./reference.ts";

const golden = { outcomes: goldenOutcomes, denominator: goldenDenominator, cost: goldenCost };
const complete = { ...golden, outcomes: completeOutcomes };
/** The first vector with a container so dear that one outcome is worth exactly the cost. */
const even = { ...golden, cost: { containerCents: 51, keyCents: 249 } };

describe("value of an opening", () => {
  it("equals the first golden vector to the last digit", () => {
    const valuation = valuate(goldenOutcomes, goldenDenominator, goldenCost);
    expect(flat(valuation)).to.deep.equal({ ...goldenNumbers, flags: ["unpriced_outcomes", "upper_bound_assumed"] });
    expect(valuation.tier_coverage_pct).to.deep.equal(["100.0000", "100.0000", "100.0000", "90.0000", "97.0000"]);
    expect([valuation.container_cost_cents, valuation.key_cost_cents]).to.deep.equal([45, 249]);
  });

  it("equals the second golden vector to the last digit", () => {
    const reported = flat(valuate(completeOutcomes, goldenDenominator, goldenCost));
    expect(reported).to.include(completeNumbers);
    expect(reported).to.deep.include({ quantiles: goldenNumbers.quantiles, confidence: "high", flags: [] });
  });

  it("equals independent formulas in fractions", () => {
    for (const input of [golden, complete, even]) expect(reported(input)).to.deep.equal(reference(input));
  });

  it("counts as profit only outcomes worth more than the cost", () => {
    const chances = ["profit_chance_lower_pct", "profit_chance_pct", "profit_chance_upper_pct"] as const;
    expect(chances.map((name) => reported(even)[name])).to.deep.equal(["1.1432", "1.2148", "1.2149"]);
  });

  it("requires every outcome of the pool", () => {
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
    it(`rejects a cost of ${containerCents} + ${keyCents} cents`, () => {
      expect(() => valuate(goldenOutcomes, goldenDenominator, { containerCents, keyCents })).to.throw(RangeError);
    });

  it("ignores an outcome without a chance", () => {
    const none = outcome("covert", 0n, 1_000_000, 2_000_000);
    const other = { ...outcome("nowhere", 0n, null), recentHighCents: 7 };
    expect(reported({ ...golden, outcomes: [none, ...goldenOutcomes, other] })).to.deep.equal(reported(golden));
  });
});

function reported({ outcomes, denominator, cost }: typeof golden) {
  return flat(valuate(outcomes, denominator, cost));
}

function outcome(
  tier: string,
  numerator: bigint,
  valueCents: number | null,
  high: number | null = null,
): ValuedOutcome {
  return { tier, numerator, valueCents, recentHighCents: high };
}
