import { ModelMinutes } from "./model-minutes.ts";
import {
  type Call,
  type Figures,
  firstOfNextMonth,
  isUncounted,
  type Limits,
  type Look,
  type ModelAccount,
  type ModelEvent,
  type ModelKey,
  type ModelLease,
  type ModelPlace,
  monthOf,
  no,
  type Outcome,
  type PlanName,
  planAt,
  type Reply,
  type Rule,
  refusedDay,
  SharedLedger,
  waitsPerAccount,
} from "./model-types.ts";

const dayMs = 86_400_000;
const leaseMs = 120_000;
const holderMs = 119_000;
const clockBackMaxMs = 3_600_000;
const retryMaxS = 31 * 86_400;
const purchaseMs = 30 * dayMs;
/** Wait time of requests to nodes. */
export const nodesWaitMs = 30_000;
const waitMarginMs = 11_000;
const keptMs = 5_000;

type Caller = { accountId: string; keyId: string; plan: PlanName; used: number };
/** `isKept` is true if the caller was cached. */
type Waiting = { call: Call; caller: Caller; limitPerMinute: number; remainingInMinute: number; isKept: boolean };

/**
 * The access layer as Maps and naive loops. It shares no code with the product and contains no SQL. A difference between the two is a bug
 * in one of them.
 */
export class Model {
  readonly accounts: Map<string, ModelAccount>;
  readonly keys: Map<string, ModelKey>;
  readonly used: Map<string, number>;
  readonly events: Map<string, ModelEvent>;
  readonly leases: ModelLease[];
  readonly waiting = new Map<string, Waiting>();
  /** Slots of long requests in this process, by request. */
  readonly places = new Map<string, ModelPlace>();
  highWaterAt = 0;
  /** Callers that a process of several has cached, by credential, until an instant of measured time, ms. */
  readonly #kept = new Map<string, { caller: Caller; scopes: string; untilMs: number }>();
  readonly #minutes = new ModelMinutes();
  readonly #limits: Readonly<Record<PlanName, Limits>>;
  readonly #slots: number;
  readonly #shared: SharedLedger | null;

  /** Pass null as `shared` for a single process. */
  constructor(limits: Readonly<Record<PlanName, Limits>>, slots: number, shared: SharedLedger | null = null) {
    this.#limits = limits;
    this.#slots = slots;
    this.#shared = shared;
    ({
      accounts: this.accounts,
      keys: this.keys,
      used: this.used,
      events: this.events,
      leases: this.leases,
    } = shared ?? new SharedLedger());
  }

  /**
   * Checks credential, scope, plan and minute. Returns null if the request now waits for the ledger. `askedMs` is the measured time of the
   * key lookup.
   */
  begin(call: Call, askedMs = call.monotonicMs): Outcome | null {
    const identified = this.#identify(call);
    if (typeof identified === "string") this.#kept.delete(call.authorization ?? "");
    else this.#kept.set(call.authorization ?? "", { ...identified, untilMs: askedMs + keptMs });
    if (typeof identified === "string") return { kind: "refused", code: identified, retryAfterS: null, headers: null };
    const { caller, scopes } = identified;
    if (call.rule.scope !== null && !scopes.split(" ").includes(call.rule.scope)) {
      const refusal = this.#refusal("insufficient_scope", null, call, caller, this.#quotaOf(caller));
      return call.asked === null ? { ...refusal, headers: null } : refusal;
    }
    const quotaRemaining = this.#quotaOf(caller);
    const unread = refusedDay(call, caller.plan);
    if (unread !== null) return this.#refusal(unread, null, call, caller, quotaRemaining);
    if (call.rule.paid && caller.plan === "free") {
      return this.#refusal("plan_upgrade_required", null, call, caller, quotaRemaining);
    }
    const limitPerMinute = this.#limits[caller.plan].perMinute;
    const remainingInMinute = this.#minutes.take(caller.accountId, limitPerMinute, call.at);
    if (remainingInMinute === null) {
      const retryAfterS = this.#minutes.retryAfterS(caller.accountId, limitPerMinute, call.at);
      return this.#refusal("rate_limited", retryAfterS, call, caller, null);
    }
    if (!call.rule.unit && !call.rule.lease && this.#shared === null) {
      return { kind: "admitted", headers: { limitPerMinute, remainingInMinute, quotaRemaining }, deadlineMs: null };
    }
    const noPlace = this.#shared === null ? this.#takePermit(call, caller.accountId) : null;
    if (noPlace !== null) return this.#refusal(noPlace.code, noPlace.retryAfterS, call, caller, quotaRemaining);
    this.waiting.set(call.requestId, { call, caller, limitPerMinute, remainingInMinute, isKept: false });
    return null;
  }

