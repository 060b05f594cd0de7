import { dollars } from "../../../values/money/money-text.ts";
import type { Calculation, Outcome } from "./types.ts";

/**
 * Returns what one outcome adds to the expected value: its chance times its value, in millionths of a dollar rounded half up. Null
 * where the value is unknown.
 */
export function contributionMicros({ probability_numerator, probability_denominator, value_cents }: Outcome) {
  if (value_cents === null) return null;
  return halfUp(BigInt(probability_numerator) * BigInt(value_cents) * 10_000n, BigInt(probability_denominator));
}

/** Millionths of a dollar as `$0.0312`: four decimals, six below a cent. */
export function microDollars(micros: bigint | null) {
  if (micros === null) return "unknown";
  if (micros < 10_000n) return `$0.${String(micros).padStart(6, "0")}`;
  const tenths = halfUp(micros, 100n);
  return `${dollars(Number(tenths / 100n))}${String(tenths % 100n).padStart(2, "0")}`;
}

/** Formats a part of a whole as a percentage with `decimals` decimals. */
export function share(part: bigint, whole: bigint, decimals: number) {
  if (whole === 0n) return "0";
  const scale = 10n ** BigInt(decimals);
  const digits = String(halfUp(part * 100n * scale, whole)).padStart(decimals + 1, "0");
  return decimals === 0 ? digits : `${digits.slice(0, -decimals)}.${digits.slice(-decimals)}`;
}

/** Formats a chance as "1 in N". */
export function oneIn({ probability_numerator, probability_denominator }: Outcome) {
  const [part, whole] = [BigInt(probability_numerator), BigInt(probability_denominator)];
  if (part === 0n) return "never";
  return `1 in ${String(halfUp(whole, part)).replace(/\B(?=(\d{3})+$)/g, ",")}`;
}

/** Returns whether the outcomes are those that the calculation was made of: a new one may have been published between the answers. */
export function areOf(current: Calculation, outcomes: readonly Outcome[]) {
  const whole = BigInt(outcomes[0]?.probability_denominator ?? "1");
  const priced = outcomes.filter(({ status }) => status === "priced");
  const sum = priced.reduce(
    (total, one) => total + BigInt(one.probability_numerator) * BigInt(one.value_cents ?? 0),
    0n,
  );
  const isWhole = outcomes.every(({ status }) => status !== "unpriced");
  const lower = isWhole ? halfUp(sum, whole) : sum / whole;
  return (
    priced.length === current.price_coverage.priced_outcome_count &&
    lower === BigInt(current.expected_value_lower_cents)
  );
}

/** Divides and rounds half up. */
export function halfUp(part: bigint, whole: bigint) {
  return (2n * part + whole) / (2n * whole);
}
