import { minuteMs, secondsUntil, utcMinute } from "../values/time/calendar.ts";

type Window = { minute: number; counts: Map<string, number> };

/**
 * Outcome of an attempt. `remaining`: attempts that the minute still has. `retryAfterS`: whole seconds to the next minute in which the
 * account still has attempts.
 */
export type MinuteAttempt = { admitted: boolean; remaining: number; retryAfterS: number };

/**
 * Counts attempts per account in the UTC minute, in memory: a restart forgets the current minute and nothing else. Two minutes are
 * kept, because a request that began just before the boundary may be counted just after it. A clock set back further begins
 * anew, as a restart does.
 */
export class RateLimiter {
  #current: Window = { minute: Number.NEGATIVE_INFINITY, counts: new Map() };
  #previous: Window = { minute: Number.NEGATIVE_INFINITY, counts: new Map() };

  /** Counts one attempt of the account in the minute of `at`, unless its `limit` is reached: a refusal is not counted. */
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

  /** Takes one counted attempt back: its request turned out to be one that does not count. */
  giveBack(accountId: string, at: number): void {
    const counts = this.#known(utcMinute(at))?.counts;
    const taken = counts?.get(accountId) ?? 0;
    if (taken > 0) counts?.set(accountId, taken - 1);
  }

  /** Returns the attempts left in the minute of `at`, without counting one. */
  remaining(accountId: string, limit: number, at: number): number {
    return Math.max(0, limit - (this.#known(utcMinute(at))?.counts.get(accountId) ?? 0));
  }

  /** Counts the accounts in memory. */
  get size(): number {
    return this.#current.counts.size + this.#previous.counts.size;
  }

  /** After a clock was set back, the minute that comes next may be used up already. No minute after that one is known. */
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
