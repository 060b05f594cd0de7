import { download } from "./downloads.ts";
import { anonymousMb } from "./machine.ts";
import { type ExportServer, exportServers } from "./peers/names.ts";
import { type Bench, type Figures, measureRounds, pick, type Table, type Tables } from "./rounds.ts";
import { measureRequests, type Server, withCpu, withServers } from "./servers.ts";
import { median } from "./statistics.ts";

/** The service runs so many exports at once. */
const exportSlots = 8;
const memoryRoundsMax = 3;
const memorySecondsMax = 2;
const memorySampleMs = 20;

/** Measures exports beside their peers, point reads beside exports, and the memory that exports take. */
export async function measureExports(bench: Bench): Promise<Tables> {
  return withServers(bench, exportServers, async (servers) => ({
    export: await measureServers(bench, servers),
    "export beside": await measureBeside(bench, servers["full-stack"]),
    "export memory": await measureMemory(bench),
  }));
}

/** Measures whole exports. Rates are of records, however few bytes they were compressed to. */
async function measureServers(bench: Bench, servers: Record<ExportServer, Server>): Promise<Table> {
  const { data, options } = bench;
  const plain = Object.entries(servers).map(([name, server]) => [name, { server, gzip: false }]);
  const cases: Record<string, { server: Server; gzip: boolean }> = Object.fromEntries(plain);
  cases["full-stack, gzip"] = { server: servers["full-stack"], gzip: true };
  const measure = async ({ server, gzip }: { server: Server; gzip: boolean }, round: number) => {
    // A key for exports alone: an account has only so many starts in a day, and one at a time.
    const keys = [data.keys[(exportSlots + round) % data.keys.length]!];
    const order = { port: server.port, keys, seconds: options.seconds, gzip };
    if (round === 0) await download({ ...order, seconds: 0 });
    const { exports, seconds, bytes, firstByteMs, cpuUs } = await withCpu(server, () => download(order));
    const megabytes = (data.exportBytes * exports) / 1e6;
    return {
      "MB/s": megabytes / seconds,
      "CPU ms/MB": cpuUs / 1000 / megabytes,
      "first byte ms": median(firstByteMs),
      "MB sent": bytes / 1e6 / exports,
    };
  };
  const title = `Export, ${(data.exportBytes / 1e6).toFixed(1)} MB, one reader`;
  const compared = [{ figure: "MB/s" }, { figure: "MB sent" }];
  return { title, cases: await measureRounds(bench, "exports", cases, measure), compared };
}

/** Measures point reads without and beside eight exports. */
async function measureBeside(bench: Bench, server: Server): Promise<Table> {
  const { data, options } = bench;
  const { seconds } = options;
  const cases: Record<string, { connections: number; gzip: boolean | null }> = {};
  for (const connections of [1, 8, 64]) {
    cases[`${connections} connections`] = { connections, gzip: null };
    cases[`${connections} connections, beside 8 exports`] = { connections, gzip: false };
  }
  cases["64 connections, beside 8 compressed exports"] = { connections: 64, gzip: true };
  const measure = async ({ connections, gzip }: { connections: number; gzip: boolean | null }, round: number) => {
    const keys = [data.keys.at(-1 - (round % exportSlots))!];
    const order = { connections, keys, target: "/v1/items/{item}", items: data.items };
    const exports = { port: server.port, keys: data.keys.slice(0, exportSlots), seconds };
    const beside = async () => (gzip === null ? undefined : download({ ...exports, gzip }));
    return pick(await measureRequests(bench, server, order, { seconds, beside }), "p50 ms", "p99 ms");
  };
  return {
    title: "Point reads, idle and beside 8 exports",
    cases: await measureRounds(bench, "point reads beside exports", cases, measure),
    compared: [{ figure: "p50 ms" }, { figure: "p99 ms" }],
  };
}

/** Measures each case on a fresh server that has done everything once: what was compiled and kept for good does not count. */
async function measureMemory(bench: Bench): Promise<Table> {
  const { data, options } = bench;
  const cases: Record<string, { readers: number; bytesPerSecond?: number }> = {
    "1 export": { readers: 1 },
    "8 fast exports": { readers: exportSlots },
    "8 slow exports": { readers: exportSlots, bytesPerSecond: 1e6 },
  };
  const measure = ({ readers, bytesPerSecond }: { readers: number; bytesPerSecond?: number }) =>
    withServers(bench, ["full-stack"], async ({ "full-stack": { port, child } }) => {
      const keys = data.keys.slice(0, readers);
      await download({ port, keys: keys.slice(0, 1), seconds: 0 });
      const seconds = bytesPerSecond === undefined ? 0 : Math.min(options.seconds, memorySecondsMax);
      return growthDuring(child.pid, download({ port, keys, seconds, bytesPerSecond }));
    });
  const rounds = Math.min(options.rounds, memoryRoundsMax);
  const title = "Growth of anonymous memory";
  return { title, cases: await measureRounds(bench, "memory of exports", cases, measure, rounds) };
}

/** Returns how far anonymous memory rises above where it began until `work` is done; nothing where the system does not tell. */
async function growthDuring(pid: number, work: Promise<unknown>): Promise<Figures> {
  const before = anonymousMb(pid);
  let peak = before ?? 0;
  const sample = () => {
    peak = Math.max(peak, anonymousMb(pid) ?? 0);
  };
  const timer = setInterval(sample, memorySampleMs);
  await work.finally(() => clearInterval(timer));
  sample();
  return before === null ? {} : { MB: peak - before };
}
