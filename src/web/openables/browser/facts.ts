import { dollars } from "../../../values/money/money-text.ts";
import { ageText, instantText } from "../../../values/time/time-text.ts";
import { element } from "../../browser/dom.ts";
import { flagTexts, oddsWords, percent, poolFlagTexts } from "./labels.ts";
import type { Calculation, OpenableDetail } from "./types.ts";

const quantileNames = ["p05", "p25", "p50", "p75", "p95", "p99"] as const;

/**
 * Returns what opening one container costs and brings, in large figures. A second line says what a figure is made of, or between which
 * bounds it lies where they differ.
 */
export function leadFigures({ requires_key }: OpenableDetail, current: Calculation, now: string) {
  const age =
    current.container_cost_as_of === null ? "of unknown age" : `${ageText(current.container_cost_as_of, now)} old`;
  const key = requires_key ? ` + key ${dollars(current.key_cost_cents)}` : ", no key needed";
  const { expected_profit_cents: profit } = current;
  const chances = [current.profit_chance_lower_pct, current.profit_chance_upper_pct].map(percent);
  return [
    figure(
      "Cost",
      ["cost_cents", dollars(current.cost_cents)],
      [`container ${dollars(current.container_cost_cents)}${key}`, `${current.container_cost_provider}, ${age}`],
    ),
    figure("Value", ["expected_value_cents", moneyOr(current.expected_value_cents)], [boundsText(current)]),
    figure(
      "Return",
      ["return_pct", percentOr(current.return_pct)],
      [profit === null ? "" : `a ${profit < 0 ? "loss" : "profit"} of ${dollars(Math.abs(profit))} on average`],
    ),
    figure(
      "Chance of a profit",
      ["profit_chance_pct", percentOr(current.profit_chance_pct)],
      [chances[0] === chances[1] ? "" : `between ${chances[0]} and ${chances[1]}`],
    ),
  ];
}

/**
 * Returns between which bounds the value lies. What is not priced may be worth less than a cent in all: bounds that are alike do not say
 * that every outcome has a price.
 */
export function boundsText({
  expected_value_lower_cents: low,
  expected_value_upper_cents: high,
  price_coverage,
}: Pick<Calculation, "expected_value_lower_cents" | "expected_value_upper_cents" | "price_coverage">) {
  if (low !== high) return `between ${dollars(low)} and ${dollars(high)}`;
  return price_coverage.priced_outcome_count === price_coverage.outcome_count ? "every outcome has a price" : "";
}

/** @param value The API's field and its text. */
function figure(name: string, [field, text]: readonly [string, string], lines: readonly string[]) {
  const small = lines.filter((line) => line !== "").map((line) => element("small", {}, line));
  return element(
    "div",
    {},
    element("dt", {}, name),
    element("dd", {}, element("strong", { "data-field": field }, text), ...small),
  );
}

function moneyOr(cents: number | null) {
  return cents === null ? "held back" : dollars(cents);
}

function percentOr(text: string | null) {
  return text === null ? "held back" : percent(text);
}

/** Returns the facts of a calculation in groups. */
export function factGroups(openable: OpenableDetail, current: Calculation, now: string) {
  return [
    group("Quantiles of the priced outcomes", quantileFacts(current)),
    group("How sure", [
      ["Confidence", current.confidence, "confidence"],
      ["Priced chance", percent(current.priced_probability_mass_pct), "priced_probability_mass_pct"],
      [
        "Priced outcomes",
        `${current.price_coverage.priced_outcome_count} of ${current.price_coverage.outcome_count} (${percent(current.price_coverage.priced_outcome_pct)})`,
        "priced_outcome_count",
      ],
      ["Least priced tier", percent(current.price_coverage.lowest_tier_coverage_pct), "lowest_tier_coverage_pct"],
      ["Flags", flagTexts(current).join(", ") || "none", "flags"],
    ]),
    group("Made of", [
      [
        "Calculated",
        `${ageText(current.calculated_at, now)} ago · ${instantText(current.calculated_at)}`,
        "calculated_at",
      ],
      [
        "Oldest price",
        current.price_as_of === null
          ? "time unknown"
          : `${ageText(current.price_as_of, now)} old · ${instantText(current.price_as_of)}`,
        "price_as_of",
      ],
      ["Methodology", current.methodology_version, "methodology_version"],
      ["Pool revision", `${current.revision_number} · ${current.revision_id}`, "revision_number"],
      ["Odds", oddsWords[openable.pool.odds_source] ?? openable.pool.odds_source, "odds_source"],
      ...openable.pool.flags.map((flag) => ["Pool", poolFlagTexts[flag] ?? flag, "flags"] as Fact),
      ["Wear model", openable.pool.wear_model, "wear_model"],
    ]),
  ];
}

function quantileFacts({ quantiles }: Calculation): Fact[] {
  if (quantiles === null) return [["All", "unknown: nothing is priced", "quantiles"]];
  return quantileNames.map((name) => {
    const part = Number(name.slice(1));
    return [part === 50 ? "Median" : `${part}th percentile`, dollars(quantiles[name]), name];
  });
}

/** Name, text and the API's field. */
type Fact = readonly [string, string, string];

function group(title: string, facts: readonly Fact[]) {
  const lines = facts.map(([name, text, field]) =>
    element("div", {}, element("dt", {}, name), element("dd", { "data-field": field }, text)),
  );
  return element("section", {}, element("h3", {}, title), element("dl", {}, ...lines));
}
