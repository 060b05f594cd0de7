import type { Database } from "../../store/database.ts";
import { hasPortfolios } from "../../store/read/portfolios.ts";
import type { Reports, ReportsStorage, ValuationFacts } from "../../values/event-facts.ts";
import { dayMs, hourMs, minuteMs } from "../../values/time/calendar.ts";
import type { Clock } from "../../values/time/clock.ts";
import { runInThread } from "../../worker/thread.ts";
import { Schedule } from "../schedule.ts";

type ValuationEvents = Reports<ValuationFacts> & ReportsStorage;

/** Outcome of a run. `isWaiting`: days are left whose prices are not derived yet, or another import was writing. */
export type ValuationOutcome = ValuationFacts["portfoliosValued"] & { isWaiting: boolean };

/** One run of the job, as at the instant `at` (UTC ms). It can be sent to another thread. */
export type ValuationOrder = {
  databasePath: string;
  at: number;
  /** True: the job stores the daily prices of completed days itself, under the lock of imports. */
  finalizes: boolean;
  /** Address of the database that the portfolios are in; left out: they are in the file. Its clock counts then, and one node at a time values. */
  privateUrl?: string;
};

/** A run that found nothing to do. */
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
  /** Returns whether there is anything to value: else no thread is started. */
  hasPortfolios: () => boolean;
  /** Runs the job once as at `at` (UTC ms); null: the signal ended it. */
  run: (at: number, signal: AbortSignal) => Promise<ValuationOutcome | null>;
};

/** A start is busy with other things, and a program that is started for a moment needs no valuation. */
const firstDelayMs = minuteMs;
/** After midnight, when mirrors have stored the day that ended. */
const intoDayMs = 10 * minuteMs;
const retryMs = 10 * minuteMs;
/** Frames that are late come within hours, and a run reads much. */
const lateRetryMs = hourMs;

/**
 * Schedules the valuation ten minutes into every UTC day, and soon after the start: again after ten minutes where something is left or
 * failed, after an hour where prices are late.
 */
export function scheduleDaily({ clock, events, hasPortfolios, run }: ValuationScheduleParts): Schedule {
  /** Portfolios that the last run found late. */
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
      // A feed that is dead is reported once, not every hour.
      if (facts.days > 0 || facts.refused > 0 || facts.late > late) events.portfoliosValued(facts);
      late = facts.late;
      if (isWaiting) return retryMs;
      if (late > 0) return lateRetryMs;
      donePeriodAt = periodAt;
      return null;
    },
    failed(error: Error, waitMs: number) {
      events.storageErredIf(error);
      events.valuationFailed({ reason: error.message, retry_ms: waitMs });
    },
  };
  return new Schedule(job, clock);
}

/**
 * Schedules the valuation of a server. Each run has its own thread. `database` reads the same file. With a private database every
 * node looks when a run is due, and one of them does it.
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
    // The run itself asks a private database.
    hasPortfolios: () => order.privateUrl !== undefined || hasPortfolios(database),
    run: (at, signal) => valueInThread({ ...order, at }, signal),
  });
}

/**
 * Runs the job once in a thread. Null: the signal ended it.
 * @throws {Error} when the run fails.
 */
export function valueInThread(order: ValuationOrder, signal: AbortSignal): Promise<ValuationOutcome | null> {
  return runInThread<ValuationOutcome>("src/jobs/valuation/worker.ts", order, signal);
}
