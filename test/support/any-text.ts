import fc from "fast-check";

const surrogates = { first: 0xd800, count: 0x800 };
// It can be told back, so that fast-check also makes the names that every object has, such as `__proto__`.
const letter = fc.integer({ min: 0x20, max: 0x7e }).map(
  (code) => String.fromCharCode(code),
  (text) => (typeof text === "string" && text.length === 1 ? text.charCodeAt(0) : Number.NaN),
);
const sign = fc
  .integer({ min: 0, max: 0x10ffff - surrogates.count })
  .map((index) => String.fromCodePoint(index < surrogates.first ? index : index + surrogates.count));

/**
 * Texts of any signs of Unicode, assigned or not, and of those of ASCII as often. Those of fast-check are alike, and take a second of the
 * processor to be made.
 */
export function anyText(lengths: { maxLength?: number } = {}): fc.Arbitrary<string> {
  return fc.string({ unit: fc.oneof(letter, sign), ...lengths });
}
