import { type ChildProcess, spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { existsSync, readFileSync } from "node:fs";
import { get } from "node:http";
import { createInterface } from "node:readline";
import { text } from "node:stream/consumers";
import { setTimeout as wait } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { processorTime } from "../support/processor.ts";

/** A measured subject: a checkout folder with a trailing slash, or null for a peer. */
export type Subject = { name: string; folder: string | null };

/** A server to start. `folder`: the checkout with a trailing slash, null for the peer `name`. */
export type ServerOrder = { name: string; folder: string | null; database: string; rows: string; exportFile: string };
export type Running = { port: number; close(): unknown };

/** The flags that `src/cli/itemtape.mjs` sets for a server. */
const serverFlags = ["--heap-growing-percent=125", "--expose-gc"];
const checkIntervalMs = 20;
const pollEveryMs = 500;
const outputBytesMax = 2 ** 24;

/**
 * A server in a separate process. `cpuUs`: processor time of all its threads so far, µs. `uses` resolves when it has used the given
 * additional time.
 */
export type Server = {
  port: number;
  cpuUs(): Promise<number>;
  uses(seconds: number): Promise<void>;
  close(): Promise<void>;
};

/** Starts the service of a checkout on that checkout's Node, or a peer. */
export async function startServer(order: ServerOrder): Promise<Server> {
  const child = spawn(
    nodeOf(order.folder),
    [
      ...(order.folder === null ? [] : flagsOf(order.folder)),
      fileURLToPath(new URL("./child.ts", import.meta.url)),
      JSON.stringify(order),
    ],
    { env: { ...process.env, NODE_ENV: "production" }, stdio: ["inherit", "inherit", "inherit", "ipc"] },
  );
  const ended = once(child, "exit");
  const message = async (): Promise<number> => {
    const [answer] = await Promise.race([once(child, "message"), ended.then(() => [])]);
    if (answer === undefined) throw new Error(`the server ${order.name} ended`);
    return answer;
  };
  const cpuUs = () => {
    child.send("cpuUs");
    return message();
  };
  return {
    port: await message(),
    cpuUs,
    async uses(seconds) {
      const endUs = (await cpuUs()) + 1e6 * seconds;
      while ((await cpuUs()) < endUs) await wait(checkIntervalMs);
    },
    async close() {
      if (child.connected) child.disconnect();
      await ended;
    },
  };
}

/** Starts `serve` of a checkout with its command line, and resolves when it is ready. */
export async function startProgram(folder: string, words: readonly string[]) {
  const all = ["serve", ...words, "--port", "0", "--ops-port", "0", "--log-level", "warn"];
  const child = spawnProgram(folder, all, "pipe");
  let address: string | undefined;
  let port: string | undefined;
  for await (const line of createInterface(child.stdout!)) {
    address ??= /\/ready and \/metrics are on (http:\S+)$/.exec(line)?.[1];
    port = / listens on http:\S+:([0-9]+),/.exec(line)?.[1];
    if (port !== undefined) break;
  }
  while (!(await fetch(`${address}/ready`)).ok) await wait(checkIntervalMs);
  return {
    pid: child.pid!,
    port: Number(port),
    /** Resolves when a metric, named with its labels, is at least `value`. */
    async reaches(metric: string, value: number): Promise<void> {
      const isReached = async () => {
        // Uses a new connection, because the server may have closed an idle one while a command ran.
        const [answer] = await once(get(`${address}/metrics`, { agent: false }), "response");
        return (await text(answer))
          .split("\n")
          .some((line) => line.startsWith(`${metric} `) && Number(line.slice(metric.length)) >= value);
      };
      while (!(await isReached())) await wait(pollEveryMs);
    },
    async stop() {
      child.kill("SIGTERM");
      const [code] = await once(child, "exit");
      if (code !== 0) throw new Error(`a server ended with ${code}`);
    },
  };
}

/**
 * Runs a command of a checkout. Resolves to its largest resident memory, MB.
 * @throws {Error} unless it succeeds.
 */
export async function peakOfCommand(folder: string, ...words: string[]): Promise<number> {
  const child = spawnProgram(folder, words, "ignore");
  let peak = 0;
  const timer = setInterval(() => {
    peak = Math.max(peak, peakMb(child.pid!));
  }, checkIntervalMs);
  const [code] = await once(child, "exit");
  clearInterval(timer);
  if (code !== 0) throw new Error(`\`${words.join(" ")}\` ended with ${code}`);
  return peak;
}

/**
 * Runs a command of a checkout to its end, prefixed with the programs `before`. Returns its output.
 * @throws {Error} unless it succeeds.
 */
export function runCommand(folder: string, words: readonly string[], before: readonly string[] = []): string {
  const [program = "", ...all] = [...before, nodeOf(folder), programOf(folder), ...words];
  const { status, stdout, stderr } = spawnSync(program, all, { encoding: "utf8", maxBuffer: outputBytesMax });
  if (status !== 0) throw new Error(`\`${words.join(" ")}\` ended with ${status}: ${stderr}`);
  return stdout;
}

/** Returns the processor seconds of the children that end while `work` runs. */
export async function secondsOf(work: () => unknown): Promise<number> {
  const before = processorTime("self")!.children;
  await work();
  return processorTime("self")!.children - before;
}

/** Returns the largest resident memory of a process so far, MB; 0 if it has ended. */
export function peakMb(pid: number): number {
  const path = `/proc/${pid}/status`;
  return existsSync(path)
    ? (Number(/^VmHWM:\s+(\d+) kB$/m.exec(readFileSync(path, "utf8"))?.[1] ?? 0) * 1024) / 1e6
    : 0;
}

function spawnProgram(folder: string, words: readonly string[], stdout: "pipe" | "ignore"): ChildProcess {
  return spawn(nodeOf(folder), [programOf(folder), ...words], { stdio: ["ignore", stdout, "inherit"] });
}

function programOf(folder: string): string {
  return `${folder}src/cli/itemtape.mjs`;
}

function nodeOf(folder: string | null): string {
  const own = `${folder}node_modules/.bin/node`;
  return folder !== null && existsSync(own) ? own : process.execPath;
}

function flagsOf(folder: string): string[] {
  const paths = `${folder}src/store/drizzle-paths.mjs`;
  return [...serverFlags, ...(existsSync(paths) ? ["--import", `file://${paths}`] : [])];
}
