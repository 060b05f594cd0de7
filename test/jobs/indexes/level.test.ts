import { expect } from "chai";
import fc from "fast-check";
import { type Asks, type Last, levelOf, type Weighting } from "../../../src/jobs/indexes/level.ts";
import { methodologies } from "../../../src/jobs/indexes/methodologies.ts";
import type { Constituent } from "../../../src/store/write/indexes.ts";
import { type Day, errorOf, exactLevels } from "./fractions.ts";

const methodology = methodologies["1"]!;
const one = 10n ** 18n;
const hundred = 100n * one;
const weightings: readonly Weighting[] = ["equal", "capitalization"];

describe("the level of an index", () => {
  it("an equally weighted level is the mean of the price relatives: +100 % and -50 % make +25 %", () => {
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

  it("a capitalization level is the quotient of the sums of asks times units: 350 to 300 cents", () => {
    const weighted = [
      { itemId: 1, units: 1 },
      { itemId: 2, units: 3 },
    ];
    const level = next("capitalization", weighted, { 1: 200, 2: 50 }, { 1: 150, 2: 50 })!;
    expect(level.exact).to.equal(116_666_666_666_666_666_667n);
    expect(level.capitalizationCents).to.equal(350n);
  });

  it("a level is rounded to 18 decimals, halves to the even digit", () => {
    expect(next("equal", members(1), { 1: 1 }, { 1: 3 })!.exact).to.equal(33_333_333_333_333_333_300n);
    const half = (before: bigint) =>
      levelOf("capitalization", day(members(1), { 1: 1 }, { exact: before, before: { 1: 2 } }), methodology)!.exact;
    expect([half(1n), half(3n)]).to.deep.equal([0n, 2n]);
  });

  it("a level is the base value on the first day with enough coverage, whatever the asks are", () => {
    for (const weighting of weightings)
      expect(levelOf(weighting, day(members(1, 2), { 1: 7, 2: 9 }, null), methodology)!.exact).to.equal(hundred);
  });

  it("a level exists with 9 of 10 constituents and is null with 8, with both coverages given", () => {
    const ten = members(...Array.from({ length: 10 }, (_, index) => index + 1));
    const asks = (count: number) => Object.fromEntries(ten.slice(0, count).map(({ itemId }) => [itemId, 100]));
    const nine = next("equal", ten, asks(9), asks(10))!;
    const eight = next("equal", ten, asks(8), asks(10))!;
    expect([nine.exact, nine.coveragePct]).to.deep.equal([hundred, 9_000n]);
    expect([eight.exact, eight.coveragePct, eight.pricedConstituentCount]).to.deep.equal([null, 8_000n, 8]);
  });

  it("a level never shows a coverage that was not reached", () => {
    const many = members(...Array.from({ length: 30_000 }, (_, index) => index + 1));
    const asks = Object.fromEntries(many.slice(1).map(({ itemId }) => [itemId, 5]));
    expect(next("equal", many, asks, asks)!.coveragePct).to.equal(9_999n);
  });

  it("a level is linked over half of the constituents and not over fewer", () => {
    const asks = { 1: 200, 2: 200, 3: 200, 4: 200 };
    expect(next("equal", members(1, 2, 3, 4), asks, { 1: 100, 2: 100 })!.exact).to.equal(2n * hundred);
    expect(next("equal", members(1, 2, 3, 4), asks, { 1: 100 })).to.include({ exact: null, linkedOver: null });
    expect(next("equal", members(1, 2, 3), asks, { 1: 100 })!.exact).to.equal(null);
  });

  it("a level is linked over the first basket that can be, and counts the constituents in force", () => {
    const asks = asksOf({ 3: 50, 4: 50 });
    const own = { constituents: members(3, 4), before: asksOf({ 3: 100, 4: 100 }), asks };
    const old = { constituents: members(1, 2), before: asksOf({ 1: 100, 2: 100 }), asks: asksOf({ 1: 300, 2: 300 }) };
    const gone = { ...old, asks: asksOf({}) };
    const level = (...baskets: Last["baskets"]) =>
      levelOf(
        "equal",
        { constituents: members(3, 4), asks, last: { exact: hundred, baskets }, baseExact: 1n },
        methodology,
      )!;
    expect(level(old, own)).to.include({ exact: 3n * hundred, linkedOver: old, capitalizationCents: 100n });
    expect(level(gone, own)).to.include({ exact: hundred / 2n, linkedOver: own, pricedConstituentCount: 2 });
    expect(level(gone)).to.include({ exact: null, linkedOver: null, coveragePct: 10_000n });
  });

  it("a level is null where no constituent has an ask on both days, and absent where none has one today", () => {
    expect(next("equal", members(2), { 2: 5 }, { 1: 5 })!.exact).to.equal(null);
    expect(next("equal", members(1), {}, { 1: 5 })).to.equal(null);
  });

  it("a level is exact for amounts beyond the largest safe number", () => {
    const huge = [
      { itemId: 1, units: Number.MAX_SAFE_INTEGER },
      { itemId: 2, units: Number.MAX_SAFE_INTEGER },
    ];
    const most = BigInt(Number.MAX_SAFE_INTEGER);
    const asks = { 1: Number.MAX_SAFE_INTEGER, 2: Number.MAX_SAFE_INTEGER };
    const level = next("capitalization", huge, asks, { 1: 1, 2: 1 })!;
    expect(level.capitalizationCents).to.equal(2n * most * most);
    expect(level.exact).to.equal(hundred * most);
  });
});

describe("the level of an index, for any prices", () => {
  const amount = fc.integer({ min: 1, max: 2_000_000 });
  const units = fc.integer({ min: 1, max: 1000 });
  const weighting = fc.constantFrom(...weightings);
  const book = fc
    .array(fc.record({ units, before: amount, now: amount, isNew: fc.boolean(), isGone: fc.boolean() }), {
      minLength: 1,
      maxLength: 30,
    })
    .map((rows) => rows.map((row, index) => ({ ...row, itemId: index + 1 })));
  const pick = <Row extends { itemId: number }>(rows: readonly Row[], price: (row: Row) => number | null) =>
    new Map(rows.flatMap((row) => (price(row) === null ? [] : [[row.itemId, price(row)!] as const])));
  const floorless = { ...methodology, coverageFloorPct: 0, linkFloorPct: 0 };

  it("a level does not depend on the order of constituents or prices", () => {
    const property = fc.property(weighting, book, (weighting, rows) => {
      const level = (order: typeof rows) => {
        const before = pick(order, (row) => row.before);
        const asks = pick(order, (row) => (row.isGone ? null : row.now));
        const level = levelOf(weighting, linkedDay(order, asks, { exact: hundred, before }), floorless);
        return level === null ? null : { ...level, linkedOver: null };
      };
      expect(level(rows.toReversed())).to.deep.equal(level(rows));
    });
    fc.assert(property, { numRuns: 200 });
  });

  it("a level is multiplied by k when every price is", () => {
    const property = fc.property(weighting, book, fc.integer({ min: 2, max: 50 }), (weighting, rows, k) => {
      const before = pick(rows, (row) => row.before);
      const level = (factor: number) => {
        const asks = pick(rows, (row) => row.now * factor);
        return levelOf(weighting, linkedDay(rows, asks, { exact: hundred, before }), methodology)!.exact!;
      };
      expect(distance(level(k), level(1) * BigInt(k)) <= 101n * BigInt(k)).to.equal(true);
    });
    fc.assert(property, { numRuns: 200 });
  });

  it("a level is not moved by a constituent that is missing on either day", () => {
    const property = fc.property(weighting, book, (weighting, rows) => {
      const link = (chosen: typeof rows) => {
        const before = pick(chosen, (row) => (row.isNew ? null : row.before));
        const asks = pick(chosen, (row) => (row.isGone ? null : row.now));
        return levelOf(weighting, linkedDay(chosen, asks, { exact: hundred, before }), floorless)?.exact ?? null;
      };
      const constant = rows.filter(({ isNew, isGone }) => !isNew && !isGone);
      fc.pre(constant.length > 0);
      expect(link(rows)).to.equal(link(constant));
    });
    fc.assert(property, { numRuns: 200 });
  });

  it("a level stays the same when members change and prices do not, whichever basket it is linked over", () => {
    const property = fc.property(weighting, book, book, fc.boolean(), (weighting, old, chosen, isOldGone) => {
      const constituents = chosen.map((row) => ({ ...row, itemId: row.itemId + 15 }));
      const asks = pick([...old, ...constituents], (row) => row.before);
      const baskets = [
        { constituents: old, before: asks, asks: isOldGone ? new Map<number, number>() : asks },
        { constituents, before: asks, asks },
      ];
      const last = { exact: 123n * one, baskets };
      const level = levelOf(weighting, { constituents, asks, last, baseExact: hundred }, methodology)!;
      expect(level.exact).to.equal(123n * one);
      expect(level.linkedOver).to.equal(baskets[isOldGone ? 1 : 0]);
    });
    fc.assert(property, { numRuns: 200 });
  });

  it("a level equals that of exact fractions, within the rounding of its scale, over days with gaps", () => {
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

/** The chain of one membership; null: a day without a value. */
function chain(weighting: Weighting, days: readonly Day[]): (bigint | null)[] {
  let last: { exact: bigint; before: Asks } | null = null;
  return days.map(({ members, asks }) => {
    const exact: bigint | null = levelOf(weighting, linkedDay(members, asks, last), methodology)?.exact ?? null;
    if (exact !== null) last = { exact, before: asks };
    return exact;
  });
}

function distance(one: bigint, other: bigint): bigint {
  return one > other ? one - other : other - one;
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
