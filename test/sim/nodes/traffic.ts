import type { Admission } from "../../../src/access/admission.ts";
import type { LedgerReply } from "../../../src/access/ledger/ledger.ts";
import type { NodesRequest } from "../../../src/access/nodes/ledger.ts";
import type { Ids } from "../../../src/values/ids.ts";
import type { RelayLink } from "../../support/postgres-relay.ts";
import { expectSame, expectThat, Violation } from "../checker.ts";
import {
  type Call,
  type Look,
  monthOf,
  type Outcome,
  type Reply,
  type SharedLedger,
  waitsPerAccount,
} from "../model-types.ts";
import { operationNames, rules } from "../operations.ts";
import { outcomeOf } from "../traffic.ts";
import type { NodeListener, SimulatedNode } from "./node.ts";
import type { Operator } from "./operator.ts";
import type { NodesOutcomeCounts } from "./outcomes.ts";
import { admit } from "./server-ways.ts";
import type { CallEntry, EndEntry } from "./steps.ts";
import type { NodesSubject } from "./subject.ts";

const holdsMax = 16;
type Lease = NonNullable<Admission["lease"]>;
/** An export or another long request in progress: its node, and the end of its permit (virtual measured time, ms). */
type Hold = {
  node: SimulatedNode;
  lease: Lease;
  of: "export" | "changes" | "waiting";
  accountId: string;
  untilMs: number;
  ended: boolean;
};
type Sent = { call: Call; entry: CallEntry; node: SimulatedNode; deadAs: string | null; got: Outcome | null };
/** `look` holds the rows that the batch on the connection has read. `replies` are the model's, after its commit. */
type BatchUnderWay = { node: SimulatedNode; batch: readonly NodesRequest[]; look: Look };
type Parts = {
  subject: NodesSubject;
  shared: SharedLedger;
  operator: Operator;
  counts: NodesOutcomeCounts;
  ids: Ids;
  changed(): void;
  slots: number;
};

/** Requests and lease ends at all nodes: judged by the model in the order of their commits, and compared when they are answered. */
export class NodesTraffic implements NodeListener {
  readonly #parts: Parts;
  #sent: Sent[] = [];
  #holds: Hold[] = [];
  readonly #expected = new Map<string, Outcome>();
  readonly #inProgress = new Map<RelayLink, BatchUnderWay>();
  readonly #decided = new Map<readonly NodesRequest[], (Reply | { kind: "ended"; ended: boolean })[]>();
  /** Batches with a commit warning about the standby. */
  readonly #unreplicated = new Set<readonly NodesRequest[]>();
  /** Batches that the node reported as not written. */
  readonly #refused = new Set<readonly NodesRequest[]>();
  readonly #lateOrLost = new Map<readonly NodesRequest[], "lost" | "late">();
  /** The first error found outside an awaited call. */
  broken: unknown = null;
  /** Measured time of the run and of every clock, ms. */
  elapsedMs = 1_000;

  constructor(parts: Parts) {
    this.#parts = parts;
  }

  get changed(): () => void {
    return this.#parts.changed;
  }

  /** The requests without a response. */
  get unanswered(): readonly { node: SimulatedNode; call: Call }[] {
    return this.#sent.filter(({ got }) => got === null);
  }

