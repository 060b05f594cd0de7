import { platform, setPriority } from "node:os";
import { setTimeout as sleep } from "node:timers/promises";
import { systemClock } from "../../values/clock.ts";
import { serveThread } from "../../worker/host.ts";
import { calculateRoiInBatches, type RoiRun } from "./calculate.ts";
import { onFile } from "./file-order.ts";
import type { RoiOrder } from "./schedule.ts";

/** Milliseconds of pause between two slices, in which a server on the same processor answers. */
const pauseMs = 5;
/** Linux priority of this thread: below the serving thread, but high enough to release its locks soon. */
const niceness = 5;

serveThread((_setup: null, { closing }) => {
  giveWay();
  return {
    /** Runs the model once. Returns null where it was stopped before it wrote. */
    answer({ databasePath, at }: RoiOrder): Promise<RoiRun | null> {
      // The time is that of the server's clock; durations are the thread's own.
      const clock = { now: () => at, monotonicMs: systemClock.monotonicMs };
      return onFile(databasePath, async (database) => {
        const batches = calculateRoiInBatches(database, { clock });
        for (let batch = batches.next(); ; batch = batches.next()) {
          if (batch.done === true) return batch.value;
          await sleep(pauseMs);
          if (!closing.aborted) continue;
          batches.return(undefined as never);
          return null;
        }
      });
    },
  };
});

/** Lowers the priority of this thread. */
function giveWay(): void {
  if (platform() !== "linux") return;
  try {
    setPriority(niceness);
  } catch {
    // A sandbox may forbid it; the returns are worth more than their priority.
  }
}
