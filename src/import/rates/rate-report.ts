import { plural } from "../../values/text/counted.ts";
import { dayText } from "../../values/time/calendar.ts";
import { findingText, verdictWords } from "../guards/findings.ts";
import { type JudgedRates, jumpWords, type RateMove, rateMoveText } from "../guards/rates.ts";
import type { SkipCount } from "./rate-reading.ts";

/** Numbers of rates by outcome. Their sum is the number of rates read. */
export type RateTally = {
  added: number;
  /** Already stored, digit for digit. */
  same: number;
  /** Another rate is stored and stays. */
  kept: number;
  replaced: number;
  keptExamples: string[];
};

/** Findings of the guards, and currencies of the source's last days that the files lack. */
export type RateGuardReport = Omit<JudgedRates<never>, "acceptedFacts" | "jumped"> & { gone: readonly string[] };

/** Result of an import of exchange rates, or of a dry run. Days since 1970. */
export type RateReport = RateTally &
  RateGuardReport & {
    adapter: string;
    source: string;
    methodologyVersion: string;
    files: readonly string[];
    dryRun: boolean;
    rates: number;
    currencies: number;
    days: number;
    firstDay: number;
    lastDay: number;
    skipped: readonly SkipCount[];
    seconds: number;
    /** Longest time that the write lock was held, in ms. */
    lockHeldMsMax: number;
  };

const meanings: Readonly<Record<SkipCount["reason"], string>> = {
  not_iso_4217: "no code of ISO 4217",
  no_minor_unit: "metals and funds of account, which have no minor unit",
  withdrawn: "the currency had ended before that day",
  definition: "the dollar itself",
  no_usd: "days without USD, which give no rate per dollar",
  no_rate: "null or zero, which is not a rate",
};

/** Formats the report for people. */
export function rateReportText(report: RateReport): string {
  const [first, last] = [dayText(report.firstDay), dayText(report.lastDay)];
  const days = report.days === 1 ? first : `${plural(report.days, "day")}, ${first} to ${last}`;
  const done = report.dryRun ? "read, nothing written (dry run)" : "imported";
  return [
    `${plural(report.rates, "rate")} of ${plural(report.currencies, "currency", "currencies")} (${days}) ${done} in ${report.seconds.toFixed(2)} s`,
    `  source    ${report.source}, methodology ${report.methodologyVersion}`,
    `  rates     ${report.added} new, ${report.same} same, ${report.kept} kept, ${report.replaced} replaced`,
    ...report.keptExamples.map((example) => `              ${example}`),
    ...guardLines(report),
    ...(report.kept > 0 ? ["              use --replace to store the file's rates instead"] : []),
    ...report.skipped.map(
      ({ reason, count, examples }) =>
        `  skipped   ${count} ${reason} (${meanings[reason]}), such as ${examples.join(", ")}`,
    ),
  ].join("\n");
}

function guardLines({ findings, leftOut, compared, changed, gone, moves }: RateGuardReport): string[] {
  return [
    ...(compared === 0 ? [] : [`  compared  ${compared} with the rate before, ${changed} changed`]),
    ...moves.map((move) => `  move      ${rateMoveText(move)}`),
    ...findings.map((finding) => `  ${verdictWords[finding.verdict].padEnd(9)} ${findingText(finding)}`),
    ...(leftOut.length === 0
      ? []
      : [`  left out  ${plural(leftOut.length, "rate")}; \`--accept ${jumpWords(leftOut).join(",")}\` accepts them`]),
    ...(gone.length === 0
      ? []
      : [`  missing   ${plural(gone.length, "currency", "currencies")} of the days before: ${gone.join(", ")}`]),
  ];
}

/** Formats the report as one JSON object. */
export function rateReportJson(report: RateReport): string {
  const { methodologyVersion, dryRun, added, keptExamples, firstDay, lastDay, lockHeldMsMax, ...guarded } = report;
  const { findings, leftOut, moves, ...rest } = guarded;
  return JSON.stringify({
    ...rest,
    guards: findings,
    left_out: leftOut.map(moveJson),
    moves: moves.map(moveJson),
    methodology_version: methodologyVersion,
    dry_run: dryRun,
    new: added,
    kept_examples: keptExamples,
    first_day: dayText(firstDay),
    last_day: dayText(lastDay),
    hold_ms_max: lockHeldMsMax,
  });
}

function moveJson({ currency, day, ratePerUsd, before, beforeDay, ratio }: RateMove) {
  const days = { date: dayText(day), before_date: dayText(beforeDay) };
  return { currency, ...days, rate_per_usd: ratePerUsd, before_rate_per_usd: before, ratio };
}
