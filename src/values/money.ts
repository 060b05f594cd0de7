import { readDecimal } from "./decimal.ts";

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

/** Largest amount in cents that a JSON number carries exactly. */
export const amountCentsMax = Number.MAX_SAFE_INTEGER;

const digitsMax = 16;
const centDigits = { cents: 0, dollars: 2 } as const;

/**
 * Reads a number written in `unit` as whole USD cents, or returns the reason why it is no price. Works on the digits themselves:
 * nothing is rounded and no floating point is involved.
 */
export function centsFrom(text: string, unit: keyof typeof centDigits): number | AmountRefusal {
  const written = readDecimal(text);
  if (written === null) return /^-?Infinity$|^NaN$/.test(text) ? "non_finite" : "unparsable";
  const padded = written.digits.replace(/^0+/, "");
  const digits = padded.replace(/0+$/, "");
  if (digits === "") return "zero";
  if (written.isNegative) return "negative";
  const zeros = written.exponent + centDigits[unit] + (padded.length - digits.length);
  // Whole cents have no decimal point: `12.0` among them is twelve dollars of a source that mixes its units.
  if (zeros < 0 || (unit === "cents" && text.includes("."))) return "fractional_cents";
  if (digits.length + zeros > digitsMax) return "oversized";
  const cents = Number(digits + "0".repeat(zeros));
  return cents > amountCentsMax ? "oversized" : cents;
}
