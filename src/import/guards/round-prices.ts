import { comparedMin, found, type GuardFinding, percentText } from "./findings.ts";
import type { PriceRatios } from "./price-ratios.ts";

/** Cents from which whole dollars count. */
const roundFrom = 1000;

/** Names a side with prices that are whole dollars, unlike those that they are compared with. */
export function roundFindings(whose: string, prices: PriceRatios, percent: number): GuardFinding<"round_prices">[] {
  const { before, now } = prices.multiples(100, roundFrom);
  if (now.of < comparedMin || before.of === 0 || now.count * 100 <= percent * now.of) return [];
  if (2 * (before.count / before.of) > now.count / now.of) return [];
  const figure = `${percentText(now.count, now.of)} of the ${whose} above ${roundFrom} cents are whole dollars, beside ${percentText(before.count, before.of)}`;
  return [found("round_prices", "named", figure, percent)];
}
