import type { Progress } from "../../src/values/progress.ts";
import type { Child } from "./channel.ts";
import type { DataSet } from "./data-set.ts";
import type { PointFigures, PointOrder } from "./load/point-readers.ts";
import type { Cores } from "./machine.ts";
import { MeasuredServer, startServers, stopServers } from "./measured-server.ts";
import type { Options } from "./options.ts";

/**
 * One value for each round. `coreShare`: how much of one core the server got, `loadShare` the generator: where both are well
 * under 1, other work on the machine held them up and the rate says little.
 */
export type PointSeries = {
  requestsPerS: number[];
  cpuUs: number[];
  coreShare: number[];
  loadShare: number[];
  p50Ms: number[];
  p99Ms: number[];
};
export type PointResults = Record<string, PointSeries>;

export const connections = 64;
/** A year of charges fits in no month: how many requests one account is sent at most in a run. */
const requestsPerAccount = 900_000;
const requestsPerSMax = 60_000;
const firstWarmUpS = 2;
const warmUpS = 0.3;
/** The full stack again with a key for each connection: a batch of charges then touches as many accounts. */
export const manyAccounts = "full-stack, 64 accounts";

type Measured = { name: string; server: string; accounts: number };
type Parts = { data: DataSet; load: Child; cores: Cores; options: Options; progress: Progress };

/** Accounts that a round needs so that none reaches its month's end. */
export function accountsPerRound(seconds: number): number {
  return Math.ceil(((seconds + firstWarmUpS) * requestsPerSMax) / requestsPerAccount);
}

/** Measures the point-read servers in turn, `rounds` times, each time in another order. */
export async function measurePoint(parts: Parts): Promise<PointResults> {
  const { data, cores, options, progress } = parts;
  progress.phase("starting servers for point reads", options.servers.length);
  const servers = await startServers(options.servers, async (name) => {
    progress.advance(1);
    return MeasuredServer.start(name, data, cores, name === "full-stack" ? options.cpuProf : null);
  });
  const results: PointResults = {};
  try {
    const all = measuredOf(options);
    for (const { name } of all)
      results[name] = { requestsPerS: [], cpuUs: [], coreShare: [], loadShare: [], p50Ms: [], p99Ms: [] };
    progress.phase("point reads, measurements", options.rounds * all.length);
    for (let round = 0; round < options.rounds; round += 1) {
      for (const measured of orderOf(all, round)) {
        record(results[measured.name]!, await measure(parts, servers.get(measured.server)!, measured, round));
        progress.advance(1);
      }
    }
    return results;
  } finally {
    await stopServers(servers);
  }
}

function measuredOf({ servers, seconds }: Options): Measured[] {
  const accounts = accountsPerRound(seconds);
  const all = servers.map((name) => ({ name, server: name, accounts }));
  if (servers.includes("full-stack"))
    all.push({ name: manyAccounts, server: "full-stack", accounts: Math.max(connections, accounts) });
  return all;
}

/** Neighbours and places change, so that none always follows the same one. */
export function orderOf<T>(all: readonly T[], round: number): T[] {
  const turned = all.map((_, index) => all[(index + round) % all.length] as T);
  return round % 2 === 0 ? turned : turned.reverse();
}

async function measure(parts: Parts, server: MeasuredServer, { accounts }: Measured, round: number) {
  const { data, load, options } = parts;
  const keys = Array.from(
    { length: accounts },
    (_, index) => data.keys[(round * accounts + index) % data.keys.length]!,
  );
  const order: PointOrder = { port: server.port, connections, keys, items: data.items };
  await load.call("openReaders", order);
  await load.call("read", Math.min(options.seconds, round === 0 ? firstWarmUpS : warmUpS));
  const figures = await server.during(() => load.call<PointFigures>("read", options.seconds));
  await load.call("closeReaders");
  return figures;
}

function record(series: PointSeries, figures: PointFigures & { cpuUs: number }): void {
  series.requestsPerS.push(figures.requests / figures.seconds);
  series.cpuUs.push(figures.cpuUs / figures.requests);
  series.coreShare.push(figures.cpuUs / 1e6 / figures.seconds);
  series.loadShare.push(figures.loadCpuUs / 1e6 / figures.seconds);
  series.p50Ms.push(figures.p50Ms);
  series.p99Ms.push(figures.p99Ms);
}
