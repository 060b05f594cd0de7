import { setTimeout as sleep } from "node:timers/promises";
import { systemClock } from "../../values/time/clock.ts";
import { serveThread } from "../../worker/thread.ts";
import { lowerPriority } from "../lower-priority.ts";
import { calculateRoiInBatches, onFile, type RoiRun } from "./calculate.ts";
import type { RoiOrder } from "./schedule.ts";

/** Work between two pauses in ms: long enough to make progress, short enough for other work on the processor. */
const sliceMs = 1;
/** Length of a pause in ms, in which a server on the same processor answers requests. */
const pauseMs = 5;

serveThread((_setup: null, { closing }) => {
  lowerPriority();
  return {
    /** Runs the model once. Resolves to null if it was stopped before it wrote. */
    answer({ databasePath, at }: RoiOrder): Promise<RoiRun | null> {
      // The time is the server's clock; durations use this thread's clock.
      const clock = { now: () => at, monotonicMs: systemClock.monotonicMs };
      return onFile(databasePath, async (database) => {
        const batches = calculateRoiInBatches(database, { clock });
        let startedMs = clock.monotonicMs();
        for (let batch = batches.next(); ; batch = batches.next()) {
          if (batch.done === true) return batch.value;
          if (clock.monotonicMs() - startedMs < sliceMs) continue;
          await sleep(pauseMs);
          startedMs = clock.monotonicMs();
          if (!closing.aborted) continue;
          batches.return(undefined as never);
          return null;
        }
      });
    },
  };
});
