import { expect } from "chai";
import { roiFlags } from "../../src/roi/calculation.ts";
import { currentAt, probabilityPct, type StoredCalculation, staleReasons } from "../../src/roi/current.ts";
import { calculationNumbers } from "../../src/roi/valuation.ts";
import { hourMs } from "../../src/values/time/calendar.ts";
import { completeOutcomes, goldenCost, goldenDenominator, goldenOutcomes } from "./golden.ts";

const at = Date.UTC(2026, 7, 8, 12);
const dayMs = 24 * hourMs;

describe("stale calculations", () => {
  it("are marked after 8 hours (price: 24) with every reason", () => {
    const reasons = (calculatedAgo: number, priceAgo: number | null) =>
      staleReasons(at - calculatedAgo, priceAgo === null ? null : at - priceAgo, at).join();
    expect(reasons(8 * hourMs, dayMs)).to.equal("");
    expect(reasons(8 * hourMs + 1, dayMs)).to.equal("calculation_age");
    expect(reasons(0, dayMs + 1)).to.equal("price_age");
    expect(reasons(0, null)).to.equal("price_time_unknown");
    expect(reasons(dayMs, dayMs + 1)).to.equal("calculation_age,price_age");
  });
});

describe("current calculation", () => {
  it("keeps medium, low and insufficient confidence when stale", () => {
    for (const confidence of ["medium", "low", "insufficient"] as const) {
      const numbers = { ...stored().numbers, confidence };
      expect(currentAt({ ...stored(), numbers }, at + dayMs).confidence).to.equal(confidence);
    }
  });

  it("merges request flags and stored flags in contract order", () => {
    const late = { ...stored(goldenOutcomes), retired: true };
    const kept = ["unpriced_outcomes", "upper_bound_assumed", "single_provider"];
    const flags = (priceAsOf: number | null) => currentAt({ ...late, priceAsOf }, at + dayMs).flags;
    expect(flags(at - 1)).to.deep.equal([...kept, "price_stale", "calculation_stale", "retired_pool"]);
    expect(flags(null)).to.deep.equal([...kept, "price_time_unknown", "calculation_stale", "retired_pool"]);
    expect(currentAt({ ...late, retired: false }, at).flags).to.deep.equal(kept);
    const order = currentAt({ ...late, priceAsOf: null }, at + dayMs).flags.map((flag) => roiFlags.indexOf(flag));
    expect(order).to.deep.equal([...order].sort((a, b) => a - b));
  });

  it("changes no stored data when read", () => {
    const calculation = stored();
    const before = structuredClone(calculation);
    currentAt({ ...calculation, retired: true }, at + dayMs);
    expect(calculation).to.deep.equal(before);
  });

  it("has an unknown container price time if its source gave none", () => {
    const numbers = { ...stored().numbers, container_cost_as_of: null };
    expect(currentAt({ ...stored(), numbers, priceAsOf: null }, at)).to.include({
      container_cost_as_of: null,
      price_as_of: null,
    });
  });
});

describe("probabilities in per cent", () => {
  it("have eight decimals, rounded half-up", () => {
    expect(probabilityPct(625n, 782n)).to.equal("79.92327366");
    expect([probabilityPct(0n, 7n), probabilityPct(7n, 7n), probabilityPct(2n, 3n)]).to.deep.equal([
      "0.00000000",
      "100.00000000",
      "66.66666667",
    ]);
    expect([probabilityPct(1n, 2n * 10n ** 10n), probabilityPct(1n, 2n * 10n ** 10n + 1n)]).to.deep.equal([
      "0.00000001",
      "0.00000000",
    ]);
  });
});

function stored(outcomes = completeOutcomes): StoredCalculation {
  const asOf = at - 2 * hourMs;
  const priced = outcomes.map((row) => {
    const known = row.valueCents !== null;
    return { ...row, phased: false, valueProvider: known ? "skinport" : null, valueAsOf: known ? asOf : null };
  });
  const { numbers, priceAsOf } = calculationNumbers({
    outcomes: priced,
    denominator: goldenDenominator,
    cost: { ...goldenCost, provider: "skinport", asOf },
    oddsSource: "published",
    valuationMode: "cash_ask",
  });
  return {
    revisionId: "pr_0123456789abcdef01234567",
    revisionNumber: 3,
    methodologyVersion: "roi-1",
    valuationMode: "cash_ask",
    calculatedAt: at - hourMs,
    priceAsOf,
    numbers,
    retired: false,
  };
}
