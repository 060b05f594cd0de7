import { writeFileSync } from "node:fs";
import { systemClock } from "../../src/values/clock.ts";
import { progressOn } from "../../src/values/progress.ts";
import { Child } from "./channel.ts";
import { measureCompression } from "./compression/rounds.ts";
import { DataSet } from "./data-set.ts";
import { measureExports } from "./export-rounds.ts";
import { judgeGoals, type Results } from "./goals.ts";
import { measureHistory } from "./history/rounds.ts";
import { describeMachine, findCores } from "./machine.ts";
import { type Options, type Part, parseOptions, UsageError, usage } from "./options.ts";
import { accountsPerRound, measurePoint } from "./point-rounds.ts";
import { reportText } from "./report.ts";
import { measureRoi } from "./roi/rounds.ts";

process.exitCode = await main(process.argv.slice(2));

/** Measures the service beside its peers. Exit code 1: a measurement failed, 2: wrong usage; unmet goals are only told. */
async function main(args: readonly string[]): Promise<number> {
  try {
    await bench(parseOptions(args));
    return 0;
  } catch (error) {
    if (error instanceof UsageError) {
      console.error(`${error.message}\n${usage}`);
      return 2;
    }
    console.error(`the measurement failed: ${(error as Error).stack}`);
    return 1;
  }
}

async function bench(options: Options): Promise<void> {
  const cores = findCores();
  if (cores.note !== null) console.error(`note: ${cores.note}`);
  const progress = progressOn(process.stderr, systemClock);
  const accounts = options.rounds * accountsPerRound(options.seconds);
  const data = DataSet.create(options.dir, options.items, accounts, progress);
  const load = Child.start("./load.ts", cores.load);
  // Stopped from the terminal: the children go with their channel, the files have to be removed here.
  process.once("SIGINT", () => {
    data.remove();
    process.exit(130);
  });
  try {
    const machine = describeMachine(data.folder);
    const parts = { data, load, cores, options, progress };
    const isWanted = (part: Part) => options.only === null || options.only === part;
    const results: Results = {
      point: isWanted("point") ? await measurePoint(parts) : null,
      exports: isWanted("export") ? await measureExports(parts) : null,
      history: isWanted("history") ? await measureHistory(parts) : null,
      roi: isWanted("roi") ? await measureRoi(parts) : null,
      compression: isWanted("compression") ? await measureCompression(parts) : null,
    };
    progress.end();
    const report = { machine, cores, options, exportBytes: data.exportBytes, ...results, goals: judgeGoals(results) };
    console.log(reportText(report));
    if (options.json !== null) writeFileSync(options.json, `${JSON.stringify(report, null, 2)}\n`);
  } finally {
    progress.end();
    await load.stop();
    data.remove();
  }
}
