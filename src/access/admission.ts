import { type Failpoints, noFailpoints } from "../values/failpoints.ts";
import { Failure, type FailureFacts } from "../values/failure/failure.ts";
import { secondMs } from "../values/time/calendar.ts";
import type { Clock } from "../values/time/clock.ts";
import { AccountPlaces, type PlaceCounts, type PlaceRequest } from "./account-places.ts";
import type { Caller, Scope } from "./credentials.ts";
import {
  CallerChanged,
  type Charge,
  type Charged,
  holderMs,
  type LeaseEnd,
  type Ledger,
  LedgerRefusal,
  type MonthUse,
} from "./ledger/ledger.ts";
import { type PlanTable, plans } from "./plans.ts";
import type { RateLimiter } from "./rate-limiter.ts";
import { type RefusalCode, refusalDetails } from "./refusals.ts";
import { RefusedRequests } from "./refused-requests.ts";

/**
 * Conditions of an operation on its caller, and its cost. `scope` null: any valid key. `lease`: it takes the account's export place and
 * one of the service's, and counts as an export start unless `isStart` is false.
 */
export type AccessRule = {
  scope: Scope | null;
  plan: "free" | "paid";
  monthlyUnits: 0 | 1;
  lease: boolean;
  isStart?: boolean;
};

/** Values of the `X-RateLimit-*` and `X-Quota-Remaining` headers; null: no such header. */
export type Allowance = { limitPerMinute: number; remainingInMinute: number; quotaRemaining: number | null };

/**
 * An export's slot or a place of another long request, held by who runs on it. The holder stops at `deadlineMonotonicMs`, before
 * another gets it.
 */
type SnapshotLease = {
  readonly leaseId: string;
  readonly deadlineMonotonicMs: number;
  /** The stream began, however it ended: the start counts. */
  finish(): Promise<void>;
  /** Nothing was sent: the start is given back, the monthly unit is not. */
  release(): Promise<void>;
};

declare const brand: unique symbol;

/** The proof that a request was admitted and paid for. Only `Admissions` makes one. */
export type Admission = {
  readonly requestId: string;
  readonly caller: Caller;
  /** The instant at which what is read is judged, UTC ms. */
  readonly at: number;
  readonly allowance: Allowance;
  readonly lease: SnapshotLease | null;
  readonly [brand]: true;
};

/** Returns the same proof for a read at `at` (UTC ms): the request may have come long before. */
export function admissionAt({ requestId, caller, allowance, lease }: Admission, at: number): Admission {
  return new Admitted({ requestId, caller, at }, allowance, lease);
}

/** A refusal of a request, with the allowance for its headers. */
export class AdmissionRefusal extends Failure {
  readonly allowance: Allowance;

  constructor(code: RefusalCode, facts: FailureFacts, allowance: Allowance) {
    super(code, { detail: refusalDetails[code], ...facts });
    this.name = "AdmissionRefusal";
    this.allowance = allowance;
  }
}

type AdmissionRequest = {
  requestId: string;
  operation: string;
  rule: AccessRule;
  caller: Caller;
  at: number;
  place?: PlaceRequest | null;
};

/**
 * Admits requests, in this order: plan, minute, the place of a long request, then in one durable transaction the account's lease, the
 * service's slot (or, where many nodes share them, those of the place), the starts of 24 hours and the monthly unit.
 */
export class Admissions {
  /** Requests with a valid credential that were refused before they cost anything. */
  readonly refused: RefusedRequests;
  readonly #ledger: Ledger;
  readonly #limiter: RateLimiter;
  readonly #clock: Clock;
  readonly #plans: PlanTable;
  readonly #failpoints: Failpoints;
  readonly #places: AccountPlaces;

  constructor(parts: {
    ledger: Ledger;
    limiter: RateLimiter;
    clock: Clock;
    plans?: PlanTable;
    places?: PlaceCounts;
    failpoints?: Failpoints;
  }) {
    this.refused = new RefusedRequests(parts.clock.now());
    this.#ledger = parts.ledger;
    this.#limiter = parts.limiter;
    this.#clock = parts.clock;
    this.#plans = parts.plans ?? plans;
    this.#places = new AccountPlaces(parts.places);
    this.#failpoints = parts.failpoints ?? noFailpoints;
  }

