import type { ImportCatalog } from "../../import/quotes/accept-feed.ts";
import { type BatchStats, pauseAfter, runBatches } from "../../store/write/batches.ts";
import type { Clock } from "../../values/clock.ts";
import type { MirrorEvents } from "./mirror-events.ts";

export type WriterParts = {
  databasePath: string;
  clock: Clock;
  catalog: ImportCatalog;
  events: MirrorEvents;
  /** Ends the mirror: what is under way stops between two transactions. */
  signal: AbortSignal;
  /** Shortest time between two publications. */
  publishEveryMs: number;
  pause?: (held: BatchStats) => Promise<void>;
};

/** Runs steps with a pause after each. Throws the reason of the signal once that is aborted. */
export function runPaused<T>(
  steps: Generator<BatchStats, T>,
  { pause = pauseAfter, signal }: Pick<WriterParts, "pause" | "signal">,
): Promise<{ value: T; lockHeldMsMax: number }> {
  return runBatches(steps, async (held) => {
    signal.throwIfAborted();
    await pause(held);
  });
}
