import { minuteMs, secondsUntil, utcMinute } from "../values/time/calendar.ts";

type Window = { minute: number; counts: Map<string, number> };

/**
 * Outcome of an attempt. `remaining`: attempts left in the minute. `retryAfterS`: whole seconds to the next minute in which the account has
 * attempts left.
 */
export type MinuteAttempt = { admitted: boolean; remaining: number; retryAfterS: number };

/**
 * Counts attempts per account and UTC minute in memory. A restart clears only the current minute. Two minutes are stored, because a request
 * that began just before the boundary may be counted just after it. A clock set back further clears both.
 */
export class RateLimiter {
  #current: Window = { minute: Number.NEGATIVE_INFINITY, counts: new Map() };
  #previous: Window = { minute: Number.NEGATIVE_INFINITY, counts: new Map() };

  /** Counts one attempt of the account in the minute of `at`. An attempt beyond `limit` is refused and not counted. */
  take(accountId: string, limit: number, at: number): MinuteAttempt {
    const minute = utcMinute(at);
    const { counts } = this.#known(minute) ?? this.#open(minute);
    const taken = counts.get(accountId) ?? 0;
    const admitted = taken < limit;
    if (admitted) counts.set(accountId, taken + 1);
    return {
      admitted,
      remaining: admitted ? limit - taken - 1 : 0,
      retryAfterS: secondsUntil(this.#nextFree(accountId, limit, minute) * minuteMs, at),
    };
  }

  /** Removes one counted attempt, because its request turned out not to count. */
  giveBack(accountId: string, at: number): void {
    const counts = this.#known(utcMinute(at))?.counts;
    const taken = counts?.get(accountId) ?? 0;
    if (taken > 0) counts?.set(accountId, taken - 1);
  }

  /** Returns the attempts left in the minute of `at`, without counting one. */
  remaining(accountId: string, limit: number, at: number): number {
    return Math.max(0, limit - (this.#known(utcMinute(at))?.counts.get(accountId) ?? 0));
  }

  /** Number of accounts in memory. */
  get size(): number {
    return this.#current.counts.size + this.#previous.counts.size;
  }

  /** After a clock was set back, the next minute may already be used up. Later minutes are unknown. */
  #nextFree(accountId: string, limit: number, minute: number): number {
    const next = this.#known(minute + 1)?.counts.get(accountId) ?? 0;
    return next < limit ? minute + 1 : minute + 2;
  }

  #known(minute: number): Window | undefined {
    if (minute === this.#current.minute) return this.#current;
    return minute === this.#previous.minute ? this.#previous : undefined;
  }

  #open(minute: number): Window {
    const follows = minute === this.#current.minute + 1;
    this.#previous = follows ? this.#current : { minute: minute - 1, counts: new Map() };
    this.#current = { minute, counts: new Map() };
    return this.#current;
  }
}
