/** An exact decimal number: `units` / 10^`scale`. */
export type Decimal = { readonly units: bigint; readonly scale: number };

const shape = /^(-?)([0-9]+)(?:\.([0-9]+))?(?:[eE]([+-]?[0-9]+))?$/;
const digitsMax = 100;

/** The number that plain or exponent notation writes; null for anything else, and beyond 100 digits on one side of the point. */
export function parseDecimal(text: string): Decimal | null {
  const match = shape.exec(text);
  if (match === null) return null;
  const [, sign = "", whole = "", fraction = "", exponent = "0"] = match;
  const scale = fraction.length - Number(exponent);
  if (Math.abs(scale) > digitsMax || whole.length + fraction.length > digitsMax) return null;
  const units = BigInt(`${sign}${whole}${fraction}`) * (scale < 0 ? 10n ** BigInt(-scale) : 1n);
  return { units, scale: Math.max(0, scale) };
}

/** Plain notation without an exponent and without zeros that say nothing. */
export function decimalText({ units, scale }: Decimal): string {
  const text = fixedText(units, scale);
  return scale === 0 ? text : text.replace(/\.?0+$/, "");
}

/** Plain notation with exactly `scale` decimals. */
export function fixedText(units: bigint, scale: number): string {
  const digits = (units < 0n ? -units : units).toString().padStart(scale + 1, "0");
  const whole = digits.slice(0, digits.length - scale);
  return `${units < 0n ? "-" : ""}${whole}${scale === 0 ? "" : `.${digits.slice(-scale)}`}`;
}

/** The quotient as a whole number; halves go to the even neighbour. */
export function divideHalfEven(numerator: bigint, denominator: bigint): bigint {
  const [top, bottom] = denominator < 0n ? [-numerator, -denominator] : [numerator, denominator];
  const magnitude = top < 0n ? -top : top;
  const quotient = magnitude / bottom;
  const twice = (magnitude % bottom) * 2n;
  const rounded = twice > bottom || (twice === bottom && quotient % 2n === 1n) ? quotient + 1n : quotient;
  return top < 0n ? -rounded : rounded;
}
