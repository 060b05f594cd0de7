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
/**
 * A table of the report, a row for each case. `compared`: ratios of a figure to the same of another case; left out, to that of
 * the case that the name before the comma is.
 */
export type Table = { title: string; cases: Record<string, Series>; compared?: { figure: string; with?: string }[] };
/** The tables of a run by name. */
export type Tables = Record<string, Table>;

/** Measures each case in every round. The order changes, so that no case always follows the same one. */
export async function measureRounds<Case>(
  { options, progress }: Bench,
  phase: string,
  cases: Readonly<Record<string, Case>>,
  measure: (of: Case, round: number) => Promise<Figures>,
  rounds = options.rounds,
): Promise<Record<string, Series>> {
  const entries = Object.entries(cases);
  const all = Object.fromEntries(entries.map(([name]): [string, Series] => [name, {}]));
  progress.phase(`${phase}, measurements`, rounds * entries.length);
  for (let round = 0; round < rounds; round += 1) {
    const turned = entries.map((_, index) => entries[(index + round) % entries.length]!);
    for (const [name, of] of round % 2 === 0 ? turned : turned.reverse()) {
      addFigures(all[name]!, await measure(of, round));
      progress.advance(1);
    }
  }
  return all;
}

/** Appends the values of one measurement. */
export function addFigures(series: Series, figures: Figures): void {
  for (const [name, value] of Object.entries(figures)) series[name] = [...(series[name] ?? []), value];
}

/** Returns the figures of these names alone. */
export function pick<Name extends string>(figures: Record<Name, number>, ...names: Name[]): Figures {
  return Object.fromEntries(names.map((name) => [name, figures[name]]));
}
