import { Failure } from "../../values/failure/failure.ts";
import { secondMs } from "../../values/time/calendar.ts";
import { type Clock, systemClock } from "../../values/time/clock.ts";
import {
  type Caller,
  type CredentialRow,
  callerOf,
  hashKey,
  type Identifies,
  invalidKey,
  keyOfHeader,
} from "../credentials.ts";
import { refusalDetails } from "../refusals.ts";

/** A caller known from a lookup a moment before, with the hash (hex) of the secret: only a charge that compares it may rely on it. */
export type CachedCaller = Caller & { secretHash: string };

/** Returns whether the caller was not looked up for this request. */
export function isCached(caller: Caller): caller is CachedCaller {
  return "secretHash" in caller;
}

type StoredKeys = { byHash(secretHash: Buffer): Promise<{ row: CredentialRow; at: number } | undefined> };

/** Longest time for which a caller is cached, from the start of the lookup of their key. */
const cachedMsMax = 5 * secondMs;
const cachedCallersMax = 10_000;

/**
 * Turns credentials into callers by keys in PostgreSQL, with the refusals of `Credentials`. A caller is cached for a moment: their next
 * charged requests need no lookup, because the charge's own transaction compares secret and plan.
 */
export class NodesCredentials implements Identifies {
  readonly #reads: StoredKeys;
  readonly #clock: Pick<Clock, "monotonicMs">;
  readonly #callersMax: number;
  /** By the hash of the secret (hex), the oldest first. */
  readonly #cached = new Map<string, { caller: CachedCaller; untilMs: number }>();

  constructor(reads: StoredKeys, clock: Pick<Clock, "monotonicMs"> = systemClock, callersMax = cachedCallersMax) {
    this.#reads = reads;
    this.#clock = clock;
    this.#callersMax = callersMax;
  }

  /**
   * Resolves to the caller of `Bearer <key>` now, by the clock of the database: those of nodes may differ.
   * @throws {Failure} as `Credentials` does.
   */
  identify(authorization: string | undefined): Promise<Caller> {
    const key = authorization === undefined ? null : keyOfHeader(authorization);
    if (key === null) throw invalidKey();
    const hash = hashKey(key);
    const untilMs = this.#clock.monotonicMs() + cachedMsMax;
    return this.#reads.byHash(hash).then((found) => this.#seen(hash.toString("hex"), found, untilMs), unavailable);
  }

  /** Returns the caller of a lookup a moment before; null: they are to be looked up. */
  cached(authorization: string | undefined): CachedCaller | null {
    const key = authorization === undefined ? null : keyOfHeader(authorization);
    if (key === null) return null;
    const known = this.#cached.get(hashKey(key).toString("hex"));
    return known === undefined || this.#clock.monotonicMs() >= known.untilMs ? null : known.caller;
  }

  #seen(hash: string, found: Awaited<ReturnType<StoredKeys["byHash"]>>, untilMs: number): Caller {
    this.#cached.delete(hash);
    const caller = callerOf(found?.row, found?.at ?? 0);
    this.#cached.set(hash, { caller: { ...caller, secretHash: hash }, untilMs });
    if (this.#cached.size > this.#callersMax) this.#cached.delete(this.#cached.keys().next().value!);
    return caller;
  }
}

/** Makes the refusal of a look that could not be taken. */
function unavailable(): never {
  throw new Failure("service_unavailable", { detail: refusalDetails.service_unavailable, retryAfterS: 1 });
}
