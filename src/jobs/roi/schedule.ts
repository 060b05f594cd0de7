import { roiEveryMs, roiMethodology } from "../../roi/calculation.ts";
import type { Database } from "../../store/database.ts";
import { holdLock } from "../../store/lock.ts";
import { StoreRefusal } from "../../store/refusal.ts";
import { RoiRunsStore } from "../../store/roi-runs.ts";
import { minuteMs, secondMs } from "../../values/calendar.ts";
import type { Clock } from "../../values/clock.ts";
import type { RoiRun } from "./calculate.ts";
import { calculateInThread, type RoiOrder } from "./thread.ts";

/** What a schedule tells, one function per thing that happens. */
export type RoiEvents = {
  roiCalculated(facts: {
    generation: string | null;
    published: number;
    unchanged: number;
    withheld: number;
    without_point: number;
    duration_ms: number;
    hold_ms: number;
  }): void;
  /** What is published of it stays. */
  roiSkipped(facts: { openable: string; valuation_mode: string; reason: string }): void;
  /** Another process is calculating. */
  roiWaiting(facts: { retry_ms: number }): void;
  roiFailed(facts: { reason: string; retry_ms: number }): void;
};

export type ScheduleParts = {
  databasePath: string;
  /** A handle that reads the same file. */
  database: Database;
  clock: Clock;
  events: RoiEvents;
  /** Runs the model once; null: the signal ended it. */
  run?: (order: RoiOrder, signal: AbortSignal) => Promise<RoiRun | null>;
};

/** Clocks jump, machines sleep and pools are published: the schedule looks at least this often. */
const lookMaxMs = minuteMs;
const retryFirstMs = 30 * secondMs;
const retryMaxMs = 30 * minuteMs;
/** How soon it looks again whether another process's run has ended. */
const waitMs = 10 * secondMs;

/**
 * Runs the ROI model at 00, 06, 12 and 18 UTC, and at once where the last of these was missed: once, whatever number of them was. A run
 * that fails is tried again, later each time, until the next of these hours starts anew. Never throws.
 */
export class RoiSchedule {
  readonly #parts: ScheduleParts;
  readonly #runs: RoiRunsStore;
  readonly #ending = new AbortController();
  #timer: NodeJS.Timeout | undefined;
  #running: Promise<void> | null = null;
  #failures = 0;
  /** The hour of the schedule that the failures belong to. */
  #failedSlot = Number.NaN;
  /** On the monotonic clock. */
  #retryAtMs = Number.NEGATIVE_INFINITY;

  constructor(parts: ScheduleParts) {
    this.#parts = parts;
    this.#runs = new RoiRunsStore(parts.database);
  }

  /** Looks now, and from then on whenever something can be due. */
  start(): void {
    this.look().finally(() => {
      if (this.#ending.signal.aborted) return;
      this.#timer = setTimeout(() => this.start(), this.#restMs());
      this.#timer.unref();
    });
  }

  /** Runs the model if that is due; resolves when the run has ended. Called during one it waits for that. */
  look(): Promise<void> {
    this.#running ??= this.#runIfDue().finally(() => {
      this.#running = null;
    });
    return this.#running;
  }

  /** Ends a run that is under way: it has written everything, or nothing. */
  async close(): Promise<void> {
    this.#ending.abort();
    clearTimeout(this.#timer);
    await this.#running;
  }

  async #runIfDue(): Promise<void> {
    const { clock, events } = this.#parts;
    try {
      if (!this.#isDue()) return;
      await this.#run();
      this.#failures = 0;
    } catch (error) {
      if (this.#ending.signal.aborted) return;
      const isWaiting = error instanceof StoreRefusal && error.kind === "in_use";
      const retryMs = isWaiting ? waitMs : this.#retryMs();
      this.#failedSlot = slotOf(clock.now());
      this.#retryAtMs = clock.monotonicMs() + retryMs;
      if (isWaiting) events.roiWaiting({ retry_ms: retryMs });
      else events.roiFailed({ reason: (error as Error).message, retry_ms: retryMs });
    }
  }

  #isDue(): boolean {
    const { clock } = this.#parts;
    const at = clock.now();
    const slot = slotOf(at);
    if (this.#ending.signal.aborted) return false;
    if (slot === this.#failedSlot && clock.monotonicMs() < this.#retryAtMs) return false;
    const lastAt = this.#runs.lastRunAt(roiMethodology);
    // A run of the future is one of a clock that was wrong.
    return (lastAt === null || lastAt < slot || lastAt > at) && this.#runs.hasPools();
  }

  async #run(): Promise<void> {
    const { databasePath, clock, events, run = calculateInThread } = this.#parts;
    const startedMs = clock.monotonicMs();
    const lock = holdLock(databasePath, "roi");
    try {
      const done = await run({ databasePath, at: clock.now() }, this.#ending.signal);
      if (done !== null) tell(events, done, clock.monotonicMs() - startedMs);
    } finally {
      lock.release();
    }
  }

  #retryMs(): number {
    this.#failures = slotOf(this.#parts.clock.now()) === this.#failedSlot ? this.#failures + 1 : 1;
    return Math.min(retryMaxMs, retryFirstMs * 2 ** Math.min(this.#failures - 1, 20));
  }

  #restMs(): number {
    const { clock } = this.#parts;
    const at = clock.now();
    const retryMs = this.#retryAtMs - clock.monotonicMs();
    return Math.min(lookMaxMs, slotOf(at) + roiEveryMs - at, retryMs > 0 ? retryMs : lookMaxMs);
  }
}

function slotOf(at: number): number {
  return at - (at % roiEveryMs);
}

function tell(events: RoiEvents, run: RoiRun, durationMs: number): void {
  const { generationId, published, unchanged, withheld, heldBack, skipped, holdMs } = run;
  for (const { slug, valuationMode, reason } of skipped)
    events.roiSkipped({ openable: slug, valuation_mode: valuationMode, reason });
  events.roiCalculated({
    generation: generationId === null ? null : `g${generationId}`,
    published: published.length,
    unchanged: unchanged.length,
    withheld: withheld.length,
    without_point: heldBack.length,
    duration_ms: Math.round(durationMs),
    hold_ms: Math.round(holdMs),
  });
}
