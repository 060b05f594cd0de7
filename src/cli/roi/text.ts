import type { CurrentCalculation } from "../../roi/current.ts";
import { displayText } from "../../values/text/display-text.ts";
import type { Difference } from "./difference.ts";

/** Maximum rows of the text; `--json` prints all. */
const differencesShownMax = 50;
/** All flags at once fit. */
const lineCharsMax = 400;

/** Returns the recomputed numbers for people. Amounts are US-dollar cents. */
export function calculationText(slug: string, current: CurrentCalculation): string[] {
  const { cost_cents: cost, container_cost_cents: container, key_cost_cents: key } = current;
  const { expected_value_lower_cents: lower, expected_value_upper_cents: upper } = current;
  const { outcome_count, priced_outcome_count, lowest_tier_coverage_pct: lowest } = current.price_coverage;
  const chance = `${current.profit_chance_lower_pct} to ${current.profit_chance_upper_pct} %`;
  const rows = [
    ["calculated", `${current.calculated_at}, prices as of ${current.price_as_of ?? "an unknown time"}`],
    ["cost", `${cost} cents: container ${container} from ${current.container_cost_provider}, key ${key}`],
    ["value", `${current.expected_value_cents ?? "no point"}, at least ${lower}, at most ${upper ?? "unknown"}`],
    ["profit", `${current.expected_profit_cents ?? "none"}`],
    ["return", current.return_pct === null ? "none" : `${current.return_pct} %, ROI ${current.profit_roi_pct} %`],
    ["chance", `${current.profit_chance_pct === null ? "none" : `${current.profit_chance_pct} %`}, within ${chance}`],
    ["quantiles", quantilesText(current.quantiles)],
    [
      "coverage",
      `${current.priced_probability_mass_pct} %, lowest tier ${lowest} %, ${priced_outcome_count} of ${outcome_count} outcomes`,
    ],
    ["confidence", `${current.confidence}${current.stale ? `, stale: ${current.stale_reasons.join(", ")}` : ""}`],
    ["flags", current.flags.join(", ") || "none"],
  ];
  const { valuation_mode, methodology_version, revision_number } = current;
  return [
    `${slug}, ${valuation_mode}, ${methodology_version}, revision ${revision_number} of the pool`,
    ...rows.map(([name, text]) => `  ${name!.padEnd(10)}  ${displayText(text!, lineCharsMax)}`),
  ];
}

/** Returns `identical`, or each field that differs with both values. */
export function differenceText(differences: readonly Difference[], outcomes: number): string[] {
  if (differences.length === 0)
    return [`identical: what was served of ${outcomes} outcomes recomputes to the same bytes`];
  const hidden = differences.length - differencesShownMax;
  return [
    `different in ${differences.length} ${differences.length === 1 ? "field" : "fields"}`,
    ...differences
      .slice(0, differencesShownMax)
      .map((difference) => `  ${displayText(difference.field)}: ${valuesText(difference)}`),
    ...(hidden > 0 ? [`  and ${hidden} more, which --json shows`] : []),
  ];
}

/** Long values are cut, which may leave two that look alike. */
function valuesText({ served, recomputed }: Difference): string {
  const [before, after] = [displayText(served), displayText(recomputed)];
  if (before === after) return "differs beyond this line; --json shows both values";
  return `served ${before}, recomputed ${after}`;
}

function quantilesText(quantiles: CurrentCalculation["quantiles"]): string {
  if (quantiles === null) return "none, nothing is priced";
  return Object.entries(quantiles)
    .map(([name, cents]) => `${name} ${cents}`)
    .join(", ");
}
