/** @import { Calculation, Openable } from "./types.mjs" */

export const typeNames = { case: "case", souvenir_package: "souvenir package", capsule: "capsule", other: "container" };

/** @type {Record<string, string>} */
export const modeNames = {
  steam_gross: "lowest asks of the main platform, fee not deducted",
  cash_ask: "lowest asks of the cash markets",
};

/** @type {Record<string, string>} */
const flagWords = {
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

const staleWords = {
  calculation_age: "it was calculated more than 8 h ago",
  price_time_unknown: "the time of at least one price is unknown",
  price_age: "its oldest price is older than 24 h",
};

/** @type {Record<string, string>} */
export const oddsWords = {
  published: "odds as published",
  community: "odds as the community measured them",
  inferred: "odds inferred from the published ones",
};

/** @type {Record<string, string>} */
export const poolFlagTexts = {
  pool_completed: "completed: its source ends the list early, missing items were added from other public sources",
};

export const noCalculation = "no calculation in this mode: cost unknown";

/** @param {Calculation} current */
export function flagTexts({ flags }) {
  return flags.map((flag) => flagWords[flag] ?? flag);
}

/** Returns why a calculation is stale, or null. @param {Calculation} current */
export function staleText({ stale, stale_reasons }) {
  return stale ? `Stale: ${stale_reasons.map((reason) => staleWords[reason] ?? reason).join("; ")}.` : null;
}

/** The gates of the point: how much of all outcomes and of each tier must have a price. */
const massMin = 95;
const tierMin = 75;

/** Returns why there are bounds but no point, or null where there is a point. @param {Calculation} current */
export function withheldText({ expected_value_cents, priced_probability_mass_pct, price_coverage }) {
  if (expected_value_cents !== null) return null;
  const tier = price_coverage.lowest_tier_coverage_pct;
  const causes = [
    ...(Number(priced_probability_mass_pct) < massMin
      ? [`${priced_probability_mass_pct} % of the outcomes' probability is priced, ${massMin} % is needed`]
      : []),
    ...(Number(tier) < tierMin ? [`of one tier only ${tier} % is priced, ${tierMin} % is needed`] : []),
  ];
  return `Point held back: ${causes.join("; ") || "too little is priced"}.`;
}

/** @param {Openable} openable */
export function stateText({ active, retired_on }) {
  if (active) return "active";
  return retired_on === null ? "retired" : `retired ${retired_on}`;
}

/** Formats a tier such as `rare_special` for a person. @param {string} tier */
export function tierText(tier) {
  return tier.replaceAll("_", " ");
}

/** Formats a decimal text with its sign, or says that it is unknown. @param {string | null} text */
export function percent(text) {
  return text === null ? "unknown" : `${text.replace("-", "−")} %`;
}

/** Writes a percentage without zeros at its end, for where room is scarce. @param {string | null} text */
export function shortPercent(text) {
  return percent(text === null ? null : text.replace(/(\.\d*?)0+$/, "$1").replace(/\.$/, ""));
}
