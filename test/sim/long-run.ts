import { rmSync } from "node:fs";
import { parseArgs } from "node:util";
import { systemClock } from "../../src/values/clock.ts";
import { describeFailure, shrink, simulate } from "./simulation.ts";
import { loadSubject } from "./subject.ts";
import { simulationFolder } from "./surroundings.ts";

/**
 * Runs the simulation of the access layer at length: `npm run simulate -- --steps N --seed S`. Prints how often it reached
 * each class of outcome, and a failure with its seed, its step and the fewest operations that reproduce it.
 */
const { values } = parseArgs({
  options: { steps: { type: "string", default: "1500000" }, seed: { type: "string", default: "1" } },
});
const stepsPerSeedMax = 2_000;
const steps = wholeNumber("steps", values.steps);
const firstSeed = wholeNumber("seed", values.seed);

const folder = simulationFolder();
try {
  const subject = await loadSubject();
  const startedAtMs = systemClock.monotonicMs();
  const stepsPerSeed = Math.min(stepsPerSeedMax, steps);
  const seeds = Array.from({ length: Math.ceil(steps / stepsPerSeed) }, (_, index) => firstSeed + index);
  const report = await simulate(subject, folder, seeds, stepsPerSeed);
  const seconds = (systemClock.monotonicMs() - startedAtMs) / 1000;
  const perSecond = Math.round(report.steps / seconds);
  process.stdout.write(`${report.counts.lines().join("\n")}\n`);
  process.stdout.write(
    `${report.steps} steps in ${seconds.toFixed(1)} s, ${perSecond} steps/s, from seed ${firstSeed}\n`,
  );
  if (report.found !== null) {
    process.stdout.write(`${describeFailure(report.found, await shrink(subject, folder, report.found))}\n`);
    process.exitCode = 1;
  }
} finally {
  rmSync(folder, { recursive: true, force: true });
}

function wholeNumber(name: string, text: string): number {
  if (/^[1-9][0-9]{0,9}$/.test(text)) return Number(text);
  process.stderr.write(`--${name} must be a whole number from 1 on, not \`${text}\`\n`);
  process.exit(64);
}
