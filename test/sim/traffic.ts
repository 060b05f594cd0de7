import { setImmediate as turn } from "node:timers/promises";
import type { Admission } from "../../src/access/admission.ts";
import type { LedgerReply, LedgerRequest } from "../../src/access/ledger/ledger.ts";
import { type Checker, expectSame, expectThat, Violation } from "./checker.ts";
import { LongRequests } from "./long-requests.ts";
import type { Model } from "./model.ts";
import { type Call, monthOf, type Outcome, type Reply } from "./model-types.ts";
import { type EndShape, operationNames, type RequestShape, rules, usualAsk } from "./operations.ts";
import type { OutcomeCounts } from "./outcomes.ts";
import type { People } from "./people.ts";
import type { BatchListener, World } from "./world.ts";

const holdsMax = 12;
const recentLeases = 6;
/** More turns than a stream needs to reach its end. */
const turnsToTheDoor = 5;
/** How often the end of a lease is tried before it is left to expire. */
const endTriesMax = 3;

export type Parts = { world: World; model: Model; checker: Checker; counts: OutcomeCounts };
type Lease = NonNullable<Admission["lease"]>;
/** An export that holds its lease, or another request that holds its slot. */
type Hold = { requestId: string; lease: Lease | null; ended: boolean };
type Sent = { call: Call; shape: RequestShape; accountId: string; deadAs: string | null; seen: Promise<Outcome> };

/** Requests and lease ends: sent to the real admissions and to the model, and compared when they are answered. */
export class Traffic implements BatchListener {
  people!: People;
  long!: LongRequests;
  /** True after the ledger reports lost storage: every request is refused until the process restarts. */
  stopped = false;
  /** The latest refusal with a Retry-After. */
  refusal: { shape: RequestShape; code: string; retryAfterS: number } | null = null;
  #parts!: Parts;
  #sent: Sent[] = [];
  #ends: Promise<unknown>[] = [];
  #holds: Hold[] = [];
  readonly #expected = new Map<string, Outcome>();
  /** Requested lease ends: lease, how, when. */
  readonly #asked = new Set<string>();

  /** Lease ends with a failed commit, and how often it failed. */
  readonly #owed = new Map<string, number>();

