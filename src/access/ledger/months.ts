import { monthBounds, utcMonth } from "../../values/calendar.ts";

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