  /** Begins a request with its cached caller. Returns true if it now waits for the ledger, false if the caller must be looked up. */
  beginKept(call: Call): boolean {
    const kept = this.#kept.get(call.authorization ?? "");
    const { rule, requestId } = call;
    if (!rule.unit || kept === undefined || call.monotonicMs >= kept.untilMs) return false;
    const { caller, scopes } = kept;
    if (rule.scope !== null && !scopes.split(" ").includes(rule.scope)) return false;
    if (caller.plan === "free" && rule.paid) return false;
    const limitPerMinute = this.#limits[caller.plan].perMinute;
    const remainingInMinute = this.#minutes.take(caller.accountId, limitPerMinute, call.at);
    if (remainingInMinute === null) return false;
    this.waiting.set(requestId, { call, caller, limitPerMinute, remainingInMinute, isKept: true });
    return true;
  }

  /** Returns true if the caller of a waiting request must be looked up now, because the cached caller is out of date. */
  looksAgain(requestId: string, reply: Reply): boolean {
    const { call, caller, isKept } = this.#waitingFor(requestId);
    if (!isKept || reply.kind === "charged" || (reply.kind === "refused" && !isUncounted(reply.code))) return false;
    this.waiting.delete(requestId);
    this.#minutes.giveBack(caller.accountId, call.at);
    return true;
  }

