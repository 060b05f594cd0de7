import { expect } from "chai";
import { type CalculationInput, calculationNumbers, type PricedOutcome } from "../../src/roi/valuation.ts";

const cost = { containerCents: 45, keyCents: 249, provider: "steam", asOf: 5000 };

describe("numbers of a calculation", () => {
  it("are as old as the oldest value or container price", () => {
    const age = (valueAsOf: number | null, asOf: number | null) =>
      calculated([row({}), row({ valueAsOf })], { cost: { ...cost, asOf } }).priceAsOf;
    expect([age(7000, 5000), age(4000, 5000), age(7000, 9000)]).to.deep.equal([5000, 4000, 6000]);
    expect([age(null, 5000), age(4000, null), age(0, 5000)]).to.deep.equal([null, null, 0]);
  });

  it("are as old as the container's price without a priced outcome", () => {
    const { numbers, priceAsOf } = calculated([unpriced({ recentHighCents: 9 })]);
    expect(priceAsOf).to.equal(5000);
    expect(numbers.flags).to.deep.equal(["unpriced_outcomes", "tier_coverage_low"]);
  });

  it("omit the single-provider flag in the single-provider mode", () => {
    expect(calculated([row({})], { valuationMode: "steam_gross" }).numbers.flags).to.deep.equal([]);
    expect(calculated([row({})], { valuationMode: "cash_ask" }).numbers.flags).to.deep.equal(["single_provider"]);
  });

  it("include the container's price in the single-provider flag", () => {
    const single = (valueProvider: string, provider: string) =>
      calculated([row({}), row({ valueProvider })], { cost: { ...cost, provider }, valuationMode: "cash_ask" }).numbers
        .flags;
    expect(single("steam", "steam")).to.deep.equal(["single_provider"]);
    expect([single("skinport", "steam"), single("steam", "skinport"), single("skinport", "skinport")]).to.deep.equal([
      [],
      [],
      [],
    ]);
  });

  it("flag unpriced phases only", () => {
    const flags = (part: Partial<PricedOutcome>) =>
      calculated([row({ numerator: 99n }), row(part)], { valuationMode: "cash_ask" }).numbers.flags;
    expect(flags({ ...unpriced({}), phased: true })).to.include("phases_unpriced");
    expect(flags({ phased: true })).not.to.include("phases_unpriced");
    expect(flags(unpriced({}))).not.to.include("phases_unpriced");
  });

  it("flag inferred odds only", () => {
    const flags = (oddsSource: CalculationInput["oddsSource"]) => calculated([row({})], { oddsSource }).numbers.flags;
    expect(flags("inferred")).to.deep.equal(["odds_inferred"]);
    expect([flags("published"), flags("community")]).to.deep.equal([[], []]);
  });

  it("ignore value, provider and time of an outcome without a chance", () => {
    const none = row({ numerator: 0n, valueProvider: "skinport", valueAsOf: 1 });
    const other = unpriced({ numerator: 0n, phased: true, tier: "b" });
    expect(calculated([none, row({}), other])).to.deep.equal(calculated([row({})]));
  });

  it("reject a phase's value in a mode without phases", () => {
    expect(() => calculated([row({ phased: true })])).to.throw(RangeError, "a phase has no value in steam_gross");
    expect(calculated([row({ phased: true })], { valuationMode: "cash_ask" }).numbers.expected_value_cents).to.equal(
      100,
    );
  });
});

function row(part: Partial<PricedOutcome>): PricedOutcome {
  const worth = { valueCents: 100, recentHighCents: null, valueProvider: "steam", valueAsOf: 6000 };
  return { tier: "a", numerator: 1n, phased: false, ...worth, ...part };
}

function unpriced(part: Partial<PricedOutcome>): PricedOutcome {
  return row({ valueCents: null, valueProvider: null, valueAsOf: null, ...part });
}

function calculated(outcomes: readonly PricedOutcome[], part: Partial<CalculationInput> = {}) {
  const denominator = outcomes.reduce((mass, { numerator }) => mass + numerator, 0n);
  return calculationNumbers({
    outcomes,
    denominator,
    cost,
    oddsSource: "published",
    valuationMode: "steam_gross",
    ...part,
  });
}
