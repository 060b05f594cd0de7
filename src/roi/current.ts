import type { Schema } from "../contract/types.ts";
import { hourMs } from "../values/time/calendar.ts";
import { toTimestamp, toTimestampOrNull } from "../values/time/clock.ts";
import type { CalculationNumbers, RoiFlag, ValuationMode } from "./calculation.ts";
import { roiFlags } from "./calculation.ts";
import { halfUpOf, percentText } from "./rational.ts";

/** A calculation as stored. Times are UTC ms. `retired` is true if its pool is retired. */
export type StoredCalculation = {
  revisionId: string;
  revisionNumber: number;
  methodologyVersion: string;
  valuationMode: ValuationMode;
  calculatedAt: number;
  priceAsOf: number | null;
  numbers: CalculationNumbers;
  retired: boolean;
};

export type CurrentCalculation = Schema<"RoiCalculation">;

const calculationFreshMs = 8 * hourMs;
const priceFreshMs = 24 * hourMs;
const flagOf = {
  calculation_age: "calculation_stale",
  price_time_unknown: "price_time_unknown",
  price_age: "price_stale",
} as const;

/** Returns the reasons why a calculation is stale at `at`, in the order of the contract. Empty if it is not stale. Times are UTC ms. */
export function staleReasons(calculatedAt: number, priceAsOf: number | null, at: number): Schema<"StaleReason">[] {
  const reasons: Schema<"StaleReason">[] = [];
  if (at - calculatedAt > calculationFreshMs) reasons.push("calculation_age");
  if (priceAsOf === null) reasons.push("price_time_unknown");
  else if (at - priceAsOf > priceFreshMs) reasons.push("price_age");
  return reasons;
}

/** Returns the times after which the calculation has one more reason to be stale. Times are UTC ms. */
export function staleAfter(calculatedAt: number, priceAsOf: number | null): number[] {
  const calculation = calculatedAt + calculationFreshMs;
  return priceAsOf === null ? [calculation] : [calculation, priceAsOf + priceFreshMs];
}

/**
 * Returns a calculation as sent at `at` (UTC ms), with keys in the order of the contract. A stale calculation never has confidence `high`.
 */
export function currentAt(stored: StoredCalculation, at: number): CurrentCalculation {
  const { numbers, calculatedAt, priceAsOf } = stored;
  const reasons = staleReasons(calculatedAt, priceAsOf, at);
  const stale = reasons.length > 0;
  const flags = new Set<RoiFlag>([...numbers.flags, ...reasons.map((reason) => flagOf[reason])]);
  if (stored.retired) flags.add("retired_pool");
  return {
    revision_id: stored.revisionId,
    revision_number: stored.revisionNumber,
    methodology_version: stored.methodologyVersion,
    valuation_mode: stored.valuationMode,
    calculated_at: toTimestamp(calculatedAt),
    price_as_of: toTimestampOrNull(priceAsOf),
    stale,
    stale_reasons: reasons,
    currency: "USD",
    minor_units: 2,
    cost_cents: numbers.cost_cents,
    container_cost_cents: numbers.container_cost_cents,
    container_cost_provider: numbers.container_cost_provider,
    container_cost_as_of: toTimestampOrNull(numbers.container_cost_as_of),
    key_cost_cents: numbers.key_cost_cents,
    expected_value_cents: numbers.expected_value_cents,
    expected_value_lower_cents: numbers.expected_value_lower_cents,
    expected_value_upper_cents: numbers.expected_value_upper_cents,
    expected_profit_cents: numbers.expected_profit_cents,
    return_pct: numbers.return_pct,
    profit_roi_pct: numbers.profit_roi_pct,
    profit_chance_pct: numbers.profit_chance_pct,
    profit_chance_lower_pct: numbers.profit_chance_lower_pct,
    profit_chance_upper_pct: numbers.profit_chance_upper_pct,
    priced_probability_mass_pct: numbers.priced_probability_mass_pct,
    price_coverage: numbers.price_coverage,
    quantiles: numbers.quantiles,
    confidence: stale && numbers.confidence === "high" ? "medium" : numbers.confidence,
    flags: roiFlags.filter((flag) => flags.has(flag)),
  };
}

/** Returns a percentage with 8 decimals, rounded half up, for example `12.34567890`. */
export function probabilityPct(numerator: bigint, denominator: bigint): string {
  return percentText(numerator, denominator, 8, halfUpOf);
}
