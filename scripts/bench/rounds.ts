import { systemClock } from "../../src/values/clock.ts";
import type { Progress } from "../../src/values/progress.ts";
import type { DataSet } from "./data-set.ts";
import type { Cores } from "./machine.ts";
import type { Options } from "./options.ts";

/** The equipment of every part. */
export type Bench = { data: DataSet; cores: Cores; options: Options; progress: Progress };

/** One measurement: its values by the name and unit that the report prints. */
export type Figures = Record<string, number>;
/** The values of all rounds. */
export type Series = Record<string, number[]>;
/** Measurements by name: each is made once in every round, numbered from 0. */
export type Cases = Readonly<Record<string, (round: number) => Promise<Figures>>>;
/**
 * A table of the report, a row for each case. `compared`: ratios of a figure to the same of another case; left out, to that of
 * the case that the name before the comma is.
 */
export type Table = { title: string; cases: Record<string, Series>; compared?: { figure: string; with?: string }[] };
/** The tables of a run by name. */
export type Tables = Record<string, Table>;

/** Measures each case in every round. The order changes, so that no case always follows the same one. */
export async function measureRounds(
  { options, progress }: Bench,
  phase: string,
  cases: Cases,
  rounds = options.rounds,
): Promise<Record<string, Series>> {
  const entries = Object.entries(cases);
  const all = Object.fromEntries(entries.map(([name]): [string, Series] => [name, {}]));
  progress.phase(`${phase}, measurements`, rounds * entries.length);
  for (let round = 0; round < rounds; round += 1) {
    const turned = entries.map((_, index) => entries[(index + round) % entries.length]!);
    for (const [name, measure] of round % 2 === 0 ? turned : turned.reverse()) {
      for (const [figure, value] of Object.entries(await measure(round))) {
        all[name]![figure] ??= [];
        all[name]![figure].push(value);
      }
      progress.advance(1);
    }
  }
  return all;
}

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

/** Returns the median of the ratios of two series measured side by side: what slows the machine for a while slows both. */
export function medianRatio(over: readonly number[], under: readonly number[]): number {
  return median(over.map((value, index) => value / (under[index] ?? Number.NaN)));
}
