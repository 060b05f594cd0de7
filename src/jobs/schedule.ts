import { type Backoff, backoffMs } from "../values/time/backoff.ts";
import { minuteMs, secondMs } from "../values/time/calendar.ts";
import type { Clock } from "../values/time/clock.ts";

/** A job that runs once in every period, and what a run of it is. Instants are UTC ms. */
export type Job = {
  /** A period begins at each multiple of `everyMs` since 1970, plus `offsetMs`. */
  readonly everyMs: number;
  readonly offsetMs: number;
  /** Time from the making of the schedule to its first run, or to the next period where that begins sooner. */
  readonly firstDelayMs: number;
  /** Waits after failures. A new period starts at `firstMs` again. */
  readonly retry: Backoff;
  /** Returns whether the run of the period that began at `periodAt` is still to be made at the instant `at`. */
  isMissing(periodAt: number, at: number): boolean;
  /** Runs the job as at `at`, in the period that began at `periodAt`. Resolves to the ms after which to look again within the period, null: in the next one. */
  run(at: number, signal: AbortSignal, periodAt: number): Promise<number | null>;
  /** Reports what a run failed of. */
  failed(error: Error, retryMs: number): void;
};

/** Clocks jump, machines sleep and work comes in between: the schedule looks at least this often. */
const lookMaxMs = minuteMs;
const lookMinMs = secondMs;

/** Runs a job in each period, once however many were missed, and one run at a time. A failed run is tried again later. */
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

  /** Looks now, and from then on whenever a run can be due. */
  start(): void {
    void this.look().finally(() => {
      if (this.#ending.signal.aborted) return;
      this.#timer = setTimeout(() => this.start(), this.#restMs());
      this.#timer.unref();
    });
  }

  /** Runs the job if that is due, and resolves when the run has ended. Called during a run it waits for that. Never rejects. */
  look(): Promise<void> {
    this.#running ??= this.#runIfDue().finally(() => {
      this.#running = null;
    });
    return this.#running;
  }

  /** Ends a run that is under way and starts no other. */
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
      // A run that only asks to be called again was put off: what failed before has not succeeded yet.
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

  /** Returns the ms until the wait is over or the next period starts. */
  #restMs(): number {
    const at = this.#clock.now();
    const periodAt = this.#periodAt(at);
    const restMs = Math.min(lookMaxMs, periodAt + this.#job.everyMs - at, this.#waitMs(periodAt) || lookMaxMs);
    return Math.max(lookMinMs, restMs);
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
