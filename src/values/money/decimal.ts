/** An exact decimal number: `units` / 10^`scale`. */
export type Decimal = { readonly units: bigint; readonly scale: number };

const shape = /^(-?)([0-9]+)(?:\.([0-9]+))?(?:[eE]([+-]?[0-9]+))?$/;
const digitsMax = 100;

/** A number as written: its digits, and the power of ten of the last digit. */
type WrittenDecimal = { readonly isNegative: boolean; readonly digits: string; readonly exponent: number };

/** Reads plain or exponent notation digit by digit. Returns null for any other text. */
export function readDecimal(text: string): WrittenDecimal | null {
  const match = shape.exec(text);
  if (match === null) return null;
  const [, sign, whole = "", fraction = "", exponent = "0"] = match;
  return { isNegative: sign === "-", digits: whole + fraction, exponent: Number(exponent) - fraction.length };
}

/** Parses plain or exponent notation. Returns null for any other text, or beyond 100 digits on one side of the point. */
export function parseDecimal(text: string): Decimal | null {
  const written = readDecimal(text);
  if (written === null) return null;
  const { isNegative, digits, exponent } = written;
  if (Math.abs(exponent) > digitsMax || digits.length > digitsMax) return null;
  const units = BigInt(digits) * 10n ** BigInt(Math.max(0, exponent));
  return { units: isNegative ? -units : units, scale: Math.max(0, -exponent) };
}

/** Formats a number in plain notation, without an exponent or trailing zeros. */
export function decimalText({ units, scale }: Decimal): string {
  const text = fixedText(units, scale);
  return scale === 0 ? text : text.replace(/\.?0+$/, "");
}

/** Formats `units` / 10^`scale` in plain notation with exactly `scale` decimals. */
export function fixedText(units: bigint, scale: number): string {
  const digits = (units < 0n ? -units : units).toString().padStart(scale + 1, "0");
  const whole = digits.slice(0, digits.length - scale);
  return `${units < 0n ? "-" : ""}${whole}${scale === 0 ? "" : `.${digits.slice(-scale)}`}`;
}

/** Divides and rounds to a whole number, half to even. */
export function divideHalfEven(numerator: bigint, denominator: bigint): bigint {
  const [top, bottom] = denominator < 0n ? [-numerator, -denominator] : [numerator, denominator];
  const magnitude = top < 0n ? -top : top;
  const quotient = magnitude / bottom;
  const twice = (magnitude % bottom) * 2n;
  const rounded = twice > bottom || (twice === bottom && quotient % 2n === 1n) ? quotient + 1n : quotient;
  return top < 0n ? -rounded : rounded;
}
