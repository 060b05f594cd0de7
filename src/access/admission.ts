import { type Failpoints, noFailpoints } from "../values/failpoints.ts";
import { Failure, type FailureFacts } from "../values/failure/failure.ts";
import { secondMs } from "../values/time/calendar.ts";
import type { Clock } from "../values/time/clock.ts";
import { AccountPermits, type PermitCounts, type PermitRequest } from "./account-permits.ts";
import type { Caller, Scope } from "./credentials.ts";
import { type Charge, holderMs, type LeaseEnd, type Ledger, LedgerRefusal, type MonthUse } from "./ledger/ledger.ts";
import { type PlanTable, plans } from "./plans.ts";
import type { RateLimiter } from "./rate-limiter.ts";
import { type RefusalCode, refusalDetails } from "./refusals.ts";
import { RefusedRequests } from "./refused-requests.ts";

/**
 * Requirements of an operation and its cost. A null `scope` accepts any valid key. With `lease`, a request acquires the account's export
 * permit and a slot of the service. It also counts as an export start unless `isStart` is false.
 */
export type AccessRule = {
  scope: Scope | null;
  plan: "free" | "paid";
  monthlyUnits: 0 | 1;
  lease: boolean;
  isStart?: boolean;
};

/** Values of the `X-RateLimit-*` and `X-Quota-Remaining` headers. Null omits the header. */
export type Allowance = { limitPerMinute: number; remainingInMinute: number; quotaRemaining: number | null };

/**
 * An export's slot or a permit of another long-running request. The holder stops at `deadlineMonotonicMs`, before another request acquires
 * it.
 */
type SnapshotLease = {
  readonly leaseId: string;
  readonly deadlineMonotonicMs: number;
  /** Ends the lease after the stream began, even if it failed: the start counts. */
  finish(): Promise<void>;
  /** Ends the lease if nothing was sent: the start is returned, the monthly unit is not. */
  release(): Promise<void>;
};

declare const brand: unique symbol;

/** The proof that a request was admitted and paid for. Only `Admissions` makes one. */
export type Admission = {
  readonly requestId: string;
  readonly caller: Caller;
  /** Instant at which rows are selected and freshness is judged, UTC ms. */
  readonly at: number;
  readonly allowance: Allowance;
  readonly lease: SnapshotLease | null;
  readonly [brand]: true;
};

/** Returns the same proof for a read at `at` (UTC ms), which may be long after the request arrived. */
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

export type AdmissionRequest = {
  requestId: string;
  operation: string;
  rule: AccessRule;
  caller: Caller;
  at: number;
  permit?: PermitRequest | null;
};

export type AdmissionParts = {
  ledger: Ledger;
  limiter: RateLimiter;
  clock: Clock;
  plans?: PlanTable;
  places?: PermitCounts;
  failpoints?: Failpoints;
};

/**
 * Admits requests. It checks the plan, the minute and the permit of a long-running request. Then one durable transaction checks the
 * account's lease, the service's slot, the starts of 24 hours and the monthly unit.
 */
export class Admissions {
  /** Requests with a valid credential that were refused before they cost anything. */
  readonly refused: RefusedRequests;
  readonly #ledger: Ledger;
  readonly #limiter: RateLimiter;
  readonly #clock: Clock;
  readonly #plans: PlanTable;
  readonly #failpoints: Failpoints;
  readonly #permits: AccountPermits;

  constructor(parts: AdmissionParts) {
    this.refused = new RefusedRequests(parts.clock.now());
    this.#ledger = parts.ledger;
    this.#limiter = parts.limiter;
    this.#clock = parts.clock;
    this.#plans = parts.plans ?? plans;
    this.#permits = new AccountPermits(parts.places);
    this.#failpoints = parts.failpoints ?? noFailpoints;
  }

  /** Returns the caller's remaining allowance without counting a request, for the headers of an authenticated refusal. */
  allowance(caller: Caller, at: number): Allowance {
    const limits = this.#plans[caller.plan];
    return {
      limitPerMinute: limits.requestsPerMinute,
      remainingInMinute: this.#limiter.remaining(caller.accountId, limits.requestsPerMinute, at),
      quotaRemaining: remaining({ used: caller.monthUsed, limit: limits.requestsPerMonth }),
    };
  }

  /**
   * Admits the request and durably charges it by its rule before it returns.
   * @throws {AdmissionRefusal} when nothing was charged to the month.
   */
  admit(request: AdmissionRequest): Promise<Admission> {
    try {
      return this.charge(request, this.countMinute(request));
    } catch (error) {
      return Promise.reject(error);
    }
  }

  /**
   * Counts the request in the minute and returns the requests left in it.
   * @throws {AdmissionRefusal} when the plan is too small or the minute is used up.
   */
  protected countMinute({ caller, rule, at }: AdmissionRequest): number {
    this.#failpoints.hit("admit.begin");
    this.requirePlan(rule, caller, at);
    const limitPerMinute = this.#plans[caller.plan].requestsPerMinute;
    const {
      admitted,
      remaining: remainingInMinute,
      retryAfterS,
    } = this.#limiter.take(caller.accountId, limitPerMinute, at);
    if (admitted) return remainingInMinute;
    const allowance = { limitPerMinute, remainingInMinute, quotaRemaining: null };
    throw new AdmissionRefusal("rate_limited", { retryAfterS }, allowance);
  }