  /** The ledger's decision on a waiting request, at its commit. `look` holds the rows of its batch, or null for a single process. */
  decide(requestId: string, look: Look | null = null): Reply {
    const { call, caller, isKept } = this.#waitingFor(requestId);
    const { rule } = call;
    const askedAt = look?.at ?? call.at;
    if (look === null && this.highWaterAt - askedAt > clockBackMaxMs) return no("service_unavailable", 60, null);
    const at = look?.at ?? Math.max(askedAt, this.highWaterAt);
    const key = this.key(caller.keyId);
    const account = this.account(key.accountId);
    const isRevoked = look === null ? key.revokedAt !== null : look.revoked.has(caller.keyId);
    if (isRevoked) return no("revoked_api_key", null, null);
    if (key.expiresAt <= at) return no("expired_api_key", null, null);
    if (account.disabledAt !== null) return no("account_disabled", null, null);
    const plan = planAt(account, at);
    const isSecret = `Bearer ${look?.secrets.get(caller.keyId)}` === call.authorization;
    if (isKept && (plan !== caller.plan || !isSecret)) return no("invalid_api_key", null, null);
    if (plan === "free" && rule.paid) return no("plan_upgrade_required", null, null);
    const limits = this.#limits[plan];
    const month = monthOf(at);
    const taken = look === null ? null : (this.#shared?.takeMinute(caller.accountId, limits.perMinute, at) ?? null);
    if (taken !== null && "retryAfterS" in taken) return no("rate_limited", taken.retryAfterS, null);
    const minute = taken ?? {};
    const figures = { used: this.usedIn(caller.accountId, month), limit: limits.perMonth };
    if (!rule.unit) return { kind: "charged", ...figures, expiresAt: null, ...minute };
    if (rule.lease) this.#markExpired(at);
    const permit = look === null ? undefined : rule.permit;
    const isStart = rule.isStart ?? true;
    const obstacle = (then: number) => this.#obstacle(caller.accountId, rule, limits, figures, at, then);
    const code = obstacle(at);
    if (code !== null) {
      const free = this.#instantsAfter(at).find((then) => obstacle(then) === null) ?? Number.POSITIVE_INFINITY;
      return no(code, Math.min(retryMaxS, Math.max(1, Math.ceil((free - askedAt) / 1000))), figures);
    }
    if (look === null) this.highWaterAt = at;
    this.used.set(`${caller.accountId} ${month}`, figures.used + 1);
    const { accountId, keyId } = caller;
    this.events.set(requestId, { accountId, keyId, operation: call.operation, month, at });
    if (permit !== undefined) {
      const heldUntil = at + (permit === "changes" ? leaseMs : nodesWaitMs + waitMarginMs);
      this.#shared?.places.set(requestId, { kind: permit, accountId, expiresAt: heldUntil });
    }
    const expiresAt = rule.lease ? at + leaseMs : null;
    if (expiresAt !== null) {
      this.leases.push({
        leaseId: requestId,
        accountId,
        admittedAt: at,
        expiresAt,
        state: "reserved",
        isStart,
        endedAt: null,
      });
    }
    return { kind: "charged", used: figures.used + 1, limit: limits.perMonth, expiresAt, ...minute };
  }

  /** The response to a waiting request after the ledger has replied or failed. */
  finalize(requestId: string, reply: Reply | "unavailable" | "failed"): Outcome {
    const { call, caller, limitPerMinute, remainingInMinute, isKept } = this.#waitingFor(requestId);
    this.waiting.delete(requestId);
    if (typeof reply === "string" || reply.kind === "refused") this.places.delete(requestId);
    if (reply === "failed") return { kind: "failed" };
    if (reply !== "unavailable" && reply.kind === "charged") {
      const inMinute = reply.remainingInMinute ?? remainingInMinute;
      const quotaRemaining = Math.max(0, reply.limit - reply.used);
      const headers = { limitPerMinute, remainingInMinute: inMinute, quotaRemaining };
      const { permit: kind } = call.rule;
      const isHeld = call.asked === null && (call.rule.lease || (this.#shared !== null && kind !== undefined));
      const holdsMs = kind === "waiting" ? nodesWaitMs : holderMs;
      const deadlineMs = isHeld ? holdsMs - Math.max(0, call.now - call.at) : null;
      return { kind: "admitted", headers, deadlineMs };
    }
    const { code, retryAfterS, month } =
      reply === "unavailable" ? { code: "service_unavailable", retryAfterS: 1, month: null } : reply;
    if (isUncounted(code)) this.#minutes.giveBack(caller.accountId, call.at);
    if (code === "rate_limited") {
      return {
        kind: "refused",
        code,
        retryAfterS,
        headers: { limitPerMinute, remainingInMinute: 0, quotaRemaining: null },
      };
    }
    const figures = month ?? { used: caller.used, limit: this.#limits[caller.plan].perMonth };
    const quotaRemaining = isKept && month === null ? null : Math.max(0, figures.limit - figures.used);
    return this.#refusal(code, retryAfterS, call, caller, quotaRemaining);
  }

  /** How a late response is refused, or null if its caller may still read. `call` has the instant of the response. */
  judgeAgain(call: Call): Outcome | null {
    const identified = this.#identify(call);
    if (typeof identified === "string") return { kind: "refused", code: identified, retryAfterS: null, headers: null };
    const { caller } = identified;
    if (caller.plan !== "free") return null;
    return this.#refusal("plan_upgrade_required", null, call, caller, this.#quotaOf(caller));
  }

  /** Ends a lease. Returns false if it was not held. */
  end(leaseId: string, how: "finished" | "released" | "left", rawAt: number): boolean {
    const at = this.#shared === null ? Math.max(rawAt, this.highWaterAt) : rawAt;
    if (how === "left") return this.#shared?.leavePlace(leaseId, at) ?? false;
    const lease = this.leases.find((received) => received.leaseId === leaseId);
    if (lease === undefined || lease.state !== "reserved" || lease.expiresAt <= at) return false;
    lease.state = how;
    lease.endedAt = at;
    if (this.#shared === null) this.highWaterAt = at;
    return true;
  }

  /** Ends the process: its memory is lost, and commits remain. */
  crash(): void {
    this.waiting.clear();
    this.places.clear();
    this.#minutes.forget();
  }

  /** The new end of a bought plan, or null if the purchase is refused. */
  purchase(accountId: string, plan: PlanName, at: number): number | null {
    const account = this.account(accountId);
    const same = planAt(account, at) === plan;
    if (plan === "free" || (same && account.planEndsAt === null)) return null;
    const startsAt = same ? (account.planEndsAt ?? at) : at;
    account.plan = plan;
    account.planEndsAt = startsAt + purchaseMs;
    return account.planEndsAt;
  }

  /** An operator declares `at` the present. Ends leases from beyond it and returns them. */
  acceptClock(at: number): ModelLease[] {
    if (this.highWaterAt <= at) return [];
    this.highWaterAt = at;
    const beyond = this.leases.filter((lease) => lease.state === "reserved" && lease.expiresAt > at + leaseMs);
    for (const lease of beyond) {
      lease.state = lease.isStart ? "expired" : "released";
      lease.endedAt = lease.expiresAt;
    }
    return beyond;
  }

  /** Export starts up to `until` that count in the 24 hours before `at`. */
  startsBefore(accountId: string, at: number, until = at): number {
    return this.leases.filter(
      (lease) =>
        lease.accountId === accountId &&
        lease.isStart &&
        lease.state !== "released" &&
        lease.admittedAt > at - dayMs &&
        lease.admittedAt <= until,
    ).length;
  }

  /** The instant at which the ledger counts a request of `at`. An instant too far behind is returned unchanged and not counted. */
  ledgerInstant(at: number): number {
    if (this.#shared !== null) return this.#shared.at;
    return this.highWaterAt - at > clockBackMaxMs ? at : Math.max(at, this.highWaterAt);
  }

  usedIn(accountId: string, month: string): number {
    return this.used.get(`${accountId} ${month}`) ?? 0;
  }

  account(accountId: string): ModelAccount {
    const account = this.accounts.get(accountId);
    if (account === undefined) throw new Error(`the model has no account ${accountId}`);
    return account;
  }

  key(keyId: string): ModelKey {
    const key = this.keys.get(keyId);
    if (key === undefined) throw new Error(`the model has no key ${keyId}`);
    return key;
  }

  #identify({ authorization, at: askedAt }: Call): { caller: Caller; scopes: string } | string {
    const at = this.#shared?.at ?? askedAt;
    const secret = authorization?.startsWith("Bearer ") ? authorization.slice(7) : null;
    for (const [keyId, key] of this.keys) {
      if (key.secret !== secret) continue;
      const account = this.account(key.accountId);
      if (key.revokedAt !== null) return "revoked_api_key";
      if (key.expiresAt <= at) return "expired_api_key";
      if (account.disabledAt !== null) return "account_disabled";
      const used = this.usedIn(key.accountId, monthOf(this.ledgerInstant(at)));
      return { caller: { accountId: key.accountId, keyId, plan: planAt(account, at), used }, scopes: key.scopes };
    }
    return "invalid_api_key";
  }

  #obstacle(
    accountId: string,
    { lease, isStart = true, permit }: Rule,
    limits: Limits,
    figures: Figures,
    at: number,
    then: number,
  ): string | null {
    if (lease) {
      const live = this.leases.filter((received) => received.state === "reserved" && received.expiresAt > then);
      if (live.some((received) => received.accountId === accountId)) return "snapshot_busy";
      if (live.length >= this.#slots) return "snapshot_capacity";
      if (isStart && this.startsBefore(accountId, then, at) >= limits.startsPerDay) return "snapshot_daily_limit";
    }
    const noPlace = permit === undefined ? null : this.#shared?.placeRefusal(permit, accountId, this.#slots, then);
    if (noPlace != null) return noPlace;
    return monthOf(then) === monthOf(at) && figures.used >= figures.limit ? "monthly_quota_exceeded" : null;
  }

  /** Every later instant at which an obstacle may vanish, in order. */
  #instantsAfter(at: number): number[] {
    const instants = [firstOfNextMonth(at)];
    for (const lease of this.leases) instants.push(lease.expiresAt, lease.admittedAt + dayMs);
    for (const permit of this.#shared?.countedPlaces() ?? []) instants.push(permit.expiresAt);
    return instants.filter((then) => then > at).sort((left, right) => left - right);
  }

  #markExpired(at: number): void {
    for (const lease of this.leases) {
      if (lease.state !== "reserved" || lease.expiresAt > at) continue;
      lease.state = lease.isStart ? "expired" : "released";
      lease.endedAt = lease.expiresAt;
      if (this.#shared === null) this.highWaterAt = at;
    }
  }

  /** Reserves the slot of a long request in memory, if it needs one. Returns the refusal if none is free, else null. */
  #takePermit(call: Call, accountId: string): { code: string; retryAfterS: number } | null {
    const { asked, monotonicMs: nowMs, requestId, rule } = call;
    const waitMs = asked?.of === "generation" && asked.waits ? asked.waitMs : 0;
    if (rule.permit === undefined || (rule.permit === "waiting" && waitMs === 0)) return null;
    const { permit: kind } = rule;
    const held = [...this.places.values()].filter((permit) => permit.kind === kind);
    const own = held.filter((permit) => permit.accountId === accountId);
    const isOwnFull = own.length >= (kind === "changes" ? 1 : waitsPerAccount);
    if (isOwnFull || (kind === "changes" && held.length >= this.#slots)) {
      const freeAtMs = Math.min(...(isOwnFull ? own : held).map(({ untilMs }) => untilMs));
      const code = kind === "waiting" ? "waiting_limit" : isOwnFull ? "changes_busy" : "changes_capacity";
      return { code, retryAfterS: Math.max(1, Math.ceil((freeAtMs - nowMs) / 1000)) };
    }
    const untilMs = nowMs + (kind === "changes" ? holderMs : waitMs);
    this.places.set(requestId, { kind, accountId, untilMs, isLate: false });
    return null;
  }

  #quotaOf(caller: Caller): number {
    return Math.max(0, this.#limits[caller.plan].perMonth - caller.used);
  }

  #refusal(
    code: string,
    retryAfterS: number | null,
    call: Call,
    caller: Caller,
    quotaRemaining: number | null,
  ): Outcome & { kind: "refused" } {
    const limitPerMinute = this.#limits[caller.plan].perMinute;
    const remainingInMinute = Math.max(0, limitPerMinute - this.#minutes.taken(caller.accountId, call.at));
    return { kind: "refused", code, retryAfterS, headers: { limitPerMinute, remainingInMinute, quotaRemaining } };
  }

  #waitingFor(requestId: string): Waiting {
    const waiting = this.waiting.get(requestId);
    if (waiting === undefined) throw new Error(`request ${requestId} came to the ledger and waits for nothing`);
    return waiting;
  }
}
