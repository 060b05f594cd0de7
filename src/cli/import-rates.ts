import type { RateAdapterName } from "../import/rates/rate-import.ts";
import { databasePath } from "../store/file.ts";
import { systemClock } from "../values/clock.ts";
import { adapterOf, type Call, type Command } from "./command.ts";
import { existing } from "./open.ts";

const adapterNames = Object.keys({ ecb: 0, "per-usd": 0 } satisfies Record<RateAdapterName, 0>) as RateAdapterName[];

/** What does the work is loaded when it is called: a server never needs it. */
export const importRatesCommands: readonly Command[] = [
  {
    words: "import rates",
    operands: ["FILE..."],
    flags: {
      adapter: { value: adapterNames.join("|"), says: "shape of the files" },
      replace: { says: "put the files' rates in the place of stored ones that differ" },
      "dry-run": { says: "read, compare and report; write nothing" },
      json: { says: "print the report as JSON" },
    },
    settings: ["db"],
    says: "import files of exchange rates: the European Central Bank's history, or rates per US dollar by day",
    run: importRateFiles,
  },
];

async function importRateFiles(call: Call): Promise<number> {
  const adapter = adapterOf(call, adapterNames);
  const { importRates } = await import("../import/rates/rate-import.ts");
  const { rateReportJson, rateReportText } = await import("../import/rates/rate-report.ts");
  const { progressOn } = await import("../values/progress.ts");
  const report = await importRates(
    databasePath(call.config.db),
    call.operands.map(existing),
    { adapter, replace: call.has("replace"), dryRun: call.has("dry-run") },
    { clock: systemClock, progress: progressOn(process.stderr, systemClock) },
  );
  call.out.line(call.has("json") ? rateReportJson(report) : rateReportText(report));
  return 0;
}
