import type { DailyAdapterName } from "../import/daily/adapters.ts";
import { databasePath } from "../store/file.ts";
import { systemClock } from "../values/clock.ts";
import { adapterOf, type Call, type Command } from "./command.ts";
import { existing } from "./open.ts";

const adapterNames = Object.keys({ canonical: 0, "buff-history": 0 } satisfies Record<
  DailyAdapterName,
  0
>) as DailyAdapterName[];

/** What does the work is loaded when it is called: a server never needs it. */
export const importDailyCommands: readonly Command[] = [
  {
    words: "import daily",
    operands: ["FILE..."],
    flags: {
      adapter: { value: adapterNames.join("|"), says: "shape of the files" },
      replace: { says: "put the files' rows in the place of stored ones that differ, recorded ones too, for good" },
      "dry-run": { says: "read, join, compare and report; write nothing" },
      json: { says: "print the reports as JSON, a line for each file" },
    },
    settings: ["db"],
    says: "import files of daily history, one after the other; what is stored already stays as it is",
    run: importDailyFiles,
  },
];

async function importDailyFiles(call: Call): Promise<number> {
  const options = { adapter: adapterOf(call, adapterNames), replace: call.has("replace"), dryRun: call.has("dry-run") };
  const { importDaily } = await import("../import/daily/daily-import.ts");
  const { dailyReportJson, dailyReportText } = await import("../import/daily/report.ts");
  const { progressOn } = await import("../values/progress.ts");
  for (const path of call.operands.map(existing)) {
    const parts = { clock: systemClock, progress: progressOn(process.stderr, systemClock) };
    const report = await importDaily(databasePath(call.config.db), path, options, parts);
    call.out.line(call.has("json") ? dailyReportJson(report) : dailyReportText(report));
  }
  return 0;
}
