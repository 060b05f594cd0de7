import { type Backoff, backoffMs } from "../values/time/backoff.ts";
import { minuteMs, secondMs } from "../values/time/calendar.ts";
import type { Clock } from "../values/time/clock.ts";

/** A job that runs once in every period. Times are UTC ms. */
export type Job = {
  /** A period begins at each multiple of `everyMs` since 1970, plus `offsetMs`. */
  readonly everyMs: number;
  readonly offsetMs: number;
  /** Delay between the creation of the schedule and its first run, or until the next period if that begins sooner. */
  readonly firstDelayMs: number;
  /** Delays after failures. A new period starts again with `firstMs`. */
  readonly retry: Backoff;
  /** Returns whether the run of the period that began at `periodAt` is missing at the time `at`. */
  isMissing(periodAt: number, at: number): boolean;
  /**
   * Runs the job with the time `at`, in the period that began at `periodAt`. Resolves to the ms until the next check within the period, or
   * null to wait for the next period.
   */
  run(at: number, signal: AbortSignal, periodAt: number): Promise<number | null>;
  /** Reports the error of a failed run. */
  failed(error: Error, retryMs: number): void;
};

/** Maximum time between checks, because clocks jump, machines suspend and new work appears. */
const checkIntervalMaxMs = minuteMs;
const checkIntervalMinMs = secondMs;

/** Runs a job once in each period, even if several periods were missed. Runs never overlap. A failed run is retried later. */
export class Schedule {
  readonly #job: Job;
  readonly #clock: Clock;
  readonly #ending = new AbortController();
  #timer: NodeJS.Timeout | undefined;
  #running: Promise<void> | null = null;
  #failures = 0;
  /** Blocks runs in the period of `periodAt` until `untilMs` on the monotonic clock. */
  #wait: { periodAt: number; untilMs: number };

  constructor(job: Job, clock: Clock) {
    this.#job = job;
    this.#clock = clock;
    this.#wait = this.#waitFor(job.firstDelayMs);
  }

  /** Checks now, and then whenever a run can be due. */
  start(): void {
    void this.look().finally(() => {
      if (this.#ending.signal.aborted) return;
      this.#timer = setTimeout(() => this.start(), this.#restMs());
      this.#timer.unref();
    });
  }

  /** Runs the job if it is due, and resolves when the run has ended. Calls during a run wait for that run. Never rejects. */
  look(): Promise<void> {
    this.#running ??= this.#runIfDue().finally(() => {
      this.#running = null;
    });
    return this.#running;
  }

  /** Ends a running job and starts no other. */
  async close(): Promise<void> {
    this.#ending.abort();
    clearTimeout(this.#timer);
    await this.#running;
  }

  async #runIfDue(): Promise<void> {
    const { signal } = this.#ending;
    const at = this.#clock.now();
    const periodAt = this.#periodAt(at);
    try {
      if (signal.aborted || this.#waitMs(periodAt) > 0 || !this.#job.isMissing(periodAt, at)) return;
      const againMs = await this.#job.run(at, signal, periodAt);
      // A run that asks to be called again was postponed, so earlier failures are not cleared.
      if (againMs === null) this.#failures = 0;
      else this.#wait = this.#waitFor(againMs);
    } catch (error) {
      if (signal.aborted) return;
      const isFirst = this.#failures === 0 || this.#wait.periodAt !== this.#periodAt(this.#clock.now());
      this.#failures = isFirst ? 1 : this.#failures + 1;
      const retryMs = backoffMs(this.#failures, this.#job.retry);
      this.#wait = this.#waitFor(retryMs);
      this.#job.failed(error as Error, retryMs);
    }
  }

  /** Returns the ms until the delay is over or the next period starts. */
  #restMs(): number {
    const at = this.#clock.now();
    const periodAt = this.#periodAt(at);
    const restMs = Math.min(
      checkIntervalMaxMs,
      periodAt + this.#job.everyMs - at,
      this.#waitMs(periodAt) || checkIntervalMaxMs,
    );
    return Math.max(checkIntervalMinMs, restMs);
  }

  #periodAt(at: number): number {
    const { everyMs, offsetMs } = this.#job;
    return Math.floor((at - offsetMs) / everyMs) * everyMs + offsetMs;
  }

  #waitFor(ms: number): { periodAt: number; untilMs: number } {
    return { periodAt: this.#periodAt(this.#clock.now()), untilMs: this.#clock.monotonicMs() + ms };
  }

  #waitMs(periodAt: number): number {
    return this.#wait.periodAt === periodAt ? Math.max(0, this.#wait.untilMs - this.#clock.monotonicMs()) : 0;
  }
}
