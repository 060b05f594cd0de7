import type { Schema } from "../contract/types.ts";
import { hourMs } from "../values/time/calendar.ts";

/** Worth of an outcome: the lowest asks of the main platform, or of the providers of kind `cash`. Never mixed. */
export const valuationModes = ["steam_gross", "cash_ask"] as const;
export type ValuationMode = (typeof valuationModes)[number];
/** The mode of a request that names none. */
export const valuationModeDefault: ValuationMode = "steam_gross";

/** A container and the mode in which it is valued. */
export type CalculationKey = { slug: string; valuationMode: ValuationMode };

/** Formulas, gates and rounding of the calculations that are made from now on. */
export const roiMethodology = "roi-1";

/** The model is scheduled for 00, 06, 12 and 18 UTC. */
export const roiEveryMs = 6 * hourMs;

/** Flags in the order in which they are shown. The last four depend on when somebody asks and are never stored. */
export const roiFlags = [
  "unpriced_outcomes",
  "phases_unpriced",
  "tier_coverage_low",
  "upper_bound_unknown",
  "upper_bound_assumed",
  "above_price_ceiling",
  "odds_inferred",
  "single_provider",
  "price_time_unknown",
  "price_stale",
  "calculation_stale",
  "retired_pool",
] as const satisfies readonly Schema<"RoiFlag">[];
export type RoiFlag = Schema<"RoiFlag">;

/**
 * `high` needs a calculation that is not stale: what is stored here holds while it is not. Percentages are decimal texts with
 * the decimals of the contract; null: withheld by a gate or unknown.
 */
export type CalculationNumbers = Omit<
  Schema<"RoiCalculation">,
  | "revision_id"
  | "revision_number"
  | "methodology_version"
  | "valuation_mode"
  | "calculated_at"
  | "price_as_of"
  | "stale"
  | "stale_reasons"
  | "currency"
  | "minor_units"
  | "container_cost_as_of"
> & {
  /** UTC ms. */
  container_cost_as_of: number | null;
  /** Priced share of each tier's mass, in the pool's order: 4 decimals, floor. */
  tier_coverage_pct: string[];
};

/**
 * The value of one outcome in a calculation, in the pool's order: `[value_cents, value_provider, value_as_of, recent_high_cents]`,
 * and if there is one `above_ceiling_cents`. Times are UTC ms. A priced outcome has no high, an outcome without chance has nothing.
 */
export type LedgerEntry = readonly [number | null, string | null, number | null, number | null, number?];
