import { calculateRoi, onFile, type RoiRun } from "../../jobs/roi/calculate.ts";
import { type CalculationKey, type ValuationMode, valuationModes } from "../../roi/calculation.ts";
import type { PublicationGate } from "../../roi/valuation.ts";
import { holdLock } from "../../store/file/lock.ts";
import { exitCodes } from "../../values/failure/operator-error.ts";
import { secondMs } from "../../values/time/calendar.ts";
import { systemClock, toTimestamp } from "../../values/time/clock.ts";
import type { Call } from "../command.ts";
import { ownFile, withProgress } from "../open.ts";
import { printResult } from "../print.ts";

const slugsShown = 5;

/** Runs the model once and prints the result of each mode. Returns 75 if some pools changed meanwhile, 1 if some cannot be calculated. */
export async function calculate(call: Call): Promise<number> {
  const path = await ownFile(call);
  const named = call.flag("only");
  const only = named === undefined ? undefined : [named];
  const startedMs = systemClock.monotonicMs();
  const lock = holdLock(path, "roi");
  const run = await withProgress((progress) =>
    onFile(path, (database) => calculateRoi(database, { clock: systemClock, only, progress })),
  ).finally(() => lock.release());
  const seconds = (systemClock.monotonicMs() - startedMs) / secondMs;
  printResult(call, json(run, seconds), text(run, seconds));
  return exitCode(run);
}

function exitCode({ skipped }: RoiRun): number {
  if (skipped.some(({ kind }) => kind === "damaged")) return exitCodes.unexpected;
  return skipped.length > 0 ? exitCodes.temporary : exitCodes.ok;
}

function text(run: RoiRun, seconds: number): string[] {
  const { withheld, withoutPoint, skipped, generationId, calculatedAt, lockHeldMs } = run;
  if (run.published.length + run.unchanged.length + withheld.length + skipped.length === 0)
    return ["no container is published; `npx itemtape openables publish` publishes one"];
  const prices = generationId === null ? "no price was published yet" : `prices of g${generationId}`;
  return [
    `returns at ${toTimestamp(calculatedAt)}, ${prices}`,
    ...valuationModes.map((mode) => `  ${mode.padEnd(11)}  ${countsText(run, mode)}`),
    ...withoutPoint.map((one) => `  no point     ${nameOf(one)}: ${one.gates.map(gateText).join(", ")}`),
    ...withheldText(withheld),
    ...skipped.map((one) => `  skipped      ${nameOf(one)}: ${one.reason}`),
    `  ${seconds.toFixed(2)} s, longest lock ${Math.ceil(lockHeldMs)} ms`,
  ];
}

function countsText(run: RoiRun, mode: ValuationMode): string {
  const counts = countsOf(run, mode);
  const skipped = counts.skipped > 0 ? `, ${counts.skipped} skipped` : "";
  const without = counts.without_point > 0 ? `, ${counts.without_point} without a point` : "";
  return `${counts.published} published, ${counts.unchanged} unchanged, ${counts.withheld} withheld${skipped}${without}`;
}

function countsOf({ published, unchanged, withheld, withoutPoint, skipped }: RoiRun, mode: ValuationMode) {
  const count = (all: readonly CalculationKey[]) => all.filter(({ valuationMode }) => valuationMode === mode).length;
  return {
    published: count(published),
    unchanged: count(unchanged),
    withheld: count(withheld),
    skipped: count(skipped),
    without_point: count(withoutPoint),
  };
}

/** Containers withheld for one reason in one mode share a line, so that the lines about points stay visible. */
function withheldText(withheld: RoiRun["withheld"]): string[] {
  const groups = Map.groupBy(withheld, ({ valuationMode, reason }) => `in ${valuationMode}, ${reason}`);
  return Array.from(groups, ([group, alike]) => {
    const slugs = alike.map(({ slug }) => slug);
    const more = slugs.length > slugsShown ? ` and ${slugs.length - slugsShown} more` : "";
    return `  withheld     ${slugs.length} ${group}: ${slugs.slice(0, slugsShown).join(", ")}${more}`;
  });
}

function nameOf({ slug, valuationMode }: CalculationKey): string {
  return `${slug} in ${valuationMode}`;
}

function gateText({ tier, pricedPct, leastPct }: PublicationGate): string {
  return `${pricedPct} % of ${tier ?? "the pool"} is priced, under ${leastPct} %`;
}

function json(run: RoiRun, seconds: number) {
  const key = ({ slug, valuationMode }: CalculationKey) => ({ openable: slug, valuation_mode: valuationMode });
  return {
    calculated_at: toTimestamp(run.calculatedAt),
    generation: run.generationId === null ? null : `g${run.generationId}`,
    modes: Object.fromEntries(valuationModes.map((mode) => [mode, countsOf(run, mode)])),
    withheld: run.withheld.map((one) => ({ ...key(one), reason: one.reason })),
    without_point: run.withoutPoint.map((one) => ({
      ...key(one),
      gates: one.gates.map(({ tier, pricedPct, leastPct }) => {
        return { tier, priced_pct: pricedPct, at_least_pct: leastPct };
      }),
    })),
    skipped: run.skipped.map((one) => ({ ...key(one), kind: one.kind, reason: one.reason })),
    seconds: Number(seconds.toFixed(3)),
    longest_lock_ms: Number(run.lockHeldMs.toFixed(1)),
  };
}
