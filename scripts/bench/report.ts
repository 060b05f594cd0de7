import { table } from "../support/table.ts";
import { compressionTables } from "./compression/report.ts";
import type { ExportResults } from "./export-rounds.ts";
import type { Goal } from "./goal.ts";
import type { Results } from "./goals.ts";
import { historyTables } from "./history/report.ts";
import type { Cores, Machine } from "./machine.ts";
import type { Options } from "./options.ts";
import { connections, type PointResults } from "./point-rounds.ts";
import { roiTables } from "./roi/report.ts";
import { median, medianRatio, spread } from "./statistics.ts";

export type Report = { machine: Machine; cores: Cores; options: Options; exportBytes: number; goals: Goal[] } & Results;

/** The plainest server keeps one of the two cores busy unless something else does. */
const quietShareMin = 0.85;

/** The figures as tables for a person. */
export function reportText({
  machine,
  cores,
  options,
  exportBytes,
  point,
  exports,
  history,
  roi,
  compression,
  goals,
}: Report): string {
  const pinned = cores.note ?? `server on core ${cores.server}, load generator on core ${cores.load}`;
  return [
    `Node ${machine.node.slice(1)}, ${machine.processor} (${machine.cores} cores), fdatasync ${machine.fdatasyncUs} µs; ${pinned}`,
    `${options.rounds} interleaved rounds of ${options.seconds} s, ${options.items} items; medians, ratios within a round`,
    ...(machine.fdatasyncUs < 5
      ? ["this folder is not synced to a disk: charges look cheaper than they are (--dir)"]
      : []),
    ...(point === null ? [] : ["", ...pointTable(point)]),
    ...(exports === null ? [] : ["", ...exportTables(exports, exportBytes)]),
    ...(history === null ? [] : ["", ...historyTables(history)]),
    ...(roi === null ? [] : ["", ...roiTables(roi)]),
    ...(compression === null ? [] : ["", ...compressionTables(compression)]),
    "",
    ...goalTable(goals),
  ].join("\n");
}

function pointTable(point: PointResults): string[] {
  const constant = point["raw-constant"];
  const rows = Object.entries(point).map(([name, { requestsPerS, cpuUs, coreShare, loadShare, p50Ms, p99Ms }]) => [
    name,
    (median(requestsPerS) / 1000).toFixed(2),
    median(cpuUs).toFixed(1),
    constant === undefined ? "" : medianRatio(requestsPerS, constant.requestsPerS).toFixed(3),
    constant === undefined ? "" : medianRatio(cpuUs, constant.cpuUs).toFixed(2),
    `${(100 * median(coreShare)).toFixed(0)} %`,
    `${(100 * median(loadShare)).toFixed(0)} %`,
    median(p50Ms).toFixed(2),
    median(p99Ms).toFixed(2),
    `${(100 * spread(requestsPerS)).toFixed(0)} %`,
  ]);
  const heads = [
    "server",
    "k req/s",
    "CPU µs/req",
    "÷ raw",
    "CPU ÷ raw",
    "core",
    "load core",
    "p50 ms",
    "p99 ms",
    "spread",
  ];
  const busy =
    constant !== undefined && median(constant.coreShare) < quietShareMin && median(constant.loadShare) < quietShareMin;
  return [
    `GET /v1/items/{item_id}, ${connections} connections, random ids`,
    ...(busy ? ["the machine was busy with other work: of these figures only CPU per request says something"] : []),
    ...table([heads, ...rows]),
  ];
}

function exportTables({ encoders, beside, memory }: ExportResults, exportBytes: number): string[] {
  const rows = Object.entries(encoders).map(([name, { mbPerS, cpuMsPerMb, firstByteMs }]) => [
    name,
    median(mbPerS).toFixed(0),
    median(cpuMsPerMb).toFixed(2),
    median(firstByteMs).toFixed(2),
    `${(100 * spread(mbPerS)).toFixed(0)} %`,
  ]);
  const reads = beside.map(({ connections: count, idle, beside: loaded }) => [
    String(count),
    median(idle.map(({ p50Ms }) => p50Ms)).toFixed(2),
    median(loaded.map(({ p50Ms }) => p50Ms)).toFixed(2),
    median(idle.map(({ p99Ms }) => p99Ms)).toFixed(2),
    median(loaded.map(({ p99Ms }) => p99Ms)).toFixed(2),
  ]);
  const grown = (values: readonly number[]) => (values.length === 0 ? "not told" : `${median(values).toFixed(1)} MB`);
  return [
    `Export, ${(exportBytes / 1e6).toFixed(1)} MB, one reader`,
    ...table([["encoder", "MB/s", "CPU ms/MB", "first byte ms", "spread"], ...rows]),
    "",
    "Point read, idle and during 8 exports",
    ...table([["connections", "p50 ms idle", "p50 ms beside", "p99 ms idle", "p99 ms beside"], ...reads]),
    "",
    `Growth of anonymous memory: 1 export ${grown(memory.one)}, 8 fast ${grown(memory.eightFast)}, 8 slow ${grown(memory.eightSlow)}`,
  ];
}

function goalTable(goals: readonly Goal[]): string[] {
  const rows = goals.map(({ says, bound, threshold, unit, value, met }) => [
    says,
    `${bound === "at least" ? ">=" : "<="} ${threshold}${unit === "x" ? "" : ` ${unit}`}`,
    value === null ? "-" : value.toFixed(2),
    met === null ? "not measured" : met ? "met" : "NOT MET",
  ]);
  return table([["goal", "threshold", "measured", ""], ...rows]);
}
