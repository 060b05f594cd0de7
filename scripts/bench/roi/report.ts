import { table } from "../../support/table.ts";
import { atMost, type Goal } from "../goal.ts";
import { median, medianRatio } from "../statistics.ts";
import type { RoiResults } from "./rounds.ts";
import type { RunFigures } from "./server.ts";

/** The figures of the ROI model as tables for a person. */
export function roiTables({ containers, outcomes, alone, beside, idle, during }: RoiResults): string[] {
  const rows: [string, RunFigures[]][] = [
    ["all numbers new", alone.changed],
    ["all inputs identical", alone.unchanged],
    ["all new, beside point reads", beside],
  ];
  const reads: [string, RoiResults["idle"]][] = [
    ["idle", idle],
    ["during runs", during],
  ];
  return [
    `Returns of ${containers} containers (${outcomes} outcomes) in both modes, in a thread on the server's core`,
    ...table([
      ["run", "seconds", "lock ms"],
      ...rows.map(([name, runs]) => [name, middle(runs, "seconds").toFixed(2), middle(runs, "lockHeldMs").toFixed(1)]),
    ]),
    "",
    ...table([
      ["point read", "p50 ms", "p99 ms"],
      ...reads.map(([name, of]) => [
        name,
        median(of.map(({ p50Ms }) => p50Ms)).toFixed(2),
        median(of.map(({ p99Ms }) => p99Ms)).toFixed(2),
      ]),
    ]),
  ];
}

/** A run has to be quick also where it shares its core. */
export function roiGoals(roi: RoiResults | null): Goal[] {
  const p99 = roi && medianRatio(of(roi.during), of(roi.idle));
  return [
    atMost("returns of all openables beside point reads", 5, roi && middle(roi.beside, "seconds"), "s"),
    atMost("point read during a run of returns ÷ idle, p99", 2, p99),
    atMost("longest lock of a run of returns", 50, roi && middle(roi.alone.changed, "lockHeldMs"), "ms"),
  ];
}

function of(latencies: readonly { p99Ms: number }[]): number[] {
  return latencies.map(({ p99Ms }) => p99Ms);
}

function middle(runs: readonly RunFigures[], figure: "seconds" | "lockHeldMs"): number {
  return median(runs.map((run) => run[figure]));
}
