import { dateText } from "../../../values/time/time-text.ts";
import type { Calculation, Openable } from "./types.ts";

export const typeNames = { case: "case", souvenir_package: "souvenir package", capsule: "capsule", other: "container" };

export const modeNames: Record<string, string> = {
  steam_gross: "lowest asks of the main platform, fee not deducted",
  cash_ask: "lowest asks of the cash markets",
};

const flagWords: Record<string, string> = {
  unpriced_outcomes: "some outcomes have no price",
  phases_unpriced: "phases have no price of their own",
  tier_coverage_low: "a tier is priced below 80 %",
  upper_bound_unknown: "upper bound unknown",
  upper_bound_assumed: "upper bound assumed from the tier",
  odds_inferred: "odds inferred",
  single_provider: "one provider only, where several are read",
  price_time_unknown: "price time unknown",
  price_stale: "prices older than 24 h",
  calculation_stale: "calculated over 8 h ago",
  retired_pool: "retired",
};

/** Flags that say less than the reason why a point is held back. */
const heldFlags: readonly string[] = ["unpriced_outcomes", "tier_coverage_low"];

/** Flags that say the same as a reason to be stale. */
const flagOfReason: Record<string, string> = {
  calculation_age: "calculation_stale",
  price_time_unknown: "price_time_unknown",
  price_age: "price_stale",
};

const staleWords = {
  calculation_age: "it was calculated more than 8 h ago",
  price_time_unknown: "the time of at least one price is unknown",
  price_age: "its oldest price is older than 24 h",
};

export const oddsWords: Record<string, string> = {
  published: "odds as published",
  community: "odds as the community measured them",
  inferred: "odds inferred from the published ones",
};

export const poolFlagTexts: Record<string, string> = {
  pool_completed: "completed: its source ends the list early, missing items were added from other public sources",
};

export const noCalculation = "no calculation in this mode: cost unknown";

/** Returns the flags of a calculation in words. */
export function flagTexts({ flags }: Calculation) {
  return flags.map((flag) => flagWords[flag] ?? flag);
}

/** Returns why a calculation is stale, or null. */
export function staleText({ stale, stale_reasons }: Calculation) {
  return stale ? `stale (${stale_reasons.map((reason) => staleWords[reason] ?? reason).join("; ")})` : null;
}

/** The gates of the point: how much of all outcomes and of each tier must have a price. */
const massMin = 95;
const tierMin = 75;

/** Returns why there are bounds but no point, or null where there is a point. */
export function withheldText({ expected_value_cents, priced_probability_mass_pct, price_coverage }: Calculation) {
  if (expected_value_cents !== null) return null;
  const tier = price_coverage.lowest_tier_coverage_pct;
  const causes = [
    ...(Number(priced_probability_mass_pct) < massMin
      ? [`${percent(priced_probability_mass_pct)} of the outcomes' probability is priced, ${massMin} % is needed`]
      : []),
    ...(Number(tier) < tierMin ? [`of one tier only ${percent(tier)} is priced, ${tierMin} % is needed`] : []),
  ];
  return `Point held back: ${causes.join("; ") || "too little is priced"}.`;
}

/** Returns whether a container is still in the game, in words. */
export function stateText({ active, retired_on }: Openable) {
  if (active) return "active";
  return retired_on === null ? "retired" : `retired ${dateText(retired_on)}`;
}

/** Formats a tier such as `rare_special` for a person. */
export function tierText(tier: string) {
  return tier.replaceAll("_", " ");
}

/**
 * Formats a percentage with one decimal, or says that it is unknown. What is not all or nothing is not rounded to it; below one it has
 * two decimals.
 */
export function percent(text: string | null) {
  if (text === null) return "unknown";
  const value = Number(text);
  const isSmall = value > 0 && value < 1;
  const rounded = value.toFixed(isSmall ? 2 : 1);
  if (value < 100 && Number(rounded) === 100) return "over 99.9 %";
  if (isSmall && Number(rounded) === 0) return "under 0.01 %";
  const whole = value === 0 || value === 100 ? String(value) : rounded === "-0.0" ? "0.0" : rounded;
  return `${whole.replace("-", "−")} %`;
}

/** Returns what is to be said of a calculation beside its figures. */
function remarksOf(current: Calculation): string[] {
  const stale = staleText(current);
  const said = current.stale_reasons.map((reason) => flagOfReason[reason]);
  const flags = current.flags.filter((flag) => !said.includes(flag));
  return [...(stale === null ? [] : [stale]), ...flags.map((flag) => flagWords[flag] ?? flag)];
}

/** Splits the remarks of a list into those that hold for all its calculations, to be said once, and those of each alone. */
export function splitRemarks(calculations: readonly Calculation[]): {
  common: string[];
  ofOne: (current: Calculation) => string[];
} {
  const [first, ...others] = calculations;
  const isCommon = (remark: string) => others.every((other) => remarksOf(other).includes(remark));
  const common = first === undefined || others.length === 0 ? [] : remarksOf(first).filter(isCommon);
  const lesser = heldFlags.map((flag) => flagWords[flag] ?? flag);
  const isOwn = ({ expected_value_cents }: Calculation, remark: string) =>
    !common.includes(remark) && !(expected_value_cents === null && lesser.includes(remark));
  return { common, ofOne: (current) => remarksOf(current).filter((remark) => isOwn(current, remark)) };
}
