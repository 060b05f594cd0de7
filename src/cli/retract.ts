import type { Retraction, RetractionReport } from "../jobs/days/retract-frame.ts";
import { plural } from "../values/text/counted.ts";
import { displayText } from "../values/text/display-text.ts";
import { hourMs, parseDay } from "../values/time/calendar.ts";
import { systemClock, toTimestamp } from "../values/time/clock.ts";
import { type Call, commandsOf, fileSettings, json, usageError } from "./command.ts";
import { pathOf, withProgress } from "./open.ts";
import { printResult } from "./print.ts";

const reasonMax = 300;

/** The commands of `history` that use a file. */
export const historyCommands = commandsOf(fileSettings, [
  {
    usage: "history retract",
    flags: {
      "feed FEED": "feed that recorded it",
      "hour HOUR": "UTC hour, such as 2026-01-31T05",
      "reason TEXT": "why, also in releases",
      json,
    },
    description: "turn a recorded hour into a gap",
    example: "history retract --feed steam --hour 2026-01-31T05 --reason 'cents for dollars'",
    run: retract,
  },
]);

async function retract(call: Call): Promise<void> {
  const { retractFrame } = await import("../jobs/days/retract-frame.ts");
  const retraction = { feed: wanted(call, "feed"), hour: hourOf(wanted(call, "hour")), reason: reasonOf(call) };
  const path = await pathOf(call);
  const report = await withProgress((progress) => retractFrame(path, retraction, { clock: systemClock, progress }));
  const { isPublished: still_published, levels: corrected_levels, isRepeated: repeated, ...facts } = report;
  const { feed, hour } = retraction;
  const record = { feed, hour: toTimestamp(hour * hourMs), repeated, ...facts, still_published, corrected_levels };
  printResult(call, record, lines(retraction, report));
}

function wanted(call: Call, name: "feed" | "hour" | "reason"): string {
  const value = call.flag(name);
  if (value === undefined || value === "") throw usageError(`--${name} is missing`);
  return value;
}

function reasonOf(call: Call): string {
  const reason = wanted(call, "reason");
  if (reason.length <= reasonMax) return reason;
  throw usageError(`--reason: must have at most ${reasonMax} characters`);
}

function hourOf(text: string): number {
  const found = /^(\d{4}-\d{2}-\d{2})T([01]\d|2[0-3])(:00(:00(\.000)?)?Z)?$/.exec(text);
  const day = found === null ? null : parseDay(found[1]!);
  if (day === null) throw usageError(`--hour: must be a UTC hour such as 2026-01-31T05, not \`${displayText(text)}\``);
  return day * 24 + Number(found![2]);
}

function lines({ feed, hour }: Retraction, report: RetractionReport): string[] {
  const { items, quotes, isPublished, isRepeated, reason, rows, levels } = report;
  const at = toTimestamp(hour * hourMs).slice(0, 13);
  const name = displayText(feed);
  return [
    `${name}: the frame of ${at} is retracted: ${plural(quotes, "quote")} of ${plural(items, "item")}`,
    ...(isRepeated ? [`  repeated it was already retracted (${displayText(reason)}); its days are complete now`] : []),
    `  derived  ${rows} daily rows and ${levels} index levels again; portfolios and returns follow with their next run`,
    "  replace  one body saved in this hour may be imported instead",
    ...(isPublished
      ? [
          `  prices   its quotes are still published: run \`npx itemtape feeds drop ${name}\`, then \`npx itemtape import quotes\` with a correct body`,
        ]
      : []),
  ];
}
