import { spawnSync } from "node:child_process";
import { closeSync, existsSync, fdatasyncSync, openSync, readFileSync, rmSync, writeSync } from "node:fs";
import { cpus } from "node:os";
import { join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import SqliteDatabase from "better-sqlite3";
import { systemClock } from "../../src/values/time/clock.ts";
import { median } from "../support/numbers.ts";

/** The core of the measured server and that of the load generator; null: wherever the system puts it. */
export type Cores = { server: string | null; load: string | null; note: string | null };

/** Finds two cores for this process, one for each side. Without them the note says what that does to the figures. */
export function findCores(): Cores {
  const unpinned = (note: string): Cores => ({ server: null, load: null, note });
  const { status, stdout } = spawnSync("taskset", ["-pc", String(process.pid)], { encoding: "utf8" });
  if (status !== 0)
    return unpinned("taskset is missing: server and load generator share the cores, figures are unsteady");
  // Ends with a list such as `0-3,8`: its first two numbers are cores that may be used.
  const [server, load] = stdout.trim().split(" ").at(-1)!.split(/[-,]/);
  if (server === undefined || load === undefined)
    return unpinned("only one core may be used: the load generator takes its time from the server");
  return { server, load, note: null };
}

export type Machine = ReturnType<typeof describeMachine>;

/** Describes what the figures are measured on. `folder`: where the measured files are. */
export function describeMachine(folder: string) {
  const processor = cpus()[0]?.model ?? "unknown";
  const fdatasyncUs = Math.round(durableWriteMs(folder) * 1000);
  return { node: process.version, processor, coreCount: cpus().length, fdatasyncUs };
}

/** Returns the anonymous memory of a process in MB; null where the system does not tell. */
export function anonymousMb(pid: number): number | null {
  const path = `/proc/${pid}/status`;
  const found = existsSync(path) ? /^RssAnon:\s+(\d+) kB$/m.exec(readFileSync(path, "utf8")) : null;
  return found && (Number(found[1]) * 1024) / 1e6;
}

/** Begins to measure this process. Returns a function that returns the processor time of all its threads and the time since, ms. */
export function stopwatch(): () => { cpuMs: number; ms: number } {
  const before = process.cpuUsage();
  const startedMs = systemClock.monotonicMs();
  return () => {
    const ms = systemClock.monotonicMs() - startedMs;
    const { user, system } = process.cpuUsage(before);
    return { cpuMs: (user + system) / 1000, ms };
  };
}

/** Returns the milliseconds of one small durable write, on which the cost of each charge depends: the median of some. */
export function durableWriteMs(folder: string): number {
  const path = join(folder, "fdatasync");
  const file = openSync(path, "w");
  const times = Array.from({ length: 100 }, (_, turn) => {
    writeSync(file, Buffer.alloc(4096), 0, 4096, (turn % 50) * 4096);
    const since = stopwatch();
    fdatasyncSync(file);
    return since().ms;
  });
  closeSync(file);
  rmSync(path);
  // The first half makes the file larger.
  return median(times.slice(50));
}

/** Longer than a disk or a processor stays as quick as a commit just before has made it. */
const commitPauseMs = 50;

/**
 * Resolves to the milliseconds of one durable commit of SQLite, of one row and nothing else: the median of some. Each comes alone, as that
 * of an export does; right after another one takes less.
 */
export async function durableCommitMs(folder: string): Promise<number> {
  const path = join(folder, "commits.db");
  const database = new SqliteDatabase(path);
  database.exec("PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL; CREATE TABLE commits (at REAL) STRICT");
  const insert = database.prepare("INSERT INTO commits VALUES (?)");
  const times: number[] = [];
  for (let count = 0; count < 20; count += 1) {
    await wait(commitPauseMs);
    const since = stopwatch();
    insert.run(count);
    times.push(since().ms);
  }
  database.close();
  rmSync(path);
  return median(times);
}
