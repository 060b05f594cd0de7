import { Worker } from "node:worker_threads";
import { secondMs } from "./values/calendar.ts";

/** After this long a thread that was told to end is cut; SQLite undoes what it had not committed. */
const closeMs = secondMs;

/**
 * Gives `order` to a thread that runs `script` and ends with it; resolves to the last that it said. Null: the signal ended it
 * before it said anything. Rejects with what it failed of. Any message tells the thread to end.
 */
export async function runInThread<Outcome>(script: URL, order: object, signal: AbortSignal): Promise<Outcome | null> {
  if (signal.aborted) return null;
  // Without the program's own flags: a loader or a profiler would be started for each run.
  const worker = new Worker(script, { workerData: order, execArgv: [] });
  let outcome: Outcome | null = null;
  let failure = new Error("its thread ended");
  let cut: NodeJS.Timeout | undefined;
  const end = () => {
    worker.postMessage("close");
    cut = setTimeout(() => void worker.terminate(), closeMs);
  };
  signal.addEventListener("abort", end, { once: true });
  worker.on("message", (message: Outcome | null) => {
    outcome = message;
  });
  worker.on("error", (error) => {
    failure = error as Error;
  });
  await new Promise<void>((resolve) => worker.once("exit", () => resolve()));
  clearTimeout(cut);
  signal.removeEventListener("abort", end);
  if (outcome !== null || signal.aborted) return outcome;
  throw failure;
}
