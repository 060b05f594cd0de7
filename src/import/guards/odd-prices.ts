import { comparedMin, leapsOf, percentText } from "./findings.ts";
import type { PriceRatios } from "./price-ratios.ts";
import { roundShares } from "./round-prices.ts";
import { isBeyond, type TwinPairs, turnedText, turnedTwins } from "./twins.ts";

/** Percentage of twins in another order than at other providers. Real data has at most 16 %, and 4 % for wears. */
const turnedRefused = 40;
const turnedNamed = { phases: 20, editions: 20, wears: 8 };
const roundNamed = 50;

/**
 * Reports prices of a new provider that are unlike other providers' prices: another unit, twins in another order, whole dollars. `ofItems`
 * holds one price per item. Without `twins` their order is not compared.
 */
export function oddPrices(
  subject: string,
  prices: PriceRatios,
  { twins, ofItems = prices }: { twins?: TwinPairs | undefined; ofItems?: PriceRatios },
): { text: string; isBroken: boolean }[] {
  if (prices.count < comparedMin) return [];
  const leaps = leapsOf(prices);
  const named = (text: string) => ({ text, isBroken: false });
  const turned = twins === undefined ? [] : turnedTwins(twins, ofItems);
  const round = roundShares(prices, roundNamed);
  return [
    ...(leaps === null
      ? []
      : [named(`${leaps} of ${prices.count} ${subject} are outside 1/100 to 100 times other providers' prices`)]),
    ...turned
      .filter((one) => isBeyond(one, turnedNamed[one.kind]))
      .map((one) => ({
        text: `the order of ${turnedText(one)} of the ${subject} differs from other providers`,
        isBroken: isBeyond(one, turnedRefused),
      })),
    ...(round === null
      ? []
      : [
          named(
            `${percentText(...round.now)} of the ${subject} are whole dollars, beside ${percentText(...round.before)}`,
          ),
        ]),
  ];
}
