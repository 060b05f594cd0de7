import type { NodesDatabase } from "./database.ts";
import { NodesOutcomeCounts } from "./outcomes.ts";
import { runNodes } from "./run.ts";
import { type NodesSetup, nodesSetupOf, type Step, stepsOf } from "./steps.ts";
import type { NodesSubject } from "./subject.ts";

/** Real time after which a request of a sound program counts as never answered. */
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
    const result = await runPatiently(subject, database, setup, planned, stuckMs);
    counts.addAll(result.counts);
    steps += result.steps;
    if (result.failure !== null) return { steps, counts, found: { ...result.failure, setup, steps: planned } };
  }
  return { steps, counts, found: null };
}

/** The fewest steps found, by leaving out ever smaller parts, that still break the same promise. */
export async function shrinkNodes(
  subject: NodesSubject,
  database: NodesDatabase,
  found: Found,
  runsMax = 200,
): Promise<Step[]> {
  let kept = found.steps.slice(0, found.step + 1);
  let runs = 0;
  const stillFails = async (candidate: Step[]) => {
    runs += 1;
    const { failure } = await runPatiently(subject, database, found.setup, candidate, patienceMs);
    return failure !== null && kindOf(failure.violation) === kindOf(found.violation);
  };
  for (
    let size = Math.ceil(kept.length / 2);
    size >= 1 && runs < runsMax;
    size = size === 1 ? 0 : Math.ceil(size / 2)
  ) {
    for (let start = kept.length - size; start > -size && runs < runsMax; start -= size) {
      const candidate = [...kept.slice(0, Math.max(0, start)), ...kept.slice(start + size)];
      if (candidate.length < kept.length && (await stillFails(candidate))) kept = candidate;
    }
  }
  return kept;
}

/** What a person needs in order to see the failure again. */
export function describeNodesFailure({ setup, steps, step, violation }: Found, shrunk: readonly Step[]): string {
  const again = `npm test -- --long access --nodes --seed ${setup.seed} --steps ${steps.length}`;
  const lines = shrunk.map((one) => `  ${JSON.stringify(one)}`);
  return [`seed ${setup.seed}, step ${step}: ${violation.message}`, again, "shrunk to:", ...lines].join("\n");
}

async function runPatiently(
  subject: NodesSubject,
  database: NodesDatabase,
  setup: NodesSetup,
  steps: readonly Step[],
  stuckMs: number,
) {
  const { stackTraceLimit } = Error;
  // Refusals are errors: their stacks would cost more than the decisions.
  Error.stackTraceLimit = 0;
  try {
    return await runNodes(subject, database, setup, steps, stuckMs);
  } finally {
    Error.stackTraceLimit = stackTraceLimit;
  }
}

function kindOf(error: Error): string {
  return error.message.split(":")[0] ?? "";
}
