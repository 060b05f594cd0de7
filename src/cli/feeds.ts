import type { DropChoice, DropReport } from "../import/quotes/drop-feeds.ts";
import { plural } from "../values/text/counted.ts";
import { hourMs } from "../values/time/calendar.ts";
import { systemClock, toTimestampOrNull } from "../values/time/clock.ts";
import { type Call, commandsOf, fileSettings, json, usageError } from "./command.ts";
import { pathOf, withProgress } from "./open.ts";
import { printResult } from "./print.ts";

const hoursMax = 24 * 365;

export const feedCommands = commandsOf(fileSettings, [
  {
    usage: "feeds drop [FEED...]",
    flags: {
      "unchecked-for HOURS": "drop all feeds unverified for this long",
      "dry-run": "report only; write nothing",
      json,
    },
    description: "publish without the quotes of dead feeds",
    example: "feeds drop --unchecked-for 48 --dry-run",
    run: dropQuotes,
  },
]);

async function dropQuotes(call: Call): Promise<void> {
  const choice = choiceOf(call);
  const { dropFeeds } = await import("../import/quotes/drop-feeds.ts");
  const path = await pathOf(call);
  const dryRun = call.has("dry-run");
  const report = await withProgress((progress) =>
    dropFeeds(path, choice, { dryRun }, { clock: systemClock, progress }),
  );
  printResult(call, { ...report, dropped: report.dropped.map(plain) }, lines(report, choice));
}

function choiceOf(call: Call): DropChoice {
  const hours = call.flag("unchecked-for");
  const feeds = call.operands;
  if ((hours === undefined) === (feeds.length === 0))
    throw usageError("name the feeds, or give --unchecked-for HOURS for all that were not verified for so long");
  if (hours === undefined) return { feeds };
  const value = /^[0-9]{1,5}$/.test(hours) ? Number(hours) : 0;
  if (value < 1 || value > hoursMax)
    throw usageError(`--unchecked-for: must be a whole number of hours from 1 to ${hoursMax}, not \`${hours}\``);
  return { uncheckedMs: value * hourMs };
}

function plain({ feed, checkedAt, quotes, items }: DropReport["dropped"][number]) {
  return { feed, last_checked_at: toTimestampOrNull(checkedAt), quotes, items };
}

function lines({ dropped, generation, items }: DropReport, choice: DropChoice): string[] {
  if (dropped.length === 0) {
    const hours = "uncheckedMs" in choice ? choice.uncheckedMs / hourMs : 0;
    return [`nothing to drop: every feed with quotes was verified within ${hours} h`];
  }
  const verb = generation === null ? "would be dropped" : "dropped";
  const each = dropped.map(plain).map(({ feed, last_checked_at, quotes, items }) => {
    const checked = last_checked_at === null ? "never verified" : `last verified ${last_checked_at}`;
    return `${feed}: ${plural(quotes, "quote")} of ${plural(items, "item")} ${verb}, ${checked}`;
  });
  if (generation === null) return [...each, `nothing was written; ${plural(items, "item")} would keep quotes`];
  return [
    ...each,
    `published ${generation}: ${plural(items, "item")} have quotes; a feed's next accepted body publishes its quotes again`,
  ];
}
