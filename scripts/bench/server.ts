import { calculateInThread } from "../../src/jobs/roi/schedule.ts";
import { systemClock } from "../../src/values/clock.ts";
import { type ExportServer, exportServers } from "./peers/export-servers.ts";
import type { Running, Setup } from "./peers/listening.ts";
import { type PointServer, pointServers } from "./peers/point-servers.ts";
import { type RowServer, rowServers } from "./peers/row-servers.ts";
import { changeCosts } from "./pools.ts";

export type ServerName = PointServer | ExportServer | RowServer;

// One measured server, in a process of its own.
let running: Running | null = null;
let databasePath = "";

/** Starts a server and returns its port. */
export async function start({ name, setup }: { name: ServerName; setup: Setup }): Promise<number> {
  databasePath = setup.database;
  running = await { ...pointServers, ...exportServers, ...rowServers }[name](setup);
  return running.port;
}

/** Returns the CPU time of all threads so far, µs. */
export function cpuUs(): number {
  const { user, system } = process.cpuUsage();
  return user + system;
}

/**
 * Calculates all returns in a thread as the server's schedule does, for so long, at least once. `changed`: each run finds other
 * costs, so that all numbers are new. `seconds` of a run include the start and the end of its thread.
 */
export async function calculateReturns({ changed, seconds }: { changed: boolean; seconds: number }) {
  const runs = [];
  const endMs = systemClock.monotonicMs() + seconds * 1000;
  do {
    if (changed) changeCosts(databasePath);
    const startedMs = systemClock.monotonicMs();
    const run = await calculateInThread({ databasePath, at: systemClock.now() }, new AbortController().signal);
    if (run === null || run.skipped.length > 0) throw new Error("a run of the ROI model was not whole");
    const { published, unchanged, lockHeldMs } = run;
    const tookMs = systemClock.monotonicMs() - startedMs;
    runs.push({
      seconds: tookMs / 1000,
      "lock ms": lockHeldMs,
      published: published.length,
      unchanged: unchanged.length,
    });
  } while (systemClock.monotonicMs() < endMs);
  return runs;
}

/** Closes the server and its file. */
export async function close(): Promise<void> {
  await running?.close();
}
