import { comparedMin } from "./findings.ts";
import type { PriceRatios } from "./price-ratios.ts";

/** Only prices of at least this many cents count as whole dollars. */
export const roundFrom = 1000;

type Share = [count: number, of: number];

/** Counts the whole-dollar prices, before and now. Null unless more than `percent` became whole. */
export function roundShares(prices: PriceRatios, percent: number): { before: Share; now: Share } | null {
  const { before, now } = prices.multiples(100, roundFrom);
  if (now.of < comparedMin || before.of === 0 || now.count * 100 <= percent * now.of) return null;
  if (2 * (before.count / before.of) > now.count / now.of) return null;
  return { before: [before.count, before.of], now: [now.count, now.of] };
}
