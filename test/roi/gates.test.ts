import { expect } from "chai";
import { calculationNumbers, unmetGates, type ValuedOutcome, valuate } from "../../src/roi/valuation.ts";

/** Outcomes as text: tier, numerator, value in cents and own high. `-` for a missing value. */
type Rows = string;

const cost = { containerCents: 50, keyCents: 0 };

describe("publication gates", () => {
  it("publish a point from a priced mass of 95 %", () => {
    const at = valued("a 950 100, a 50 -");
    expect(at).to.include({ expected_value_cents: 100, priced_probability_mass_pct: "95.0000" });
    const below = valued("a 949 100, a 51 -");
    expect(below).to.include({ ...noPoint, expected_value_lower_cents: 94, expected_value_upper_cents: 100 });
    expect(below).to.include({ profit_chance_lower_pct: "94.9000", profit_chance_upper_pct: "100.0000" });
  });

  it("publish a point from 75 % of every tier", () => {
    expect(valued(rare(75, 100))).to.include({ expected_value_cents: 100, confidence: "low" });
    expect(valued(rare(749, 1000))).to.include(noPoint);
    expect(valued(rare(749, 1000)).price_coverage.lowest_tier_coverage_pct).to.equal("74.9000");
  });

  it("give a lower bound always, an upper one only with all highs", () => {
    const known = valued("a 1 - 7, b 1 - 10");
    expect(known).to.include({
      ...noPoint,
      expected_value_lower_cents: 0,
      expected_value_upper_cents: 9,
      quantiles: null,
    });
    expect(known).to.include({ profit_chance_lower_pct: "0.0000", profit_chance_upper_pct: "100.0000" });
    expect(known.flags).to.deep.equal(["unpriced_outcomes", "tier_coverage_low"]);
    const unknown = valued("a 1 - 7, a 1 -");
    expect(unknown.expected_value_upper_cents).to.equal(null);
    expect(unknown.flags).to.deep.equal(["unpriced_outcomes", "tier_coverage_low", "upper_bound_unknown"]);
  });
});

describe("unmet publication gates", () => {
  it("are named with their tier, except for tiers without a chance", () => {
    const rows: Rows = "never 0 -, a 900 100, b 60 100, b 40 -";
    const outcomes = outcomesOf(rows).map((outcome) => ({
      ...outcome,
      valueProvider: "hall",
      valueAsOf: null,
      phased: false,
    }));
    const { numbers } = calculationNumbers({
      outcomes,
      denominator: 1000n,
      cost: { ...cost, provider: "hall", asOf: null },
      oddsSource: "published",
      valuationMode: "cash_ask",
    });
    expect(unmetGates(outcomes, numbers)).to.deep.equal([{ tier: "b", pricedPct: "60.0000", leastPct: 75 }]);
  });

  it("accept a cost of the largest safe integer and no more", () => {
    const { MAX_SAFE_INTEGER } = Number;
    expect(valued("a 1 5", MAX_SAFE_INTEGER).cost_cents).to.equal(MAX_SAFE_INTEGER);
    const dearer = { containerCents: MAX_SAFE_INTEGER, keyCents: 1 };
    expect(() => valuate(outcomesOf("a 1 5"), 1n, dearer)).to.throw(RangeError);
  });
});

describe("upper bound", () => {
  it("prices an unpriced outcome at its tier's maximum or own higher high", () => {
    const upper = (high: number | null) => {
      const { expected_value_upper_cents, flags } = valued(`a 900 1000, b 98 500, b 2 - ${high}`);
      return [expected_value_upper_cents, flags.includes("upper_bound_assumed")];
    };
    expect([upper(null), upper(499), upper(500)]).to.deep.equal([
      [950, true],
      [950, true],
      [950, true],
    ]);
    expect([upper(501), upper(5000)]).to.deep.equal([
      [951, false],
      [959, false],
    ]);
  });

  it("is unknown if one tier has no price", () => {
    const { flags, ...numbers } = valued("a 990 100, b 10 -, a 9 -");
    expect(numbers.expected_value_upper_cents).to.equal(null);
    expect(flags).to.include.members(["upper_bound_unknown", "upper_bound_assumed"]);
  });
});

