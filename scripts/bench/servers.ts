import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, mkdtempSync, rmSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { setTimeout as wait } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { lazy } from "../../src/values/lazy.ts";
import { builtEntry } from "../../src/values/root.ts";
import { bundle, programEntries } from "../support/bundle.ts";
import { childProgram } from "../support/child-program.ts";
import { median } from "../support/numbers.ts";
import { processorTime } from "../support/processor.ts";
import type { Closing, Setup } from "./data-set.ts";
import { type DownloadOrder, download, type RequestOrder, sendRequests } from "./load.ts";
import { anonymousMb } from "./machine.ts";
import { peers, type ServerName } from "./peers/servers.ts";
import type { Bench, Figures, Measure } from "./table.ts";

/** What the service is called where a table has several of it. */
type ServiceName = "service" | "one" | "other" | "fast" | "slow" | "file" | "PostgreSQL" | "publisher" | "follower";
type Name = ServerName | ServiceName;
export type ServerOrder = { name: Name; setup: Setup };
/** A server in a process of its own, on the server's core. `cpuUs`: the CPU time of all its threads so far, µs. */
type Server = { port: number; pid: number; cpuUs(): Promise<number> };
/** By their names. */
export type Servers = Readonly<Record<string, Server>>;

const warmUpSeconds = 0.3;
/** The code of a server is compiled in the first round. */
const firstWarmUpSeconds = 2;
const memorySampleMs = 20;
const root = fileURLToPath(new URL("../../", import.meta.url));
const program = join(root, "src/cli/itemtape.mjs");
/** As `src/cli/itemtape.mjs` sets them in a server. */
const serverFlags = ["--heap-growing-percent=100", "--expose-gc"];
const lookEveryMs = 10;

/** Builds the service as a package contains it, once, in a folder from which the packages of the checkout are found. Resolves to the file's path. */
const buildApp = lazy(async () => {
  const cache = join(root, "node_modules/.cache");
  mkdirSync(cache, { recursive: true });
  const folder = mkdtempSync(join(cache, "itemtape-bench-"));
  process.once("exit", () => rmSync(folder, { recursive: true, force: true }));
  const app = "src/app.ts";
  await bundle({ root, entries: [app, ...programEntries], outdir: folder });
  for (const name of ["db", "generated", "openapi.yaml", "package.json", "src"])
    symlinkSync(join(root, name), join(folder, name));
  return join(folder, builtEntry(app));
});

/** Starts servers one after another by their names. */
export async function startServers(
  { cores }: Bench,
  closing: Closing,
  setups: Partial<Record<Name, Setup>>,
): Promise<Servers> {
  const started: Record<string, Server> = {};
  for (const [name, setup] of Object.entries(setups) as [Name, Setup][])
    started[name] = await startServer({ name, setup }, cores.server, closing);
  return started;
}

/** Returns what starts servers, each on a copy of the files of the data set. */
export function serversOn(...names: readonly Name[]) {
  return (bench: Bench, closing: Closing) =>
    startServers(bench, closing, Object.fromEntries(names.map((name) => [name, bench.data.copy()])));
}

async function startServer(order: ServerOrder, core: string | null, closing: Closing): Promise<Server> {
  const flags = order.name in peers ? [] : serverFlags;
  const pinned = core === null ? [] : ["taskset", "-c", core];
  const own = childProgram(new URL("./child.ts", import.meta.url));
  const [command = "", ...words] = [...pinned, process.execPath, ...flags, ...own, JSON.stringify(order)];
  const env = { ...process.env, NODE_ENV: "production", ITEMTAPE_BENCH_APP: await buildApp() };
  const child = spawn(command, words, { env, stdio: ["inherit", "inherit", "inherit", "ipc"] });
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
export function requests(
  server: string,
  { accounts = 1, itemsFrom = 1, itemsTo = Number.POSITIVE_INFINITY, ...request }: Requests,
  beside?: Measure<Servers>,
): Measure<Servers> {
  return async (servers, round, bench) => {
    const { port, cpuUs } = servers[server]!;
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
export function downloads(server: string, { readers = 1, ...order }: Downloads): Measure<Servers> {
  return async (servers, round, { data, options: { seconds } }) => {
    const { port, pid, cpuUs } = servers[server]!;
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

/** Returns the processes whose processor time is measured from their first instruction to their end; null where the system does not tell. */
export async function openStart({ data }: Bench) {
  if (processorTime("self") === null) return null;
  const db = join(data.folder, "demo.db");
  const makeDemo = () => {
    rmSync(db, { force: true });
    run(program, "db", "demo", "--reset", "--db", db);
  };
  // Code that is compiled once is kept for all later runs.
  makeDemo();
  await startAndStop(db);
  return {
    empty: () => processorOf(() => run("-e", "0")),
    demo: () => processorOf(makeDemo),
    start: () => processorOf(() => startAndStop(db)),
  };
}

/** Returns the processor seconds of the children that end while `work` runs. */
async function processorOf(work: () => void | Promise<void>): Promise<Figures> {
  const before = processorTime("self")!.children;
  await work();
  return { "CPU s": processorTime("self")!.children - before };
}

function run(...words: string[]): void {
  const { status } = spawnSync(process.execPath, words, { stdio: ["ignore", "ignore", "inherit"] });
  if (status !== 0) throw new Error(`\`${words.join(" ")}\` ended with ${status}`);
}

async function startAndStop(db: string): Promise<void> {
  const words = ["start", "--db", db, "--port", "0", "--ops-port", "0", "--log-level", "warn"];
  const child = spawn(process.execPath, [program, ...words], { stdio: ["ignore", "pipe", "inherit"] });
  const ended = once(child, "exit");
  let address: string | undefined;
  for await (const line of createInterface(child.stdout)) {
    address = /\/ready and \/metrics are on (http:\S+)$/.exec(line)?.[1];
    if (address !== undefined) break;
  }
  while (!(await fetch(`${address}/ready`)).ok) await wait(lookEveryMs);
  child.kill("SIGTERM");
  const [code] = await ended;
  if (code !== 0) throw new Error(`a server ended with ${code}`);
}
