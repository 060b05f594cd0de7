import { html } from "lit-html";
import { dollars } from "../../../values/money/money-text.ts";
import { ageText, instantText } from "../../../values/time/time-text.ts";
import { flagTexts, moneyOr, oddsWords, percent, percentOr, poolFlagTexts } from "./labels.ts";
import type { LoadedDetail } from "./load.ts";
import type { Calculation, OpenableDetail } from "./types.ts";

const quantileNames = ["p05", "p25", "p50", "p75", "p95", "p99"] as const;

/** Renders cost, value, return and chance of a profit of a container in large type. */
export function leadFigures({ openable: { requires_key }, names, now }: LoadedDetail, current: Calculation) {
  const { container_cost_as_of: costAsOf, container_cost_provider: provider, expected_profit_cents: profit } = current;
  const age = costAsOf === null ? "of unknown age" : `${ageText(costAsOf, now)} old`;
  const key = requires_key ? ` + key ${dollars(current.key_cost_cents)}` : ", no key needed";
  const legs = `container ${dollars(current.container_cost_cents)}${key}`;
  const average =
    profit === null ? "" : `a ${profit < 0 ? "loss" : "profit"} of ${dollars(Math.abs(profit))} on average`;
  const [low, high] = [percent(current.profit_chance_lower_pct), percent(current.profit_chance_upper_pct)];
  const chances = low === high ? "" : `between ${low} and ${high}`;
  return [
    figure("Cost", "cost_cents", dollars(current.cost_cents), legs, `${names.get(provider) ?? provider}, ${age}`),
    figure("Value", "expected_value_cents", moneyOr(current.expected_value_cents), boundsText(current)),
    figure("Return", "return_pct", percentOr(current.return_pct), average),
    figure("Chance of a profit", "profit_chance_pct", percentOr(current.profit_chance_pct), chances),
  ];
}

/**
 * Describes the bounds of the value. Unpriced outcomes can total less than a cent, so equal bounds do not mean that every outcome has a
 * price.
 */
export function boundsText({
  expected_value_lower_cents: low,
  expected_value_upper_cents: high,
  price_coverage,
}: Pick<Calculation, "expected_value_lower_cents" | "expected_value_upper_cents" | "price_coverage">): string {
  if (high === null) return `at least ${dollars(low)}, upper bound unknown`;
  if (low !== high) return `between ${dollars(low)} and ${dollars(high)}`;
  return price_coverage.priced_outcome_count === price_coverage.outcome_count ? "every outcome has a price" : "";
}

/** @param field Name of the figure in the API. */
function figure(name: string, field: string, text: string, ...lines: string[]) {
  const small = lines.filter((line) => line !== "").map((line) => html`<small>${line}</small>`);
  return html`<div><dt>${name}</dt><dd><strong data-field=${field}>${text}</strong>${small}</dd></div>`;
}

/** Renders the facts of a calculation in groups. */
export function factGroups({ pool }: OpenableDetail, current: Calculation, now: string) {
  const { price_coverage: coverage, price_as_of: priceAsOf, calculated_at: calculatedAt } = current;
  const priced = `${coverage.priced_outcome_count} of ${coverage.outcome_count} (${percent(coverage.priced_outcome_pct)})`;
  const oldest = priceAsOf === null ? "time unknown" : `${ageText(priceAsOf, now)} old · ${instantText(priceAsOf)}`;
  return [
    group("Quantiles of the priced outcomes", quantileFacts(current)),
    group("How sure", [
      ["Confidence", current.confidence, "confidence"],
      ["Priced chance", percent(current.priced_probability_mass_pct), "priced_probability_mass_pct"],
      ["Priced outcomes", priced, "priced_outcome_count"],
      ["Least priced tier", percent(coverage.lowest_tier_coverage_pct), "lowest_tier_coverage_pct"],
      ["Flags", flagTexts(current).join(", ") || "none", "flags"],
    ]),
    group("Made of", [
      ["Calculated", `${ageText(calculatedAt, now)} ago · ${instantText(calculatedAt)}`, "calculated_at"],
      ["Oldest price", oldest, "price_as_of"],
      ["Methodology", current.methodology_version, "methodology_version"],
      ["Pool revision", `${current.revision_number} · ${current.revision_id}`, "revision_number"],
      ["Odds", oddsWords[pool.odds_source] ?? pool.odds_source, "odds_source"],
      ...pool.flags.map((flag): Fact => ["Pool", poolFlagTexts[flag] ?? flag, "flags"]),
      ["Wear model", pool.wear_model, "wear_model"],
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

type Fact = readonly [name: string, text: string, field: string];

function group(title: string, facts: readonly Fact[]) {
  const lines = facts.map(
    ([name, text, field]) => html`<div><dt>${name}</dt><dd data-field=${field}>${text}</dd></div>`,
  );
  return html`<section><h3>${title}</h3><dl>${lines}</dl></section>`;
}
