import { secondMs } from "../../values/time/calendar.ts";
import { type PermitCounts, type PermitKind, type PermitRequest, permitLimits } from "../account-permits.ts";
import type { LedgerReply } from "../ledger/ledger.ts";
import {
  Batch,
  type Block,
  type FoundSlot,
  type LeaseRows,
  LedgerDecisions,
  type LedgerOptions,
  type LedgerRows,
  refused,
} from "../ledger/transactions.ts";
import type { MinuteAttempt } from "../rate-limiter.ts";
import type { NodesCharge, NodesRequest } from "./ledger.ts";

/**
 * Time for which a permit outlasts the holder's use of it, ms. A waiting request begins when its charge is answered, up to ten seconds
 * late.
 */
export const permitMarginMs: Readonly<Record<PermitKind, number>> = { changes: secondMs, waiting: 11 * secondMs };

/**
 * Settings that a simulation changes. `uncertainMs`: longest wait for the outcome of an uncertain commit; `askAgainMs`: pause between two
 * queries for it.
 */
export type NodesOptions = LedgerOptions & { places?: PermitCounts; uncertainMs?: number; askAgainMs?: number };

/** Held permits of long-running requests. `expiresAt`: UTC ms. */
type PermitRows = {
  held(kind: PermitKind): readonly { accountId: string; expiresAt: number }[];
  hold(requestId: string, kind: PermitKind, accountId: string, expiresAt: number): void;
  leave(requestId: string): boolean;
};

/**
 * All rows of one batch. `take` counts a request of an account in its minute. `hasSecret` returns whether the key has the secret with this
 * SHA-256 (hex).
 */
type NodesRows = LedgerRows &
  LeaseRows & {
    places: PermitRows;
    take(accountId: string, limit: number, at: number): MinuteAttempt;
    hasSecret(keyId: string, secretHash: string): boolean;
  };

/**
 * Decides charges that many nodes share, on rows that are locked for one batch. It applies the rules of the single file in their order. It
 * also checks cached callers, the minute and the permits of long-running requests.
 */
export class NodesDecisions {
  readonly #rows: NodesRows;
  readonly #rules: LedgerDecisions;
  readonly #permitCounts: PermitCounts;

  constructor(rows: NodesRows, options: NodesOptions = {}) {
    this.#rows = rows;
    this.#rules = new LedgerDecisions(rows, rows, options);
    this.#permitCounts = options.places ?? permitLimits;
  }

  /** Decides every request in order and writes the granted ones to the rows. */
  decide(batch: readonly NodesRequest[]): LedgerReply[] {
    const work = new Batch(this.#rows);
    const decided = batch.map((request): LedgerReply => {
      if (request.kind !== "end") return this.#charge(request, work);
      if (request.ofPermit !== true) return this.#rules.end(request, work);
      return { kind: "ended", ended: this.#rows.places.leave(request.leaseId) };
    });
    work.write();
    return decided;
  }

  #charge(request: NodesCharge, work: Batch): LedgerReply {
    const { requestId, accountId, keyId, cached, permit } = request;
    const payer = this.#rules.find(request, work);
    if (payer.kind === "refused") return payer;
    const { at, plan, limits } = payer;
    if (cached !== undefined && (cached.plan !== plan || !this.#rows.hasSecret(keyId, cached.secretHash)))
      return refused("invalid_api_key", null);
    const tooSmall = this.#rules.planRefusal(request, payer);
    if (tooSmall !== null) return tooSmall;
    const minute = this.#rows.take(accountId, limits.requestsPerMinute, at);
    if (!minute.admitted) return refused("rate_limited", minute.retryAfterS);
    const inMinute = { remainingInMinute: minute.remaining };
    if (request.isFree === true) {
      const used = { used: work.monthUsed(accountId), limit: limits.requestsPerMonth };
      return { kind: "charged", ...used, expiresAt: null, ...inMinute };
    }
    const slot =
      permit === undefined ? this.#rules.findSlot(request, payer, work) : this.#findPermit(accountId, permit);
    const reply = this.#rules.pay(request, payer, slot, work);
    if (reply.kind !== "charged") return reply;
    if (permit !== undefined)
      this.#rows.places.hold(requestId, permit.kind, accountId, at + permit.holdMs + permitMarginMs[permit.kind]);
    return { ...reply, ...inMinute };
  }

  /** Returns every block of a permit for a long-running request. */
  #findPermit(accountId: string, { kind }: PermitRequest): FoundSlot {
    const { perAccount, inAll } = this.#permitCounts[kind];
    const { accountCode, serviceCode } = permitLimits[kind];
    const held = this.#rows.places.held(kind);
    const own = held.filter((one) => one.accountId === accountId);
    const freeAt = (places: typeof held) => Math.min(...places.map(({ expiresAt }) => expiresAt));
    const blocks: Block[] = [];
    if (own.length >= perAccount) blocks.push({ code: accountCode, freeAt: freeAt(own) });
    if (held.length >= inAll) blocks.push({ code: serviceCode, freeAt: freeAt(held) });
    return { slot: null, blocks };
  }
}
