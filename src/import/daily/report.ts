import { plural } from "../../values/text/counted.ts";
import { dayText } from "../../values/time/calendar.ts";
import { dailyMoveText, type JudgedDaily } from "../guards/daily.ts";
import { findingText, verdictWords } from "../guards/findings.ts";
import type { RefusalCount } from "../quotes/observation.ts";
import type { Differing } from "./merge.ts";
import type { DailyRefusal } from "./reading.ts";

/** Result of an import of daily history. Counts are rows; `refused` counts prices. */
export type DailyReport = {
  body: string;
  adapter: string;
  feed: string;
  provider: string;
  /** `unchanged` means that every row was already stored or was kept. `dry_run` means that no row was written. */
  outcome: "imported" | "unchanged" | "dry_run";
  /** Number of the import that its rows refer to. Null if no row was written. */
  importId: number | null;
  items: number;
  feedDerivedItems: number;
  added: number;
  same: number;
  kept: Differing;
  replaced: Differing;
  /** Points without a price. */
  absent: number;
  refused: readonly RefusalCount<DailyRefusal>[];
  /** Findings of the guards. */
  guarded: JudgedDaily;
  /** Completed days that were finalized before the import. */
  finalizedDays: number;
  /** Recorded days of this feed that a dry run could not compare, because they are not finalized. */
  unfinalizedDays: number;
  /** Source of the exchange rates. Null for prices in USD. */
  rateSource: string | null;
  /** Dates of prices without an exchange rate. */
  datesWithoutRate: readonly string[];
  seconds: number;
  /** Longest time that the write lock was held, in ms. */
  lockHeldMsMax: number;
};

const meanings: Readonly<Record<DailyRefusal, string>> = {
  zero: "zero is not a price",
  negative: "negative",
  fractional_cents: "fractions of a cent",
  non_finite: "not a finite number",
  oversized: "larger than 2^53 - 1 cents",
  unparsable: "no number",
  malformed: "not in the documented shape",
  bad_spread: "low, last and high amount are out of order, or exceed the observations",
  bad_quantity: "quantity is not a whole number",
  bad_time: "an invalid date or time, or an observation after its day",
  day_not_over: "the day has not ended yet",
  no_reference_rate: "no exchange rate of that day is stored",
  rounds_to_zero: "less than half a cent",
  unknown_item: "no item has this id",
  unknown_name: "no item has this name",
  ambiguous_name: "several items share this name",
  duplicate: "another price of the same item, side and day",
};

/** Formats the report for people. */
export function dailyReportText(report: DailyReport): string {
  const { kept, replaced, rateSource, datesWithoutRate } = report;
  return [
    `${report.body}: ${headline(report)} in ${report.seconds.toFixed(2)} s`,
    `  rows     ${report.added} new, ${report.same} as stored, of ${plural(report.items, "item")}`,
    ...(report.feedDerivedItems > 0
      ? [`  derived  ${plural(report.feedDerivedItems, "item")} without a catalog entry`]
      : []),
    ...differingLines("kept", "differ and stay; --replace uses the file's rows", kept),
    ...differingLines("replaced", "differed", replaced),
    ...(report.finalizedDays > 0
      ? [`  days     daily rows derived for ${report.finalizedDays} completed days first`]
      : []),
    ...(report.unfinalizedDays > 0
      ? [`  days     ${report.unfinalizedDays} recorded days are not finalized and were not compared`]
      : []),
    ...(report.absent > 0 ? [`  absent   ${report.absent} points that the file marks as without a price`] : []),
    ...report.refused.flatMap(refusalLines),
    ...guardLines(report.guarded),
    ...(rateSource === null ? [] : [`  rates    of ${rateSource}`]),
    ...(datesWithoutRate.length > 0
      ? [`  no rate  of ${rateSource} on ${plural(datesWithoutRate.length, "day")}, all of them in --json`]
      : []),
  ].join("\n");
}

/** Formats the report as one JSON object. */
export function dailyReportJson(report: DailyReport): string {
  const { importId, feedDerivedItems, finalizedDays, unfinalizedDays, rateSource, datesWithoutRate, ...counted } =
    report;
  const { lockHeldMsMax, added, guarded, ...rest } = counted;
  const { findings, moves, compared, changed, sampledEvery } = guarded;
  return JSON.stringify({
    ...rest,
    compared,
    changed,
    sampled_every: sampledEvery,
    guards: findings,
    moves: moves.map(({ label, side, day, amount, before, beforeDay }) => {
      const days = { date: dayText(day), before_date: dayText(beforeDay) };
      return { item: label, side, ...days, amount, before_amount: before };
    }),
    new: added,
    import_id: importId,
    proven_items: feedDerivedItems,
    settled_days: finalizedDays,
    unsettled_days: unfinalizedDays,
    rate_source: rateSource,
    dates_without_rate: datesWithoutRate,
    hold_ms_max: lockHeldMsMax,
  });
}

function guardLines({ findings, compared, changed, sampledEvery, moves }: JudgedDaily): string[] {
  const sample = sampledEvery === 1 ? "" : `, one of every ${plural(sampledEvery, "item")}`;
  return [
    ...(compared > 0 || sample !== ""
      ? [`  compared ${plural(compared, "row")} with stored ones, ${changed} changed${sample}`]
      : []),
    ...moves.map((move) => `  move     ${dailyMoveText(move)}`),
    ...findings.map((finding) => `  ${verdictWords[finding.verdict].padEnd(8)} ${findingText(finding)}`),
  ];
}

function headline({ outcome, provider, importId }: DailyReport): string {
  if (outcome === "imported") return `daily history of ${provider} imported as number ${importId}`;
  if (outcome === "unchanged") return `daily history of ${provider}, nothing to write`;
  return `daily history of ${provider} read, nothing written (dry run)`;
}

function differingLines(word: string, description: string, { recorded, imported, examples }: Differing): string[] {
  if (recorded + imported === 0) return [];
  return [
    `  ${word.padEnd(8)} ${recorded + imported} rows that ${description}: ${recorded} recorded, ${imported} imported`,
    ...examples.map((example) => `             ${example}`),
  ];
}

function refusalLines({ reason, count, examples }: RefusalCount<DailyRefusal>): string[] {
  return [
    `  refused  ${count} ${reason} (${meanings[reason]}), such as`,
    ...examples.map((example) => `             ${example}`),
  ];
}
