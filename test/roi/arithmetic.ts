export type Fraction = readonly [numerator: bigint, denominator: bigint];

/** Exact fractions in lowest terms. */
export const exact = {
  of: (numerator: bigint, denominator: bigint) => lowest(numerator, denominator),
  add: ([a, b]: Fraction, [c, d]: Fraction) => lowest(a * d + c * b, b * d),
  multiply: ([a, b]: Fraction, [c, d]: Fraction) => lowest(a * c, b * d),
  divide: ([a, b]: Fraction, [c, d]: Fraction) => lowest(a * d, b * c),
  /** Returns whether the first is at least the second. */
  reaches: ([a, b]: Fraction, [c, d]: Fraction) => a * d >= c * b,
  floor: ([a, b]: Fraction) => (a >= 0n ? a / b : -((b - 1n - a) / b)),
};

function lowest(numerator: bigint, denominator: bigint): Fraction {
  let [a, b] = [numerator < 0n ? -numerator : numerator, denominator];
  while (b !== 0n) [a, b] = [b, a % b];
  return [numerator / a, denominator / a];
}
