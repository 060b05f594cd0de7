import type { HistoryKey } from "./history-request.ts";
import { ObservationTimes } from "./observation-times.ts";

/** One page of hourly rows while it is filled, in ascending hour and provider. */
export class HourlyPage {
  /** Source times of the quotes in it; rows without a quote have none to tell. */
  readonly times = new ObservationTimes();
  readonly #after: HistoryKey | null;
  readonly #limit: number;
  #text = "";
  #count = 0;
  #hour = 0;
  #provider = "";
  #hasNext = false;

  /** `after`: the last row of the page before, null on the first one. */
  constructor(after: HistoryKey | null, limit: number) {
    this.#after = after;
    this.#limit = limit;
  }

  get isFull(): boolean {
    return this.#count === this.#limit;
  }

  /** Leaves out what an earlier page held. False: the page is full, the row belongs to the next one. */
  add(hour: number, provider: string, observedAt: number | null | undefined, text: string): boolean {
    if (this.#isBefore(hour, provider)) return true;
    if (this.isFull) {
      this.#hasNext = true;
      return false;
    }
    this.#text += this.#count === 0 ? text : `,${text}`;
    this.#count += 1;
    this.#hour = hour;
    this.#provider = provider;
    if (observedAt !== undefined) this.times.add(observedAt);
    return true;
  }

  #isBefore(hour: number, provider: string): boolean {
    if (this.#after === null || hour > this.#after.point) return false;
    return hour < this.#after.point || provider <= this.#after.provider;
  }

  /** Says that rows follow which were not made. */
  markNext(): void {
    this.#hasNext = true;
  }

  /** The last row when there is a next page, else null. */
  get nextAfter(): HistoryKey | null {
    return this.#hasNext ? { point: this.#hour, provider: this.#provider } : null;
  }

  get json(): string {
    return `[${this.#text}]`;
  }
}
