import { dollars, grouped } from "../../../values/money/money-text.ts";
import type { Calculation, Outcome } from "./types.ts";

/** Returns chance times value of an outcome, as a numerator of the outcome's denominator; 0 without a value. */
export function weightOf({ probability_numerator, value_cents }: Outcome): bigint {
  return BigInt(probability_numerator) * BigInt(value_cents ?? 0);
}

/**
 * Returns the share of an outcome in the expected value, in millionths of a dollar, rounded half up. Returns null if its value is unknown.
 */
export function contributionMicros(outcome: Outcome): bigint | null {
  if (outcome.value_cents === null) return null;
  return halfUp(weightOf(outcome) * 10_000n, BigInt(outcome.probability_denominator));
}

/** Formats millionths of a dollar as `$0.0312`, with four decimals, or six below a cent. */
export function microDollars(micros: bigint | null): string {
  if (micros === null) return "unknown";
  if (micros < 10_000n) return `$0.${String(micros).padStart(6, "0")}`;
  const tenths = halfUp(micros, 100n);
  return `${dollars(tenths / 100n)}${String(tenths % 100n).padStart(2, "0")}`;
}

/** Formats a part of a whole as a percentage with `decimals` decimals. */
export function share(part: bigint, whole: bigint, decimals: number): string {
  if (whole === 0n) return "0";
  const digits = String(halfUp(part * 10n ** BigInt(decimals + 2), whole)).padStart(decimals + 1, "0");
  return decimals === 0 ? digits : `${digits.slice(0, -decimals)}.${digits.slice(-decimals)}`;
}

/** Formats a chance as "1 in N". */
export function oneIn({ probability_numerator, probability_denominator }: Outcome): string {
  const part = BigInt(probability_numerator);
  return part === 0n ? "never" : `1 in ${grouped(halfUp(BigInt(probability_denominator), part))}`;
}

/** Returns whether the outcomes belong to the calculation: a new one may have been published between two requests. */
export function areOf(current: Calculation, outcomes: readonly Outcome[]): boolean {
  const whole = BigInt(outcomes[0]?.probability_denominator ?? "1");
  const priced = outcomes.filter(({ status }) => status === "priced");
  const sum = priced.reduce((total, one) => total + weightOf(one), 0n);
  const isWhole = outcomes.every(({ status }) => status !== "unpriced");
  const lower = isWhole ? halfUp(sum, whole) : sum / whole;
  return (
    priced.length === current.price_coverage.priced_outcome_count &&
    lower === BigInt(current.expected_value_lower_cents)
  );
}

/** Divides and rounds half up. */
export function halfUp(part: bigint, whole: bigint): bigint {
  return (2n * part + whole) / (2n * whole);
}
