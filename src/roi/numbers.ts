import { type CalculationNumbers, type RoiFlag, roiFlags, type ValuationMode } from "./calculation.ts";
import { type OpeningCost, type ValuedOutcome, valuate } from "./valuation.ts";

/** `phased`: the item has a phase. `valueAsOf`: source time in UTC ms, null where the source tells none. */
export type PricedOutcome = ValuedOutcome & { phased: boolean; valueProvider: string | null; valueAsOf: number | null };

export type CalculationInput = {
  outcomes: readonly PricedOutcome[];
  denominator: bigint;
  /** `provider` and `asOf` of the container's price. */
  cost: OpeningCost & { provider: string; asOf: number | null };
  oddsSource: "published" | "community" | "inferred";
  valuationMode: ValuationMode;
};

/**
 * Everything that is stored of a calculation, and `priceAsOf` (UTC ms): the oldest source time of the values used and of the
 * container's price, null if one of them is unknown. Throws as `valuate`, and RangeError for a value of a phase in `steam_gross`.
 */
export function calculationNumbers(input: CalculationInput): { numbers: CalculationNumbers; priceAsOf: number | null } {
  const { outcomes, denominator, cost, oddsSource, valuationMode } = input;
  const valuation = valuate(outcomes, denominator, cost);
  const possible = outcomes.filter(({ numerator }) => numerator > 0n);
  const priced = possible.filter(({ valueCents }) => valueCents !== null);
  // That platform sells all phases as one thing: a price there is the price of none of them.
  if (valuationMode === "steam_gross" && priced.some(({ phased }) => phased))
    throw new RangeError("a phase has no value in steam_gross");
  const found = new Set<RoiFlag>(valuation.flags);
  if (possible.some(({ phased, valueCents }) => phased && valueCents === null)) found.add("phases_unpriced");
  if (oddsSource === "inferred") found.add("odds_inferred");
  if (priced.every(({ valueProvider }) => valueProvider === cost.provider)) found.add("single_provider");
  const { cost_cents, container_cost_cents, key_cost_cents, ...rest } = valuation;
  return {
    numbers: {
      cost_cents,
      container_cost_cents,
      key_cost_cents,
      container_cost_provider: cost.provider,
      container_cost_as_of: cost.asOf,
      ...rest,
      flags: roiFlags.filter((flag) => found.has(flag)),
    },
    priceAsOf: priced.reduce((oldest, { valueAsOf }) => older(oldest, valueAsOf), cost.asOf),
  };
}

function older(a: number | null, b: number | null): number | null {
  if (a === null || b === null) return null;
  return a < b ? a : b;
}