describe("rounding", () => {
  it("rounds point and bounds half-up if everything is priced", () => {
    const half = valued("a 1 1, a 1 2");
    expect(ends(half)).to.deep.equal([2, 2, 2]);
    expect(ends(valued("a 2 1, a 1 2"))).to.deep.equal([1, 1, 1]);
    const third = valued("a 1 60, a 2 1");
    expect(chances(third)).to.deep.equal(["33.3333", "33.3333", "33.3333"]);
    const twoThirds = valued("a 2 60, a 1 1");
    expect(chances(twoThirds)).to.deep.equal(["66.6667", "66.6667", "66.6667"]);
  });

  it("rounds bounds outwards if an outcome is unpriced", () => {
    const rows: Rows = "a 20 60, a 39 1, a 1 -";
    expect(ends(valued(rows))).to.deep.equal([20, 21, 22]);
    expect(chances(valued(rows))).to.deep.equal(["33.3333", "33.8983", "35.0000"]);
    expect(valued(rows)).to.include({ expected_profit_cents: -29, return_pct: "42.00", profit_roi_pct: "-58.00" });
  });

  it("never rounds an incomplete coverage to 100 %", () => {
    const almost = valued("a 999999999 5, a 1 -");
    expect(almost.priced_probability_mass_pct).to.equal("99.9999");
    expect(almost.price_coverage.lowest_tier_coverage_pct).to.equal("99.9999");
    expect(almost.tier_coverage_pct).to.deep.equal(["99.9999"]);
  });

  it("derives returns from published integers below, at and above the cost", () => {
    const returns = [1, 50, 51, 12_345].map((cents) => {
      const { expected_profit_cents, return_pct, profit_roi_pct } = valued(`a 1 ${cents}`, 300);
      return [expected_profit_cents, return_pct, profit_roi_pct];
    });
    expect(returns).to.deep.equal([
      [-299, "0.33", "-99.67"],
      [-250, "16.67", "-83.33"],
      [-249, "17.00", "-83.00"],
      [12_045, "4115.00", "4015.00"],
    ]);
    expect(valued("a 1 300", 300)).to.include({
      expected_profit_cents: 0,
      return_pct: "100.00",
      profit_roi_pct: "0.00",
    });
    expect(valued("a 1 199", 200)).to.include({ return_pct: "99.50", profit_roi_pct: "-0.50" });
  });
});

describe("confidence", () => {
  const of = (rows: Rows) => [valued(rows).confidence, valued(rows).flags.includes("tier_coverage_low")];

  it("is high from 99.5 % mass and 95 % of every tier", () => {
    expect(of(rare(95, 100))).to.deep.equal(["high", false]);
    expect(of("a 900 100, b 94 100, b 6 -")).to.deep.equal(["medium", false]);
    expect(of("a 990 100, b 9 100, b 1 -")).to.deep.equal(["medium", false]);
    const priced = (parts: number) => valued(`a ${parts} 100, a ${10_000 - parts} - 100`).confidence;
    expect([priced(9950), priced(9949), priced(9940)]).to.deep.equal(["high", "medium", "medium"]);
  });

  it("is high while unrounded bounds are within 5 % of the point", () => {
    const high = (cents: number) => valued(`a 995 100, a 5 - ${cents}`).confidence;
    expect([high(1000), high(1001)]).to.deep.equal(["high", "medium"]);
  });

  it("is medium from 80 % of every tier, insufficient without a point", () => {
    expect(of(rare(80, 100))).to.deep.equal(["medium", false]);
    expect(of(rare(799, 1000))).to.deep.equal(["low", true]);
    expect(of(rare(74, 100))).to.deep.equal(["insufficient", true]);
    expect(of("a 94 100, a 6 -")).to.deep.equal(["insufficient", false]);
  });
});

describe("quantiles", () => {
  it("are the smallest value that covers their share of the mass", () => {
    const rows: Rows = "a 1 99, b 25 30, a 5 10, b 25 20, a 44 40";
    expect(valued(rows).quantiles).to.deep.equal({ p05: 10, p25: 20, p50: 30, p75: 40, p95: 40, p99: 40 });
    const less: Rows = "a 4 10, a 95 20, a 1 30";
    expect(valued(less).quantiles).to.deep.equal({ p05: 20, p25: 20, p50: 20, p75: 20, p95: 20, p99: 20 });
  });
});

const noPoint = {
  expected_value_cents: null,
  expected_profit_cents: null,
  return_pct: null,
  profit_roi_pct: null,
  profit_chance_pct: null,
  confidence: "insufficient",
};

/** A tenth of the mass is a tier of which so much is priced, everything at 100 cents. */
function rare(priced: number, of: number): Rows {
  return `a ${9 * of} 100, b ${priced} 100, b ${of - priced} -`;
}

function outcomesOf(rows: Rows): ValuedOutcome[] {
  const cents = (text = "-") => (/^\d+$/.test(text) ? Number(text) : null);
  return rows.split(", ").map((row) => {
    const [tier = "", numerator = "", value, high] = row.split(" ");
    return { tier, numerator: BigInt(numerator), valueCents: cents(value), recentHighCents: cents(high) };
  });
}

function valued(rows: Rows, containerCents = cost.containerCents) {
  const outcomes = outcomesOf(rows);
  const denominator = outcomes.reduce((sum, { numerator }) => sum + numerator, 0n);
  return valuate(outcomes, denominator, { ...cost, containerCents });
}

function ends(valuation: ReturnType<typeof valuate>) {
  const { expected_value_lower_cents, expected_value_cents, expected_value_upper_cents } = valuation;
  return [expected_value_lower_cents, expected_value_cents, expected_value_upper_cents];
}

function chances(valuation: ReturnType<typeof valuate>) {
  const { profit_chance_lower_pct, profit_chance_pct, profit_chance_upper_pct } = valuation;
  return [profit_chance_lower_pct, profit_chance_pct, profit_chance_upper_pct];
}
