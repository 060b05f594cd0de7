import { type CalculationKey, type ValuationMode, valuationModes } from "../../roi/calculation.ts";
import type { CurrentCalculation } from "../../roi/current.ts";
import { exitCodes, OperatorError } from "../../values/failure/operator-error.ts";
import { plural } from "../../values/text/counted.ts";
import { displayText } from "../../values/text/display-text.ts";
import { type Call, usageError } from "../command.ts";
import { connect } from "../connect.ts";
import { printJson, printResult } from "../print.ts";
import { type Recomputed, recomputed } from "./compare.ts";
import type { Difference } from "./difference.ts";
import { ServerReads } from "./server.ts";
import { fromFiles, fromServer, type PublishedAnswers } from "./sources.ts";

/** Maximum differences in the text; `--json` prints all. */
const differencesShownMax = 50;
/** Maximum characters of a line. All flags at once fit. */
const lineCharsMax = 400;

/**
 * Recomputes the API's values of a container from its outcomes. Returns 0 if every byte is equal, 65 if a value differs and 66 if nothing
 * is published.
 * @throws {OperatorError} when the responses are unusable.
 */
export async function recompute(call: Call): Promise<number> {
  const key: CalculationKey = { slug: slugOf(call.operands[0]!), valuationMode: modeOf(call) };
  const answers = await read(call, key);
  const { current } = answers.openable.data;
  if (current === null) return printNothing(call, key);
  const result = recomputed(answers, current);
  const numbers = result.current === null ? [] : calculationText(key.slug, result.current);
  const lines = [...numbers, ...differenceText(result.differences, answers.outcomes.length)];
  printResult(call, resultJson(key, result), lines);
  return result.differences.length === 0 ? exitCodes.ok : exitCodes.badData;
}

function slugOf(text: string): string {
  if (/^[a-z0-9][a-z0-9-]{0,119}$/.test(text)) return text;
  throw usageError("SLUG: must be the slug of a container, such as `chroma-3-case`; listOpenables lists them");
}

function modeOf(call: Call): ValuationMode {
  const given = call.flag("valuation-mode") ?? "steam_gross";
  const mode = valuationModes.find((one) => one === given);
  if (mode === undefined) throw usageError(`--valuation-mode: must be one of ${valuationModes.join(", ")}`);
  return mode;
}

/** Reads the published responses from a server or from files, never from both. */
async function read(call: Call, key: CalculationKey): Promise<PublishedAnswers> {
  const [url, current, outcomes] = [call.flag("url"), call.flag("current"), call.flag("outcomes")];
  if (current === undefined && outcomes === undefined) return fromServer(new ServerReads(connect(call, true)), key);
  if (url !== undefined) throw usageError("give --url BASE, or --current FILE with --outcomes FILES, not both");
  if (current === undefined) throw usageError("--current: the saved answer of getOpenable is missing");
  if (outcomes === undefined) throw usageError("--outcomes: the saved answers of listOpenableOutcomes are missing");
  const pages = outcomes.split(",");
  if (pages.includes("")) throw usageError("--outcomes: must be names of files, separated by commas");
  return fromFiles(current, pages, key);
}

function printNothing(call: Call, { slug, valuationMode }: CalculationKey): number {
  const what = `${slug}: no calculation is published for ${valuationMode} (current is null), so there is nothing to recompute`;
  if (!call.has("json")) throw new OperatorError(what, exitCodes.noInput);
  printJson(call, { slug, valuation_mode: valuationMode, result: "nothing_published", current: null, differences: [] });
  return exitCodes.noInput;
}

function resultJson({ slug, valuationMode }: CalculationKey, { current, differences }: Recomputed) {
  return {
    slug,
    valuation_mode: valuationMode,
    result: differences.length === 0 ? "identical" : "different",
    current,
    differences: differences.map(({ field, served, recomputed }) => ({ field, served, recomputed })),
  };
}

/** Returns the recomputed numbers for people. Amounts are US-dollar cents. */
function calculationText(slug: string, current: CurrentCalculation): string[] {
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
      `${current.priced_probability_mass_pct} %, lowest tier ${lowest} %, ${priced_outcome_count} of ${plural(outcome_count, "outcome")}`,
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

/** Returns `identical`, or each differing field with both values. */
function differenceText(differences: readonly Difference[], outcomes: number): string[] {
  if (differences.length === 0)
    return [`identical: the served numbers of ${plural(outcomes, "outcome")} recompute to the same bytes`];
  const hidden = differences.length - differencesShownMax;
  return [
    `different in ${plural(differences.length, "field")}`,
    ...differences
      .slice(0, differencesShownMax)
      .map((difference) => `  ${displayText(difference.field)}: ${valuesText(difference)}`),
    ...(hidden > 0 ? [`  and ${hidden} more, which --json shows`] : []),
  ];
}

/** Long values are cut, so two different ones may look alike. */
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
