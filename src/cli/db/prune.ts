import { type PrunePastReport, type PruneReport, pruneHours, prunePast } from "../../jobs/days/prune.ts";
import { databasePath } from "../../store/file/file.ts";
import { progressOn } from "../../values/progress.ts";
import { plural } from "../../values/text/counted.ts";
import { displayText } from "../../values/text/display-text.ts";
import { dayMs, dayText, parseDay } from "../../values/time/calendar.ts";
import { systemClock, toTimestamp } from "../../values/time/clock.ts";
import { type Call, usageError } from "../command.ts";
import { printJson, printTable } from "../print.ts";

const flags = ["hourly-before", "past-before"] as const;

/** Runs `db prune`: removes hours, or replaced rows, before the call's date and prints them. */
export async function prune(call: Call): Promise<void> {
  const given = flags.filter((flag) => call.flag(flag) !== undefined);
  if (given.length !== 1)
    throw usageError("either --hourly-before or --past-before is missing: name the first UTC day to keep");
  const [flag] = given as [(typeof flags)[number]];
  const before = dateOf(flag, call.flag(flag)!);
  const dryRun = call.has("dry-run");
  const path = databasePath(call.config.db);
  const parts = { clock: systemClock, progress: progressOn(process.stderr, systemClock) };
  if (flag === "past-before") {
    const report = await prunePast(path, before, { dryRun }, parts);
    const knownSince = Math.max(report.knownSince, before * dayMs);
    if (call.has("json")) printJson(call, pastJson({ ...report, knownSince }, dryRun));
    else printPast(call, { ...report, knownSince }, dryRun);
    return;
  }
  const report = await pruneHours(path, before, { dryRun }, parts);
  if (call.has("json")) printJson(call, reportJson(report, dryRun));
  else printReport(call, report, dryRun);
}

function dateOf(flag: string, date: string): number {
  const day = parseDay(date);
  if (day !== null) return day;
  throw usageError(`--${flag}: must be a day such as 2026-08-01, not \`${displayText(date)}\``);
}

function printPast(call: Call, { knownSince, rows, freeBytes }: PrunePastReport, dryRun: boolean): void {
  const table = Object.entries(rows).map(([name, count]) => [name, String(count)]);
  printTable(call, ["TABLE", "PAST ROWS"], table);
  const since = toTimestamp(knownSince);
  if (dryRun) {
    call.out.line(`the state could be read back from ${since} on; nothing was written`);
    return;
  }
  call.out.line(`the state can be read back from ${since} on`);
  call.out.line(freeText(freeBytes));
}

function pastJson({ knownSince, rows, freeBytes }: PrunePastReport, dryRun: boolean) {
  return { dry_run: dryRun, known_since: toTimestamp(knownSince), rows, free_bytes: freeBytes };
}

function freeText(freeBytes: number): string {
  return `${freeBytes} bytes of the file are free; \`npx itemtape db compact\` returns them to the disk while no server runs`;
}

function printReport(call: Call, { days, unfinalized, freeBytes }: PruneReport, dryRun: boolean): void {
  for (const { day, feed } of unfinalized)
    call.out.line(
      `${dayText(day)} of ${displayText(feed)} is kept, because its daily rows are not stored yet; \`npx itemtape portfolios value\` stores them`,
    );
  if (days.length === 0) {
    call.out.line("nothing to prune");
    return;
  }
  const rows = days.map(({ day, hours, segments, bytes, feeds }) => {
    return [dayText(day), String(hours), String(segments), String(bytes), displayText(feeds.join(" "))];
  });
  printTable(call, ["DATE", "HOURS", "SEGMENTS", "BYTES", "FEEDS"], rows);
  const segments = days.reduce((sum, day) => sum + day.segments, 0);
  const bytes = days.reduce((sum, day) => sum + day.bytes, 0);
  const counted = `${plural(days.length, "day")}, ${segments} segments, ${bytes} bytes of content`;
  if (dryRun) call.out.line(`${counted} would be pruned; nothing was written`);
  else {
    call.out.line(`${counted} pruned; daily rows stay`);
    call.out.line(freeText(freeBytes));
  }
}

function reportJson({ days, unfinalized, freeBytes }: PruneReport, dryRun: boolean) {
  return {
    dry_run: dryRun,
    days: days.map(({ day, ...rest }) => ({ date: dayText(day), ...rest })),
    kept: unfinalized.map(({ day, feed }) => ({ date: dayText(day), feed })),
    free_bytes: freeBytes,
  };
}