  /** Returns what is left to the caller, without counting anything: for the headers of an authenticated refusal. */
  allowance(caller: Caller, at: number): Allowance {
    const limits = this.#plans[caller.plan];
    return {
      limitPerMinute: limits.requestsPerMinute,
      remainingInMinute: this.#limiter.remaining(caller.accountId, limits.requestsPerMinute, at),
      // Of a caller who was kept it may have become less.
      quotaRemaining:
        caller.keptBy === undefined ? remaining({ used: caller.monthUsed, limit: limits.requestsPerMonth }) : null,
    };
  }

  /**
   * Admits the request and charges what its rule says, durably, before it returns.
   * @throws {AdmissionRefusal} when nothing was charged to the month.
   * @throws {CallerChanged} when nothing was counted, and only a look at the key can tell whether the caller is refused.
   */
  admit(request: AdmissionRequest): Promise<Admission> {
    try {
      return this.#admit(request);
    } catch (error) {
      return Promise.reject(request.caller.keptBy === undefined ? error : new CallerChanged());
    }
  }

  /** One promise per request and no more: this is on the way of each of them. */
  #admit(request: AdmissionRequest): Promise<Admission> {
    const { caller, rule, at } = request;
    this.#failpoints.hit("admit.begin");
    this.requirePlan(rule, caller, at);
    const limitPerMinute = this.#plans[caller.plan].requestsPerMinute;
    const minute = this.#limiter.take(caller.accountId, limitPerMinute, at);
    const remainingInMinute = minute.remaining;
    if (!minute.admitted) {
      const facts = { retryAfterS: minute.retryAfterS };
      throw new AdmissionRefusal("rate_limited", facts, { limitPerMinute, remainingInMinute, quotaRemaining: null });
    }
    const admit = (month: MonthUse & Partial<Charged>, lease: SnapshotLease | null): Admission => {
      const inMinute = month.remainingInMinute ?? remainingInMinute;
      const allowance = { limitPerMinute, remainingInMinute: inMinute, quotaRemaining: remaining(month) };
      return new Admitted(request, allowance, lease);
    };
    const refuse = (error: unknown): never => {
      if (error instanceof LedgerRefusal) throw this.#paymentRefusal(error, request);
      if (error instanceof CallerChanged) this.#limiter.giveBack(caller.accountId, at);
      throw error;
    };
    const isShared = this.#ledger.sharesMinutes === true;
    if (rule.lease || (isShared && request.place != null)) {
      const sinceAtMs = Math.max(0, this.#clock.now() - at);
      const holdMs = rule.lease ? holderMs : request.place!.holdMs;
      const held = { leaseId: request.requestId, deadlineMonotonicMs: this.#clock.monotonicMs() - sinceAtMs + holdMs };
      return this.#ledger
        .charge(heldCharge(request))
        .then((month) => admit(month, holdLease(this.#ledger, this.#clock, held, endsOf(rule))), refuse);
    }
    if (rule.monthlyUnits === 0 && isShared)
      return this.#ledger.charge(chargeOf("count", request)).then((month) => admit(month, null), refuse);
    if (rule.monthlyUnits === 0) {
      return Promise.resolve(admit({ used: caller.monthUsed, limit: this.#plans[caller.plan].requestsPerMonth }, null));
    }
    const place = request.place == null ? null : this.#takePlace(request, request.place);
    return this.#ledger.charge(chargeOf("charge", request)).then(
      (month) => admit(month, place),
      (error) => {
        void place?.release();
        return refuse(error);
      },
    );
  }

  #takePlace({ requestId, caller, at }: AdmissionRequest, { kind, holdMs }: PlaceRequest): SnapshotLease {
    const nowMs = this.#clock.monotonicMs();
    const place = this.#places.take(kind, caller.accountId, nowMs + holdMs);
    if ("code" in place) {
      const retryAfterS = Math.max(1, Math.ceil((place.freeAtMs - nowMs) / secondMs));
      throw new AdmissionRefusal(place.code, { retryAfterS }, this.allowance(caller, at));
    }
    const leave = () => Promise.resolve(place.leave());
    return { leaseId: requestId, deadlineMonotonicMs: place.untilMs, finish: leave, release: leave };
  }

  /**
   * Refuses a caller whose plan is too small: at first, and again before a late answer.
   * @throws {AdmissionRefusal} `plan_upgrade_required`.
   */
  requirePlan(rule: AccessRule, caller: Caller, at: number): void {
    if (rule.plan === "free" || caller.plan !== "free") return;
    throw new AdmissionRefusal("plan_upgrade_required", {}, this.allowance(caller, at));
  }

  /** A key or plan that fell between the first look and the charge is a 401 or 403 like any other: it counts nowhere. */
  #paymentRefusal(refusal: LedgerRefusal, request: AdmissionRequest): AdmissionRefusal | CallerChanged {
    const { caller, at } = request;
    if (uncounted.has(refusal.code)) {
      this.#limiter.giveBack(caller.accountId, at);
      if (caller.keptBy !== undefined) return new CallerChanged();
    }
    const allowance = this.allowance(caller, at);
    if (refusal.code === "rate_limited")
      return new AdmissionRefusal(refusal.code, refusal.facts, {
        ...allowance,
        remainingInMinute: 0,
        quotaRemaining: null,
      });
    const quotaRemaining = refusal.month === null ? allowance.quotaRemaining : remaining(refusal.month);
    return new AdmissionRefusal(refusal.code, refusal.facts, { ...allowance, quotaRemaining });
  }
}

/** Not `rate_limited`: where many nodes count a minute, this one counts those too, and soon refuses without asking the ledger. */
const uncounted: ReadonlySet<RefusalCode> = new Set([
  "invalid_api_key",
  "expired_api_key",
  "revoked_api_key",
  "account_disabled",
  "plan_upgrade_required",
]);

function remaining(month: MonthUse): number {
  return Math.max(0, month.limit - month.used);
}

function chargeOf(kind: Charge["kind"], { requestId, operation, rule, caller, at }: AdmissionRequest): Charge {
  const { accountId, keyId, session, keptBy } = caller;
  const charge = { kind, requestId, accountId, keyId, operation, plan: rule.plan, at };
  if (keptBy !== undefined) return { ...charge, kept: { plan: caller.plan, secretHash: keptBy } };
  return session === undefined ? charge : { ...charge, session };
}

/** The charge of a request that holds an export's lease, or a place that many nodes share. */
function heldCharge(request: AdmissionRequest): Charge {
  const { rule, place } = request;
  if (rule.lease) return chargeOf((rule.isStart ?? true) ? "reserve" : "place", request);
  return place == null ? chargeOf("charge", request) : { ...chargeOf("charge", request), place };
}

/** How the holder's ends are reported to the ledger. */
function endsOf({ lease, isStart = true }: AccessRule): { finish: LeaseEnd; release: LeaseEnd } {
  if (!lease) return { finish: "left", release: "left" };
  return { finish: isStart ? "finished" : "released", release: "released" };
}

/** A class, because V8 makes an object literal with a symbol key the slow way. */
class Admitted implements Admission {
  readonly requestId: string;
  readonly caller: Caller;
  /** The instant at which what is read is judged, UTC ms. */
  readonly at: number;
  readonly allowance: Allowance;
  readonly lease: SnapshotLease | null;
  declare readonly [brand]: true;

  constructor(
    { requestId, caller, at }: Pick<Admission, "requestId" | "caller" | "at">,
    allowance: Allowance,
    lease: SnapshotLease | null,
  ) {
    this.requestId = requestId;
    this.caller = caller;
    this.at = at;
    this.allowance = allowance;
    this.lease = lease;
  }
}

/**
 * A lease or a place that the ledger has reserved. It ends once: whatever is called first counts, and neither call ever rejects, because
 * one that could not be ended ends by itself.
 */
function holdLease(
  ledger: Ledger,
  clock: Clock,
  { leaseId, deadlineMonotonicMs }: { leaseId: string; deadlineMonotonicMs: number },
  ends: { finish: LeaseEnd; release: LeaseEnd },
): SnapshotLease {
  let ended: Promise<void> | null = null;
  const end = (how: LeaseEnd) => {
    ended ??= ledger.endLease(leaseId, how, clock.now()).catch(() => {});
    return ended;
  };
  return { leaseId, deadlineMonotonicMs, finish: () => end(ends.finish), release: () => end(ends.release) };
}
