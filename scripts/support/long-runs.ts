import { oneOf } from "./flags.ts";

/** Programs that repeat one kind of test for the time in their flags, by the names in `npm test -- --long NAME`. */
const longRuns = {
  access: "test/sim/long-run.ts",
  nodes: "test/nodes/long-run.ts",
  faults: "test/faults/long-run.ts",
  drill: "test/faults/litestream-drill.ts",
  searches: "test/domain/searches-long-run.ts",
  copies: "test/client/copies-long-run.ts",
  waiters: "test/client/waiters-long-run.ts",
  readers: "test/cli/readers-long-run.ts",
  timing: "test/api/portfolio-timing-long-run.ts",
  night: "test/night/main.ts",
} as const;

export const longRunNames = Object.keys(longRuns) as (keyof typeof longRuns)[];

/**
 * Returns the words that start a named long run, null if `args` names none.
 * @throws {UsageError} when it is unknown.
 */
export function namedLongRun([first, name, ...flags]: readonly string[]): [string, ...string[]] | null {
  if (first !== "--long" || name === undefined || name.startsWith("-") || name.endsWith(".ts")) return null;
  return ["node", longRuns[oneOf("long", name, longRunNames)], ...flags];
}
