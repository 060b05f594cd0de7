import type { Database } from "../../store/database.ts";
import { dayMs, dayOf, hourMs, minuteMs, secondMs } from "../../values/calendar.ts";
import type { Clock } from "../../values/clock.ts";
import { runInThread } from "../../worker/thread.ts";

/** What is told of the daily job. */
export type ValuationEvents = {
  /** `late`: portfolios with a day that waits because no price of it has come yet. */
  portfoliosValued(facts: {
    portfolios: number;
    days: number;
    incomplete: number;
    refused: number;
    late: number;
  }): void;
  valuationFailed(facts: { reason: string; retry_ms: number }): void;
};

/** What a run came to. `isWaiting`: days are left whose prices are not derived yet, or another import was writing. */
export type ValuationOutcome = Parameters<ValuationEvents["portfoliosValued"]>[0] & { isWaiting: boolean };

/** One run of the job, as at the instant `at` (UTC ms). It can be sent to another thread. */
export type ValuationOrder = {
  databasePath: string;
  at: number;
  /** Whether the job stores the daily prices of completed days itself, under the lock of imports. */
  settles: boolean;
};

export type ValuationSetup = Pick<ValuationOrder, "databasePath"> & {
  /** A handle that reads the same file. */
  database: Database;
  /** False where a mirror of this process settles days. */
  settles: boolean;
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

type ScheduleParts = {
  clock: Clock;
  events: ValuationEvents;
  /** Whether there is anything to value: else no thread is started. */
  hasPortfolios: () => boolean;
  /** Runs the job once as at `at`; null: the signal ended it. */
  run: (at: number, signal: AbortSignal) => Promise<ValuationOutcome | null>;
};

/** A start is busy with other things, and a program that is started for a moment needs no valuation. */
const firstDelayMs = minuteMs;
/** After midnight, when mirrors have settled the day that ended. */
const intoDayMs = 10 * minuteMs;
const retryMs = 10 * minuteMs;
/** Frames that are late come within hours, and a run reads much. */
const lateRetryMs = hourMs;
const lookEveryMs = 30 * secondMs;

/** When the job runs: soon after the start, then once in every UTC day; again after ten minutes where something is left, after an hour where prices are late. */
export class ValuationSchedule {
  readonly #parts: ScheduleParts;
  /** Portfolios that the last run found late. */
  #late = 0;
  readonly #ending = new AbortController();
  #running: Promise<void> | null = null;
  /** UTC ms: a machine that slept over midnight notices at once. */
  #dueAt: number;
  #timer: NodeJS.Timeout | undefined;

  constructor(parts: ScheduleParts) {
    this.#parts = parts;
    this.#dueAt = parts.clock.now() + firstDelayMs;
  }

  get dueAt(): number {
    return this.#dueAt;
  }

  /** Runs the job if it is due and not running. Resolves when it has ended; never rejects. */
  look(): Promise<void> {
    if (this.#running !== null) return this.#running;
    if (this.#ending.signal.aborted || this.#parts.clock.now() < this.#dueAt) return Promise.resolve();
    this.#running = this.#run().finally(() => {
      this.#running = null;
    });
    return this.#running;
  }

  /** Looks again and again, until it is closed. */
  start(): void {
    this.#timer = setInterval(() => void this.look(), lookEveryMs);
    this.#timer.unref();
  }

  /** Ends a run between two transactions. */
  async close(): Promise<void> {
    clearInterval(this.#timer);
    this.#ending.abort();
    await this.#running;
  }

  async #run(): Promise<void> {
    const { clock, events, hasPortfolios, run } = this.#parts;
    const { signal } = this.#ending;
    try {
      const outcome = hasPortfolios() ? await run(clock.now(), signal) : nothingValued;
      if (outcome === null) return;
      const { isWaiting, ...facts } = outcome;
      const now = clock.now();
      const nextDayAt = (dayOf(now - intoDayMs) + 1) * dayMs + intoDayMs;
      this.#dueAt = isWaiting ? now + retryMs : facts.late > 0 ? Math.min(now + lateRetryMs, nextDayAt) : nextDayAt;
      // A feed that is dead is told of once, not every hour.
      if (facts.days > 0 || facts.refused > 0 || facts.late > this.#late) events.portfoliosValued(facts);
      this.#late = facts.late;
    } catch (error) {
      if (signal.aborted) return;
      this.#dueAt = clock.now() + retryMs;
      events.valuationFailed({ reason: (error as Error).message, retry_ms: retryMs });
    }
  }
}

/** The schedule of a server: each run has a thread that lives as long as it. */
export function valuationSchedule(
  { databasePath, database, settles }: ValuationSetup,
  events: ValuationEvents,
  clock: Clock,
): ValuationSchedule {
  const any = database.$client.prepare("SELECT 1 FROM portfolios WHERE deleted_at IS NULL LIMIT 1");
  return new ValuationSchedule({
    clock,
    events,
    hasPortfolios: () => any.get() !== undefined,
    run: (at, signal) => valueInThread({ databasePath, at, settles }, signal),
  });
}

/** One run of the job in a thread. Null: the signal ended it. Rejects with what it failed of. */
export function valueInThread(order: ValuationOrder, signal: AbortSignal): Promise<ValuationOutcome | null> {
  return runInThread<ValuationOutcome>("src/jobs/valuation/worker.ts", order, signal);
}
