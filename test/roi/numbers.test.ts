import { expect } from "chai";
import { type CalculationInput, calculationNumbers, type PricedOutcome } from "../../src/roi/valuation.ts";

const cost = { containerCents: 45, keyCents: 249, provider: "steam", asOf: 5000 };

describe("The numbers of a calculation", () => {
  it("a calculation is as old as the oldest of its values and the container's price", () => {
    const age = (valueAsOf: number | null, asOf: number | null) =>
      calculated([row({}), row({ valueAsOf })], { cost: { ...cost, asOf } }).priceAsOf;
    expect([age(7000, 5000), age(4000, 5000), age(7000, 9000)]).to.deep.equal([5000, 4000, 6000]);
    expect([age(null, 5000), age(4000, null), age(0, 5000)]).to.deep.equal([null, null, 0]);
  });

  it("a calculation without a priced outcome is as old as the container's price", () => {
    const { numbers, priceAsOf } = calculated([unpriced({ recentHighCents: 9 })]);
    expect(priceAsOf).to.equal(5000);
    expect(numbers.flags).to.deep.equal(["unpriced_outcomes", "tier_coverage_low"]);
  });

  it("the flag of a single provider is not set in the mode that reads one provider alone", () => {
    expect(calculated([row({})], { valuationMode: "steam_gross" }).numbers.flags).to.deep.equal([]);
    expect(calculated([row({})], { valuationMode: "cash_ask" }).numbers.flags).to.deep.equal(["single_provider"]);
  });

  it("the flag of a single provider covers the container's price too", () => {
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

  it("only an unpriced phase is flagged as one, no priced phase and no unpriced item without phases", () => {
    const flags = (part: Partial<PricedOutcome>) =>
      calculated([row({ numerator: 99n }), row(part)], { valuationMode: "cash_ask" }).numbers.flags;
    expect(flags({ ...unpriced({}), phased: true })).to.include("phases_unpriced");
    expect(flags({ phased: true })).not.to.include("phases_unpriced");
    expect(flags(unpriced({}))).not.to.include("phases_unpriced");
  });

  it("inferred odds are flagged, and no others", () => {
    const flags = (oddsSource: CalculationInput["oddsSource"]) => calculated([row({})], { oddsSource }).numbers.flags;
    expect(flags("inferred")).to.deep.equal(["odds_inferred"]);
    expect([flags("published"), flags("community")]).to.deep.equal([[], []]);
  });

  it("value, provider and time of an outcome without a chance change nothing", () => {
    const none = row({ numerator: 0n, valueProvider: "skinport", valueAsOf: 1 });
    const other = unpriced({ numerator: 0n, phased: true, tier: "b" });
    expect(calculated([none, row({}), other])).to.deep.equal(calculated([row({})]));
  });

  it("a value of a phase is refused in the mode whose platform does not distinguish phases", () => {
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
