import { secondMs } from "../../values/time/calendar.ts";
import { type PlaceCounts, type PlaceKind, type PlaceRequest, placeLimits } from "../account-places.ts";
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

/** How much longer than its holder needs it a place is held: who waits begins when the charge is answered, ten seconds late at most. */
export const placeMarginMs: Readonly<Record<PlaceKind, number>> = { changes: secondMs, waiting: 11 * secondMs };

/** Settings that a simulation scales or arms. `doubtMs`: longest wait for what became of a commit; `askAgainMs`: between two questions. */
export type NodesOptions = LedgerOptions & { places?: PlaceCounts; doubtMs?: number; askAgainMs?: number };

/** Places of long requests that are held. `expiresAt`: UTC ms. */
type PlaceRows = {
  held(kind: PlaceKind): readonly { accountId: string; expiresAt: number }[];
  hold(requestId: string, kind: PlaceKind, accountId: string, expiresAt: number): void;
  leave(requestId: string): boolean;
};

/**
 * All rows of one batch. `take`: counts a request of an account in its minute; `hasSecret`: whether the key has the secret of this SHA-256
 * (hex).
 */
type NodesRows = LedgerRows &
  LeaseRows & {
    places: PlaceRows;
    take(accountId: string, limit: number, at: number): MinuteAttempt;
    hasSecret(keyId: string, secretHash: string): boolean;
  };

/**
 * Decides what many nodes share on rows that were locked for one batch: the rules are those of the one file, in their order, and beside them
 * cached callers, the minute and the places of long requests.
 */
export class NodesDecisions {
  readonly #rows: NodesRows;
  readonly #rules: LedgerDecisions;
  readonly #placeCounts: PlaceCounts;

  constructor(rows: NodesRows, options: NodesOptions = {}) {
    this.#rows = rows;
    this.#rules = new LedgerDecisions(rows, rows, options);
    this.#placeCounts = options.places ?? placeLimits;
  }

  /** Decides every request in order and hands what was granted to the rows. */
  decide(batch: readonly NodesRequest[]): LedgerReply[] {
    const work = new Batch(this.#rows);
    const decided = batch.map((request): LedgerReply => {
      if (request.kind !== "end") return this.#charge(request, work);
      if (request.ofPlace !== true) return this.#rules.end(request, work);
      return { kind: "ended", ended: this.#rows.places.leave(request.leaseId) };
    });
    work.write();
    return decided;
  }

  #charge(request: NodesCharge, work: Batch): LedgerReply {
    const { requestId, accountId, keyId, cached, place } = request;
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
    const slot = place === undefined ? this.#rules.findSlot(request, payer, work) : this.#findPlace(accountId, place);
    const reply = this.#rules.pay(request, payer, slot, work);
    if (reply.kind !== "charged") return reply;
    if (place !== undefined)
      this.#rows.places.hold(requestId, place.kind, accountId, at + place.holdMs + placeMarginMs[place.kind]);
    return { ...reply, ...inMinute };
  }

  /** Returns every block in the way of the place of a long request. */
  #findPlace(accountId: string, { kind }: PlaceRequest): FoundSlot {
    const { perAccount, inAll } = this.#placeCounts[kind];
    const { accountCode, serviceCode } = placeLimits[kind];
    const held = this.#rows.places.held(kind);
    const own = held.filter((one) => one.accountId === accountId);
    const freeAt = (places: typeof held) => Math.min(...places.map(({ expiresAt }) => expiresAt));
    const blocks: Block[] = [];
    if (own.length >= perAccount) blocks.push({ code: accountCode, freeAt: freeAt(own) });
    if (held.length >= inAll) blocks.push({ code: serviceCode, freeAt: freeAt(held) });
    return { slot: null, blocks };
  }
}
