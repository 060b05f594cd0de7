import { StoreRefusal } from "../../store/file/refusal.ts";
import { type BatchStats, pauseAfter } from "../../store/write/batches.ts";
import { systemClock } from "../../values/time/clock.ts";
import { serveThread } from "../../worker/thread.ts";
import { nothingValued, type ValuationOrder, type ValuationOutcome } from "./schedule.ts";
import { type FileValuation, valueFile } from "./value-file.ts";

serveThread((_setup: null, { closing }) => ({
  /** Runs the valuation job once. It stops between two transactions when the thread is closing. */
  async answer({ databasePath, at, finalizes, privateUrl }: ValuationOrder): Promise<ValuationOutcome> {
    const pause = async (batch: BatchStats) => {
      if (closing.aborted) throw new Error("the thread is closing");
      await pauseAfter(batch);
    };
    if (privateUrl !== undefined) {
      const { valueShared } = await import("./value-shared.ts");
      const valued = await valueShared(privateUrl, databasePath, { pause, monotonicMs: systemClock.monotonicMs });
      return valued === null ? { ...nothingValued, isWaiting: true } : outcomeOf({ valuations: valued, damaged: null });
    }
    // The day is from the server's clock; durations use this thread's clock.
    const clock = { now: () => at, monotonicMs: systemClock.monotonicMs };
    try {
      return outcomeOf(await valueFile(databasePath, { clock, pause }, { finalize: finalizes }));
    } catch (error) {
      if (!(error instanceof StoreRefusal && error.kind === "in_use")) throw error;
      return { ...nothingValued, isWaiting: true };
    }
  },
}));

function outcomeOf({ valuations, damaged }: FileValuation): ValuationOutcome {
  const sum = (counted: (valuation: FileValuation["valuations"][number]) => number) =>
    valuations.reduce((total, valuation) => total + counted(valuation), 0);
  return {
    portfolios: valuations.filter(({ days }) => days > 0).length,
    days: sum(({ days }) => days),
    incomplete: sum(({ incomplete }) => incomplete),
    refused: sum(({ refused }) => refused.length),
    late: valuations.filter(({ lateDays }) => lateDays.length > 0).length,
    // A retry does not repair a damaged day: it waits for its operator.
    isWaiting: damaged === null && valuations.some(({ waitsFor }) => waitsFor !== null),
  };
}
