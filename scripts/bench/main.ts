import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { progressOn } from "../../src/values/progress.ts";
import { systemClock } from "../../src/values/time/clock.ts";
import { printUsage, UsageError } from "../support/flags.ts";
import { installPackages } from "../support/installed.ts";
import { createDataSet } from "./data-set.ts";
import { describeMachine, findCores } from "./machine.ts";
import { type Options, parseOptions, usage } from "./options.ts";
import { checkGoals, reportText } from "./report.ts";
import type { Results } from "./table.ts";
import { tables } from "./tables.ts";

// Exit code 1: a measurement failed, 2: wrong usage. An unmet goal is no failure.
try {
  await bench(parseOptions(process.argv.slice(2)));
} catch (error) {
  if (!(error instanceof UsageError)) console.error(`the measurement failed: ${(error as Error).stack}`);
  process.exitCode = error instanceof UsageError ? printUsage(error, usage) : 1;
}

/** Measures the service beside its peers and prints the report. */
async function bench(options: Options): Promise<void> {
  installPackages(fileURLToPath(new URL(".", import.meta.url)));
  const cores = findCores();
  const progress = progressOn(process.stderr, systemClock);
  progress.phase("making items, quotes and accounts");
  const folder = mkdtempSync(join(options.dir, "itemtape-bench-"));
  process.once("exit", () => rmSync(folder, { recursive: true, force: true }));
  // Ctrl+C ends the children as well.
  process.once("SIGINT", () => process.exit(130));
  const data = createDataSet(folder, options.items, options.rounds);
  // This process is the load generator.
  if (cores.load !== null) spawnSync("taskset", ["-acp", cores.load, String(process.pid)]);
  const machine = describeMachine(folder);
  const results: Results = {};
  for (const [name, table] of Object.entries(tables)) {
    if (options.only !== null && options.only !== table.part) continue;
    const measured = await table.measure({ data, cores, options, progress });
    if (measured !== null) results[name] = measured;
  }
  progress.end();
  const report = { machine, cores, options, tables: results, goals: checkGoals(tables, results) };
  console.log(reportText(report));
  if (options.json !== undefined) writeFileSync(options.json, `${JSON.stringify(report, null, 2)}\n`);
}
