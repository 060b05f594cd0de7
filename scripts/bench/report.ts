import { table } from "../support/table.ts";
import type { Goal } from "./goals.ts";
import type { Cores, Machine } from "./machine.ts";
import type { Options } from "./options.ts";
import { median, medianRatio, type Table, type Tables } from "./rounds.ts";

export type Report = { machine: Machine; cores: Cores; options: Options; tables: Tables; goals: readonly Goal[] };

/** A folder whose syncs are quicker than this is not synced to a disk. */
const fdatasyncUsMin = 5;

/** Prints the figures as tables: medians, ratios within a round, and the spread of the first figure. */
export function reportText({ machine, cores, options, tables, goals }: Report): string {
  const { node, processor, coreCount, fdatasyncUs } = machine;
  const pinned = cores.note ?? `server on core ${cores.server}, load generator on core ${cores.load}`;
  const verdict = ({ met }: Goal) => (met === null ? "not measured" : met ? "met" : "NOT MET");
  const goalRows = goals.map((goal) => [goal.name, goal.bound, goal.value?.toFixed(2) ?? "-", verdict(goal)]);
  return [
    `Node ${node.slice(1)}, ${processor} (${coreCount} cores), fdatasync ${fdatasyncUs} µs; ${pinned}`,
    `${options.rounds} interleaved rounds of ${options.seconds} s, ${options.items} items; medians, ratios within a round`,
    ...(fdatasyncUs < fdatasyncUsMin ? ["this folder is not synced to a disk: charges look too cheap (--dir)"] : []),
    ...Object.values(tables).flatMap((one) => ["", one.title, ...table(rowsOf(one))]),
    "",
    ...table([["goal", "threshold", "measured", ""], ...goalRows]),
  ].join("\n");
}

function rowsOf({ cases, compared = [] }: Table): string[][] {
  const figures = [...new Set(Object.values(cases).flatMap((series) => Object.keys(series)))];
  const rows = Object.entries(cases).map(([name, series]) => {
    const ratios = compared.map(({ figure, ...other }) => {
      const under = cases[other.with ?? name.split(",")[0]!];
      return under === undefined || under === series ? "" : medianRatio(series[figure]!, under[figure]!).toFixed(2);
    });
    const [first = []] = Object.values(series);
    const medians = figures.map((figure) => (series[figure] === undefined ? "" : digits(median(series[figure]))));
    const spread = (Math.max(...first) - Math.min(...first)) / median(first);
    return [name, ...medians, ...ratios, `${(100 * spread).toFixed(0)} %`];
  });
  const ratioHeads = compared.map((ratio) => `${ratio.figure} ÷ ${ratio.with ?? "own"}`);
  return [["", ...figures, ...ratioHeads, "spread"], ...rows];
}

/** Three digits of a small number, all of the whole part of a large one. */
function digits(value: number): string {
  return value.toFixed(Math.abs(value) >= 100 ? 0 : Math.abs(value) >= 10 ? 1 : 2);
}
