import { comparedMin } from "./findings.ts";
import type { PriceRatios } from "./price-ratios.ts";

/** Cents from which whole dollars count. */
export const roundFrom = 1000;

type Share = [count: number, of: number];

/** Counts whole dollars among the prices and among those that they are compared with; null unless more than `percent` became whole. */
export function roundShares(prices: PriceRatios, percent: number): { before: Share; now: Share } | null {
  const { before, now } = prices.multiples(100, roundFrom);
  if (now.of < comparedMin || before.of === 0 || now.count * 100 <= percent * now.of) return null;
  if (2 * (before.count / before.of) > now.count / now.of) return null;
  return { before: [before.count, before.of], now: [now.count, now.of] };
}
