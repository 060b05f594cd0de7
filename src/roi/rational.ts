import { fixedText } from "../values/money/decimal.ts";

// This is the only file of the model that divides. All numbers are bigint, and numerators are never negative.

/** Divides and rounds down. */
export function floorOf(numerator: bigint, denominator: bigint): bigint {
  return numerator / denominator;
}

/** Divides and rounds up. */
export function ceilOf(numerator: bigint, denominator: bigint): bigint {
  return (numerator + denominator - 1n) / denominator;
}

/** Divides and rounds to the nearest integer, halves up. */
export function halfUpOf(numerator: bigint, denominator: bigint): bigint {
  return (2n * numerator + denominator) / (2n * denominator);
}

export type Rounding = typeof floorOf;

/** Returns `numerator / denominator` as a percentage with exactly `decimals` decimals. */
export function percentText(numerator: bigint, denominator: bigint, decimals: number, round: Rounding): string {
  return fixedText(round(numerator * 100n * 10n ** BigInt(decimals), denominator), decimals);
}

/** Returns the greatest common divisor. */
export function gcd(a: bigint, b: bigint): bigint {
  let [high, low] = [a, b];
  while (low !== 0n) [high, low] = [low, high % low];
  return high;
}

/** Returns the least common multiple. */
export function lcm(a: bigint, b: bigint): bigint {
  return (a / gcd(a, b)) * b;
}

/** Returns the denominator of `numerator / denominator` in lowest terms. */
export function reducedDenominator(numerator: bigint, denominator: bigint): bigint {
  return denominator / gcd(numerator, denominator);
}

/** Sums fractions without reducing them. Adding a whole number does not grow the denominator. */
export class FractionSum {
  numerator = 0n;
  denominator = 1n;

  add(numerator: bigint, denominator: bigint): void {
    this.numerator = this.numerator * denominator + numerator * this.denominator;
    this.denominator *= denominator;
  }
}
