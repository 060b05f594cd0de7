import { type Child, startChild } from "./child.ts";
import { openConnections, type RequestOrder } from "./load.ts";
import type { Setup } from "./peers/listening.ts";
import { type ServerName, writingServers } from "./peers/names.ts";
import type { Bench } from "./rounds.ts";

/** A server in a process of its own, on the server's core. */
export type Server = { port: number; child: Child<typeof import("./server.ts")> };
/** A server on the files of the data set, or the full stack on others, by a key of its own. */
type Named<Key> = (Key & ServerName) | { key: Key; setup: Setup };

/** Starts servers one after another, runs `work` with them and stops them. */
export async function withServers<Key extends string, Result>(
  { data, cores }: Bench,
  names: readonly Named<Key>[],
  work: (servers: Readonly<Record<Key, Server>>) => Promise<Result>,
): Promise<Result> {
  const servers: Record<string, Server> = {};
  try {
    for (const named of names) {
      const { key, setup } = typeof named === "object" ? named : { key: named, setup: null };
      const name = typeof named === "object" ? "full-stack" : named;
      const child: Server["child"] = startChild("./server.ts", cores.server);
      servers[key] = { port: 0, child };
      const files = setup ?? data.setup(writingServers.has(name));
      servers[key].port = await child.call("start", { name, setup: files });
    }
    return await work(servers as Record<Key, Server>);
  } finally {
    await Promise.all(Object.values(servers).map(({ child }) => child.stop()));
  }
}

/** Runs `work` and adds the CPU time of all the server's threads meanwhile, µs. */
export async function withCpu<Result>({ child }: Server, work: () => Promise<Result>) {
  const before = await child.call("cpuUs");
  const result = await work();
  return { ...result, cpuUs: (await child.call("cpuUs")) - before };
}

/** Durations of a measurement; `beside` is work that goes on during it. */
export type Timing = { seconds: number; warmUpSeconds?: number; beside?: () => Promise<unknown> };

/**
 * Measures requests after a warm-up on the same connections. `core %` and `load core %` are the shares of a core that the server
 * and the load generator used: well under 100 % for both means that other work on the machine held them up.
 */
export async function measureRequests(
  { options }: Bench,
  server: Server,
  order: Omit<RequestOrder, "port">,
  { seconds, warmUpSeconds = 0.3, beside = async () => undefined }: Timing,
) {
  const { run, close } = await openConnections({ ...order, port: server.port });
  await run(Math.min(options.seconds, warmUpSeconds));
  const figures = await withCpu(server, async () => (await Promise.all([run(seconds), beside()]))[0]);
  close();
  const { cpuUs, requests, loadCpuUs, bytes, histogram } = figures;
  return {
    "req/s": requests / figures.seconds,
    "CPU µs/req": cpuUs / requests,
    "core %": cpuUs / 1e4 / figures.seconds,
    "load core %": loadCpuUs / 1e4 / figures.seconds,
    "p50 ms": histogram.percentile(50) / 1000,
    "p99 ms": histogram.percentile(99) / 1000,
    bytes: bytes / requests,
  };
}
