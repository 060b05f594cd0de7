import { fewest, withoutStacks } from "../simulation.ts";
import type { NodesDatabase } from "./database.ts";
import { NodesOutcomeCounts } from "./outcomes.ts";
import { runNodes } from "./run.ts";
import { type NodesSetup, nodesSetupOf, type Step, stepsOf } from "./steps.ts";
import type { NodesSubject } from "./subject.ts";

/** Real time after which a request to an unchanged program counts as never answered. */
const patienceMs = 60_000;

type Found = { step: number; violation: Error; setup: NodesSetup; steps: Step[] };
export type NodesReport = { steps: number; counts: NodesOutcomeCounts; found: Found | null };

/** Runs `stepsPerSeed` steps from each of the seeds, until one of them fails. */
export async function simulateNodes(
  subject: NodesSubject,
  database: NodesDatabase,
  seeds: Iterable<number>,
  stepsPerSeed: number,
  stuckMs = patienceMs,
): Promise<NodesReport> {
  const counts = new NodesOutcomeCounts();
  let steps = 0;
  for (const seed of seeds) {
    const setup = nodesSetupOf(seed, stepsPerSeed);
    const planned = stepsOf(setup, stepsPerSeed);
    const result = await withoutStacks(() => runNodes(subject, database, setup, planned, stuckMs));
    counts.addAll(result.counts);
    steps += result.steps;
    if (result.failure !== null) return { steps, counts, found: { ...result.failure, setup, steps: planned } };
  }
  return { steps, counts, found: null };
}

/** Returns the fewest steps found that still break the same promise. */
export function shrinkNodes(
  subject: NodesSubject,
  database: NodesDatabase,
  found: Found,
  runsMax = 200,
): Promise<Step[]> {
  const again = async (steps: Step[]) =>
    (await withoutStacks(() => runNodes(subject, database, found.setup, steps, patienceMs))).failure;
  return fewest(found.steps, found, again, runsMax);
}

/** Describes a failure so that a person can reproduce it. */
export function describeNodesFailure({ setup, steps, step, violation }: Found, shrunk: readonly Step[]): string {
  const again = `npm test -- --long access --nodes --seed ${setup.seed} --steps ${steps.length}`;
  const lines = shrunk.map((one) => `  ${JSON.stringify(one)}`);
  return [`seed ${setup.seed}, step ${step}: ${violation.message}`, again, "shrunk to:", ...lines].join("\n");
}
