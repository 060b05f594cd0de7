import { percentText } from "./changes.ts";
import type { Series } from "./types.ts";

/** Scale of the price axis. Percentages are relative to the first ask of a provider, so that its bids keep their distance. */
export type ScaleChoice = { isLogarithmic: boolean; isPercent: boolean };

/**
 * Returns the base price of a line's percentages in cents; null if unknown. The base of bids is the first ask of their provider, else their
 * own first price.
 */
export function baseOf(one: Series, all: readonly Series[]) {
  const ask = one.side === "bid" ? all.find(({ key, side }) => key === one.key && side === "ask") : undefined;
  return (ask && firstPrice(ask)) ?? firstPrice(one);
}

function firstPrice({ points }: Series) {
  return points.find(({ row }) => row !== null && row.amount !== null && row.amount > 0)?.row?.amount ?? null;
}

/**
 * Returns the height of an amount: cents, or the change since `base` in percent. Returns null if unknown, and for 0 on a logarithmic axis.
 */
export function heightOf(
  amount: number | null | undefined,
  base: number | null,
  { isLogarithmic, isPercent }: ScaleChoice,
) {
  if (amount === null || amount === undefined) return null;
  if (isPercent) return base === null ? null : (amount / base - 1) * 100;
  return isLogarithmic && amount <= 0 ? null : amount;
}

/** Returns the axis range for the visible values, with a margin. */
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

/** Formats a mark of a percent axis. */
export function percentMark(percent: number) {
  return percentText(100, 100 + percent)
    .replace(/(\.\d*?)0+ %$/, "$1 %")
    .replace(". %", " %");
}
