import { systemClock } from "../../src/values/clock.ts";

/** Begins to measure this process. Returns a function that returns the processor time of all its threads and the time since, ms. */
export function stopwatch(): () => { cpuMs: number; ms: number } {
  const before = process.cpuUsage();
  const startedMs = systemClock.monotonicMs();
  return () => {
    const { user, system } = process.cpuUsage(before);
    return { cpuMs: (user + system) / 1000, ms: systemClock.monotonicMs() - startedMs };
  };
}

/** Returns the middle of the values; NaN of none. */
export function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b);
  const middle = (sorted.length - 1) / 2;
  return ((sorted[Math.floor(middle)] ?? Number.NaN) + (sorted[Math.ceil(middle)] ?? Number.NaN)) / 2;
}
