import type { Progress } from "../../src/values/progress.ts";
import type { Child } from "./channel.ts";
import type { DataSet } from "./data-set.ts";
import type { DownloadFigures, DownloadOrder } from "./load/downloads.ts";
import type { PointFigures, PointOrder } from "./load/point-readers.ts";
import { anonymousMb, type Cores } from "./machine.ts";
import { MeasuredServer, startServers, stopServers } from "./measured-server.ts";
import type { Options } from "./options.ts";
import { exportServerNames } from "./peers/names.ts";
import { orderOf } from "./point-rounds.ts";
import { median } from "./statistics.ts";

/** One value for each round. */
export type ExportSeries = { mbPerS: number[]; cpuMsPerMb: number[]; firstByteMs: number[] };
/** Point reads of the same number of connections without and beside eight exports. */
export type BesideSeries = {
  connections: number;
  idle: { p50Ms: number; p99Ms: number }[];
  beside: { p50Ms: number; p99Ms: number }[];
};
export type ExportResults = {
  encoders: Record<string, ExportSeries>;
  beside: BesideSeries[];
  /** Growth of anonymous memory in MB, one value for each fresh server; empty where the system does not tell. */
  memory: Record<MemoryCase, number[]>;
};

export type MemoryCase = keyof typeof memoryCases;
const memoryCases = {
  one: { readers: 1, bytesPerSecond: null },
  eightFast: { readers: 8, bytesPerSecond: null },
  eightSlow: { readers: 8, bytesPerSecond: 1e6 },
} as const;

const besideConnections = [1, 8, 64] as const;
const exportSlots = 8;
const secondsMax = 10;
const memoryRoundsMax = 3;
const memorySeconds = 2;
const memorySampleMs = 20;

type Parts = { data: DataSet; load: Child; cores: Cores; options: Options; progress: Progress };

export async function measureExports(parts: Parts): Promise<ExportResults> {
  const { data, cores, progress, options } = parts;
  progress.phase("starting servers for exports", exportServerNames.length);
  const servers = await startServers(exportServerNames, async (name) => {
    progress.advance(1);
    return MeasuredServer.start(name, data, cores, name === "full-stack" ? options.cpuProf : null);
  });
  try {
    const encoders = await measureEncoders(parts, servers);
    const beside = await measureBeside(parts, servers.get("full-stack")!);
    return { encoders, beside, memory: await measureMemory(parts) };
  } finally {
    await stopServers(servers);
  }
}

async function measureEncoders(
  { data, load, options, progress }: Parts,
  servers: ReadonlyMap<string, MeasuredServer>,
): Promise<Record<string, ExportSeries>> {
  const series: Record<string, ExportSeries> = {};
  for (const name of servers.keys()) series[name] = { mbPerS: [], cpuMsPerMb: [], firstByteMs: [] };
  progress.phase("exports, measurements", options.rounds * servers.size);
  const seconds = Math.min(options.seconds, secondsMax);
  for (let round = 0; round < options.rounds; round += 1) {
    const keys = [data.keys[(exportSlots + round) % data.keys.length]!];
    for (const [name, server] of orderOf([...servers], round)) {
      const order: DownloadOrder = { port: server.port, keys, seconds, bytesPerSecond: null };
      if (round === 0) await load.call("download", { ...order, seconds: 0 });
      const figures = await server.during(() => load.call<DownloadFigures>("download", order));
      const megabytes = figures.bytes / 1e6;
      series[name]!.mbPerS.push(megabytes / figures.seconds);
      series[name]!.cpuMsPerMb.push(figures.cpuUs / 1000 / megabytes);
      series[name]!.firstByteMs.push(median(figures.firstByteMs));
      progress.advance(1);
    }
  }
  return series;
}

async function measureBeside({ data, load, options, progress }: Parts, server: MeasuredServer) {
  const all: BesideSeries[] = besideConnections.map((connections) => ({ connections, idle: [], beside: [] }));
  const seconds = Math.min(options.seconds, secondsMax);
  const port = server.port;
  progress.phase("point reads beside eight exports, measurements", options.rounds * all.length * 2);
  for (let round = 0; round < options.rounds; round += 1) {
    for (const series of all) {
      const keys = [data.keys.at(-1 - (round % exportSlots))!];
      const order: PointOrder = { port, connections: series.connections, keys, items: data.items };
      await load.call("openReaders", order);
      await load.call("read", Math.min(options.seconds, 0.3));
      series.idle.push(latencies(await load.call<PointFigures>("read", seconds)));
      progress.advance(1);
      const exporters = data.keys.slice(0, exportSlots);
      const download: DownloadOrder = { port, keys: exporters, seconds, bytesPerSecond: null };
      const [figures] = await Promise.all([
        load.call<PointFigures>("read", seconds),
        load.call<DownloadFigures>("download", download),
      ]);
      series.beside.push(latencies(figures));
      await load.call("closeReaders");
      progress.advance(1);
    }
  }
  return all;
}

function latencies({ p50Ms, p99Ms }: PointFigures) {
  return { p50Ms, p99Ms };
}

/** Each case on a fresh server that has done everything once: what was compiled and kept for good does not count. */
async function measureMemory({ data, load, cores, options, progress }: Parts): Promise<Record<MemoryCase, number[]>> {
  const growth: Record<MemoryCase, number[]> = { one: [], eightFast: [], eightSlow: [] };
  const rounds = Math.min(options.rounds, memoryRoundsMax);
  const cases = Object.entries(memoryCases) as [MemoryCase, { readers: number; bytesPerSecond: number | null }][];
  progress.phase("memory of exports, measurements", rounds * cases.length);
  for (let round = 0; round < rounds; round += 1) {
    for (const [name, { readers, bytesPerSecond }] of cases) {
      const server = await MeasuredServer.start("full-stack", data, cores);
      try {
        const keys = data.keys.slice(0, readers);
        const order: DownloadOrder = { port: server.port, keys, seconds: 0, bytesPerSecond: null };
        await load.call("download", { ...order, keys: keys.slice(0, 1) });
        const seconds = bytesPerSecond === null ? 0 : Math.min(options.seconds, memorySeconds);
        const grown = await growthDuring(server.pid, load.call("download", { ...order, seconds, bytesPerSecond }));
        if (grown !== null) growth[name].push(grown);
      } finally {
        await server.stop();
      }
      progress.advance(1);
    }
  }
  return growth;
}

/** How far anonymous memory rises above where it began, until `work` is done. */
async function growthDuring(pid: number, work: Promise<unknown>): Promise<number | null> {
  const before = anonymousMb(pid);
  if (before === null) {
    await work;
    return null;
  }
  let peak = before;
  const sample = () => {
    peak = Math.max(peak, anonymousMb(pid) ?? 0);
  };
  const timer = setInterval(sample, memorySampleMs);
  try {
    await work;
    sample();
  } finally {
    clearInterval(timer);
  }
  return peak - before;
}
