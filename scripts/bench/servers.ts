import { spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { serverFlags } from "../../src/launch.cjs";
import { childProgram, translationFolder } from "../support/child-program.ts";
import type { Setup } from "./data-set.ts";
import { type DownloadOrder, download, type RequestOrder, sendRequests } from "./load.ts";
import { anonymousMb } from "./machine.ts";
import type { ServerName } from "./peers/servers.ts";
import { median } from "./statistics.ts";
import type { Bench, Closing, Measure } from "./table.ts";

export type ServerOrder = { name: ServerName; setup: Setup };
/** A server in a process of its own, on the server's core. `cpuUs`: the CPU time of all its threads so far, µs. */
type Server = { port: number; pid: number; cpuUs(): Promise<number> };
export type Servers<Key extends string> = Readonly<Record<Key, Server>>;

const root = new URL("../../", import.meta.url);
const warmUpSeconds = 0.3;
/** The code of a server is compiled in the first round. */
const firstWarmUpSeconds = 2;
const memorySampleMs = 20;
let shipped: Promise<string> | undefined;

/** Translates the service as a package holds it. Returns the file's path. */
async function translateApp(): Promise<string> {
  const source = "src/app.ts";
  const folder = translationFolder();
  const { bundle } = await import(new URL("src/bundle.mjs", root).href);
  await bundle(fileURLToPath(root), folder, [source]);
  return join(folder, source.replace(/\.ts$/, ".cjs"));
}

/** Starts servers one after another. What an order leaves out: the full stack, on a copy of the files of the data set. */
export async function startServers<Key extends string>(
  { data, cores }: Bench,
  closing: Closing,
  orders: Readonly<Record<Key, Partial<ServerOrder>>>,
): Promise<Servers<Key>> {
  const started: Record<string, Server> = {};
  for (const [key, order] of Object.entries<Partial<ServerOrder>>(orders)) {
    const { name = "full-stack", setup = data.copy() } = order;
    started[key] = await startServer({ name, setup }, cores.server, closing);
  }
  return started as Servers<Key>;
}

async function startServer(order: ServerOrder, core: string | null, closing: Closing): Promise<Server> {
  shipped ??= translateApp();
  const program = await childProgram(new URL("./child.ts", import.meta.url));
  const flags = order.name === "full-stack" || order.name === "uncharged" ? serverFlags : [];
  const words = [process.execPath, ...flags, program, JSON.stringify(order)];
  const [command = "", ...rest] = core === null ? words : ["taskset", "-c", core, ...words];
  const env = { ...process.env, NODE_ENV: "production", ITEMTAPE_BENCH_APP: await shipped };
  const child = spawn(command, rest, { env, stdio: ["ignore", "inherit", "inherit", "ipc"] });
  const ended = once(child, "exit");
  const message = async (): Promise<number> => {
    const [answer] = await Promise.race([once(child, "message"), ended.then(() => [])]);
    if (answer === undefined) throw new Error(`the server ${order.name} ended`);
    return answer;
  };
  closing.push(async () => {
    if (child.connected) child.disconnect();
    await ended;
  });
  const cpuUs = () => {
    child.send("cpuUs");
    return message();
  };
  return { port: await message(), pid: child.pid ?? 0, cpuUs };
}

/** What a row sends: `accounts` (one, if left out) take turns; ids go from `itemsFrom` to `itemsTo`, or to the last. */
export type Requests = Omit<RequestOrder, "port" | "keys" | "items"> & {
  accounts?: number;
  itemsFrom?: number;
  itemsTo?: number;
};

/**
 * Returns a measurement of requests to a server. With `beside` they last as long as that work. Server and load generator tell the share
 * of a core that they used: well under 100 % for both means that other work on the machine held them up.
 */
export function requests<Key extends string>(
  key: Key,
  { accounts = 1, itemsFrom = 1, itemsTo = Number.POSITIVE_INFINITY, ...request }: Requests,
  beside?: Measure<Servers<Key>>,
): Measure<Servers<Key>> {
  return async (servers, round, bench) => {
    const { port, cpuUs } = servers[key];
    const { data, options } = bench;
    const items = { first: itemsFrom, last: Math.min(itemsTo, data.items) };
    const { run, close } = await sendRequests({ ...request, port, items, keys: data.keysOf(round, accounts) });
    await run(wait(1000 * Math.min(options.seconds, round === 0 ? firstWarmUpSeconds : warmUpSeconds)));
    const before = await cpuUs();
    const work = Promise.resolve(beside?.(servers, round, bench) ?? wait(options.seconds * 1000));
    const [load] = await Promise.all([run(work), work]);
    const usedUs = (await cpuUs()) - before;
    close();
    return {
      "req/s": load.requests / load.seconds,
      "CPU µs/req": usedUs / load.requests,
      "core %": usedUs / 1e4 / load.seconds,
      "load core %": load.cpuUs / 1e4 / load.seconds,
      "p50 ms": load.histogram.percentile(50) / 1000,
      "p99 ms": load.histogram.percentile(99) / 1000,
      bytes: load.bytes / load.requests,
    };
  };
}

type Downloads = Pick<DownloadOrder, "gzip" | "bytesPerSecond"> & { readers?: number };

/**
 * Returns a measurement of whole exports. Rates are of records, however few bytes they were compressed to. `MB grown`: how far anonymous
 * memory rose above where it began, of a server that had done everything once; left out where the system does not tell.
 */
export function downloads<Key extends string>(key: Key, { readers = 1, ...order }: Downloads): Measure<Servers<Key>> {
  return async (servers, round, { data, options: { seconds } }) => {
    const { port, pid, cpuUs } = servers[key];
    // Other accounts in each round: one has only so many starts in a day.
    const exports = { ...order, port, keys: data.keysOf(round, readers), seconds };
    if (round === 0) await download({ ...exports, keys: exports.keys.slice(0, 1), bytesPerSecond: null, seconds: 0 });
    const [beforeUs, beforeMb] = [await cpuUs(), anonymousMb(pid)];
    let peakMb = beforeMb ?? 0;
    const timer = setInterval(() => {
      peakMb = Math.max(peakMb, anonymousMb(pid) ?? 0);
    }, memorySampleMs);
    const taken = await download(exports).finally(() => clearInterval(timer));
    const megabytes = (data.exportBytes * taken.exports.length) / 1e6;
    return {
      "MB/s": megabytes / taken.seconds,
      "CPU ms/MB": ((await cpuUs()) - beforeUs) / 1000 / megabytes,
      "first byte ms": median(taken.exports.map(({ firstByteMs }) => firstByteMs)),
      "MB sent": median(taken.exports.map(({ bytes }) => bytes)) / 1e6,
      ...(beforeMb !== null && { "MB grown": peakMb - beforeMb }),
    };
  };
}
