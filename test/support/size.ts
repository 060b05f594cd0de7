import type { Context, Suite } from "mocha";

/**
 * Sizes of tests that are long by nature: rings, sweeps, walks over every page. `npm test` plays the short form, which still fails
 * for the main breach of the guarantee; `npm test -- --long` plays the long form instead.
 */

/** Whether this is the long run. */
export const isLongRun = process.env.TEST_SIZE === "long";

/** Picks a number, a list or anything else by the size of the run. */
export function bySize<T>(sizes: { short: T; long: T }): T {
  return isLongRun ? sizes.long : sizes.short;
}

/** Returns all cases in the long run. In the short one returns `count` of them, from the first to the last in even steps. */
export function casesBySize<T>(cases: readonly T[], count: number): readonly T[] {
  if (isLongRun || count >= cases.length) return cases;
  const step = count === 1 ? 0 : (cases.length - 1) / (count - 1);
  return Array.from({ length: count }, (_, index) => cases[Math.round(index * step)] as T);
}

/** A test without a short form: only the long run has it. */
export function itLong(title: string, test: (this: Context) => Promise<void> | void): void {
  if (isLongRun) it(title, test);
}

/** Tests without a short form. */
export function describeLong(title: string, define: (this: Suite) => void): void {
  if (isLongRun) describe(title, define);
}
