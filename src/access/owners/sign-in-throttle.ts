import type { MaybePromise } from "../../values/maybe-promise.ts";
import { networkOf } from "../../values/networks.ts";
import { backoffMs } from "../../values/time/backoff.ts";
import { hourMs, minuteMs, secondMs, secondsUntil } from "../../values/time/calendar.ts";

/** Rule that slows down failures of one kind. `free` failures have no delay; each further one doubles the wait up to `waitMaxMs`. */
type Rule = { readonly free: number; readonly waitMaxMs: number };
/** Consecutive failures, and the instant of the last one (UTC ms). */
type SignInCount = { readonly failures: number; lastAt: number };

/**
 * Counts in the order of use: `logins` by login and address, `addresses` by address. `known` replaces `logins` after a successful sign-in.
 */
export type SignInCounts = Readonly<Record<SignInKind, Map<string, SignInCount>>>;
export type SignInKind = "logins" | "addresses" | "known";

/**
 * An attempt to sign in. `waitS` is null if it may proceed. Otherwise it is the whole seconds to wait, and the attempt is not counted.
 * `isKnown`: the login was signed in from the address before.
 */
export type SignInAttempt = {
  readonly waitS: number | null;
  readonly isKnown: boolean;
  /** Removes only this attempt from the counts, if no password was compared or the failure had another reason. */
  withdraw(): MaybePromise<void>;
};

/** Slows down the guessing of passwords, by login at a client address and by address. `at`: UTC ms. */
export interface ThrottlesSignIns {
  /** Counts an attempt as failed until it is reported by `succeeded` or withdrawn. So concurrent attempts also count. */
  begin(login: string, address: string, at: number): MaybePromise<SignInAttempt>;
  /** Reports that the attempt at `at` had the right password. */
  succeeded(login: string, address: string, at: number): MaybePromise<void>;
  /** Clears the failures of the login at the address, after its owner used a one-time link there. */
  trust(login: string, address: string, at: number): MaybePromise<void>;
}

/** Guesses from other addresses never delay the owner of a login. */
const loginRule: Rule = { free: 5, waitMaxMs: 5 * minuteMs };
/** One address may be a whole office, or a proxy in front of this service. */
const addressRule: Rule = { free: 20, waitMaxMs: minuteMs };
/** Maximum length of a login. Longer input is truncated, so that little of it is stored. */
const loginCharactersMax = 254;
/** Time without another failure after which a count restarts. */
const forgottenMs = hourMs;
/** Maximum counts of each kind. The least recently used count is removed first. */
export const signInEntriesMax = 10_000;

/**
 * Stores the counts of one process in memory, so a restart clears them. A login that was signed in from an address is exempt from that
 * address's wait.
 */
export class SignInThrottle implements ThrottlesSignIns {
  readonly #counts: SignInCounts;

  /** `counts`: the initial counts, which this object changes. */
  constructor(counts: SignInCounts = { logins: new Map(), addresses: new Map(), known: new Map() }) {
    this.#counts = counts;
  }

  /** `removeAttempt` removes the attempt from stored counts at each call. */
  begin(
    login: string,
    address: string,
    at: number,
  ): { waitS: number | null; isKnown: boolean; withdraw(): void; removeAttempt(from: SignInCounts): void } {
    const { addresses, known } = this.#counts;
    const keys = signInKeys(login, address);
    const isKnown = known.has(keys.known);
    const kind = isKnown ? "known" : "logins";
    const freeAt = Math.max(
      freeAtOf(this.#counts[kind].get(keys[kind]), loginRule, at),
      isKnown ? 0 : freeAtOf(addresses.get(keys.addresses), addressRule, at),
    );
    const nothing = () => undefined;
    if (freeAt > at) return { waitS: secondsUntil(freeAt, at), isKnown, withdraw: nothing, removeAttempt: nothing };
    const takeBacks = ([kind, "addresses"] as const).map((one) => {
      const removeAttempt = countFailure(this.#counts[one], keys[one], at);
      return (from: SignInCounts) => removeAttempt(from[one]);
    });
    const removeAttempt = (from: SignInCounts) => {
      for (const one of takeBacks) one(from);
    };
    let isWithdrawn = false;
    return {
      waitS: null,
      isKnown,
      removeAttempt,
      withdraw: () => {
        if (!isWithdrawn) removeAttempt(this.#counts);
        isWithdrawn = true;
      },
    };
  }

  succeeded(login: string, address: string, at: number): void {
    this.trust(login, address, at);
    // Only its own attempt is removed. Guesses at other logins between two successful sign-ins stay counted.
    const { addresses } = this.#counts;
    const key = networkOf(address);
    const count = addresses.get(key);
    if (count !== undefined) addresses.set(key, oneLess(count));
  }

  trust(login: string, address: string, at: number): void {
    const keys = signInKeys(login, address);
    this.#counts.logins.delete(keys.logins);
    remember(this.#counts.known, keys.known, { failures: 0, lastAt: at });
  }
}

/** Returns the keys of an attempt's counts. */
export function signInKeys(login: string, address: string): Readonly<Record<SignInKind, string>> {
  const addresses = networkOf(address);
  const pair = `${addresses} ${login.slice(0, loginCharactersMax)}`;
  return { logins: pair, addresses, known: pair };
}

function freeAtOf(count: SignInCount | undefined, { free, waitMaxMs }: Rule, at: number): number {
  if (count === undefined || count.failures < free || at - count.lastAt >= forgottenMs) return 0;
  // If the clock was set back, the wait starts now, not at a future instant.
  count.lastAt = Math.min(count.lastAt, at);
  return count.lastAt + backoffMs(count.failures - free + 1, { firstMs: secondMs, maxMs: waitMaxMs });
}

/** Counts a failure. Returns a function that removes it, from these counts or from a stored copy. */
function countFailure(
  counts: Map<string, SignInCount>,
  key: string,
  at: number,
): (from: Map<string, SignInCount>) => void {
  const before = counts.get(key);
  const failures = before === undefined || at - before.lastAt >= forgottenMs ? 0 : before.failures;
  const mine: SignInCount = { failures: failures + 1, lastAt: at };
  remember(counts, key, mine);
  return (from) => {
    const now = from.get(key);
    if (now === undefined) return;
    const isMine = now.failures === mine.failures && now.lastAt === mine.lastAt;
    // If others were counted since, the wait continues from the last one.
    if (!isMine) from.set(key, oneLess(now));
    else if (before === undefined) from.delete(key);
    else from.set(key, before);
  };
}

function oneLess({ failures, lastAt }: SignInCount): SignInCount {
  return { failures: Math.max(0, failures - 1), lastAt };
}

/** Inserts the key as the newest and removes the oldest beyond the limit. */
function remember<T>(map: Map<string, T>, key: string, value: T): void {
  map.delete(key);
  map.set(key, value);
  if (map.size <= signInEntriesMax) return;
  for (const oldest of map.keys()) {
    map.delete(oldest);
    return;
  }
}