  begin(parts: Parts): void {
    this.#parts = parts;
    const { clock } = parts.world;
    this.long = new LongRequests(parts, (leaseId) => this.#asked.add(`${leaseId} released ${clock.now()}`));
  }

  /** Awaits nothing, so that the requests of one turn share the turn. */
  send(shape: RequestShape): void {
    const { world, model, checker } = this.#parts;
    const now = world.clock.now();
    const { kind } = shape;
    const isLong = kind === "day" || kind === "changes" || kind === "wait";
    const call: Call = {
      requestId: world.ids.requestId(now),
      authorization: this.people.authorization(shape.account, shape.key, shape.credential),
      operation: operationNames[kind] ?? kind,
      rule: rules[kind],
      at: now - shape.lagMs,
      now,
      monotonicMs: world.clock.elapsedMs,
      asked: isLong ? world.market.asked(shape.ask ?? usualAsk[kind]) : null,
    };
    const before = world.fired;
    const seen = call.asked === null ? this.#observe(call) : this.#observeLong(call, call.asked);
    seen.catch(() => {});
    const deadAs = checker.deadAs(call.authorization);
    this.#sent.push({ call, shape, accountId: this.people.accountId(shape.account), deadAs, seen });
    if (world.crashed) return;
    if (world.fired !== before) {
      this.#expected.set(call.requestId, { kind: "failed" });
      return;
    }
    const outcome = model.begin(call) ?? (this.stopped ? model.finalize(call.requestId, "unavailable") : null);
    if (outcome !== null) this.#expected.set(call.requestId, this.long.expect(call, outcome));
    if (this.stopped) this.#parts.counts.add("refused service_unavailable after a broken file");
  }

  end({ end, lease: index }: EndShape): void {
    const { world, counts } = this.#parts;
    const hold = this.#holds.at(index < 0 ? index : index % Math.max(1, this.#holds.length));
    if (hold === undefined) return;
    const finished = end === "finish";
    if (hold.lease === null) {
      const over = this.long.end(hold.requestId, finished ? "read" : "go");
      if (over !== false) this.#ends.push(over);
      return;
    }
    if (hold.ended) counts.add("lease ended twice");
    hold.ended = true;
    this.#asked.add(`${hold.lease.leaseId} ${finished ? "finished" : "released"} ${world.clock.now()}`);
    this.#ends.push(finished ? hold.lease.finish() : hold.lease.release());
  }

  /** A holder that counted as dead ends its lease, in any state of the lease. */
  lateEnd(index: number, how: "finished" | "released"): void {
    const { world, model } = this.#parts;
    const lease = model.leases.at(-1 - (index % Math.max(1, Math.min(recentLeases, model.leases.length))));
    if (lease === undefined) return;
    const really = lease.isStart ? how : "released";
    this.#asked.add(`${lease.leaseId} ${really} ${world.clock.now()}`);
    const ended = world.server.ledger.endLease(lease.leaseId, really, world.clock.now());
    this.#ends.push(ended.catch(() => {}));
  }

  /** Waits until everything that was sent is answered and compares it. Ends early when the process dies. */
  async answered(): Promise<void> {
    const { world } = this.#parts;
    const sent = this.#sent;
    await world.untilDone(this.#done(sent));
    if (world.broken !== null) throw world.broken;
    if (world.crashed) return;
    this.#sent = [];
    this.#ends = [];
    for (const [leaseId, attempts] of this.#owed) {
      const over = this.stopped || attempts >= endTriesMax;
      expectThat("I18", over, `the end of ${leaseId} was given up after ${attempts} tries`);
    }
    this.#owed.clear();
    for (const one of sent) this.#compare(one, await one.seen);
    this.long.settle(false);
    this.long.atRest();
  }

  /** While the writer is held, requests wait for the ledger, and streams for the end of their leases. */
  async atTheDoor(): Promise<void> {
    for (let turns = 0; turns < turnsToTheDoor; turns += 1) await turn();
    if (this.#parts.world.broken !== null) throw this.#parts.world.broken;
    this.long.settle(false);
  }

  streamOver(requestId: string, outcome: string): void {
    this.long.over(requestId, outcome);
  }

  async #done(sent: readonly Sent[]): Promise<void> {
    const { world } = this.#parts;
    await Promise.all([...sent.map(({ seen }) => seen), ...this.#ends]);
    while (world.asked.size > 0) {
      await Promise.allSettled(world.asked);
      await turn();
    }
  }

  /** Forgets the dead process with everything in flight. */
  forget(): void {
    const { checker, counts } = this.#parts;
    checker.lostInFlight += this.#sent.length;
    if (this.#sent.length > 0) counts.add("crash with requests in flight");
    this.#sent = [];
    this.#ends = [];
    this.#holds = [];
    this.#expected.clear();
    this.#asked.clear();
    this.#owed.clear();
    this.long.forgetAll();
    this.refusal = null;
    this.stopped = false;
  }

  committed(batch: readonly LedgerRequest[], replies: readonly LedgerReply[]): void {
    const { model, counts } = this.#parts;
    const highWaterBefore = model.highWaterAt;
    const expiredBefore = model.leases.filter((lease) => lease.state === "expired").length;
    this.#countBatch(batch);
    batch.forEach((request, index) => {
      const reply = replies[index];
      if (request.kind === "end") {
        const ended = this.#endInModel(request);
        this.#owed.delete(request.leaseId);
        this.#same(request.leaseId, reply, { kind: "ended", ended });
        counts.add(!ended ? "lease ended too late" : (`lease ${request.how}` as "lease finished"));
        return;
      }
      const decided = this.#decideInModel(request);
      this.#same(request.requestId, reply, decided);
      if (decided.kind === "charged" && request.at < highWaterBefore) counts.add("admitted while the clock was behind");
      this.#countReply(decided);
      const call = model.waiting.get(request.requestId)?.call;
      const outcome = model.finalize(request.requestId, decided);
      this.#expected.set(request.requestId, call === undefined ? outcome : this.long.expect(call, outcome));
    });
    counts.add("lease expired", model.leases.filter((lease) => lease.state === "expired").length - expiredBefore);
  }

  failed(batch: readonly LedgerRequest[], error: unknown): void {
    const { world, model, counts } = this.#parts;
    const { code } = error as { code?: string };
    if (world.armed === null) throw new Violation("model", `a commit failed without a fault: ${String(error)}`);
    const fatal = code?.startsWith("SQLITE_IOERR") === true;
    const busy = code === "SQLITE_BUSY";
    const full = code === "SQLITE_FULL";
    if (fatal) this.stopped = true;
    const refused = fatal
      ? [...model.waiting.keys()]
      : batch.flatMap((request) => (request.kind === "end" ? [] : [request.requestId]));
    for (const request of batch) {
      if (request.kind === "end") this.#owed.set(request.leaseId, (this.#owed.get(request.leaseId) ?? 0) + 1);
    }
    for (const requestId of refused) {
      const call = model.waiting.get(requestId)?.call;
      const outcome = model.finalize(requestId, fatal || busy || full ? "unavailable" : "failed");
      this.#expected.set(requestId, call === undefined ? outcome : this.long.expect(call, outcome));
    }
    const why = fatal ? "broken" : busy ? "locked" : "full";
    if (fatal || busy || full) counts.add(`refused service_unavailable by a ${why} file`, refused.length);
    counts.add("file left whole by a failed batch");
  }

  committedUnheard(batch: readonly LedgerRequest[]): void {
    for (const request of batch) {
      if (request.kind === "end") this.#endInModel(request);
      else this.#decideInModel(request);
    }
  }

  /** Identifies and admits as the server does. Runs until the ledger without a pause. */
  async #observe(call: Call): Promise<Outcome> {
    const { world } = this.#parts;
    const { subject, server, clock } = world;
    const { rule, at, operation, requestId } = call;
    try {
      const caller = server.credentials.identify(call.authorization ?? undefined, at);
      subject.credentials.requireScope(caller, rule.scope);
      const monthlyUnits = rule.unit ? 1 : 0;
      const plan = rule.paid ? "paid" : "free";
      const access = { scope: rule.scope, plan, monthlyUnits, lease: rule.lease } as const;
      const monotonicMs = clock.monotonicMs();
      const admission = await server.admissions.admit({ requestId, operation, rule: access, caller, at });
      if (operation === "usage") this.#compareUsage(server.usage.read(caller, at), caller.accountId, at);
      const { lease, allowance } = admission;
      if (lease !== null) this.#hold({ requestId, lease, ended: false });
      return {
        kind: "admitted",
        headers: allowance,
        deadlineMs: lease === null ? null : lease.deadlineMonotonicMs - monotonicMs,
      };
    } catch (error) {
      return outcomeOf(error);
    }
  }

  async #observeLong(call: Call, asked: NonNullable<Call["asked"]>): Promise<Outcome> {
    const outcome = await this.long.perform(call, asked);
    if (outcome.kind === "admitted" && outcome.answer === undefined) {
      this.#hold({ requestId: call.requestId, lease: null, ended: false });
    }
    return outcome;
  }

  #hold(hold: Hold): void {
    this.#holds = [...this.#holds, hold].slice(-holdsMax);
  }

  #compare({ call, shape, accountId, deadAs }: Sent, got: Outcome): void {
    const { checker, counts } = this.#parts;
    const expected = this.#expected.get(call.requestId);
    this.#expected.delete(call.requestId);
    checker.answered(call, accountId, deadAs, got);
    this.#same(`${shape.kind} ${call.requestId}`, got, expected);
    this.refusal = null;
    if (got.kind === "gone") return;
    if (got.kind === "failed") {
      counts.add("failed by a fault of the program");
      return;
    }
    if (got.kind === "admitted") {
      counts.add(`admitted ${shape.kind}`);
      const lagged = Math.floor(call.at / 60_000) !== Math.floor(call.now / 60_000);
      if (lagged) counts.add("admitted with a lag over the minute's boundary");
      return;
    }
    const { code, retryAfterS } = got;
    if (got.charged === true) return;
    if (code === "monthly_quota_exceeded" && call.rule.lease) {
      counts.add("refused monthly_quota_exceeded of an export");
    } else if (code !== "service_unavailable") counts.add(`refused ${code}` as "refused rate_limited");
    if (shape.kind === "day" && code === "plan_upgrade_required") counts.add("day refused to the Free plan");
    if (shape.kind === "day" && /^snapshot_/.test(code)) counts.add("day refused a place");
    if (retryAfterS !== null && code !== "service_unavailable") this.refusal = { shape, code, retryAfterS };
  }

  #compareUsage(usage: { monthlyUsed: number; snapshotStartsUsed: number }, accountId: string, at: number): void {
    const { model } = this.#parts;
    const { monthlyUsed, snapshotStartsUsed } = usage;
    const instant = model.ledgerInstant(at);
    const expected = {
      monthlyUsed: model.usedIn(accountId, monthOf(instant)),
      snapshotStartsUsed: model.startsBefore(accountId, instant, Math.max(at, model.highWaterAt)),
    };
    this.#same(`usage of ${accountId}`, { monthlyUsed, snapshotStartsUsed }, expected);
  }