  send(entry: CallEntry, node: SimulatedNode, isAlone: boolean): void {
    const { operator, ids } = this.#parts;
    const now = node.clock.now();
    const authorization = operator.authorization(entry.account, entry.key, entry.credential);
    const rule = rules[entry.kind];
    const requestId = ids.requestId(now);
    const operation = operationNames[entry.kind] ?? entry.kind;
    const call: Call = {
      requestId,
      authorization,
      operation,
      rule,
      at: now,
      now,
      monotonicMs: this.elapsedMs,
      asked: null,
    };
    const deadAs = (authorization === null ? null : operator.dead.get(authorization)) ?? null;
    const sent: Sent = { call, entry, node, deadAs, got: null };
    this.#sent.push(sent);
    const take = (got: Outcome) => {
      sent.got = got;
      this.#parts.changed();
    };
    this.#observe(sent, isAlone).then(take, (error) => {
      this.broken ??= error;
      take({ kind: "failed" });
    });
  }

  end({ end, lease: index }: EndEntry): void {
    const hold = this.#holds[index % Math.max(1, this.#holds.length)];
    if (hold === undefined || hold.node.isDead) return;
    hold.ended = true;
    void (end === "finish" ? hold.lease.finish() : hold.lease.release());
  }

  /** The key lookup held on the connection runs now. The model evaluates its result at the same moment. */
  looked(node: SimulatedNode, link: RelayLink): void {
    for (const { call, askedMs } of node.keyLooks.seen(link)) this.#begin(node, call, askedMs);
  }

  /** The node's batch now reads the rows for its decisions. */
  loaded(node: SimulatedNode, link: RelayLink): void {
    const { shared, counts } = this.#parts;
    if (node.batch === null) throw new Violation("model", "a batch is read that nobody commits");
    const revoked = new Set([...shared.keys].filter(([, key]) => key.revokedAt !== null).map(([keyId]) => keyId));
    const secrets = new Map([...shared.keys].map(([keyId, { secret }]) => [keyId, secret]));
    this.#inProgress.set(link, {
      node,
      batch: node.batch,
      look: { at: shared.at, revoked, secrets, places: new Map(shared.places) },
    });
    if (
      node.batch.some(
        (request) => request.kind !== "end" && request.at < shared.at && node.clock.now() - request.at > 0,
      )
    )
      counts.add("time passed while a batch waits");
  }

  /** The commit on the connection is done. */
  commitDone(link: RelayLink): void {
    const { shared, counts } = this.#parts;
    const underWay = this.#inProgress.get(link);
    if (underWay === undefined) return;
    this.#inProgress.delete(link);
    const { node, batch, look } = underWay;
    expectThat("I7", !this.#refused.has(batch), "a batch is committed that was refused");
    const expiredBefore = shared.leases.filter(({ state }) => state === "expired").length;
    this.#countBatch(batch);
    shared.seen = new Map(look.places);
    const replies = batch.map((request) => {
      if (request.kind === "end") {
        const ended = node.model.end(request.leaseId, request.ofPermit === true ? "left" : request.how, look.at);
        const what = request.ofPermit === true ? "place" : "lease";
        const isPlace = what === "place";
        counts.add(
          !ended ? `${what} ended too late` : isPlace ? "place left" : (`lease ${request.how}` as "lease finished"),
        );
        return { kind: "ended" as const, ended };
      }
      const isKnown = node.model.waiting.has(request.requestId);
      expectThat("I3/I7", isKnown, `${request.requestId} came to the ledger and should not`);
      return node.model.decide(request.requestId, look);
    });
    shared.seen.clear();
    counts.add("lease expired", shared.leases.filter(({ state }) => state === "expired").length - expiredBefore);
    expectThat("I3", !this.#decided.has(batch), "a batch was committed twice");
    this.#decided.set(batch, replies);
  }

  /** The response to the commit of `batch` is lost, or the commit is late. */
  answerLost(batch: readonly NodesRequest[] | null, how: "lost" | "late"): void {
    if (batch !== null) this.#lateOrLost.set(batch, how);
  }

  unreplicated(batch: readonly NodesRequest[] | null): void {
    if (batch !== null) this.#unreplicated.add(batch);
  }

  committed(node: SimulatedNode, batch: readonly NodesRequest[], replies: readonly LedgerReply[]): void {
    const { counts } = this.#parts;
    const decided = this.#decided.get(batch);
    if (decided === undefined) throw new Violation("I1", "a batch is answered that was not committed");
    expectThat("I1", !this.#unreplicated.has(batch), "a batch is answered that the standby may lack");
    const lost = this.#lateOrLost.get(batch);
    if (lost !== undefined)
      counts.add(lost === "lost" ? "answered although the commit's answer was lost" : "answered after a late commit");
    if (this.#wasInDoubt.delete(node)) counts.add("answered when a doubt was over");
    batch.forEach((request, index) => {
      const reply = decided[index]!;
      expectSame(`the reply to ${"requestId" in request ? request.requestId : request.leaseId}`, replies[index], reply);
      if (request.kind === "end" || reply.kind === "ended") return;
      if (reply.kind === "refused" && /^(revoked_api_key|account_disabled|plan_upgrade_required)$/.test(reply.code))
        counts.add(`late ${reply.code}` as "late account_disabled");
      if (reply.kind === "refused" && reply.code === "rate_limited")
        counts.add("refused rate_limited by the count of all");
      if (node.model.looksAgain(request.requestId, reply)) {
        counts.add("looked up again because what was kept has changed");
        return;
      }
      this.#expected.set(request.requestId, node.model.finalize(request.requestId, reply));
    });
    this.#decided.delete(batch);
  }
  readonly #wasInDoubt = new Set<SimulatedNode>();

  failed(node: SimulatedNode, batch: readonly NodesRequest[], error: unknown): void {
    const { counts } = this.#parts;
    const why = String((error as Error).message);
    expectThat("model", node.isTroubled, `${node.name}: a commit failed without a fault: ${why}`);
    if (this.#wasInDoubt.delete(node)) counts.add("answered when a doubt was over");
    const isDone = this.#decided.has(batch);
    this.#refused.add(batch);
    expectThat("I7", !isDone || this.#unreplicated.has(batch), `a batch is refused that was committed: ${why}`);
    if (isDone) counts.add("refused service_unavailable for want of the standby");
    else counts.add("refused service_unavailable by a batch that was not written");
    for (const request of batch) {
      if (request.kind === "end" || !node.model.waiting.has(request.requestId)) continue;
      this.#expected.set(request.requestId, node.model.finalize(request.requestId, "unavailable"));
    }
  }

  /** Compares the responses, and forgets requests to a dead node. */
  compare(): void {
    const { counts } = this.#parts;
    if (this.broken !== null) throw this.broken;
    for (const sent of this.#sent) {
      if (sent.got === null && !sent.node.isDead) {
        expectThat("I22", sent.node.isUncertain, `${sent.call.requestId} is never answered`);
        if (!this.#wasInDoubt.has(sent.node)) counts.add("commit in doubt");
        this.#wasInDoubt.add(sent.node);
      }
      if (sent.got !== null && !sent.node.isDead) this.#compareOne(sent, sent.got);
    }
    this.#sent = this.#sent.filter(({ got, node }) => got === null && !node.isDead);
    for (const hold of this.#holds.filter(({ node, ended }) => node.isDead && !ended)) {
      hold.ended = true;
      counts.add(hold.of === "export" ? "lease of a dead node" : "place of a dead node");
    }
  }

  /** Removes a dead node with its memory. Its open batches are judged by their commits, if they still arrive. */
  forget(node: SimulatedNode): void {
    this.#wasInDoubt.delete(node);
  }

  async #observe({ call, node, entry }: Sent, isAlone: boolean): Promise<Outcome> {
    const { rule } = call;
    try {
      const admission = (await this.#admitKept(node, call)) ?? (await this.#admitLooking(node, call));
      const { lease, allowance, caller } = admission;
      if (entry.kind === "usage" && isAlone) await this.#compareUsage(node, caller);
      if (lease !== null && !node.isDead)
        this.#hold({
          node,
          lease,
          of: rule.permit ?? "export",
          accountId: caller.accountId,
          untilMs: lease.deadlineMonotonicMs,
          ended: false,
        });
      const deadlineMs = lease === null ? null : lease.deadlineMonotonicMs - call.monotonicMs;
      return { kind: "admitted", headers: allowance, deadlineMs };
    } catch (error) {
      const outcome = outcomeOf(error);
      if (outcome.kind === "refused" && outcome.code === "service_unavailable") this.#refusedInDoubt(node, call);
      return outcome;
    }
  }

  /** A request outside a batch is judged at its refusal. Requests with a lookup in progress count after it. */
  #refusedInDoubt(node: SimulatedNode, { requestId }: Call): void {
    if (!node.model.waiting.has(requestId) || !node.isTroubled) return;
    this.#parts.counts.add("refused service_unavailable while another commit is in doubt");
    this.#expected.set(requestId, node.model.finalize(requestId, "unavailable"));
  }

  /** As in the server: a cached caller is admitted without a lookup, unless a check fails. Returns null if the caller must be looked up. */
  async #admitKept(node: SimulatedNode, call: Call): Promise<Admission | null> {
    const { subject, counts } = this.#parts;
    const caller = call.rule.unit ? node.credentials.cached(call.authorization ?? undefined) : null;
    const isWaiting = node.model.beginKept(call);
    expectThat("model", caller !== null || !isWaiting, `${call.requestId} is looked up although its caller is known`);
    if (caller === null) return null;
    try {
      subject.credentials.requireScope(caller, call.rule.scope);
      const admission = await admit(node, call, caller);
      counts.add("admitted by what was kept of its caller");
      return admission;
    } catch (error) {
      const isScope = (error as { code?: string }).code === "insufficient_scope";
      if (isScope || error instanceof subject.admissions.CallerChanged) return null;
      throw error;
    }
  }

  async #admitLooking(node: SimulatedNode, call: Call): Promise<Admission> {
    const { subject, changed } = this.#parts;
    node.keyLooks.ask(call, this.elapsedMs);
    const identify = async () => node.credentials.identify(call.authorization ?? undefined);
    const caller = await node
      .look(identify, changed)
      .catch((error) => {
        const { code } = error as { code?: string };
        if (code === "service_unavailable") this.#lookFailed(node, call);
        throw error;
      })
      .finally(() => this.#beginIfNot(node, call));
    subject.credentials.requireScope(caller, call.rule.scope);
    return admit(node, call, caller);
  }

  #beginIfNot(node: SimulatedNode, call: Call): void {
    const look = node.keyLooks.give(call);
    if (look !== undefined) this.#begin(node, call, look.askedMs);
  }

  #begin(node: SimulatedNode, call: Call, askedMs: number): void {
    const outcome = node.model.begin(call, askedMs);
    if (outcome === null) return;
    this.#expected.set(call.requestId, outcome);
    if (outcome.kind === "refused" && outcome.code === "rate_limited")
      this.#parts.counts.add("refused rate_limited by its own count");
  }

  #lookFailed(node: SimulatedNode, call: Call): void {
    if (!node.isTroubled || node.keyLooks.give(call) === undefined) return;
    this.#parts.counts.add("refused service_unavailable before its key was seen");
    this.#expected.set(call.requestId, { kind: "refused", code: "service_unavailable", retryAfterS: 1, headers: null });
  }

  async #compareUsage(
    node: SimulatedNode,
    caller: { accountId: string; plan: "free" | "builder" | "trader" | "quant"; planEndsAt: number | null },
  ): Promise<void> {
    const { shared, changed } = this.#parts;
    const { accountId } = caller;
    try {
      const { monthlyUsed, snapshotStartsUsed } = await node.look(() => node.usage.read(caller), changed);
      const starts = node.model.startsBefore(accountId, shared.at);
      const expected = { monthlyUsed: node.model.usedIn(accountId, monthOf(shared.at)), snapshotStartsUsed: starts };
      expectSame(`usage of ${accountId}`, { monthlyUsed, snapshotStartsUsed }, expected);
    } catch (error) {
      if (!node.isTroubled || error instanceof Violation) throw error;
    }
  }

  /**
   * Checks the limits over all nodes: one export and one change stream per account, the total slots of each, and the account's waiting
   * slots.
   */
  #hold(hold: Hold): void {
    const running = this.#holds.filter(
      ({ node, of, ended, untilMs }) => of === hold.of && !node.isDead && !ended && untilMs > this.elapsedMs,
    );
    const own = running.filter(({ accountId }) => accountId === hold.accountId).length;
    const isWaiting = hold.of === "waiting";
    expectThat("I14", own < (isWaiting ? waitsPerAccount : 1), `${hold.accountId} has ${own + 1} of ${hold.of}`);
    expectThat("I15", isWaiting || running.length < this.#parts.slots, `${running.length + 1} of ${hold.of} at once`);
    this.#holds = [...this.#holds, hold].slice(-holdsMax);
  }

  #compareOne({ call, entry, node, deadAs }: Sent, got: Outcome): void {
    const { counts, shared } = this.#parts;
    const expected = this.#expected.get(call.requestId);
    this.#expected.delete(call.requestId);
    const isRefusedSo = got.kind === "refused" && (got.code === deadAs || got.code === "service_unavailable");
    expectThat("I24", deadAs === null || isRefusedSo, `a dead key was answered ${got.kind}`);
    expectSame(`${entry.kind} ${call.requestId} at ${node.name}`, got, expected);
    const isCharged = got.kind === "admitted" && call.rule.unit;
    expectThat("I1", !isCharged || shared.events.has(call.requestId), `${call.requestId} was answered and not charged`);
    if (got.kind === "admitted") counts.add(`admitted ${entry.kind}` as "admitted free");
    if (got.kind !== "refused" || got.code === "service_unavailable" || got.code === "rate_limited") return;
    if (got.code === "monthly_quota_exceeded" && call.rule.lease)
      counts.add("refused monthly_quota_exceeded of an export");
    else counts.add(`refused ${got.code}` as "refused snapshot_busy");
  }

  #countBatch(batch: readonly NodesRequest[]): void {
    const { counts } = this.#parts;
    const charges = batch.flatMap((request) => (request.kind === "end" ? [] : [request]));
    if (charges.length > 1) counts.add("batch of several requests");
    if (new Set(charges.map(({ accountId }) => accountId)).size > 1) counts.add("batch of several accounts");
    if (charges.length > 0 && charges.length < batch.length) counts.add("batch of charges and lease ends");
  }
}
