import { roiEveryMs, roiMethodology } from "../../roi/calculation.ts";
import type { Database } from "../../store/database.ts";
import { RoiRunsStore } from "../../store/read/roi-runs.ts";
import type { Reports, ReportsStorage, RoiFacts } from "../../values/event-facts.ts";
import { minuteMs, secondMs } from "../../values/time/calendar.ts";
import type { Clock } from "../../values/time/clock.ts";
import { runInThread } from "../../worker/thread.ts";
import { Schedule } from "../schedule.ts";
import { tryLock } from "../try-lock.ts";
import type { RoiRun } from "./calculate.ts";

export type RoiEvents = Reports<RoiFacts> & ReportsStorage;

/** The order for one run at the time `at` (UTC ms). It can be sent to another thread. */
export type RoiOrder = { databasePath: string; at: number };

type RoiScheduleParts = {
  databasePath: string;
  /** A handle that reads the same file. */
  database: Database;
  clock: Clock;
  events: RoiEvents;
  /** Whether a run is due at once, such as for the prices of a new source. */
  isDue?: boolean;
  /** Runs the model once. Resolves to null if the signal was aborted. */
  run?: (order: RoiOrder, signal: AbortSignal) => Promise<RoiRun | null>;
};

/** Delay between attempts while another process runs the model, in ms. */
const waitMs = 10 * secondMs;

/**
 * Schedules the ROI model for 00, 06, 12 and 18 UTC, and at once if the last run was missed. A run holds the roi lock. An interrupted run
 * has written all results or none.
 */
export function scheduleRoi(parts: RoiScheduleParts): Schedule {
  const { databasePath, database, clock, events, run = calculateInThread } = parts;
  let { isDue = false } = parts;
  const runs = new RoiRunsStore(database);
  const job = {
    everyMs: roiEveryMs,
    offsetMs: 0,
    firstDelayMs: 0,
    retry: { firstMs: 30 * secondMs, maxMs: 30 * minuteMs },
    isMissing(periodAt: number, at: number) {
      const lastAt = runs.lastRunAt(roiMethodology);
      // A run dated in the future had a wrong clock.
      return (isDue || lastAt === null || lastAt < periodAt || lastAt > at) && runs.hasPools();
    },
    async run(at: number, signal: AbortSignal) {
      const startedMs = clock.monotonicMs();
      const lock = tryLock(databasePath, "roi");
      if (lock === null) {
        events.roiWaiting({ retry_ms: waitMs });
        return waitMs;
      }
      try {
        const done = await run({ databasePath, at }, signal);
        if (done === null) return null;
        isDue = false;
        report(events, done, clock.monotonicMs() - startedMs);
        return null;
      } finally {
        lock.release();
      }
    },
    failed(error: Error, retryMs: number) {
      events.reportIfStorageFailure(error);
      events.roiFailed({ reason: error.message, retry_ms: retryMs });
    },
  };
  return new Schedule(job, clock);
}

/** Runs the ROI model once in a thread. Resolves to null if the signal was aborted before it wrote. The caller holds the roi lock. */
export function calculateInThread(order: RoiOrder, signal: AbortSignal): Promise<RoiRun | null> {
  return runInThread<RoiRun>("src/jobs/roi/worker.ts", order, signal);
}

function report(events: RoiEvents, run: RoiRun, durationMs: number): void {
  const { generationId, published, unchanged, withheld, withoutPoint, skipped, lockHeldMs } = run;
  for (const { slug, valuationMode, reason } of skipped)
    events.roiSkipped({ openable: slug, valuation_mode: valuationMode, reason });
  events.roiCalculated({
    generation: generationId === null ? null : `g${generationId}`,
    published: published.length,
    unchanged: unchanged.length,
    withheld: withheld.length,
    without_point: withoutPoint.length,
    duration_ms: Math.round(durationMs),
    hold_ms: Math.round(lockHeldMs),
  });
}
