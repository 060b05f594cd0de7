import type { Database } from "../../store/database.ts";
import { LedgerClockReads } from "../../store/read/credentials.ts";
import { hourMs, monthBounds, utcMonth } from "../../values/time/calendar.ts";

/** Maximum distance of the clock behind what the ledger has written, ms; further back nothing is charged. */
export const clockRegressionMax = hourMs;

/** A UTC calendar month; its end is already outside. */
export type Month = { readonly month: string; readonly startsAt: number; readonly endsAt: number };

/** Finds the month of an instant. Remembers the last one: every request asks, and nearly all for the same. */
export class Months {
  #last: Month = { month: "", startsAt: 0, endsAt: 0 };

  of(at: number): Month {
    if (at < this.#last.startsAt || at >= this.#last.endsAt) {
      const month = utcMonth(at);
      this.#last = { month, ...monthBounds(month) };
    }
    return this.#last;
  }
}

/**
 * Finds the instant and the month in which the ledger would count a charge: its own clock never goes back, so a clock that stands
 * behind it over a month's end still counts in the new month.
 */
export class LedgerTime {
  readonly #clock: LedgerClockReads;
  readonly #months = new Months();

  /** `database` may be read-only. */
  constructor(database: Database) {
    this.#clock = new LedgerClockReads(database);
  }

  /** Returns the instant (UTC ms) for a request of `at`; beyond the bound nothing is charged, and `at` is as good as any. */
  instant(at: number): number {
    const highWaterAt = this.#clock.highWater();
    return highWaterAt - at > clockRegressionMax ? at : Math.max(at, highWaterAt);
  }

  /** Returns the month for a request of `at`. The ledger's clock is read in a month's last hour only: every request asks. */
  month(at: number): Month {
    const month = this.#months.of(at);
    return month.endsAt - at > clockRegressionMax ? month : this.#months.of(this.instant(at));
  }
}
