import { expect } from "chai";
import fc from "fast-check";
import { valuate } from "../../src/roi/valuation.ts";
import { flat } from "./golden.ts";
import { type Pool, pools } from "./pools.ts";
import { reference } from "./reference.ts";

const runs = { numRuns: 300 };

describe("every valuation", () => {
  it("equals the formulas in fractions", () => {
    const seen = new Map<string, number>();
    fc.assert(
      fc.property(pools, (pool) => {
        const reported = numbersOf(pool);
        for (const kind of [reported.confidence, ...reported.flags]) seen.set(kind, 1 + (seen.get(kind) ?? 0));
        expect(reported).to.deep.equal(reference(pool));
      }),
      { numRuns: 600 },
    );
    // The comparison is only meaningful if all kinds occur.
    const kinds = ["high", "medium", "low", "insufficient", "upper_bound_unknown", "upper_bound_assumed"];
    expect(kinds.filter((kind) => (seen.get(kind) ?? 0) < 5)).to.deep.equal([]);
  });

  it("has a point within its bounds", () => {
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
});

function numbersOf({ outcomes, denominator, cost }: Pool) {
  return flat(valuate(outcomes, denominator, cost));
}

/** A decimal text as whole ten-thousandths. */
function units(text: string): bigint {
  return BigInt(text.replace(".", ""));
}
