import type { Database } from "../../store/database.ts";
import { LedgerClockReads } from "../../store/read/credentials.ts";
import { hourMs, monthBounds, utcMonth } from "../../values/time/calendar.ts";

/** Maximum distance of the clock behind the ledger's latest entry, ms. Further back, charges are refused. */
export const clockRegressionMax = hourMs;

/** A UTC calendar month. `endsAt` is exclusive. */
export type Month = { readonly month: string; readonly startsAt: number; readonly endsAt: number };

/** Finds the month of an instant. It caches the last month, because every request asks and nearly all ask for the same month. */
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
 * Finds the instant and the month in which the ledger would count a charge. The ledger's clock never goes back. So a system clock that is
 * behind at the end of a month still counts in the new month.
 */
export class LedgerTime {
  readonly #clock: LedgerClockReads;
  readonly #months = new Months();

  /** `database` may be read-only. */
  constructor(database: Database) {
    this.#clock = new LedgerClockReads(database);
  }

  /**
   * Returns the instant (UTC ms) that counts for a request at `at`. Beyond `clockRegressionMax` it returns `at`, because charges are
   * refused then.
   */
  instant(at: number): number {
    const highWaterAt = this.#clock.highWater();
    return highWaterAt - at > clockRegressionMax ? at : Math.max(at, highWaterAt);
  }

  /** Returns the month of a request at `at`. It reads the ledger's clock only in a month's last hour, because every request asks. */
  month(at: number): Month {
    const month = this.#months.of(at);
    return month.endsAt - at > clockRegressionMax ? month : this.#months.of(this.instant(at));
  }
}
