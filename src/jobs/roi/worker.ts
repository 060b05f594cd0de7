import { setTimeout as sleep } from "node:timers/promises";
import { systemClock } from "../../values/clock.ts";
import { serveThread } from "../../worker/host.ts";
import { giveWay } from "../give-way.ts";
import { calculateRoiInBatches, type RoiRun } from "./calculate.ts";
import { onFile } from "./file-order.ts";
import type { RoiOrder } from "./schedule.ts";

/** Milliseconds of pause between two slices, in which a server on the same processor answers. */
const pauseMs = 5;

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
