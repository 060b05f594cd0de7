import { spawn } from "node:child_process";
import { once } from "node:events";
import { rmSync } from "node:fs";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { setTimeout as wait } from "node:timers/promises";
import { childProgram } from "../../scripts/support/child-program.ts";
import { copyFileAt } from "../../src/cli/sync/run.ts";
import { Random } from "../sim/random.ts";
import { temporaryFolder } from "../support/files.ts";

export const copyFormats = ["sqlite", "ndjson"] as const;
export type SyncKillReport = { kills: number; faults: string[] };

/** Longest time from a finished write to the kill, about the duration of a write. */
const delayMsMax = 40;

/**
 * Kills a program that alternately writes two states of a market copy, as `itemtape sync` does, and restarts it on the same file. After
 * each kill the copy must be complete, equal one of the two states and have its digests.
 */
export async function syncKillRing(format: (typeof copyFormats)[number], { kills = 2, seed = 1 }) {
  const random = new Random(seed);
  const folder = temporaryFolder();
  const path = join(folder, `copy.${format}`);
  const program = childProgram(new URL("./sync-child.ts", import.meta.url));
  const report: SyncKillReport = { kills: 0, faults: [] };
  try {
    while (report.kills < kills) {
      const child = spawn(process.execPath, [...program, path], { stdio: ["ignore", "pipe", "inherit"] });
      const closed = once(child, "close");
      let left = random.between(1, 4);
      for await (const _ of createInterface(child.stdout)) {
        left -= 1;
        if (left !== 0) continue;
        await wait(random.between(0, delayMsMax));
        child.kill("SIGKILL");
      }
      const [code] = await closed;
      if (code !== null) throw new Error(`the program ended with ${code}`);
      report.kills += 1;
      const fault = await faultOf(path);
      if (fault !== null) report.faults.push(`${format}, kill ${report.kills} of seed ${seed}: ${fault}`);
    }
    return report;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Reads the copy, which compares it with its digests. */
async function faultOf(path: string): Promise<string | null> {
  try {
    const state = (await copyFileAt(path, { mayReplace: false })).read();
    const amounts = new Set([...(state?.items.values() ?? [])].map((item) => item.asks[0]?.amount));
    const found = `${state?.generation} with ${state?.items.size} items at ${[...amounts].sort()}`;
    return /^g1 with 1500 items at 1,100$|^g2 with 1500 items at 1,200$/.test(found) ? null : found;
  } catch (error) {
    return (error as Error).message;
  }
}