  /** Charges a request that was counted in its minute. It creates only one promise, because every request runs this code. */
  protected charge(request: AdmissionRequest, remainingInMinute: number): Promise<Admission> {
    const { caller, rule } = request;
    if (!rule.lease && rule.monthlyUnits === 0) {
      const month = { used: caller.monthUsed, limit: this.#plans[caller.plan].requestsPerMonth };
      return Promise.resolve(this.admission(request, month, remainingInMinute, null));
    }
    const permit = rule.lease || request.permit == null ? null : this.#takePermit(request, request.permit);
    const lease = rule.lease ? this.lease(request) : permit;
    return this.#ledger.charge(chargeOf(request)).then(
      (month) => this.admission(request, month, remainingInMinute, lease),
      (error) => {
        void permit?.release();
        throw this.refusalOf(error, request);
      },
    );
  }

  protected admission(
    request: AdmissionRequest,
    month: MonthUse,
    remainingInMinute: number,
    lease: SnapshotLease | null,
  ): Admission {
    const limitPerMinute = this.#plans[request.caller.plan].requestsPerMinute;
    return new Admitted(request, { limitPerMinute, remainingInMinute, quotaRemaining: remaining(month) }, lease);
  }

  /** Returns the lease that the charge of an export is about to reserve. */
  protected lease(request: AdmissionRequest): SnapshotLease {
    return this.held(request, holderMs, (how) => this.#ledger.endLease(request.requestId, how, this.#clock.now()));
  }

  /**
   * Returns a lease for `holdMs` from the instant of the request. Only the first call of `finish` or `release` has an effect. Neither
   * rejects, because a lease that was not ended expires by itself.
   */
  protected held(
    { requestId, at, rule }: AdmissionRequest,
    holdMs: number,
    end: (how: LeaseEnd) => Promise<void>,
  ): SnapshotLease {
    const sinceAtMs = Math.max(0, this.#clock.now() - at);
    let ended: Promise<void> | null = null;
    const endAs = (how: LeaseEnd) => {
      ended ??= end(how).catch(() => {});
      return ended;
    };
    return {
      leaseId: requestId,
      deadlineMonotonicMs: this.#clock.monotonicMs() - sinceAtMs + holdMs,
      finish: () => endAs((rule.isStart ?? true) ? "finished" : "released"),
      release: () => endAs("released"),
    };
  }

  #takePermit({ requestId, caller, at }: AdmissionRequest, { kind, holdMs }: PermitRequest): SnapshotLease {
    const nowMs = this.#clock.monotonicMs();
    const permit = this.#permits.take(kind, caller.accountId, nowMs + holdMs);
    if ("code" in permit) {
      const retryAfterS = Math.max(1, Math.ceil((permit.freeAtMs - nowMs) / secondMs));
      throw new AdmissionRefusal(permit.code, { retryAfterS }, this.allowance(caller, at));
    }
    const leave = () => Promise.resolve(permit.leave());
    return { leaseId: requestId, deadlineMonotonicMs: permit.untilMs, finish: leave, release: leave };
  }

  /**
   * Refuses a caller with too small a plan, before the charge and again before a delayed response.
   * @throws {AdmissionRefusal} `plan_upgrade_required`.
   */
  requirePlan(rule: AccessRule, caller: Caller, at: number): void {
    if (rule.plan === "free" || caller.plan !== "free") return;
    throw new AdmissionRefusal("plan_upgrade_required", {}, this.allowance(caller, at));
  }

  /**
   * Returns the refusal for a charge that failed with `error`. A key or plan that ended between the lookup and the charge gives an ordinary
   * 401 or 403, which is not counted.
   */
  protected refusalOf(error: unknown, { caller, at }: AdmissionRequest): unknown {
    if (!(error instanceof LedgerRefusal)) return error;
    if (uncounted.has(error.code)) this.#limiter.giveBack(caller.accountId, at);
    const allowance = this.allowance(caller, at);
    const quotaRemaining = error.month === null ? allowance.quotaRemaining : remaining(error.month);
    return new AdmissionRefusal(error.code, error.facts, { ...allowance, quotaRemaining });
  }
}

/** Refusals of a charge that are not counted in the minute. */
export const uncounted: ReadonlySet<RefusalCode> = new Set([
  "invalid_api_key",
  "expired_api_key",
  "revoked_api_key",
  "account_disabled",
  "plan_upgrade_required",
]);

function remaining(month: MonthUse): number {
  return Math.max(0, month.limit - month.used);
}

/** Returns the charge of a request. */
export function chargeOf({ requestId, operation, rule, caller, at }: AdmissionRequest): Charge {
  const { accountId, keyId, session } = caller;
  const kind = !rule.lease ? "charge" : (rule.isStart ?? true) ? "reserve" : "place";
  const charge = { kind, requestId, accountId, keyId, operation, plan: rule.plan, at } as const;
  return session === undefined ? charge : { ...charge, session };
}

/** This is a class because V8 creates object literals with symbol keys slowly. */
class Admitted implements Admission {
  readonly requestId: string;
  readonly caller: Caller;
  /** Instant at which rows are selected and freshness is judged, UTC ms. */
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
