/** What the reference calculates with, so that the same formulas can be run with numbers that are not exact. */
export type Arithmetic<Value> = {
  of(numerator: bigint, denominator: bigint): Value;
  add(a: Value, b: Value): Value;
  multiply(a: Value, b: Value): Value;
  divide(a: Value, b: Value): Value;
  /** Whether `a` is at least `b`. */
  reaches(a: Value, b: Value): boolean;
  floor(a: Value): bigint;
};

export type Fraction = readonly [numerator: bigint, denominator: bigint];

export const exact: Arithmetic<Fraction> = {
  of: (numerator, denominator) => lowest(numerator, denominator),
  add: ([a, b], [c, d]) => lowest(a * d + c * b, b * d),
  multiply: ([a, b], [c, d]) => lowest(a * c, b * d),
  divide: ([a, b], [c, d]) => lowest(a * d, b * c),
  reaches: ([a, b], [c, d]) => a * d >= c * b,
  floor: ([a, b]) => (a >= 0n ? a / b : -((b - 1n - a) / b)),
};

/** The mutation: binary floating point. */
export const floating: Arithmetic<number> = {
  of: (numerator, denominator) => Number(numerator) / Number(denominator),
  add: (a, b) => a + b,
  multiply: (a, b) => a * b,
  divide: (a, b) => a / b,
  reaches: (a, b) => a >= b,
  floor: (a) => BigInt(Math.floor(a)),
};

function lowest(numerator: bigint, denominator: bigint): Fraction {
  let [a, b] = [numerator < 0n ? -numerator : numerator, denominator];
  while (b !== 0n) [a, b] = [b, a % b];
  return [numerator / a, denominator / a];
}
