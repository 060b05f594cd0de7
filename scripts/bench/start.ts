import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { existsSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { setTimeout } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import type { Bench, Figures } from "./table.ts";

const program = fileURLToPath(new URL("../../src/cli/itemtape.mjs", import.meta.url));
const statPath = "/proc/self/stat";
/** Clock ticks of a second, in which Linux counts the processor time of a process. */
const ticksPerSecond = 100;
const lookEveryMs = 10;

/** Returns the processes whose processor time is measured from their first instruction to their end; null where the system does not tell. */
export async function openStart({ data }: Bench) {
  if (!existsSync(statPath)) return null;
  const db = join(data.folder, "demo.db");
  const makeDemo = () => {
    rmSync(db, { force: true });
    run(program, "db", "demo", "--reset", "--db", db);
  };
  // What is translated and compiled once is kept for all later runs.
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
  const before = secondsOfChildren();
  await work();
  return { "CPU s": secondsOfChildren() - before };
}

/** Reads the processor seconds of all children of this process that have ended. */
function secondsOfChildren(): number {
  const text = readFileSync(statPath, "utf8");
  // The second field, in parentheses, is a name that may hold spaces.
  const fields = text.slice(text.lastIndexOf(")") + 2).split(" ");
  return (Number(fields[13]) + Number(fields[14])) / ticksPerSecond;
}

function run(...words: string[]): void {
  const { status } = spawnSync(process.execPath, words, { stdio: ["ignore", "ignore", "inherit"] });
  if (status !== 0) throw new Error(`\`${words.join(" ")}\` ended with ${status}`);
}

async function startAndStop(db: string): Promise<void> {
  const words = ["start", "--db", db, "--port", "0", "--ops-port", "0", "--log-level", "warn"];
  const child = spawn(process.execPath, [program, ...words], { stdio: ["ignore", "pipe", "inherit"] });
  const ended = once(child, "exit");
  let text = "";
  let address: string | undefined;
  for await (const chunk of child.stdout) {
    text += chunk;
    address = /\/ready and \/metrics are on (http:\S+)$/m.exec(text)?.[1];
    if (address !== undefined) break;
  }
  while (!(await fetch(`${address}/ready`)).ok) await setTimeout(lookEveryMs);
  child.kill("SIGTERM");
  const [code] = await ended;
  if (code !== 0) throw new Error(`a server ended with ${code}`);
}
