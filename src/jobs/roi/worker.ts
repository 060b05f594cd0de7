import { platform, setPriority } from "node:os";
import { setTimeout as sleep } from "node:timers/promises";
import { parentPort, workerData } from "node:worker_threads";
import { systemClock } from "../../values/clock.ts";
import { calculateRoiSteps, type RoiRun } from "./calculate.ts";
import { onFile } from "./file-order.ts";
import type { RoiOrder } from "./thread.ts";

/** Between two slices of work: a server that shares the processor answers meanwhile. */
const pauseMs = 5;
/** On Linux a thread has a priority of its own: this one gives way to the serving thread, not so far that a lock it holds would last. */
const niceness = 5;

/** One run in a thread of its own. Says what came of it; null: any message ended it before it wrote. */
async function work(port: NonNullable<typeof parentPort>): Promise<void> {
  let isEnding = false;
  port.once("message", () => {
    isEnding = true;
  });
  const { databasePath, at } = workerData as RoiOrder;
  // The server's clock says what time it is; durations are the thread's own.
  const clock = { now: () => at, monotonicMs: systemClock.monotonicMs };
  try {
    const run = await onFile(databasePath, async (database): Promise<RoiRun | null> => {
      const steps = calculateRoiSteps(database, { clock });
      for (let step = steps.next(); ; step = steps.next()) {
        if (step.done === true) return step.value;
        await sleep(pauseMs);
        if (!isEnding) continue;
        steps.return(undefined as never);
        return null;
      }
    });
    port.postMessage(run);
  } finally {
    port.close();
  }
}

if (parentPort !== null) {
  if (platform() === "linux") setPriority(niceness);
  await work(parentPort);
}
