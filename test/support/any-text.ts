import fc from "fast-check";

const surrogates = { first: 0xd800, count: 0x800 };
// Has an inverse, so that fast-check also generates the names of Object.prototype, such as `__proto__`.
const letter = fc.integer({ min: 0x20, max: 0x7e }).map(
  (code) => String.fromCharCode(code),
  (text) => (typeof text === "string" && text.length === 1 ? text.charCodeAt(0) : Number.NaN),
);
const sign = fc
  .integer({ min: 0, max: 0x10ffff - surrogates.count })
  .map((index) => String.fromCodePoint(index < surrogates.first ? index : index + surrogates.count));

/**
 * Random Unicode strings of assigned and unassigned characters, half of them ASCII. fast-check's generator is equivalent but needs a second
 * to create.
 */
export function anyText(lengths: { maxLength?: number } = {}): fc.Arbitrary<string> {
  return fc.string({ unit: fc.oneof(letter, sign), ...lengths });
}
