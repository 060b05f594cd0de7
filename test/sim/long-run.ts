import { rmSync } from "node:fs";
import { parseLongRunOrExit } from "../../scripts/support/flags.ts";
import { systemClock } from "../../src/values/time/clock.ts";
import { NodesDatabase } from "./nodes/database.ts";
import { describeNodesFailure, shrinkNodes, simulateNodes } from "./nodes/simulation.ts";
import { describeFailure, shrink, simulate } from "./simulation.ts";
import { loadSubject } from "./subject.ts";
import { simulationFolder } from "./surroundings.ts";

/**
 * Runs the long simulation of the access layer: `npm test -- --long access --steps N --seed S`. `--nodes` simulates nodes that share a
 * PostgreSQL database. Prints how often it reached each class of outcome. Prints a failure with its seed, its step and the fewest
 * operations that reproduce it.
 */
const values = parseLongRunOrExit("access", {
  steps: { type: "string", default: "1500000" },
  seed: { type: "string", default: "1" },
  nodes: { type: "boolean", default: false },
});
const stepsPerSeedMax = 2_000;
const steps = wholeNumber("steps", values.steps);
const firstSeed = wholeNumber("seed", values.seed);

const startedAtMs = systemClock.monotonicMs();
const stepsPerSeed = Math.min(stepsPerSeedMax, steps);
const seeds = Array.from({ length: Math.ceil(steps / stepsPerSeed) }, (_, index) => firstSeed + index);
const { lines, taken, failure } = values.nodes ? await ofNodes() : await ofOneProcess();
const seconds = (systemClock.monotonicMs() - startedAtMs) / 1000;
process.stdout.write(`${lines.join("\n")}\n`);
const perSecond = Math.round(taken / seconds);
process.stdout.write(`${taken} steps in ${seconds.toFixed(1)} s, ${perSecond} steps/s, from seed ${firstSeed}\n`);
if (failure !== null) {
  process.stdout.write(`${failure}\n`);
  process.exitCode = 1;
}

type Told = { lines: string[]; taken: number; failure: string | null };

async function ofOneProcess(): Promise<Told> {
  const folder = simulationFolder();
  try {
    const subject = await loadSubject();
    const { counts, steps: taken, found } = await simulate(subject, folder, seeds, stepsPerSeed);
    const failure = found === null ? null : describeFailure(found, await shrink(subject, folder, found));
    return { lines: counts.lines(), taken, failure };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

async function ofNodes(): Promise<Told> {
  const database = await NodesDatabase.open();
  try {
    const subject = await database.loadSubject();
    const { counts, steps: taken, found } = await simulateNodes(subject, database, seeds, stepsPerSeed);
    const failure = found === null ? null : describeNodesFailure(found, await shrinkNodes(subject, database, found));
    return { lines: counts.lines(), taken, failure };
  } finally {
    await database.close();
  }
}

function wholeNumber(name: string, text: string): number {
  if (/^[1-9][0-9]{0,9}$/.test(text)) return Number(text);
  process.stderr.write(`--${name} must be a whole number from 1 on, not \`${text}\`\n`);
  process.exit(64);
}
