import { spawnSync } from "node:child_process";
import { closeSync, fdatasyncSync, openSync, readFileSync, rmSync, writeSync } from "node:fs";
import { cpus } from "node:os";
import { join } from "node:path";
import { systemClock } from "../../src/values/clock.ts";
import { median } from "./statistics.ts";

/** Which core the measured server and which the load generator runs on; null: wherever the system puts it. */
export type Cores = { server: string | null; load: string | null; note: string | null };

export type Machine = { node: string; processor: string; cores: number; fdatasyncUs: number };

/** Two cores that this process may use, each for one side. Without them the note says what that does to the figures. */
export function findCores(): Cores {
  const unpinned = { server: null, load: null };
  if (spawnSync("taskset", ["--version"]).status !== 0) {
    return { ...unpinned, note: "taskset is missing: server and load generator share the cores, figures are unsteady" };
  }
  const [server, load] = allowedCores();
  if (server === undefined || load === undefined) {
    return { ...unpinned, note: "only one core may be used: the load generator takes its time from the server" };
  }
  return { server, load, note: null };
}

/** What the figures were measured on. `folder` is where the measured files are. */
export function describeMachine(folder: string): Machine {
  const [first] = cpus();
  return {
    node: process.version,
    processor: first?.model ?? "unknown",
    cores: cpus().length,
    fdatasyncUs: Math.round(fdatasyncUs(folder)),
  };
}

/** Anonymous memory of a process in MB; null where the system does not tell. */
export function anonymousMb(pid: number): number | null {
  try {
    const found = /^RssAnon:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, "utf8"));
    return found === null ? null : (Number(found[1]) * 1024) / 1e6;
  } catch {
    return null;
  }
}

/** Core numbers of a list such as `0-3,8`. */
function allowedCores(): string[] {
  const list = /^Cpus_allowed_list:\s+(\S+)$/m.exec(readFileSync("/proc/self/status", "utf8"))?.[1] ?? "";
  return list.split(",").flatMap((range) => {
    const [from = 0, to = from] = range.split("-").map(Number);
    return Array.from({ length: to - from + 1 }, (_, index) => String(from + index));
  });
}

/** What one small durable write costs: every figure of a charge stands on it. */
function fdatasyncUs(folder: string): number {
  const path = join(folder, "fdatasync");
  const file = openSync(path, "w");
  const block = Buffer.alloc(4096);
  const took: number[] = [];
  try {
    for (let turn = 0; turn < 200; turn += 1) {
      writeSync(file, block, 0, block.length, (turn % 50) * block.length);
      const startedMs = systemClock.monotonicMs();
      fdatasyncSync(file);
      if (turn >= 50) took.push((systemClock.monotonicMs() - startedMs) * 1000);
    }
  } finally {
    closeSync(file);
    rmSync(path);
  }
  return median(took);
}
