import { hourMs, minuteMs, secondMs, secondsUntil } from "../../values/calendar.ts";
import { networkOf } from "../../values/networks.ts";

/** Rule that slows failures of one kind down: `free` of them cost nothing, each more doubles the wait up to `waitMaxMs`. */
type Rule = { readonly free: number; readonly waitMaxMs: number };
type Count = { readonly failures: number; lastAt: number };

/** An attempt. `waitS` null: it may be made; else the whole seconds to wait, and it was not counted. */
type Attempt = {
  readonly waitS: number | null;
  /** Takes it back, and it alone: no password was looked at, or it was not what the attempt failed for. */
  withdraw(): void;
};

/** A login's wait stays short: it also meets its owner, who must never be kept out for good. */
const loginRule: Rule = { free: 5, waitMaxMs: 5 * minuteMs };
/** One address may be a whole office, or a proxy before this service. */
const addressRule: Rule = { free: 20, waitMaxMs: minuteMs };
/** A login is at most so long; whatever else was typed is cut, so that little is remembered of it. */
const loginCharactersMax = 254;
/** Time without another failure after which a count starts again. */
const forgottenMs = hourMs;
/** Logins and addresses that are remembered of each kind; the one unused longest is forgotten first. */
const entriesMax = 10_000;

/**
 * Slows down the guessing of passwords, by login and by client address. Kept in memory: a restart forgives. Where a login was
 * signed in from before, its owner has a count apart from that of everybody else.
 */
export class SignInThrottle {
  readonly #logins = new Map<string, Count>();
  readonly #addresses = new Map<string, Count>();
  /** Counts by login and address, for those that were signed in from. */
  readonly #known = new Map<string, Count>();

  /**
   * Counts an attempt as failed until `succeeded` says otherwise or it is withdrawn, so that attempts at once are counted too.
   */
  begin(login: string, address: string, at: number): Attempt {
    const { pair, isKnown, addressKey } = keysOf(login, address, this.#known);
    const [counts, key] = isKnown ? [this.#known, pair] : [this.#logins, shortened(login)];
    const freeAt = Math.max(
      freeAtOf(counts.get(key), loginRule, at),
      isKnown ? 0 : freeAtOf(this.#addresses.get(addressKey), addressRule, at),
    );
    if (freeAt > at) return { waitS: secondsUntil(freeAt, at), withdraw: () => undefined };
    const withdrawals = [countFailure(counts, key, at), countFailure(this.#addresses, addressKey, at)];
    return {
      waitS: null,
      withdraw() {
        for (const withdraw of withdrawals.splice(0)) withdraw();
      },
    };
  }

  /** The attempt at `at` that `begin` let through was right. */
  succeeded(login: string, address: string, at: number): void {
    const { pair, isKnown, addressKey } = keysOf(login, address, this.#known);
    if (!isKnown) this.#logins.delete(shortened(login));
    remember(this.#known, pair, { failures: 0, lastAt: at });
    // Only its own attempt is taken back: who guesses at others between sign-ins of his own stays counted.
    const count = this.#addresses.get(addressKey);
    if (count !== undefined) this.#addresses.set(addressKey, oneLess(count));
  }
}

function keysOf(login: string, address: string, known: ReadonlyMap<string, Count>) {
  const addressKey = networkOf(address);
  const pair = `${addressKey} ${shortened(login)}`;
  return { pair, isKnown: known.has(pair), addressKey };
}

function shortened(login: string): string {
  return login.slice(0, loginCharactersMax);
}

function freeAtOf(count: Count | undefined, { free, waitMaxMs }: Rule, at: number): number {
  if (count === undefined || count.failures < free || at - count.lastAt >= forgottenMs) return 0;
  // A clock that was set back: the wait runs from now on, not from an instant that is still to come.
  count.lastAt = Math.min(count.lastAt, at);
  return count.lastAt + Math.min(waitMaxMs, secondMs * 2 ** Math.min(count.failures - free, 30));
}

/** Counts a failure. What it returns takes it back. */
function countFailure(counts: Map<string, Count>, key: string, at: number): () => void {
  const before = counts.get(key);
  const failures = before === undefined || at - before.lastAt >= forgottenMs ? 0 : before.failures;
  const mine: Count = { failures: failures + 1, lastAt: at };
  remember(counts, key, mine);
  return () => {
    const now = counts.get(key);
    if (now === undefined) return;
    // Where others were counted since, the wait continues from the last of them.
    if (now !== mine) counts.set(key, oneLess(now));
    else if (before === undefined) counts.delete(key);
    else counts.set(key, before);
  };
}

function oneLess({ failures, lastAt }: Count): Count {
  return { failures: Math.max(0, failures - 1), lastAt };
}

/** Keeps the map in order of use and within its bound. */
function remember<T>(map: Map<string, T>, key: string, value: T): void {
  map.delete(key);
  map.set(key, value);
  if (map.size <= entriesMax) return;
  for (const oldest of map.keys()) {
    map.delete(oldest);
    return;
  }
}
