import { type PruneReport, pruneHours } from "../../jobs/days/prune-hours.ts";
import { databasePath } from "../../store/file/file.ts";
import { exitCodes } from "../../values/failure/operator-error.ts";
import { progressOn } from "../../values/progress.ts";
import { displayText } from "../../values/text/display-text.ts";
import { dayText, parseDay } from "../../values/time/calendar.ts";
import { systemClock } from "../../values/time/clock.ts";
import { type Call, usageError } from "../command.ts";
import { printJson, printTable } from "../print.ts";

/** Removes the hours before the call's date and prints the days that it touched. */
export async function prune(call: Call): Promise<number> {
  const before = dateOf(call.flag("hourly-before"));
  const dryRun = call.has("dry-run");
  const parts = { clock: systemClock, progress: progressOn(process.stderr, systemClock) };
  const report = await pruneHours(databasePath(call.config.db), before, { dryRun }, parts);
  if (call.has("json")) printJson(call, reportJson(report, dryRun));
  else printReport(call, report, dryRun);
  return exitCodes.ok;
}

function dateOf(date: string | undefined): number {
  if (date === undefined) throw usageError("--hourly-before is missing: the first UTC day whose hours are kept");
  const day = parseDay(date);
  if (day !== null) return day;
  throw usageError(`--hourly-before: takes a day such as 2026-08-01, not \`${displayText(date)}\``);
}

function printReport(call: Call, { days, unfinalized, freeBytes }: PruneReport, dryRun: boolean): void {
  for (const { day, feed } of unfinalized)
    call.out.line(
      `${dayText(day)} of ${displayText(feed)} is kept: its daily rows are not stored yet, which \`itemtape portfolios value\` does`,
    );
  if (days.length === 0) {
    call.out.line("nothing to prune");
    return;
  }
  printTable(
    call,
    ["DATE", "HOURS", "SEGMENTS", "BYTES", "FEEDS"],
    days.map(({ day, hours, segments, bytes, feeds }) => [
      dayText(day),
      String(hours),
      String(segments),
      String(bytes),
      displayText(feeds.join(" ")),
    ]),
  );
  const segments = days.reduce((sum, day) => sum + day.segments, 0);
  const bytes = days.reduce((sum, day) => sum + day.bytes, 0);
  const counted = `${days.length} days, ${segments} segments, ${bytes} bytes of content`;
  if (dryRun) call.out.line(`${counted} would be pruned; nothing was written`);
  else {
    call.out.line(`${counted} pruned; daily rows stay`);
    call.out.line(
      `${freeBytes} bytes of the file are free for what comes; \`itemtape db compact\` gives them back while no server runs`,
    );
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
