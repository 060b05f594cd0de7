import type { Database } from "../../store/database.ts";
import { hasPortfolios } from "../../store/read/portfolios.ts";
import type { Reports, ReportsStorage, ValuationFacts } from "../../values/event-facts.ts";
import { dayMs, hourMs, minuteMs } from "../../values/time/calendar.ts";
import type { Clock } from "../../values/time/clock.ts";
import { runInThread } from "../../worker/thread.ts";
import { Schedule } from "../schedule.ts";

type ValuationEvents = Reports<ValuationFacts> & ReportsStorage;

/** Outcome of a run. `isWaiting` is true if some days have no derived prices yet, or another import was writing. */
export type ValuationOutcome = ValuationFacts["portfoliosValued"] & { isWaiting: boolean };

/** The order for one run at the time `at` (UTC ms). It can be sent to another thread. */
export type ValuationOrder = {
  databasePath: string;
  at: number;
  /** True if the job stores the daily prices of completed days itself, under the import lock. */
  finalizes: boolean;
  /**
   * Address of the database with the portfolios. Absent if they are in the file. With an address the database's clock applies, and only one
   * node runs at a time.
   */
  privateUrl?: string;
};

/** The outcome of a run without work. */
export const nothingValued: ValuationOutcome = {
  portfolios: 0,
  days: 0,
  incomplete: 0,
  refused: 0,
  late: 0,
  isWaiting: false,
};

type ValuationScheduleParts = {
  clock: Clock;
  events: ValuationEvents;
  /** Returns whether any portfolio needs a valuation. If not, no thread is started. */
  hasPortfolios: () => boolean;
  /** Runs the job once with the time `at` (UTC ms). Resolves to null if the signal was aborted. */
  run: (at: number, signal: AbortSignal) => Promise<ValuationOutcome | null>;
};

/** Delays the first run: a start is busy, and a short-lived program needs no valuation. */
const firstDelayMs = minuteMs;
/** Runs some time after midnight, when mirrors have stored the completed day. */
const intoDayMs = 10 * minuteMs;
const retryMs = 10 * minuteMs;
/** Long, because late frames arrive within hours and a run reads much data. */
const lateRetryMs = hourMs;

/**
 * Schedules the valuation for ten minutes into every UTC day, and soon after the start. Retries after ten minutes if work is left or
 * failed, and after an hour if prices are late.
 */
export function scheduleDaily({ clock, events, hasPortfolios, run }: ValuationScheduleParts): Schedule {
  /** Number of late portfolios in the last run. */
  let late = 0;
  let donePeriodAt = Number.NaN;
  const job = {
    everyMs: dayMs,
    offsetMs: intoDayMs,
    firstDelayMs,
    retry: { firstMs: retryMs, maxMs: retryMs },
    isMissing: (periodAt: number) => periodAt !== donePeriodAt,
    async run(at: number, signal: AbortSignal, periodAt: number) {
      const outcome = hasPortfolios() ? await run(at, signal) : nothingValued;
      if (outcome === null) return null;
      const { isWaiting, ...facts } = outcome;
      // A dead feed is reported once, not every hour.
      if (facts.days > 0 || facts.refused > 0 || facts.late > late) events.portfoliosValued(facts);
      late = facts.late;
      if (isWaiting) return retryMs;
      if (late > 0) return lateRetryMs;
      donePeriodAt = periodAt;
      return null;
    },
    failed(error: Error, waitMs: number) {
      events.reportIfStorageFailure(error);
      events.valuationFailed({ reason: error.message, retry_ms: waitMs });
    },
  };
  return new Schedule(job, clock);
}

/**
 * Schedules the valuation of a server. Each run has its own thread. `database` reads the same file. With a private database every node
 * checks for a due run, and one node performs it.
 */
export function scheduleValuation(
  order: Omit<ValuationOrder, "at">,
  database: Database,
  events: ValuationEvents,
  clock: Clock,
): Schedule {
  return scheduleDaily({
    clock,
    events,
    // With a private database the run itself checks.
    hasPortfolios: () => order.privateUrl !== undefined || hasPortfolios(database),
    run: (at, signal) => valueInThread({ ...order, at }, signal),
  });
}

/**
 * Runs the job once in a thread. Resolves to null if the signal was aborted.
 * @throws {Error} when the run fails.
 */
export function valueInThread(order: ValuationOrder, signal: AbortSignal): Promise<ValuationOutcome | null> {
  return runInThread<ValuationOutcome>("src/jobs/valuation/worker.ts", order, signal);
}
