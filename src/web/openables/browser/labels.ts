import { dollars } from "../../../values/money/money-text.ts";
import { dateText } from "../../../values/time/time-text.ts";
import type { Calculation, Openable, Tier } from "./types.ts";

export const typeNames = { case: "case", souvenir_package: "souvenir package", capsule: "capsule", other: "container" };

export const modeNames = {
  steam_gross: "at the main platform's lowest asks",
  cash_ask: "at the cash markets' lowest asks",
};

/** Tiers with their names in the game, and the style class of their colour. */
const gameTiers: Readonly<Record<string, { name: string; colour: string }>> = {
  consumer_grade: { name: "Consumer Grade", colour: "consumer" },
  industrial_grade: { name: "Industrial Grade", colour: "industrial" },
  mil_spec: { name: "Mil-Spec", colour: "mil-spec" },
  restricted: { name: "Restricted", colour: "restricted" },
  classified: { name: "Classified", colour: "classified" },
  covert: { name: "Covert", colour: "covert" },
  rare_special: { name: "Rare Special", colour: "special" },
  high_grade: { name: "High Grade", colour: "mil-spec" },
  remarkable: { name: "Remarkable", colour: "restricted" },
  exotic: { name: "Exotic", colour: "classified" },
  extraordinary: { name: "Extraordinary", colour: "covert" },
  contraband: { name: "Contraband", colour: "special" },
};

const flagWords: Readonly<Record<string, string>> = {
  unpriced_outcomes: "some outcomes have no price",
  phases_unpriced: "phases have no price of their own",
  tier_coverage_low: "a tier is priced below 80 %",
  upper_bound_unknown: "upper bound unknown",
  upper_bound_assumed: "upper bound assumed from the tier",
  above_price_ceiling: "some outcomes may be dearer than this market lists",
  odds_inferred: "odds inferred",
  single_provider: "prices of one provider only",
  price_time_unknown: "price time unknown",
  price_stale: "prices older than 24 h",
  calculation_stale: "calculated over 8 h ago",
  retired_pool: "retired",
};

/** Flags that the reason for a withheld value already includes. */
const lesserFlags = ["unpriced_outcomes", "tier_coverage_low"];

/** Reasons for a stale calculation, each with the equivalent flag. */
const staleReasons = {
  calculation_age: { flag: "calculation_stale", text: "calculated over 8 h ago" },
  price_time_unknown: { flag: "price_time_unknown", text: "price times unknown" },
  price_age: { flag: "price_stale", text: "prices older than 24 h" },
};

export const oddsWords: Readonly<Record<string, string>> = {
  published: "odds as published",
  community: "odds as the community measured them",
  inferred: "odds inferred from the published ones",
};

export const poolFlagTexts: Readonly<Record<string, string>> = {
  pool_completed: "completed: its source ends the list early, missing items were added from other public sources",
};

/** Reason for a container without a calculation. */
export const noCalculation = "No price for the container itself.";

const flagText = (flag: string) => flagWords[flag] ?? flag;

/** Returns the flags of a calculation in words. */
export function flagTexts({ flags }: Calculation): string[] {
  return flags.map(flagText);
}

/** Returns the reasons for a stale calculation; null if it is not stale. */
export function staleText({ stale, stale_reasons }: Calculation): string | null {
  return stale ? `stale: ${stale_reasons.map((reason) => staleReasons[reason]?.text ?? reason).join(", ")}` : null;
}

/** Minimum priced shares of all outcomes and of each tier for a value, percent. */
const massMin = 95;
const tierMin = 75;

/**
 * Returns the reason for a missing expected value in at most ten words; null if there is a value.
 * @param lowest Tier with the lowest priced share; null if unknown.
 */
export function withheldText(current: Calculation, lowest: string | null): string | null {
  if (current.expected_value_cents !== null) return null;
  const { lowest_tier_coverage_pct: share } = current.price_coverage;
  const [what, priced, needed] =
    Number(share) < tierMin
      ? [tierText(lowest ?? "one rarity"), share, tierMin]
      : ["chances", current.priced_probability_mass_pct, massMin];
  return `Too few prices: ${what} ${Math.floor(Number(priced))} % of ${needed} % needed.`;
}

/** Returns the tier of a pool with the lowest priced share; null for an empty list. */
export function lowestTier(tiers: readonly Tier[]): string | null {
  const shareOf = ({ priced_probability_mass_pct: share }: Tier) => (share === null ? 100 : Number(share));
  return tiers.toSorted((one, other) => shareOf(one) - shareOf(other))[0]?.tier ?? null;
}

/** Returns whether a container is active or retired, with the date of its retirement if known. */
export function stateText({ active, retired_on }: Pick<Openable, "active" | "retired_on">): string {
  if (active) return "active";
  return retired_on === null ? "retired" : `retired ${dateText(retired_on)}`;
}

/** Formats a tier such as `mil_spec` for people. */
export function tierText(tier: string): string {
  return gameTiers[tier]?.name ?? tier.replaceAll("_", " ");
}

/** Returns the letter of a tier by its index in the pool. */
export function tierLetter(tier: number): string {
  return String.fromCharCode(65 + (tier % 26));
}

/** Returns the colour class of a tier: its colour in the game, else one by its index in the pool. */
export function tierColour({ tier }: Pick<Tier, "tier">, place: number): string {
  const known = gameTiers[tier];
  return known === undefined ? `series-${(place % 8) + 1}` : `tier-${known.colour}`;
}

/** Formats a percentage with one decimal, or two below one. Other values are never rounded to 0 or 100. */
export function percent(text: string | null): string {
  if (text === null) return "unknown";
  const value = Number(text);
  const isSmall = value > 0 && value < 1;
  const rounded = value.toFixed(isSmall ? 2 : 1);
  if (value < 100 && Number(rounded) === 100) return "over 99.9 %";
  if (isSmall && Number(rounded) === 0) return "under 0.01 %";
  const whole = value === 0 || value === 100 ? String(value) : rounded === "-0.0" ? "0.0" : rounded;
  return `${whole.replace("-", "−")} %`;
}

/** Formats a percentage; null means that it is withheld. */
export function percentOr(text: string | null): string {
  return text === null ? "held back" : percent(text);
}

/** Formats USD cents; null means that the amount is withheld. */
export function moneyOr(cents: number | null): string {
  return cents === null ? "held back" : dollars(cents);
}

function remarksOf(current: Calculation): string[] {
  const stale = staleText(current);
  const covered: string[] = current.stale_reasons.flatMap((reason) => staleReasons[reason]?.flag ?? []);
  const flags = current.flags.filter((flag) => !covered.includes(flag));
  return [...(stale === null ? [] : [stale]), ...flags.map(flagText)];
}

/** Splits remarks on calculations into remarks common to all, and a function for the other remarks of each. */
export function splitRemarks(calculations: readonly Calculation[]) {
  const [first, ...others] = calculations;
  const common =
    first === undefined || others.length === 0
      ? []
      : remarksOf(first).filter((remark) => others.every((other) => remarksOf(other).includes(remark)));
  const lesser = lesserFlags.map(flagText);
  const ofOne = (current: Calculation) => {
    const covered = current.expected_value_cents === null ? [...common, ...lesser] : common;
    return remarksOf(current).filter((remark) => !covered.includes(remark));
  };
  return { common, ofOne };
}
