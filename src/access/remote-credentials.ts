import { Failure } from "../values/failure/failure.ts";
import { secondMs } from "../values/time/calendar.ts";
import { type Clock, systemClock } from "../values/time/clock.ts";
import {
  type Caller,
  type CredentialRow,
  callerOf,
  hashKey,
  type Identifies,
  invalidKey,
  keyOfHeader,
} from "./credentials.ts";
import { refusalDetails } from "./refusals.ts";

type RemoteKeys = { byHash(secretHash: Buffer): Promise<{ row: CredentialRow; at: number } | undefined> };

/** Longest time for which a caller is kept, from the moment in which their key was asked for. */
const keptMsMax = 5 * secondMs;
const keptCallersMax = 10_000;

/**
 * Turns credentials into callers where the keys are behind a connection, with the refusals of `Credentials`. A caller is kept for a
 * moment: their next requests that are charged need no look, because the charge's own transaction compares what was kept with what is.
 */
export class RemoteCredentials implements Identifies {
  readonly #reads: RemoteKeys;
  readonly #clock: Pick<Clock, "monotonicMs">;
  readonly #callersMax: number;
  /** By the hash of the secret (hex), the oldest first. */
  readonly #kept = new Map<string, { caller: Caller; untilMs: number }>();

  constructor(reads: RemoteKeys, clock: Pick<Clock, "monotonicMs"> = systemClock, callersMax = keptCallersMax) {
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
    const untilMs = this.#clock.monotonicMs() + keptMsMax;
    return this.#reads.byHash(hash).then((found) => this.#seen(hash.toString("hex"), found, untilMs), unavailable);
  }

  kept(authorization: string | undefined): Caller | null {
    const key = authorization === undefined ? null : keyOfHeader(authorization);
    if (key === null) return null;
    const known = this.#kept.get(hashKey(key).toString("hex"));
    return known === undefined || this.#clock.monotonicMs() >= known.untilMs ? null : known.caller;
  }

  #seen(hash: string, found: Awaited<ReturnType<RemoteKeys["byHash"]>>, untilMs: number): Caller {
    this.#kept.delete(hash);
    const caller = callerOf(found?.row, found?.at ?? 0);
    this.#kept.set(hash, { caller: { ...caller, keptBy: hash }, untilMs });
    if (this.#kept.size > this.#callersMax) this.#kept.delete(this.#kept.keys().next().value!);
    return caller;
  }
}

/** Makes the refusal of a look that could not be taken. */
function unavailable(): never {
  throw new Failure("service_unavailable", { detail: refusalDetails.service_unavailable, retryAfterS: 1 });
}
