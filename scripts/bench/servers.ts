import { type Child, startChild } from "./child.ts";
import { openConnections, type RequestOrder } from "./load.ts";
import type { Setup } from "./peers/listening.ts";
import type { Bench, Figures } from "./rounds.ts";
import type { ServerName } from "./server.ts";

/** A server in a process of its own, on the server's core. */
export type Server = { port: number; child: Child<typeof import("./server.ts")> };
/** A server on the files of the data set, or one on others, by a key of its own; `name` left out: the full stack. */
type Named<Key> = (Key & ServerName) | { key: Key; name?: ServerName; setup: Setup };

/** Servers that write into their database file. */
const writing: ReadonlySet<ServerName> = new Set(["fastify-fsync", "full-stack", "uncharged"]);

/** Starts servers one after another, runs `work` with them and stops them. */
export async function withServers<Key extends string, Result>(
  { data, cores }: Bench,
  names: readonly Named<Key>[],
  work: (servers: Readonly<Record<Key, Server>>) => Promise<Result>,
): Promise<Result> {
  const servers: Record<string, Server> = {};
  try {
    for (const named of names) {
      const [key, name] = typeof named === "object" ? [named.key, named.name ?? "full-stack"] : [named, named];
      const child: Server["child"] = await startChild("./server.ts", cores.server);
      servers[key] = { port: 0, child };
      const setup = typeof named === "object" ? named.setup : data.setup(writing.has(name));
      servers[key].port = await child.call("start", { name, setup });
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

/** Requests to measure after a warm-up on the same connections. `beside` is work that goes on during the measurement. */
export type Measurement = Omit<RequestOrder, "port" | "items"> & {
  /** Items of the server's file; left out: those of the data set. */
  items?: number;
  seconds: number;
  warmUpSeconds?: number;
  beside?: (() => Promise<unknown>) | undefined;
};

/**
 * Measures requests and returns the figures of these names. `core %` and `load core %` are the shares of a core that the server
 * and the load generator used: well under 100 % for both means that other work on the machine held them up.
 */
export async function measureRequests(
  { data, options }: Bench,
  server: Server,
  { seconds, warmUpSeconds = 0.3, beside = async () => undefined, ...order }: Measurement,
  names: readonly string[],
): Promise<Figures> {
  const { run, close } = await openConnections({ items: data.items, ...order, port: server.port });
  await run(Math.min(options.seconds, warmUpSeconds));
  const measured = await withCpu(server, async () => (await Promise.all([run(seconds), beside()]))[0]);
  close();
  const { cpuUs, requests, loadCpuUs, bytes, histogram } = measured;
  const figures: Figures = {
    "req/s": requests / measured.seconds,
    "CPU µs/req": cpuUs / requests,
    "core %": cpuUs / 1e4 / measured.seconds,
    "load core %": loadCpuUs / 1e4 / measured.seconds,
    "p50 ms": histogram.percentile(50) / 1000,
    "p99 ms": histogram.percentile(99) / 1000,
    bytes: bytes / requests,
  };
  return Object.fromEntries(names.map((name) => [name, figures[name]!]));
}
