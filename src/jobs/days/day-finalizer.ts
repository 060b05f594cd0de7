import type { Database } from "../../store/database.ts";
import type { Held } from "../../store/write/batches.ts";
import { DamagedDays, type Settled, settleDaysSteps } from "../../store/write/finalize-days.ts";
import { dayMs, dayOf } from "../../values/calendar.ts";
import { calculateIndexSteps } from "../indexes/calculate.ts";
import { faultText, isOwnFault } from "../mirror/feed-fault.ts";
import type { MirroredFeed } from "../mirror/mirrored-feed.ts";
import { runPaused, type WriterParts } from "../mirror/writer-parts.ts";

const noDays: Settled = { days: 0, rows: 0, kept: 0 };

/** Settles the days that are over and brings the indexes up to them: at the start, and when a new UTC day has been verified. */
export class DaySettler {
  readonly #feeds: readonly MirroredFeed[];
  readonly #parts: WriterParts;
  /** The last verified day when the days before were settled. */
  #verifiedDay: number | null = null;

  constructor(feeds: readonly MirroredFeed[], parts: WriterParts) {
    this.#feeds = feeds;
    this.#parts = parts;
  }

  get isSettled(): boolean {
    return this.#verifiedDay === this.#lastVerifiedDay();
  }

  /** What cannot be settled or calculated is told of and left until the next day. Throws what concerns the whole file. */
  async settle(database: Database): Promise<void> {
    const { clock, events } = this.#parts;
    const verifiedDay = this.#lastVerifiedDay();
    if (this.#verifiedDay === verifiedDay) return;
    const today = dayOf(clock.now());
    const settled = await this.#attempt(settleDaysSteps(database, today, clock), (error) =>
      error instanceof DamagedDays ? error.settled : noDays,
    );
    const calculated = await this.#attempt(calculateIndexSteps(database, today, { clock }), () => []);
    this.#verifiedDay = verifiedDay;
    const { days, rows } = settled;
    const indexLevels = calculated.reduce((sum, { appended }) => sum + appended, 0);
    if (days > 0 || indexLevels > 0) events.daysSettled({ days, rows, index_levels: indexLevels });
  }

  /** `done` says what was done before the failure that is told of. */
  async #attempt<T>(steps: Generator<Held, T>, done: (error: unknown) => T): Promise<T> {
    const { clock, events, signal } = this.#parts;
    try {
      return (await runPaused(steps, this.#parts)).value;
    } catch (error) {
      if (!isOwnFault(error, signal)) throw error;
      events.mirrorFailed({ reason: faultText(error), retry_ms: dayMs - (clock.now() % dayMs) });
      return done(error);
    }
  }

  /** The last UTC day on which a feed was verified. */
  #lastVerifiedDay(): number {
    return dayOf(Math.max(0, ...this.#feeds.map(({ checkedAt }) => checkedAt)));
  }
}
