import { expect } from "chai";
import { markAboveCeiling } from "../../src/roi/ceiling.ts";

describe("outcomes above a price ceiling", () => {
  /** Value, own high, value in the other mode, tier, and whether it counts as above a ceiling of 1,000 cents. */
  const rows = [
    { title: "a priced outcome", value: 900, high: null, other: 5000, tier: "rare", isAbove: false },
    {
      title: "an outcome without evidence in an expensive tier",
      value: null,
      high: null,
      other: null,
      tier: "rare",
      isAbove: true,
    },
    {
      title: "an outcome without evidence in a cheap tier",
      value: null,
      high: null,
      other: null,
      tier: "mil",
      isAbove: false,
    },
    {
      title: "an outcome without evidence in an unpriced tier",
      value: null,
      high: null,
      other: null,
      tier: "bare",
      isAbove: true,
    },
    { title: "a high of half the ceiling", value: null, high: 500, other: null, tier: "mil", isAbove: true },
    { title: "a low high in an expensive tier", value: null, high: 499, other: null, tier: "rare", isAbove: false },
    { title: "an expensive value in the other mode", value: null, high: 20, other: 500, tier: "mil", isAbove: true },
    { title: "a cheap value in the other mode", value: null, high: null, other: 499, tier: "rare", isAbove: false },
  ];
  const priced = [
    { value: 800, high: null, tier: "rare" },
    { value: 30, high: null, tier: "mil" },
  ];
  const nothing = { numerator: 1n, phased: false, valueProvider: null, valueAsOf: null };
  const marked = (ceilingCents: number | null) => {
    const outcomes = [...rows, ...priced].map(({ value: valueCents, high: recentHighCents, tier }) => {
      return { ...nothing, tier, valueCents, recentHighCents };
    });
    const elsewhere = (position: number) => rows[position]?.other ?? null;
    return markAboveCeiling(outcomes, ceilingCents, elsewhere).map((one) => one.aboveCeilingCents ?? null);
  };

  for (const [index, { title, isAbove }] of rows.entries())
    it(`${title} ${isAbove ? "counts as above the ceiling" : "stays below the ceiling"}`, () => {
      expect(marked(1000)[index]).to.equal(isAbove ? 1000 : null);
    });

  it("no outcome counts as above a missing ceiling", () => {
    expect(new Set(marked(null))).to.deep.equal(new Set([null]));
  });
});
