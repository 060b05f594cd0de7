import { expect } from "chai";
import fc from "fast-check";
import { type Decimal, decimalText, divideHalfEven, fixedText, parseDecimal } from "../../src/values/money/decimal.ts";

const scales = fc.integer({ min: 0, max: 30 });
const decimals = fc.record({ units: fc.bigInt({ min: -(10n ** 30n), max: 10n ** 30n }), scale: scales });
const equal = (a: Decimal, b: Decimal) => a.units * 10n ** BigInt(b.scale) === b.units * 10n ** BigInt(a.scale);

describe("exact decimals", () => {
  const parsed: [string, Decimal][] = [
    ["0", { units: 0n, scale: 0 }],
    ["-0.0", { units: 0n, scale: 1 }],
    ["1.1684", { units: 11684n, scale: 4 }],
    ["007.50", { units: 750n, scale: 2 }],
    ["1.594611e-5", { units: 1594611n, scale: 11 }],
    ["3E2", { units: 300n, scale: 0 }],
    ["1.25e+1", { units: 125n, scale: 1 }],
  ];
  for (const [text, value] of parsed) {
    it(`parse ${text} digit for digit`, () => expect(parseDecimal(text)).to.deep.equal(value));
  }

  for (const text of [
    "",
    " 1",
    "1 ",
    "+1",
    ".5",
    "5.",
    "1,5",
    "0x10",
    "1e",
    "NaN",
    "Infinity",
    "N/A",
    "١",
    "1e101",
    "1e-101",
  ]) {
    it(`reject ${JSON.stringify(text)}`, () => expect(parseDecimal(text)).to.equal(null));
  }

  it("reject an exponent out of range without expanding its zeros", () => {
    for (const text of ["1e999999999999", "1e-999999999999", `1${"0".repeat(100)}`])
      expect(parseDecimal(text)).to.equal(null);
  });

  it("round-trip in plain notation without trailing zeros", () => {
    const plain = /^(0|-?(0\.\d*[1-9]|[1-9]\d*(\.\d*[1-9])?))$/;
    fc.assert(
      fc.property(decimals, (value) => {
        const text = decimalText(value);
        expect(text).to.match(plain);
        expect(equal(parseDecimal(text)!, value), text).to.equal(true);
      }),
    );
  });

  it("format fixed-point text with exactly the given decimals", () => {
    fc.assert(
      fc.property(decimals, ({ units, scale }) => {
        const [, decimalPlaces = ""] = fixedText(units, scale).split(".");
        expect(decimalPlaces).to.have.length(scale);
        expect(parseDecimal(fixedText(units, scale))).to.deep.equal({ units, scale });
      }),
    );
  });

  it("round quotients to the nearest integer, ties to even", () => {
    const tops = fc.bigInt({ min: -(10n ** 25n), max: 10n ** 25n });
    const bottoms = fc.oneof(fc.bigInt({ min: -9n, max: 9n }), tops).filter((bottom) => bottom !== 0n);
    fc.assert(
      fc.property(tops, bottoms, (top, bottom) => {
        const rounded = divideHalfEven(top, bottom);
        const distance = abs(top - rounded * bottom) * 2n;
        expect(distance <= abs(bottom)).to.equal(true);
        if (distance === abs(bottom)) expect(rounded % 2n).to.equal(0n);
      }),
    );
  });
});

function abs(value: bigint): bigint {
  return value < 0n ? -value : value;
}
