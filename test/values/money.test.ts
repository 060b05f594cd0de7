import { expect } from "chai";
import fc from "fast-check";
import { amountCentsMax, centsFrom } from "../../src/values/money/money.ts";

describe("money", () => {
  const cases: [string, "cents" | "dollars", number | string][] = [
    ["1", "cents", 1],
    ["2339", "cents", 2339],
    ["2339.00", "cents", "fractional_cents"],
    ["15e2", "cents", 1500],
    ["41.71", "cents", "fractional_cents"],
    ["1e-1", "cents", "fractional_cents"],
    ["0", "cents", "zero"],
    ["-0.00", "cents", "zero"],
    ["-1", "cents", "negative"],
    ["-0.5", "cents", "negative"],
    ["9007199254740991", "cents", amountCentsMax],
    ["9007199254740992", "cents", "oversized"],
    ["9007199254740993", "cents", "oversized"],
    ["1e400", "cents", "oversized"],
    ["1e99999999999999999999", "cents", "oversized"],
    ["100.00000000000000000001", "cents", "fractional_cents"],
    ["NaN", "cents", "non_finite"],
    ["-Infinity", "cents", "non_finite"],
    ["", "cents", "unparsable"],
    ["0x10", "cents", "unparsable"],
    ["1,5", "cents", "unparsable"],
    ["1041.22", "dollars", 104_122],
    ["1.1", "dollars", 110],
    ["234316.42", "dollars", 23_431_642],
    ["0.29", "dollars", 29],
    ["1.005", "dollars", "fractional_cents"],
    ["1.0049999999999999999", "dollars", "fractional_cents"],
    ["0.0", "dollars", "zero"],
    ["90071992547409.91", "dollars", amountCentsMax],
    ["90071992547409.92", "dollars", "oversized"],
  ];
  for (const [text, unit, result] of cases) {
    it(`parses ${text === "" ? "no text" : text} in ${unit} as ${result}`, () => {
      expect(centsFrom(text, unit)).to.equal(result);
    });
  }

  it("parses every amount in dollars, with any zeros around it", () => {
    const amounts = fc.tuple(fc.bigInt(1n, BigInt(amountCentsMax)), fc.nat(4), fc.nat(4));
    fc.assert(
      fc.property(amounts, ([cents, before, after]) => {
        const written = `${"0".repeat(before)}${cents / 100n}.${String(cents % 100n).padStart(2, "0")}${"0".repeat(after)}`;
        expect(centsFrom(written, "dollars")).to.equal(Number(cents));
      }),
      { numRuns: 2000 },
    );
  });

  it("rejects, never rounds, a nonzero digit after the cents", () => {
    fc.assert(
      fc.property(fc.nat(1e9), fc.nat(30), fc.integer({ min: 1, max: 9 }), (dollars, zeros, digit) => {
        expect(centsFrom(`${dollars}.00${"0".repeat(zeros)}${digit}`, "dollars")).to.equal("fractional_cents");
      }),
    );
  });
});
