const minuteMs = 60_000;

/** Requests per account and minute in one process. Remembers the newest two minutes. Any other jump starts a new count. */
export class ModelMinutes {
  #counts = new Map<number, Map<string, number>>();
  #newest = Number.NEGATIVE_INFINITY;

  /** Counts one request in the minute of `at` (UTC ms). Returns the number left after it, or null if the minute is used up. */
  take(accountId: string, limit: number, at: number): number | null {
    const counts = this.#countsOf(Math.floor(at / minuteMs));
    const taken = counts.get(accountId) ?? 0;
    if (taken >= limit) return null;
    counts.set(accountId, taken + 1);
    return limit - taken - 1;
  }

  giveBack(accountId: string, at: number): void {
    const taken = this.taken(accountId, at);
    if (taken > 0) this.#counts.get(Math.floor(at / minuteMs))?.set(accountId, taken - 1);
  }

  taken(accountId: string, at: number): number {
    return this.#counts.get(Math.floor(at / minuteMs))?.get(accountId) ?? 0;
  }

  /** Whole seconds from `at` to the next minute that is not used up. */
  retryAfterS(accountId: string, limit: number, at: number): number {
    const next = Math.floor(at / minuteMs) + 1;
    const free = this.taken(accountId, next * minuteMs) < limit ? next : next + 1;
    return Math.ceil((free * minuteMs - at) / 1000);
  }

  forget(): void {
    this.#counts = new Map();
    this.#newest = Number.NEGATIVE_INFINITY;
  }

  #countsOf(minute: number): Map<string, number> {
    const known = this.#counts.get(minute);
    if (known !== undefined) return known;
    const before = this.#newest === minute - 1 ? this.#counts.get(minute - 1) : undefined;
    const counts = new Map<string, number>();
    this.#counts = new Map([
      [minute - 1, before ?? new Map()],
      [minute, counts],
    ]);
    this.#newest = minute;
    return counts;
  }
}
