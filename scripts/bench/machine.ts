import { spawnSync } from "node:child_process";
import { closeSync, fdatasyncSync, openSync, readFileSync, rmSync, writeSync } from "node:fs";
import { cpus } from "node:os";
import { join } from "node:path";
import { createHistogram } from "node:perf_hooks";
import { systemClock } from "../../src/values/clock.ts";

/** The core of the measured server and that of the load generator; null: wherever the system puts it. */
export type Cores = { server: string | null; load: string | null; note: string | null };

/** Finds two cores for this process, one for each side. Without them the note says what that does to the figures. */
export function findCores(): Cores {
  const unpinned = { server: null, load: null };
  if (spawnSync("taskset", ["--version"]).status !== 0)
    return { ...unpinned, note: "taskset is missing: server and load generator share the cores, figures are unsteady" };
  // A list such as `0-3,8`.
  const list = /^Cpus_allowed_list:\s+(\S+)$/m.exec(readFileSync("/proc/self/status", "utf8"))?.[1] ?? "";
  const [server, load] = list.split(",").flatMap((range) => {
    const [from = 0, to = from] = range.split("-").map(Number);
    return Array.from({ length: to - from + 1 }, (_, index) => String(from + index));
  });
  if (server === undefined || load === undefined)
    return { ...unpinned, note: "only one core may be used: the load generator takes its time from the server" };
  return { server, load, note: null };
}

export type Machine = ReturnType<typeof describeMachine>;

/** Describes what the figures are measured on. `folder`: where the measured files are. */
export function describeMachine(folder: string) {
  const [first] = cpus();
  const processor = first?.model ?? "unknown";
  return { node: process.version, processor, coreCount: cpus().length, fdatasyncUs: Math.round(fdatasyncUs(folder)) };
}

/** Returns the anonymous memory of a process in MB; null where the system does not tell. */
export function anonymousMb(pid: number): number | null {
  try {
    const found = /^RssAnon:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, "utf8"));
    return found === null ? null : (Number(found[1]) * 1024) / 1e6;
  } catch {
    return null;
  }
}

/** Measures one small durable write, µs, on which the cost of each charge depends. */
function fdatasyncUs(folder: string): number {
  const path = join(folder, "fdatasync");
  const file = openSync(path, "w");
  const tookNs = createHistogram();
  for (let turn = 0; turn < 200; turn += 1) {
    writeSync(file, Buffer.alloc(4096), 0, 4096, (turn % 50) * 4096);
    const startedMs = systemClock.monotonicMs();
    fdatasyncSync(file);
    if (turn >= 50) tookNs.record(Math.max(1, Math.round((systemClock.monotonicMs() - startedMs) * 1e6)));
  }
  closeSync(file);
  rmSync(path);
  return tookNs.percentile(50) / 1000;
}
