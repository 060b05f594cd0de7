import { type BatchStats, pauseAfter, runBatches } from "../../../store/write/batches.ts";
import type { Clock } from "../../../values/time/clock.ts";
import { collectGarbage } from "../collect-garbage.ts";
import type { MirrorEvents } from "../mirror-events.ts";

export type WriterParts = {
  databasePath: string;
  clock: Clock;
  events: MirrorEvents;
  /** Stops the mirror: running work ends between two transactions. */
  signal: AbortSignal;
  /** Minimum time between two publications. */
  publishEveryMs: number;
  /** Maximum total size of the cached contents of all feeds, in bytes. Absent for the default. */
  cachedBytesMax?: number;
  pause?: (batch: BatchStats) => Promise<void>;
};

/**
 * Runs batches with a pause after each.
 * @throws The signal's reason when it is aborted.
 */
export function runPaused<T>(
  batches: Generator<BatchStats, T>,
  { pause = pauseAfter, signal }: Pick<WriterParts, "pause" | "signal">,
): Promise<{ value: T; lockHeldMsMax: number }> {
  return runBatches(batches, async (batch) => {
    signal.throwIfAborted();
    collectGarbage();
    await pause(batch);
  });
}
