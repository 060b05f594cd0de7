import { Worker } from "node:worker_threads";
import { secondMs } from "../../values/calendar.ts";
import type { RoiRun } from "./calculate.ts";

/** What a run is told before it starts. `at`: its instant, UTC ms. */
export type RoiOrder = { databasePath: string; at: number };

/** After this long a thread that was told to end is cut; SQLite undoes what it had not committed. */
const closeMs = secondMs;

/**
 * Runs the ROI model once in a thread that ends with the run. Null: the signal ended it before it wrote anything. Rejects
 * when the run failed. The caller holds the roi lock.
 */
export async function runInThread(order: RoiOrder, signal: AbortSignal): Promise<RoiRun | null> {
  if (signal.aborted) return null;
  // Without the program's own flags: a loader or a profiler would be started for each run.
  const options = { workerData: order, execArgv: [] };
  const worker = new Worker(new URL("./roi-worker.mjs", import.meta.url), options);
  let run: RoiRun | null = null;
  let failure: Error | null = null;
  let cut: NodeJS.Timeout | undefined;
  const end = () => {
    worker.postMessage("close");
    cut = setTimeout(() => void worker.terminate(), closeMs);
  };
  signal.addEventListener("abort", end, { once: true });
  worker.on("message", (message: RoiRun | null) => {
    run = message;
  });
  worker.on("error", (error) => {
    failure = error as Error;
  });
  await new Promise<void>((resolve) => worker.once("exit", () => resolve()));
  clearTimeout(cut);
  signal.removeEventListener("abort", end);
  if (run !== null || signal.aborted) return run;
  throw failure ?? new Error("its thread ended");
}
