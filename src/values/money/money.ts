import { divideHalfEven, parseDecimal, readDecimal } from "./decimal.ts";

/** Reasons for which an amount is not a price. */
export const amountRefusals = [
  "zero",
  "negative",
  "fractional_cents",
  "non_finite",
  "oversized",
  "unparsable",
] as const;

export type AmountRefusal = (typeof amountRefusals)[number];

/** Largest amount in cents that a JSON number represents exactly. */
export const amountCentsMax = Number.MAX_SAFE_INTEGER;

const digitsMax = 16;
/** Decimal places between each unit and cents. A mill is a tenth of a cent. */
const centDigits = { cents: 0, dollars: 2, mills: -1 } as const;

export type MoneyUnit = keyof typeof centDigits;
/** How fractions of a cent are rounded. `exact` refuses them. */
export type Rounding = "exact" | "up" | "down" | "half_even";

/**
 * Converts a number written in `unit` to whole USD cents, or returns the reason for refusing it. Works on the digits: no rounding and no
 * floating point.
 */
export function centsFrom(text: string, unit: MoneyUnit): number | AmountRefusal {
  const written = readDecimal(text);
  if (written === null) return /^-?Infinity$|^NaN$/.test(text) ? "non_finite" : "unparsable";
  const padded = written.digits.replace(/^0+/, "");
  const digits = padded.replace(/0+$/, "");
  if (digits === "") return "zero";
  if (written.isNegative) return "negative";
  const zeros = written.exponent + centDigits[unit] + (padded.length - digits.length);
  // Whole cents have no decimal point: a source with `12.0` among its cents mixes its units and means dollars.
  if (zeros < 0 || (unit === "cents" && text.includes("."))) return "fractional_cents";
  if (digits.length + zeros > digitsMax) return "oversized";
  const cents = Number(digits + "0".repeat(zeros));
  return cents > amountCentsMax ? "oversized" : cents;
}

/** Converts as `centsFrom`, but rounds fractions of a cent by `rounding`. An amount that rounds to 0 returns `zero`. */
export function roundedCentsFrom(text: string, unit: MoneyUnit, rounding: Rounding): number | AmountRefusal {
  const cents = centsFrom(text, unit);
  const written = cents === "fractional_cents" && rounding !== "exact" ? parseDecimal(text) : null;
  if (written === null) return cents;
  const moved = centDigits[unit];
  const numerator = written.units * 10n ** BigInt(Math.max(0, moved));
  const denominator = 10n ** BigInt(written.scale + Math.max(0, -moved));
  const rounded =
    rounding === "half_even"
      ? divideHalfEven(numerator, denominator)
      : numerator / denominator + (rounding === "up" && numerator % denominator > 0n ? 1n : 0n);
  if (rounded === 0n) return "zero";
  return rounded > BigInt(amountCentsMax) ? "oversized" : Number(rounded);
}
