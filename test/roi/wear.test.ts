import { expect } from "chai";
import fc from "fast-check";
import { OddsError } from "../../src/roi/odds.ts";
import { wearWeightsPpm } from "../../src/roi/wear.ts";
import { exact, type Fraction } from "./arithmetic.ts";

describe("wear model", () => {
  for (const [min, max, weights] of [
    ["0", "1", "30000/240000/330000/240000/160000"],
    ["0.06", "0.80", "5792/166911/597027/90130/140140"],
    ["0", "0.08", "962963/37037/0/0/0"],
    ["0.10", "0.26", "0/498750/501250/0/0"],
    ["0", "0.5", "235714/244286/448889/41481/29630"],
  ] as const)
    it(`gives ${weights} ppm to a range of ${min} to ${max}`, () => {
      expect(wearWeightsPpm(min, max).join("/")).to.equal(weights);
    });

  it("gives a tied part per million to the better wear", () => {
    expect(wearWeightsPpm("0", "0.84")).to.deep.equal([41_429, 256_428, 542_143, 22_434, 137_566]);
    expect(wearWeightsPpm("0.02", "0.52")).to.deep.equal([98_571, 321_429, 497_037, 41_482, 41_481]);
  });

  it("gives equal weights for equal numbers in different notations", () => {
    expect(wearWeightsPpm("0.060", "0.8")).to.deep.equal(wearWeightsPpm("0.06", "0.80"));
    expect(wearWeightsPpm("0.0", "1.00")).to.deep.equal(wearWeightsPpm("0", "1"));
  });

  it("keeps a range that touches a threshold on its own side", () => {
    expect(wearWeightsPpm("0.45", "1")).to.deep.equal([0, 0, 0, 0, 1_000_000]);
    expect(wearWeightsPpm("0.07", "0.15")).to.deep.equal([0, 1_000_000, 0, 0, 0]);
    expect(wearWeightsPpm("0.999999", "1")).to.deep.equal([0, 0, 0, 0, 1_000_000]);
  });

  it("gives weights that sum to a million and match exact fractions", () => {
    const thousandths = fc.integer({ min: 0, max: 1000 });
    const ranges = fc.tuple(thousandths, thousandths).filter(([a, b]) => a !== b);
    fc.assert(
      fc.property(ranges, ([a, b]) => {
        const [min, max] = [BigInt(Math.min(a, b)), BigInt(Math.max(a, b))];
        const weights = wearWeightsPpm(thousandthsText(min), thousandthsText(max));
        expect(weights.reduce((sum, ppm) => sum + ppm, 0)).to.equal(1_000_000);
        expect(weights.map(BigInt)).to.deep.equal(byDefinition(exact.of(min, 1000n), exact.of(max, 1000n)));
      }),
      { numRuns: 150 },
    );
  });

  for (const [min, max, problem] of [
    ["0.8", "0.06", "is reversed"],
    ["0.5", "0.50", "is empty"],
    ["-0.01", "0.5", "must be within 0..1"],
    ["0", "1.000001", "must be within 0..1"],
    ["", "1", "must be two decimal numbers"],
    ["0", "NaN", "must be two decimal numbers"],
  ] as const)
    it(`rejects a range of ${JSON.stringify(min)} to ${JSON.stringify(max)} by its numbers`, () => {
      expect(() => wearWeightsPpm(min, max)).to.throw(OddsError, `wear range ${min}..${max}: ${problem}`);
    });
});

function thousandthsText(units: bigint): string {
  return units === 1000n ? "1" : `0.${String(units).padStart(3, "0")}`;
}

/** Maps every bucket to the item's range and clips it. Then searches for the largest remainder repeatedly. */
function byDefinition(min: Fraction, max: Fraction): bigint[] {
  const { of, add, multiply, divide, reaches, floor } = exact;
  const negative = (value: Fraction) => multiply(value, of(-1n, 1n));
  const less = (a: Fraction, b: Fraction) => (reaches(a, b) ? b : a);
  const more = (a: Fraction, b: Fraction) => (reaches(a, b) ? a : b);
  const range = add(max, negative(min));
  const on = (hundredths: bigint) => add(min, multiply(of(hundredths, 100n), range));
  const buckets = [
    [3n, 0n, 7n],
    [24n, 8n, 15n],
    [33n, 16n, 38n],
    [24n, 39n, 45n],
    [16n, 46n, 100n],
  ] as const;
  const named = [0n, 7n, 15n, 38n, 45n, 100n].map((hundredths) => of(hundredths, 100n));
  const shares = named.slice(1).map((end, wear) => {
    const parts = buckets.map(([weight, from, to]) => {
      const inside = add(less(on(to), end), negative(more(on(from), named[wear]!)));
      const width = add(on(to), negative(on(from)));
      return reaches(inside, of(0n, 1n)) ? multiply(of(weight * 10_000n, 1n), divide(inside, width)) : of(0n, 1n);
    });
    return parts.reduce(add);
  });
  const ppm = shares.map(floor);
  const rests = shares.map((share, wear) => add(share, of(-ppm[wear]!, 1n)));
  while (ppm.reduce((sum, part) => sum + part) < 1_000_000n) {
    const best = rests.findIndex((rest) => rests.every((other) => reaches(rest, other)));
    ppm[best]! += 1n;
    rests[best] = of(-1n, 1n);
  }
  return ppm;
}
