/** @import { Calculation, OpenableDetail } from "./types.mjs" */
import { element } from "../../browser/dom.mjs";
import { dollars } from "../../browser/money.mjs";
import { ageText, instantText } from "../../browser/times.mjs";
import { flagTexts, oddsWords, percent, poolFlagTexts, shortPercent } from "./labels.mjs";

const quantileNames = /** @type {const} */ (["p05", "p25", "p50", "p75", "p95", "p99"]);

/** Returns the facts of a calculation in groups. @param {OpenableDetail} openable @param {Calculation} current @param {string} now */
export function factGroups(openable, current, now) {
  return [
    group("Cost of one opening", costFacts(openable, current, now)),
    group("Expected value", [
      [
        "Expected value",
        current.expected_value_cents === null ? "held back" : dollars(current.expected_value_cents),
        "expected_value_cents",
      ],
      ["Lower bound", dollars(current.expected_value_lower_cents), "expected_value_lower_cents"],
      ["Upper bound", dollars(current.expected_value_upper_cents), "expected_value_upper_cents"],
      [
        "Profit",
        current.expected_profit_cents === null ? "held back" : dollars(current.expected_profit_cents),
        "expected_profit_cents",
      ],
      ["Return", current.return_pct === null ? "held back" : percent(current.return_pct), "return_pct"],
      [
        "Profit on cost",
        current.profit_roi_pct === null ? "held back" : percent(current.profit_roi_pct),
        "profit_roi_pct",
      ],
    ]),
    group("Chance of a profit", [
      [
        "Profit chance",
        current.profit_chance_pct === null ? "held back" : percent(current.profit_chance_pct),
        "profit_chance_pct",
      ],
      ["Lower bound", percent(current.profit_chance_lower_pct), "profit_chance_lower_pct"],
      ["Upper bound", percent(current.profit_chance_upper_pct), "profit_chance_upper_pct"],
    ]),
    group("Quantiles of the priced outcomes", quantileFacts(current)),
    group("How sure", [
      ["Confidence", current.confidence, "confidence"],
      ["Priced chance", percent(current.priced_probability_mass_pct), "priced_probability_mass_pct"],
      [
        "Priced outcomes",
        `${current.price_coverage.priced_outcome_count} of ${current.price_coverage.outcome_count} (${shortPercent(current.price_coverage.priced_outcome_pct)})`,
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
      ...openable.pool.flags.map((flag) => /** @type {Fact} */ (["Pool", poolFlagTexts[flag] ?? flag, "flags"])),
      ["Wear model", openable.pool.wear_model, "wear_model"],
    ]),
  ];
}

/** @param {OpenableDetail} openable @param {Calculation} current @param {string} now @returns {Fact[]} */
function costFacts({ requires_key }, current, now) {
  const age =
    current.container_cost_as_of === null ? "of unknown age" : `${ageText(current.container_cost_as_of, now)} old`;
  return [
    ["Cost", dollars(current.cost_cents), "cost_cents"],
    [
      "Container",
      `${dollars(current.container_cost_cents)} · ${current.container_cost_provider}, ${age}`,
      "container_cost_cents",
    ],
    ["Key", requires_key ? dollars(current.key_cost_cents) : "none needed", "key_cost_cents"],
  ];
}

/** @param {Calculation} current @returns {Fact[]} */
function quantileFacts({ quantiles }) {
  if (quantiles === null) return [["All", "unknown: nothing is priced", "quantiles"]];
  return quantileNames.map((name) => {
    const part = Number(name.slice(1));
    return [part === 50 ? "Median" : `${part}th percentile`, dollars(quantiles[name]), name];
  });
}

/** Name, text and the API's field. @typedef {readonly [string, string, string]} Fact */

/** @param {string} title @param {readonly Fact[]} facts */
function group(title, facts) {
  const lines = facts.map(([name, text, field]) =>
    element("div", {}, element("dt", {}, name), element("dd", { "data-field": field }, text)),
  );
  return element("section", {}, element("h3", {}, title), element("dl", {}, ...lines));
}
