import { expect } from "chai";
import fc from "fast-check";
import { type Asks, levelOf, type Weighting } from "../../../src/jobs/indexes/level.ts";
import { methodologies } from "../../../src/jobs/indexes/methodologies.ts";
import type { Constituent } from "../../../src/store/write/indexes.ts";
import { type Day, errorOf, exactLevels } from "./fractions.ts";

const methodology = methodologies.get("1")!;
const one = 10n ** 18n;
const hundred = 100n * one;
const weightings: readonly Weighting[] = ["equal", "capitalization"];

describe("index level", () => {
  it("is the mean of price relatives with equal weights", () => {
    const { linkedOver, ...level } = next("equal", members(1, 2), { 1: 200, 2: 50 }, { 1: 100, 2: 100 })!;
    expect(linkedOver!.constituents).to.deep.equal(members(1, 2));
    expect(level).to.deep.equal({
      exact: 125n * one,
      capitalizationCents: 250n,
      constituentCount: 2,
      pricedConstituentCount: 2,
      coveragePct: 10_000n,
    });
  });

  it("is the quotient of total capitalizations with capitalization weights", () => {
    const weighted = [
      { itemId: 1, units: 1 },
      { itemId: 2, units: 3 },
    ];
    const level = next("capitalization", weighted, { 1: 200, 2: 50 }, { 1: 150, 2: 50 })!;
    expect(level.exact).to.equal(116_666_666_666_666_666_667n);
    expect(level.capitalizationCents).to.equal(350n);
  });

  it("is rounded to 18 decimals, ties to even", () => {
    expect(next("equal", members(1), { 1: 1 }, { 1: 3 })!.exact).to.equal(33_333_333_333_333_333_300n);
    const half = (before: bigint) =>
      levelOf("capitalization", day(members(1), { 1: 1 }, { exact: before, before: { 1: 2 } }), methodology)!.exact;
    expect([half(1n), half(3n)]).to.deep.equal([0n, 2n]);
  });

  it("requires 9 of 10 constituents, and has both coverages", () => {
    const ten = members(...Array.from({ length: 10 }, (_, index) => index + 1));
    const asks = (count: number) => Object.fromEntries(ten.slice(0, count).map(({ itemId }) => [itemId, 100]));
    const nine = next("equal", ten, asks(9), asks(10))!;
    const eight = next("equal", ten, asks(8), asks(10))!;
    expect([nine.exact, nine.coveragePct]).to.deep.equal([hundred, 9_000n]);
    expect([eight.exact, eight.coveragePct, eight.pricedConstituentCount]).to.deep.equal([null, 8_000n, 8]);
  });

  it("never shows a coverage that was not reached", () => {
    const many = members(...Array.from({ length: 30_000 }, (_, index) => index + 1));
    const asks = Object.fromEntries(many.slice(1).map(({ itemId }) => [itemId, 5]));
    expect(next("equal", many, asks, asks)!.coveragePct).to.equal(9_999n);
  });

  it("is linked over half of the constituents or more", () => {
    const asks = { 1: 200, 2: 200, 3: 200, 4: 200 };
    expect(next("equal", members(1, 2, 3, 4), asks, { 1: 100, 2: 100 })!.exact).to.equal(2n * hundred);
    expect(next("equal", members(1, 2, 3, 4), asks, { 1: 100 })).to.include({ exact: null, linkedOver: null });
    expect(next("equal", members(1, 2, 3), asks, { 1: 100 })!.exact).to.equal(null);
  });
});

describe("index level for any prices", () => {
  const units = fc.integer({ min: 1, max: 1000 });
  const weighting = fc.constantFrom(...weightings);

  it("equals exact fractions within rounding, over days with gaps", () => {
    const cell = fc.option(fc.integer({ min: 1, max: 5_000 }), { freq: 12 });
    const days = fc.array(fc.array(cell, { minLength: 6, maxLength: 6 }), { minLength: 2, maxLength: 12 });
    const weights = fc.array(units, { minLength: 6, maxLength: 6 });
    const property = fc.property(weighting, days, weights, (weighting, days, weights) => {
      const constituents = weights.map((units, itemId) => ({ itemId, units }));
      const series = days.map((prices) => ({
        members: constituents,
        asks: new Map(prices.flatMap((price, itemId) => (price === null ? [] : [[itemId, price] as const]))),
      }));
      const stored = chain(weighting, series);
      const exact = exactLevels(weighting, series);
      expect(stored.map((level) => level === null)).to.deep.equal(exact.map((level) => level === null));
      for (const [index, level] of stored.entries()) {
        if (level === null) continue;
        const { level: expected, errorMax } = exact[index]!;
        expect(errorOf(level, expected), `day ${index}`).to.be.at.most(errorMax);
      }
    });
    fc.assert(property, { numRuns: 300 });
  });
});

/** The chain of one membership. Null for a day without a value. */
function chain(weighting: Weighting, days: readonly Day[]): (bigint | null)[] {
  let last: { exact: bigint; before: Asks } | null = null;
  return days.map(({ members, asks }) => {
    const exact: bigint | null = levelOf(weighting, linkedDay(members, asks, last), methodology)?.exact ?? null;
    if (exact !== null) last = { exact, before: asks };
    return exact;
  });
}

function members(...ids: number[]): Constituent[] {
  return ids.map((itemId) => ({ itemId, units: 1 }));
}

function asksOf(asks: Readonly<Record<number, number>>): Asks {
  return new Map(Object.entries(asks).map(([itemId, amount]) => [Number(itemId), amount]));
}

function linkedDay(constituents: readonly Constituent[], asks: Asks, last: { exact: bigint; before: Asks } | null) {
  const baskets = last === null ? [] : [{ constituents, before: last.before, asks }];
  return { constituents, asks, last: last && { exact: last.exact, baskets }, baseExact: hundred };
}

function day(
  constituents: readonly Constituent[],
  asks: Record<number, number>,
  last: { exact: bigint; before: Record<number, number> } | null,
) {
  return linkedDay(constituents, asksOf(asks), last && { exact: last.exact, before: asksOf(last.before) });
}

function next(
  weighting: Weighting,
  constituents: readonly Constituent[],
  now: Record<number, number>,
  before: Record<number, number>,
) {
  return levelOf(weighting, day(constituents, now, { exact: hundred, before }), methodology);
}
