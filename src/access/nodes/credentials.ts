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

/** A caller cached from a recent lookup, with the hash (hex) of the secret. Only a charge that compares the hash may rely on it. */
export type CachedCaller = Caller & { secretHash: string };

/** Returns whether the caller is cached rather than looked up for this request. */
export function isCached(caller: Caller): caller is CachedCaller {
  return "secretHash" in caller;
}

type StoredKeys = { byHash(secretHash: Buffer): Promise<{ row: CredentialRow; at: number } | undefined> };

/** Maximum time for which a caller is cached, from the start of the lookup. */
const cachedMsMax = 5 * secondMs;
const cachedCallersMax = 10_000;

/**
 * Turns credentials into callers by keys in PostgreSQL, with the refusals of `Credentials`. It caches a caller briefly. Charged requests of
 * a cached caller need no lookup, because the charge's transaction compares secret and plan.
 */
export class NodesCredentials implements Identifies {
  readonly #reads: StoredKeys;
  readonly #clock: Pick<Clock, "monotonicMs">;
  readonly #callersMax: number;
  /** By the hash of the secret (hex), oldest first. */
  readonly #cached = new Map<string, { caller: CachedCaller; untilMs: number }>();

  constructor(reads: StoredKeys, clock: Pick<Clock, "monotonicMs"> = systemClock, callersMax = cachedCallersMax) {
    this.#reads = reads;
    this.#clock = clock;
    this.#callersMax = callersMax;
  }

  /**
   * Resolves to the caller of `Bearer <key>` now. It uses the clock of the database, because the clocks of nodes may differ.
   * @throws {Failure} as `Credentials` does.
   */
  identify(authorization: string | undefined): Promise<Caller> {
    const key = authorization === undefined ? null : keyOfHeader(authorization);
    if (key === null) throw invalidKey();
    const hash = hashKey(key);
    const untilMs = this.#clock.monotonicMs() + cachedMsMax;
    return this.#reads.byHash(hash).then((found) => this.#seen(hash.toString("hex"), found, untilMs), unavailable);
  }

  /** Returns the cached caller, null if the key must be looked up. */
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

/** Throws the refusal of a lookup that failed. */
function unavailable(): never {
  throw new Failure("service_unavailable", { detail: refusalDetails.service_unavailable, retryAfterS: 1 });
}
