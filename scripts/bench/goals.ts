import type { CompressionResults } from "./compression/rounds.ts";
import type { ExportResults, MemoryCase } from "./export-rounds.ts";
import { atLeast, atMost, type Goal } from "./goal.ts";
import { historyGoals } from "./history/goals.ts";
import type { HistoryResults } from "./history/rounds.ts";
import type { PointResults } from "./point-rounds.ts";
import { roiGoals } from "./roi/report.ts";
import type { RoiResults } from "./roi/rounds.ts";
import { median, medianRatio } from "./statistics.ts";

export type Results = {
  point: PointResults | null;
  exports: ExportResults | null;
  history: HistoryResults | null;
  roi: RoiResults | null;
  compression: CompressionResults | null;
};

/** Connections of the point reads beside exports that the goal is about: the load of the table above it. */
const besideConnections = 64;

/** The goals in their order. Ratios are medians over rounds of the ratio within a round. */
export function judgeGoals({ point, exports, history, roi }: Results): Goal[] {
  const rate = (peer: string) => pointRatio(point, "requestsPerS", "full-stack", peer);
  const encoder = (peer: string) => exportRatio(exports, "mbPerS", peer);
  return [
    atLeast("full stack ÷ raw constant, requests per second", 0.4, rate("raw-constant")),
    atMost("full stack ÷ raw constant, CPU per request", 2.3, pointRatio(point, "cpuUs", "full-stack", "raw-constant")),
    atLeast("full stack ÷ fastify + read, no key, no charge", 1.2, rate("fastify-read")),
    atLeast("full stack ÷ fastify + key + one sync per request", 10, rate("fastify-fsync")),
    atLeast("full stack ÷ express + openapi-backend as they ship", 10, rate("express-openapi-backend")),
    atLeast("full stack ÷ express-openapi-validator", 5, rate("express-openapi-validator")),
    atLeast("durable ÷ uncharged, 64 connections", 0.85, rate("uncharged")),
    atLeast("export ÷ file pipe, 64 KB reads", 1, encoder("file-pipe-64k")),
    atLeast("export ÷ join and stringify", 5, encoder("join-stringify")),
    atMost("export: time to first byte ÷ file pipe", 1, exportRatio(exports, "firstByteMs", "file-pipe-64k")),
    memory(exports, "memory growth, 1 export", 10, "one"),
    memory(exports, "memory growth, 8 fast exports", 40, "eightFast"),
    memory(exports, "memory growth, 8 slow exports", 8, "eightSlow"),
    atMost("point read during 8 exports ÷ idle, p50", 2, besideRatio(exports, "p50Ms")),
    atMost("point read during 8 exports ÷ idle, p99", 2, besideRatio(exports, "p99Ms")),
    ...historyGoals(history),
    ...roiGoals(roi),
  ];
}

function memory(exports: ExportResults | null, says: string, threshold: number, which: MemoryCase): Goal {
  const grown = exports?.memory[which] ?? [];
  return atMost(says, threshold, grown.length === 0 ? null : median(grown), "MB");
}

function pointRatio(point: PointResults | null, figure: "requestsPerS" | "cpuUs", over: string, under: string) {
  const [above, below] = [point?.[over], point?.[under]];
  return above === undefined || below === undefined ? null : medianRatio(above[figure], below[figure]);
}

function exportRatio(exports: ExportResults | null, figure: "mbPerS" | "firstByteMs", under: string) {
  const [above, below] = [exports?.encoders["full-stack"], exports?.encoders[under]];
  return above === undefined || below === undefined ? null : medianRatio(above[figure], below[figure]);
}

function besideRatio(exports: ExportResults | null, figure: "p50Ms" | "p99Ms"): number | null {
  const series = exports?.beside.find(({ connections }) => connections === besideConnections);
  if (series === undefined) return null;
  const of = (side: "idle" | "beside") => series[side].map((latency) => latency[figure]);
  return medianRatio(of("beside"), of("idle"));
}