  #decideInModel(request: Exclude<LedgerRequest, { kind: "end" }>): Reply {
    const { model } = this.#parts;
    const waiting = model.waiting.get(request.requestId);
    if (waiting === undefined) throw new Violation("I3/I7", `${request.requestId} came to the ledger and should not`);
    const { call, caller } = waiting;
    const { requestId, accountId, keyId } = { requestId: call.requestId, ...caller };
    const kind = !call.rule.lease ? "charge" : call.rule.isStart === false ? "place" : "reserve";
    const plan = call.rule.paid ? "paid" : "free";
    this.#same(requestId, request, { kind, requestId, accountId, keyId, operation: call.operation, plan, at: call.at });
    return model.decide(requestId);
  }

  #endInModel(request: LedgerRequest & { kind: "end" }): boolean {
    const { leaseId, how, at } = request;
    expectThat("I18", this.#asked.has(`${leaseId} ${how} ${at}`), `nobody asked that ${leaseId} be ${how} at ${at}`);
    return this.#parts.model.end(leaseId, how, at);
  }

  #countBatch(batch: readonly LedgerRequest[]): void {
    const { counts } = this.#parts;
    const charges = batch.flatMap((request) => (request.kind === "end" ? [] : [request]));
    if (charges.length > 1) counts.add("batch of several requests");
    if (new Set(charges.map(({ accountId }) => accountId)).size > 1) counts.add("batch of several accounts");
    if (charges.length > 0 && charges.length < batch.length) counts.add("batch of charges and lease ends");
    if (new Set(charges.map(({ at }) => monthOf(at))).size > 1) counts.add("batch over two months");
  }

  #countReply(reply: Reply): void {
    if (reply.kind !== "refused") return;
    const { counts } = this.#parts;
    const { code } = reply;
    if (code === "service_unavailable") counts.add("refused service_unavailable by an unreliable clock");
    if (/_api_key$|^account_disabled$|^plan_upgrade_required$/.test(code)) {
      counts.add(`late ${code}` as "late revoked_api_key");
    }
  }

  #same(what: string, got: unknown, expected: unknown): void {
    expectSame(what, got, expected);
  }
}

/**
 * Returns the refusal that a client sees.
 *
 * @throws {Violation} if the run itself has found a violation
 */
export function outcomeOf(error: unknown): Outcome {
  if (error instanceof Violation) throw error;
  const { code, facts, allowance } = error as {
    code?: string;
    facts?: { retryAfterS?: number };
    allowance?: Extract<Outcome, { kind: "refused" }>["headers"];
  };
  if (code === undefined || facts === undefined) return { kind: "failed" };
  return { kind: "refused", code, retryAfterS: facts.retryAfterS ?? null, headers: allowance ?? null };
}
