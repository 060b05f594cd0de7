import { operationsOf } from "./generator.ts";
import { type Operation, type Setup, setupOf } from "./operations.ts";
import { OutcomeCounts } from "./outcomes.ts";
import { type Failure, run } from "./runner.ts";
import type { Subject } from "./subject.ts";

/**
 * Seeds for the seeded bugs. The first fourteen were chosen from 600: they reach each class of outcome ten times or more in the least time,
 * and notice each seeded bug.
 */
export const suiteSeeds = [
  95, 182, 226, 240, 246, 271, 319, 410, 414, 429, 434, 448, 517, 145, 135, 4, 139, 23, 123, 77,
];
/** The suite seeds that reach each class of outcome three times or more. */
export const shortSeeds = [77, 123, 319, 410, 434, 414];
/** Further seeds of the long run. They reach each class of outcome 20 times or more. */
export const furtherSeeds = [63, 26, 30, 200, 50, 85, 70, 32, 86, 176, 87, 165, 173];
export const suiteStepsPerSeed = 1_000;
const zones = ["UTC", "America/New_York", "Pacific/Apia", "Asia/Kathmandu"];

export type Found = Failure & { setup: Setup; operations: Operation[] };
export type Report = { steps: number; counts: OutcomeCounts; found: Found | null };

/** Runs `stepsPerSeed` operations from each of the seeds, each in one of four time zones, until one of them fails. */
export async function simulate(
  subject: Subject,
  folder: string,
  seeds: Iterable<number>,
  stepsPerSeed: number,
): Promise<Report> {
  const counts = new OutcomeCounts();
  let steps = 0;
  for (const seed of seeds) {
    const setup = setupOf(seed, stepsPerSeed);
    const operations = operationsOf(setup, stepsPerSeed);
    const result = await runInZone(subject, setup, operations, folder);
    counts.addAll(result.counts);
    steps += result.steps;
    if (result.failure !== null) return { steps, counts, found: { ...result.failure, setup, operations } };
  }
  return { steps, counts, found: null };
}

/** Returns the fewest operations found that still break the same promise. */
export function shrink(subject: Subject, folder: string, found: Found, runsMax = 300): Promise<Operation[]> {
  const again = async (operations: Operation[]) => (await runInZone(subject, found.setup, operations, folder)).failure;
  return fewest(found.operations, found, again, runsMax);
}

/** Leaves out ever smaller parts of a failing run. Returns the fewest steps found with a violation of the same kind. */
export async function fewest<Step>(
  steps: readonly Step[],
  { step, violation }: Failure,
  again: (steps: Step[]) => Promise<Failure | null>,
  runsMax: number,
): Promise<Step[]> {
  let kept = steps.slice(0, step + 1);
  let runs = 0;
  const stillFails = async (candidate: Step[]) => {
    runs += 1;
    const failure = await again(candidate);
    return failure !== null && kindOf(failure.violation) === kindOf(violation);
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

/** Describes a failure so that a person can reproduce it. */
export function describeFailure({ setup, operations, step, violation }: Found, shrunk: readonly Operation[]): string {
  const lines = shrunk.map((operation) => `  ${JSON.stringify(operation)}`);
  const again = `npm test -- --long access --seed ${setup.seed} --steps ${operations.length}`;
  return [`seed ${setup.seed}, step ${step}: ${violation.message}`, again, "shrunk to:", ...lines].join("\n");
}

async function runInZone(subject: Subject, setup: Setup, operations: readonly Operation[], folder: string) {
  const { TZ: zone } = process.env;
  process.env.TZ = zones[setup.seed % zones.length];
  try {
    return await withoutStacks(() => run(subject, setup, operations, folder));
  } finally {
    if (zone === undefined) delete process.env.TZ;
    else process.env.TZ = zone;
  }
}

/** Runs without stacks of errors: refusals are errors, and their stacks would cost more than the decisions. */
export async function withoutStacks<T>(work: () => Promise<T>): Promise<T> {
  const { stackTraceLimit } = Error;
  Error.stackTraceLimit = 0;
  try {
    return await work();
  } finally {
    Error.stackTraceLimit = stackTraceLimit;
  }
}

function kindOf(error: Error): string {
  return error.message.split(":")[0] ?? "";
}
