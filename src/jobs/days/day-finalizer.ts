import type { Database } from "../../store/database.ts";
import type { BatchStats } from "../../store/write/batches.ts";
import { DamagedDays, type Finalized, finalizeDaysInBatches } from "../../store/write/finalize-days.ts";
import { moveDaysInBatches } from "../../store/write/move-days.ts";
import { sealDaysInBatches } from "../../store/write/seal-days.ts";
import { dayMs, dayOf } from "../../values/time/calendar.ts";
import { calculateIndexInBatches } from "../indexes/calculate.ts";
import type { MirroredFeed } from "../mirror/mirrored-feed.ts";
import { faultText, isOwnFault } from "../mirror/publish/feed-fault.ts";
import { runPaused, type WriterParts } from "../mirror/publish/writer-parts.ts";

/** Days sealed per round of the feeds. */
const sealedPerTurn = 2;
/** Transactions of a move per round of the feeds. */
const movesPerRound = 20;
const noDays: Finalized = { days: 0, rows: 0, kept: 0 };

/**
 * Finalizes the completed days, updates the indexes, seals the days, and moves the rows of past months. Runs at the start and after the
 * first verification of a new UTC day. Long work, such as sealing all days of an older file, is divided among the rounds of the feeds.
 */
export class DayFinalizer {
  readonly #feeds: readonly MirroredFeed[];
  readonly #parts: WriterParts;
  /** The last verified day at the time of the last finalization. */
  #verifiedDay: number | null = null;
  #isSealed = true;
  #isMoved = true;

  constructor(feeds: readonly MirroredFeed[], parts: WriterParts) {
    this.#feeds = feeds;
    this.#parts = parts;
  }

  get isFinalized(): boolean {
    return this.#verifiedDay === this.#lastVerifiedDay() && this.#isSealed && this.#isMoved;
  }

  /**
   * Finalizes days, calculates indexes and seals some days. Moves some rows once all days are sealed. A failed step is reported and
   * repeated the next day.
   * @throws {Error} when the failure concerns the whole file.
   */
  async finalize(database: Database): Promise<void> {
    const verifiedDay = this.#lastVerifiedDay();
    if (this.#verifiedDay !== verifiedDay) await this.#finalizeDays(database, verifiedDay);
    if (!this.#isSealed) await this.#sealDays(database);
    if (this.#isSealed && !this.#isMoved) await this.#moveDays(database);
  }

  async #sealDays(database: Database): Promise<void> {
    const { clock } = this.#parts;
    const batches = sealDaysInBatches(database, dayOf(clock.now()), clock, { daysMax: sealedPerTurn });
    const { left } = await this.#attempt(batches, () => ({ sealed: 0, left: 0 }));
    this.#isSealed = left === 0;
  }

  async #moveDays(database: Database): Promise<void> {
    const { clock } = this.#parts;
    const batches = moveDaysInBatches(database, dayOf(clock.now()), clock, { stepsMax: movesPerRound });
    const { left } = await this.#attempt(batches, () => ({ left: false }));
    this.#isMoved = !left;
  }

  async #finalizeDays(database: Database, verifiedDay: number): Promise<void> {
    const { clock, events } = this.#parts;
    const today = dayOf(clock.now());
    const finalized = await this.#attempt(finalizeDaysInBatches(database, today, clock), (error) =>
      error instanceof DamagedDays ? error.finalized : noDays,
    );
    const calculated = await this.#attempt(calculateIndexInBatches(database, today, { clock }), () => []);
    this.#verifiedDay = verifiedDay;
    this.#isSealed = false;
    this.#isMoved = false;
    const { days, rows } = finalized;
    const levels = calculated.reduce((sum, { appended }) => sum + appended, 0);
    const corrected = calculated.reduce((sum, { corrected }) => sum + corrected.length, 0);
    if (days + levels + corrected > 0)
      events.daysFinalized({ days, rows, index_levels: levels, corrected_levels: corrected });
  }

  /** Runs batches. Reports a failure and then returns the partial result of `done`. */
  async #attempt<T>(batches: Generator<BatchStats, T>, done: (error: unknown) => T): Promise<T> {
    const { clock, events, signal } = this.#parts;
    try {
      return (await runPaused(batches, this.#parts)).value;
    } catch (error) {
      if (!isOwnFault(error, signal)) throw error;
      events.mirrorFailed({ reason: faultText(error), retry_ms: dayMs - (clock.now() % dayMs) });
      return done(error);
    }
  }

  /** Returns the last UTC day with a verified feed, in days since 1970. */
  #lastVerifiedDay(): number {
    return dayOf(Math.max(0, ...this.#feeds.map(({ checkedAt }) => checkedAt)));
  }
}
