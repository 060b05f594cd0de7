import type { Schema } from "../contract/types.ts";
import { hourMs } from "../values/time/calendar.ts";

/** How outcomes are valued: by the lowest ask of the main platform, or of the `cash` providers. A calculation never mixes the two. */
export const valuationModes = ["steam_gross", "cash_ask"] as const;
export type ValuationMode = (typeof valuationModes)[number];
/** The mode of a request without a `valuation_mode`. */
export const valuationModeDefault: ValuationMode = "steam_gross";

/** A container and the mode in which it is valued. */
export type CalculationKey = { slug: string; valuationMode: ValuationMode };

/** Version of the formulas, gates and rounding of new calculations. */
export const roiMethodology = "roi-1";

/** Interval between scheduled runs: 00, 06, 12 and 18 UTC. */
export const roiEveryMs = 6 * hourMs;

/** All flags in display order. The last four depend on the time of the request and are never stored. */
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
 * The stored numbers of a calculation. A stored confidence of `high` is valid only until the calculation is stale. Percentages are decimal
 * texts with the decimals of the contract. Null if a gate withholds the number or it is unknown.
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
  /** Priced share of each tier's probability mass, in the order of the pool's tiers. Rounded down to 4 decimals. */
  tier_coverage_pct: string[];
};

/**
 * Numbers of one outcome of a calculation: `[value_cents, value_provider, value_as_of, recent_high_cents, above_ceiling_cents]`. The last
 * one is absent below the ceiling. Outcomes are in the pool's order. Times are UTC ms. A priced outcome has no high. An outcome with
 * probability 0 has only nulls.
 */
export type LedgerEntry = readonly [number | null, string | null, number | null, number | null, number?];
