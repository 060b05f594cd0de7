import { percentText } from "./changes.ts";
import type { Series } from "./types.ts";

/** How amounts become heights. Percent refer to the first ask of a provider, so that its bids keep their distance. */
export type ScaleChoice = { isLogarithmic: boolean; isPercent: boolean };

/**
 * Returns the price in cents that the percent of a line refer to; null if unknown. Bids refer to the first ask of their provider, and to
 * their own first price if there is none.
 */
export function baseOf(one: Series, all: readonly Series[]) {
  const ask = one.side === "bid" ? all.find(({ key, side }) => key === one.key && side === "ask") : undefined;
  return (ask && firstPrice(ask)) ?? firstPrice(one);
}

function firstPrice({ points }: Series) {
  return points.find(({ row }) => row !== null && row.amount !== null && row.amount > 0)?.row?.amount ?? null;
}

/** Returns the height of an amount of a line: cents, or percent of change since its first price. A logarithmic axis has no zero. */
export function heightOf(
  amount: number | null | undefined,
  base: number | null,
  { isLogarithmic, isPercent }: ScaleChoice,
) {
  if (amount === null || amount === undefined) return null;
  if (isPercent) return base === null ? null : (amount / base - 1) * 100;
  return isLogarithmic && amount <= 0 ? null : amount;
}

/** Returns the range of the axis around what is visible, with some air. */
export function axisRange(
  low: number | null,
  high: number | null,
  { isLogarithmic, isPercent }: ScaleChoice,
): [number, number] {
  if (low === null || high === null) return isLogarithmic ? [1, 10] : [0, 1];
  if (isLogarithmic) {
    const factor = Math.max(1.02, (high / low) ** 0.08);
    return [low / factor, high * factor];
  }
  const least = isPercent ? 0.5 : 1;
  const air = Math.max(least, (high - low) * 0.08, low === high ? Math.abs(high) * 0.05 : 0);
  if (isPercent) return [low - air, high + air];
  return [Math.max(0, Math.floor(low - air)), Math.ceil(high + air)];
}

/** Formats a mark of an axis in percent. */
export function percentMark(percent: number) {
  return percentText(100, 100 + percent)
    .replace(/(\.\d*?)0+ %$/, "$1 %")
    .replace(". %", " %");
}
