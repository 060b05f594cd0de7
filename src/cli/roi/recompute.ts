import { type CalculationKey, type ValuationMode, valuationModes } from "../../roi/calculation.ts";
import { exitCodes, OperatorError } from "../../values/failure/operator-error.ts";
import { type Call, usageError } from "../command.ts";
import { connect } from "../connect.ts";
import { printJson } from "../print.ts";
import { type Recomputed, recomputed } from "./compare.ts";
import { ServerReads } from "./server.ts";
import { fromFiles, fromServer, type PublishedAnswers } from "./sources.ts";
import { calculationText, differenceText } from "./text.ts";

/**
 * Computes what the API publishes of a container from what it publishes of its outcomes. Returns 0 when every byte is the same,
 * 65 when something differs and 66 when nothing is published.
 * @throws {OperatorError} when the answers cannot be used.
 */
export async function recompute(call: Call): Promise<number> {
  const key: CalculationKey = { slug: slugOf(call.operands[0]!), valuationMode: modeOf(call) };
  const answers = await read(call, key);
  const { current } = answers.openable.data;
  if (current === null) return printNothing(call, key);
  const result = recomputed(answers, current);
  if (call.has("json")) printJson(call, resultJson(key, result));
  else printResult(call, key, answers, result);
  return result.differences.length === 0 ? exitCodes.ok : exitCodes.badData;
}

function slugOf(text: string): string {
  if (/^[a-z0-9][a-z0-9-]{0,119}$/.test(text)) return text;
  throw usageError("SLUG: takes the slug of a container, such as `chroma-3-case`; listOpenables lists them");
}

function modeOf(call: Call): ValuationMode {
  const given = call.flag("valuation-mode") ?? "steam_gross";
  const mode = valuationModes.find((one) => one === given);
  if (mode === undefined) throw usageError(`--valuation-mode: takes one of ${valuationModes.join(", ")}`);
  return mode;
}

/** Reads the published answers from a server or from files, never from both. */
async function read(call: Call, key: CalculationKey): Promise<PublishedAnswers> {
  const [url, current, outcomes] = [call.flag("url"), call.flag("current"), call.flag("outcomes")];
  if (current === undefined && outcomes === undefined) return fromServer(new ServerReads(connect(call, true)), key);
  if (url !== undefined) throw usageError("takes --url BASE, or --current FILE with --outcomes FILES, not both");
  if (current === undefined) throw usageError("--current: the saved answer of getOpenable is missing");
  if (outcomes === undefined) throw usageError("--outcomes: the saved answers of listOpenableOutcomes are missing");
  const pages = outcomes.split(",");
  if (pages.includes("")) throw usageError("--outcomes: takes the names of files with a comma between");
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

function printResult(
  call: Call,
  { slug }: CalculationKey,
  { outcomes }: PublishedAnswers,
  { current, differences }: Recomputed,
): void {
  if (current !== null) for (const line of calculationText(slug, current)) call.out.line(line);
  for (const line of differenceText(differences, outcomes.length)) call.out.line(line);
}
