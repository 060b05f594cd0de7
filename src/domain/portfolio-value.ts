import type { Lot, ValuationRecord } from "../store/write/valuations.ts";
import { amountCentsMax } from "../values/money/money.ts";
import { dayOf } from "../values/time/calendar.ts";

/** Ask of one item on one day in USD cents, with its source time in UTC ms. */
export type Ask = { amount: number; observedAt: number | null; provider: string };

export type DayValue = Pick<
  ValuationRecord,
  | "valueCents"
  | "costBasisCents"
  | "holdingCount"
  | "pricedHoldingCount"
  | "priceAsOf"
  | "comparedCount"
  | "comparedValueCents"
  | "comparedCostCents"
  | "priceProviders"
>;

/** Reports a sum that a JSON number cannot represent exactly. */
export class SumTooLarge extends Error {}

/** Returns the first day on which a lot counts. */
export function firstDayOf({ acquiredDay, createdAt }: Pick<Lot, "acquiredDay" | "createdAt">): number {
  return acquiredDay ?? dayOf(createdAt);
}

/**
 * Values the lots that count on `day` at its asks. A lot without an ask is only counted. The value is null if all lots lack an ask, the
 * basis if one cost is unknown. Lots with both an ask and a cost are also summed separately. Returns null if no lot counts yet.
 *
 * @throws {SumTooLarge}
 */
export function valueOfDay(
  lots: readonly Omit<Lot, "updatedAt">[],
  day: number,
  asks: ReadonlyMap<number, Ask>,
): DayValue | null {
  let holdingCount = 0;
  let pricedHoldingCount = 0;
  let value = 0n;
  let basis: bigint | null = 0n;
  let asOf: number | null = Number.POSITIVE_INFINITY;
  const compared = { count: 0, value: 0n, cost: 0n };
  const providers = new Set<string>();
  for (const lot of lots) {
    if (firstDayOf(lot) > day) continue;
    holdingCount += 1;
    const cost = lot.unitCostCents === null ? null : product(lot.quantity, lot.unitCostCents);
    basis = basis === null || cost === null ? null : basis + cost;
    const ask = asks.get(lot.itemId);
    if (ask === undefined) continue;
    pricedHoldingCount += 1;
    const worth = product(lot.quantity, ask.amount);
    value += worth;
    providers.add(ask.provider);
    if (cost !== null) {
      compared.count += 1;
      compared.value += worth;
      compared.cost += cost;
    }
    asOf = asOf === null || ask.observedAt === null ? null : Math.min(asOf, ask.observedAt);
  }
  if (holdingCount === 0) return null;
  return {
    valueCents: pricedHoldingCount === 0 ? null : exact(value, "value"),
    costBasisCents: basis === null ? null : exact(basis, "cost basis"),
    holdingCount,
    pricedHoldingCount,
    priceAsOf: pricedHoldingCount === 0 ? null : asOf,
    comparedCount: compared.count,
    comparedValueCents: compared.count === 0 ? null : exact(compared.value, "value"),
    comparedCostCents: compared.count === 0 ? null : exact(compared.cost, "cost"),
    priceProviders: providers.size === 0 ? null : [...providers].sort().join(","),
  };
}

/** Multiplies exactly, because numbers round beyond 2^53. */
function product(quantity: number, cents: number): bigint {
  return BigInt(quantity) * BigInt(cents);
}

function exact(sum: bigint, what: string): number {
  if (sum > BigInt(amountCentsMax)) throw new SumTooLarge(`its ${what} is ${sum} cents, above ${amountCentsMax}`);
  return Number(sum);
}
