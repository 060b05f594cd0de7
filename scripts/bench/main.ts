import { spawnSync } from "node:child_process";
import { rmSync, writeFileSync } from "node:fs";
import { systemClock } from "../../src/values/clock.ts";
import { progressOn } from "../../src/values/progress.ts";
import { printUsage, UsageError } from "../support/flags.ts";
import { measureAnswers, measureCompression } from "./answers.ts";
import { createDataSet } from "./data-set.ts";
import { simulateDay } from "./day.ts";
import { measureExports } from "./exports.ts";
import { checkGoals } from "./goals.ts";
import { measureHistory } from "./history.ts";
import { describeMachine, findCores } from "./machine.ts";
import { measureNodes } from "./nodes.ts";
import { type Options, type Part, parseOptions, parts, usage } from "./options.ts";
import { accountsPerRound, measurePoint } from "./point.ts";
import { reportText } from "./report.ts";
import { measureReturns } from "./returns.ts";
import type { Bench, Tables } from "./rounds.ts";
import { measureStart } from "./start.ts";

const measure: Record<Part, (bench: Bench) => Promise<Tables>> = {
  point: measurePoint,
  answers: measureAnswers,
  export: measureExports,
  history: measureHistory,
  roi: measureReturns,
  compression: measureCompression,
  nodes: measureNodes,
  start: measureStart,
  day: async (bench) => simulateDay(bench),
};

// Exit code 1: a measurement failed, 2: wrong usage. An unmet goal is no failure.
try {
  await bench(parseOptions(process.argv.slice(2)));
} catch (error) {
  if (!(error instanceof UsageError)) console.error(`the measurement failed: ${(error as Error).stack}`);
  process.exitCode = error instanceof UsageError ? printUsage(error, usage) : 1;
}

/** Measures the service beside its peers and prints the report. */
async function bench(options: Options): Promise<void> {
  const cores = findCores();
  const progress = progressOn(process.stderr, systemClock);
  progress.phase("making items, quotes and accounts");
  const data = createDataSet(options.dir, options.items, options.rounds * accountsPerRound(options.seconds));
  // This process is the load generator.
  if (cores.load !== null) spawnSync("taskset", ["-acp", cores.load, String(process.pid)]);
  const remove = () => rmSync(data.folder, { recursive: true, force: true });
  // Ctrl+C ends the children as well, but leaves the files.
  process.once("SIGINT", () => {
    remove();
    process.exit(130);
  });
  try {
    const machine = describeMachine(data.folder);
    const tables: Tables = {};
    for (const part of options.only === null ? parts : [options.only])
      Object.assign(tables, await measure[part]({ data, cores, options, progress }));
    progress.end();
    const report = { machine, cores, options, tables, goals: checkGoals(tables) };
    console.log(reportText(report));
    if (options.json !== undefined) writeFileSync(options.json, `${JSON.stringify(report, null, 2)}\n`);
  } finally {
    progress.end();
    remove();
  }
}
