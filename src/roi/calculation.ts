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
  "odds_inferred",
  "single_provider",
  "price_time_unknown",
  "price_stale",
  "calculation_stale",
  "retired_pool",
] as const;
export type RoiFlag = (typeof roiFlags)[number];

/**
 * `high` needs a calculation that is not stale: what is stored here holds while it is not. Percentages are decimal texts with
 * the decimals of the contract; null: withheld by a gate or unknown.
 */
export type CalculationNumbers = {
  cost_cents: number;
  container_cost_cents: number;
  key_cost_cents: number;
  container_cost_provider: string;
  /** UTC ms. */
  container_cost_as_of: number | null;
  expected_value_cents: number | null;
  expected_value_lower_cents: number;
  expected_value_upper_cents: number | null;
  expected_profit_cents: number | null;
  return_pct: string | null;
  profit_roi_pct: string | null;
  profit_chance_pct: string | null;
  profit_chance_lower_pct: string;
  profit_chance_upper_pct: string;
  priced_probability_mass_pct: string;
  price_coverage: {
    outcome_count: number;
    priced_outcome_count: number;
    priced_outcome_pct: string;
    lowest_tier_coverage_pct: string;
  };
  /** Null: nothing is priced. */
  quantiles: { p05: number; p25: number; p50: number; p75: number; p95: number; p99: number } | null;
  confidence: "high" | "medium" | "low" | "insufficient";
  flags: RoiFlag[];
  /** Priced share of each tier's mass, in the pool's order: 4 decimals, floor. */
  tier_coverage_pct: string[];
};

/**
 * The value of one outcome in a calculation, in the pool's order: `[value_cents, value_provider, value_as_of, recent_high_cents]`.
 * Times are UTC ms. A priced outcome has no high, an outcome without chance has nothing.
 */
export type LedgerEntry = readonly [number | null, string | null, number | null, number | null];
