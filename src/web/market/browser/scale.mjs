/** @import { Series } from "./types.mjs" */
import { percentText } from "./changes.mjs";

/**
 * How amounts become heights. In percent each line starts at its own first price, which is 0 %.
 * @typedef {{ isLogarithmic: boolean, isPercent: boolean }} ScaleChoice
 */

/**
 * Returns the first price of a line in cents, to which percent refer; null where it has none.
 * @param {Series} series
 */
export function baseOf({ points }) {
  return points.find(({ row }) => row !== null && row.amount !== null && row.amount > 0)?.row?.amount ?? null;
}

/**
 * Returns the height of an amount of a line: cents, or percent of change since its first price. A logarithmic axis has no zero.
 * @param {number | null | undefined} amount
 * @param {number | null} base
 * @param {ScaleChoice} choice
 */
export function heightOf(amount, base, { isLogarithmic, isPercent }) {
  if (amount === null || amount === undefined) return null;
  if (isPercent) return base === null ? null : (amount / base - 1) * 100;
  return isLogarithmic && amount <= 0 ? null : amount;
}

/**
 * Returns the range of the axis around what is visible, with some air.
 * @param {number | null} low
 * @param {number | null} high
 * @param {ScaleChoice} choice
 * @returns {[number, number]}
 */
export function axisRange(low, high, { isLogarithmic, isPercent }) {
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

/** Formats a mark of an axis in percent. @param {number} percent */
export function percentMark(percent) {
  return percentText(100, 100 + percent)
    .replace(/(\.\d*?)0+ %$/, "$1 %")
    .replace(". %", " %");
}
