import { networkOf } from "../../values/networks.ts";
import type { Soon } from "../../values/soon.ts";
import { backoffMs } from "../../values/time/backoff.ts";
import { hourMs, minuteMs, secondMs, secondsUntil } from "../../values/time/calendar.ts";

/** Rule that slows failures of one kind down: `free` of them cost nothing, each more doubles the wait up to `waitMaxMs`. */
type Rule = { readonly free: number; readonly waitMaxMs: number };
/** Failures in a row, and the instant of the last one, UTC ms. */
type SignInCount = { readonly failures: number; lastAt: number };

/** Counts in the order of use: `logins` by login and address, `addresses` by address, and `known` as `logins` after a sign-in there. */
export type SignInCounts = Readonly<Record<SignInKind, Map<string, SignInCount>>>;
export type SignInKind = "logins" | "addresses" | "known";

/**
 * An attempt. `waitS` null: it may be made; else the whole seconds to wait, and it was not counted. `isKnown`: the login was signed in
 * from the address before.
 */
export type SignInAttempt = {
  readonly waitS: number | null;
  readonly isKnown: boolean;
  /** Takes it back, and it alone: no password was looked at, or it was not what the attempt failed for. */
  withdraw(): Soon<void>;
};

/** Slows down the guessing of passwords, by login at a client address and by address. `at`: UTC ms. */
export interface ThrottlesSignIns {
  /** Counts an attempt as failed until `succeeded` says otherwise or it is withdrawn, so that attempts at once are counted too. */
  begin(login: string, address: string, at: number): Soon<SignInAttempt>;
  /** The attempt at `at` that `begin` let through was right. */
  succeeded(login: string, address: string, at: number): Soon<void>;
  /** Forgets wrong passwords of the login at the address, whose owner used a one-time link there. */
  trust(login: string, address: string, at: number): Soon<void>;
}

/** Guesses from other addresses never make the owner of a login wait. */
const loginRule: Rule = { free: 5, waitMaxMs: 5 * minuteMs };
/** One address may be a whole office, or a proxy before this service. */
const addressRule: Rule = { free: 20, waitMaxMs: minuteMs };
/** A login is at most so long; whatever else was typed is cut, so that little is remembered of it. */
const loginCharactersMax = 254;
/** Time without another failure after which a count starts again. */
const forgottenMs = hourMs;
/** Logins and addresses that are remembered of each kind; the one unused longest is forgotten first. */
export const signInEntriesMax = 10_000;

/** Keeps the counts of one process in memory: a restart forgives. A login that was signed in from an address has no wait by that address. */
export class SignInThrottle implements ThrottlesSignIns {
  readonly #counts: SignInCounts;

  /** `counts`: those that are known already; they are changed. */
  constructor(counts: SignInCounts = { logins: new Map(), addresses: new Map(), known: new Map() }) {
    this.#counts = counts;
  }

  /** `takeBack` takes the attempt out of counts that these were stored as, each time that it is called. */
  begin(
    login: string,
    address: string,
    at: number,
  ): { waitS: number | null; isKnown: boolean; withdraw(): void; takeBack(from: SignInCounts): void } {
    const { addresses, known } = this.#counts;
    const keys = signInKeys(login, address);
    const isKnown = known.has(keys.known);
    const kind = isKnown ? "known" : "logins";
    const freeAt = Math.max(
      freeAtOf(this.#counts[kind].get(keys[kind]), loginRule, at),
      isKnown ? 0 : freeAtOf(addresses.get(keys.addresses), addressRule, at),
    );
    const nothing = () => undefined;
    if (freeAt > at) return { waitS: secondsUntil(freeAt, at), isKnown, withdraw: nothing, takeBack: nothing };
    const takeBacks = ([kind, "addresses"] as const).map((one) => {
      const takeBack = countFailure(this.#counts[one], keys[one], at);
      return (from: SignInCounts) => takeBack(from[one]);
    });
    const takeBack = (from: SignInCounts) => {
      for (const one of takeBacks) one(from);
    };
    let isWithdrawn = false;
    return {
      waitS: null,
      isKnown,
      takeBack,
      withdraw: () => {
        if (!isWithdrawn) takeBack(this.#counts);
        isWithdrawn = true;
      },
    };
  }

  succeeded(login: string, address: string, at: number): void {
    this.trust(login, address, at);
    // Only its own attempt is taken back: who guesses at others between sign-ins of his own stays counted.
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

/** Returns what an attempt is counted by. */
export function signInKeys(login: string, address: string): Readonly<Record<SignInKind, string>> {
  const addresses = networkOf(address);
  const pair = `${addresses} ${login.slice(0, loginCharactersMax)}`;
  return { logins: pair, addresses, known: pair };
}

function freeAtOf(count: SignInCount | undefined, { free, waitMaxMs }: Rule, at: number): number {
  if (count === undefined || count.failures < free || at - count.lastAt >= forgottenMs) return 0;
  // A clock that was set back: the wait runs from now on, not from an instant that is still to come.
  count.lastAt = Math.min(count.lastAt, at);
  return count.lastAt + backoffMs(count.failures - free + 1, { firstMs: secondMs, maxMs: waitMaxMs });
}

/** Counts a failure. What it returns takes it back, from these counts or from those that they were stored as. */
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
    // Where others were counted since, the wait continues from the last of them.
    if (!isMine) from.set(key, oneLess(now));
    else if (before === undefined) from.delete(key);
    else from.set(key, before);
  };
}

function oneLess({ failures, lastAt }: SignInCount): SignInCount {
  return { failures: Math.max(0, failures - 1), lastAt };
}

/** Keeps the map in order of use and within its bound. */
function remember<T>(map: Map<string, T>, key: string, value: T): void {
  map.delete(key);
  map.set(key, value);
  if (map.size <= signInEntriesMax) return;
  for (const oldest of map.keys()) {
    map.delete(oldest);
    return;
  }
}
