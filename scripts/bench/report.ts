import { median } from "../support/numbers.ts";
import { table as lines } from "../support/table.ts";
import type { Cores, Machine } from "./machine.ts";
import type { Options } from "./options.ts";
import type { Result, Results, Table } from "./table.ts";

/** A promise about speed or size and what was measured of it; `value` null: not measured in this run. */
type CheckedGoal = { name: string; bound: string; value: number | null; met: boolean | null };
export type Report = { machine: Machine; cores: Cores; options: Options; tables: Results; goals: CheckedGoal[] };

/** A folder whose syncs are quicker than this is not synced to a disk. */
const fdatasyncUsMin = 5;

/** Checks the goals of all rows, in the order of the tables. */
export function checkGoals(tables: Readonly<Record<string, Pick<Table, "goals">>>, results: Results): CheckedGoal[] {
  return Object.entries(tables).flatMap(([name, { goals }]) =>
    Object.entries(goals).flatMap(([row, ofRow]) =>
      Object.entries(ofRow).map(([measure, bound]) => {
        const value = measuredValue(row, measure, results[name]?.cases ?? {});
        const [sign, threshold] = bound.split(" ");
        const isMet = (value: number) => (sign === "<=" ? value <= Number(threshold) : value >= Number(threshold));
        return { name: `${name}: ${row}, ${measure}`, bound, value, met: value === null ? null : isMet(value) };
      }),
    ),
  );
}

/** Returns the median over rounds of a figure, of its ratio to another row's within a round, or of what it is beyond those of others. */
function measuredValue(row: string, measure: string, cases: Result["cases"]): number | null {
  const [figure = "", divisor] = measure.split(" ÷ ");
  const [name = "", ...subtracted] = figure.split(" - ");
  const own = cases[row]?.[name];
  const divided = divisor === undefined ? undefined : cases[divisor]?.[name];
  const others = subtracted.map((other) => cases[other]?.[name]);
  if (own === undefined || (divisor !== undefined && divided === undefined) || others.includes(undefined)) return null;
  const inRound = (value: number, round: number) =>
    others.reduce((rest, other) => rest - other![round]!, value) / (divided?.[round] ?? 1);
  return median(own.map(inRound));
}

/** Prints the figures as tables: medians, ratios within a round, and the spread of the first figure. */
export function reportText({ machine, cores, options, tables, goals }: Report): string {
  const { node, processor, coreCount, fdatasyncUs } = machine;
  const pinned = cores.note ?? `server on core ${cores.server}, load generator on core ${cores.load}`;
  const verdict = ({ met }: CheckedGoal) => (met === null ? "not measured" : met ? "met" : "NOT MET");
  const goalRows = goals.map((goal) => [goal.name, goal.bound, goal.value?.toFixed(2) ?? "-", verdict(goal)]);
  return [
    `Node ${node.slice(1)}, ${processor} (${coreCount} cores), fdatasync ${fdatasyncUs} µs; ${pinned}`,
    `${options.rounds} interleaved rounds of ${options.seconds} s, ${options.items} items; medians, ratios within a round`,
    ...(fdatasyncUs < fdatasyncUsMin ? ["this folder is not synced to a disk: charges look too cheap (--dir)"] : []),
    ...Object.values(tables).flatMap((one) => ["", one.title, ...lines(rowsOf(one))]),
    "",
    ...lines([["goal", "threshold", "measured", ""], ...goalRows]),
  ].join("\n");
}

function rowsOf({ cases, compared = {} }: Result): string[][] {
  const figures = [...new Set(Object.values(cases).flatMap((series) => Object.keys(series)))];
  const rows = Object.entries(cases).map(([name, series]) => {
    const ratios = Object.entries(compared).map(([figure, other]) => {
      const under = other ?? name.replace(/, [^,]*$/, "");
      const ratio = under === name ? null : measuredValue(name, `${figure} ÷ ${under}`, cases);
      return ratio?.toFixed(2) ?? "";
    });
    const [first = []] = Object.values(series);
    const medians = figures.map((figure) => (series[figure] === undefined ? "" : digits(median(series[figure]))));
    const spread = (Math.max(...first) - Math.min(...first)) / median(first);
    return [name, ...medians, ...ratios, `${(100 * spread).toFixed(0)} %`];
  });
  const ratioHeads = Object.entries(compared).map(([figure, other]) => `${figure} ÷ ${other ?? "own"}`);
  return [["", ...figures, ...ratioHeads, "spread"], ...rows];
}

/** Three digits of a small number, all of the whole part of a large one. */
function digits(value: number): string {
  return value.toFixed(Math.abs(value) >= 100 ? 0 : Math.abs(value) >= 10 ? 1 : 2);
}
