import { type Database, writeTransaction } from "../../store/database.ts";
import { LeaseStore } from "../../store/write/leases.ts";
import { LedgerStore } from "../../store/write/ledger.ts";
import { dayMs, hourMs, secondMs, secondsUntil } from "../../values/calendar.ts";
import { type Failpoints, noFailpoints } from "../../values/failpoints.ts";
import { keyRefusal } from "../credentials.ts";
import { effectivePlan, type Plan, type PlanLimits, type PlanTable, plans } from "../plans.ts";
import {
  type Charge,
  type Charged,
  type LedgerRefusalCode,
  type LedgerReply,
  type LedgerRequest,
  leaseMs,
} from "./ledger.ts";
import { type Month, Months } from "./months.ts";

/** Exports that may run at once in the whole service. */
export const serviceSlots = 8;
/** How far the clock may stand behind what the ledger has written; further back nothing is charged. */
export const clockRegressionMax = hourMs;

const unreliableClockRetryS = 60;
/** The longest month: no limit ends later, and the contract promises no more. */
const retryAfterMaxS = 31 * (dayMs / secondMs);

/** What a simulation scales or arms; the product takes the defaults. */
export type LedgerOptions = { plans?: PlanTable; slots?: number; failpoints?: Failpoints };

/**
 * The ledger's decisions, synchronous: one batch is one IMMEDIATE transaction on the writing handle. Nothing is remembered
 * between batches, so that a new process goes on where the last one stopped.
 */
export class LedgerTransactions {
  readonly #database: Database;
  readonly #ledger: LedgerStore;
  readonly #leases: LeaseStore;
  readonly #plans: PlanTable;
  readonly #slots: number;
  readonly #failpoints: Failpoints;
  readonly #months = new Months();

  constructor(database: Database, options: LedgerOptions = {}) {
    this.#database = database;
    this.#ledger = new LedgerStore(database);
    this.#leases = new LeaseStore(database);
    this.#plans = options.plans ?? plans;
    this.#slots = options.slots ?? serviceSlots;
    this.#failpoints = options.failpoints ?? noFailpoints;
  }

  /** Decides every request in order and commits what was granted. Throws what SQLite throws: then nothing was written. */
  commit(batch: readonly LedgerRequest[]): LedgerReply[] {
    const replies = writeTransaction(this.#database, () => {
      const work = new Batch(this.#ledger);
      const decided = batch.map((request) =>
        request.kind === "end" ? this.#end(request, work) : this.#admit(request, work),
      );
      work.write();
      this.#failpoints.hit("admit.commit.before");
      return decided;
    });
    this.#failpoints.hit("admit.commit.after");
    return replies;
  }

  #admit(request: LedgerRequest & { kind: "charge" | "reserve" }, work: Batch): LedgerReply {
    const { keyId, accountId } = request;
    const at = work.effective(request.at);
    if (work.highWaterAt - request.at > clockRegressionMax)
      return refused("service_unavailable", unreliableClockRetryS);
    const month = this.#months.of(at);
    const standing = work.standing(keyId, month);
    if (standing === undefined || standing.accountId !== accountId) return refused("invalid_api_key", null);
    const refusal = keyRefusal(standing, at);
    if (refusal !== null) return refused(refusal, null);
    const plan = effectivePlan(standing.plan, standing.planEndsAt, at);
    const limits = this.#plans[plan];
    const tooSmall = request.kind === "reserve" ? limits.snapshotStartsPerDay === 0 : request.plan === "paid";
    if (plan === "free" && tooSmall) return refused("plan_upgrade_required", null);
    const charged = { used: work.monthUsed(accountId), limit: limits.requestsPerMonth };
    const place = request.kind === "reserve" ? this.#findPlace(accountId, limits, at, work) : noPlace;
    const blocks = charged.used < charged.limit ? place.blocks : [...place.blocks, monthBlock(month)];
    const first = blocks[0];
    if (first !== undefined) {
      const freeAt = Math.max(...blocks.map((block) => block.freeAt));
      return refused(first.code, Math.min(retryAfterMaxS, secondsUntil(freeAt, request.at)), charged);
    }
    return this.#grant(request, { at, month, slot: place.slot, charged }, work);
  }

  #grant(
    charge: Charge,
    granted: { at: number; month: Month; slot: number | null; charged: Charged },
    work: Batch,
  ): LedgerReply {
    const { requestId, accountId, keyId, operation } = charge;
    const { at, month, slot, charged } = granted;
    const expiresAt = slot === null ? null : at + leaseMs;
    work.wroteAt(at);
    if (slot !== null && expiresAt !== null) {
      this.#leases.add(requestId, accountId, slot, at, expiresAt);
      this.#failpoints.hit("admit.leaseInserted");
    }
    this.#ledger.addEvent(requestId, accountId, keyId, operation, month.month, at);
    const used = work.addUnit(accountId);
    this.#failpoints.hit("admit.charged");
    return { kind: "charged", used, limit: charged.limit, expiresAt };
  }

  /**
   * A free slot, or everything that stands in the way of an export: the first is the reason told, but only after the last of
   * them a retry can succeed.
   */
  #findPlace(accountId: string, limits: PlanLimits, at: number, work: Batch): Place {
    let live = this.#leases.live();
    if (live.some((lease) => lease.expiresAt <= at)) {
      this.#leases.expire(at);
      work.wroteAt(at);
      live = live.filter((lease) => lease.expiresAt > at);
    }
    const blocks: Block[] = [];
    const own = live.find((lease) => lease.accountId === accountId);
    if (own !== undefined) blocks.push({ code: "snapshot_busy", freeAt: own.expiresAt });
    const slot = firstFree(live, this.#slots);
    if (slot === null) {
      blocks.push({ code: "snapshot_capacity", freeAt: Math.min(...live.map((lease) => lease.expiresAt)) });
    }
    const startedAt = this.#leases.nthNewestStart(accountId, at - dayMs, at, limits.snapshotStartsPerDay);
    if (startedAt !== null) blocks.push({ code: "snapshot_daily_limit", freeAt: startedAt + dayMs });
    return { slot, blocks };
  }

  #end(request: LedgerRequest & { kind: "end" }, work: Batch): LedgerReply {
    this.#failpoints.hit("lease.release.before");
    const at = work.effective(request.at);
    const ended = this.#leases.end(request.leaseId, request.how, at);
    if (ended) work.wroteAt(at);
    this.#failpoints.hit("lease.release.after");
    return { kind: "ended", ended };
  }
}

type Block = { code: LedgerRefusalCode; freeAt: number };
type Place = { slot: number | null; blocks: readonly Block[] };
const noPlace: Place = { slot: null, blocks: [] };

type Standing = {
  accountId: string;
  expiresAt: number;
  revokedAt: number | null;
  disabledAt: number | null;
  plan: Plan;
  planEndsAt: number | null;
};

/** What one transaction has read and must write at its end: each key and each account once, for one month. */
class Batch {
  readonly #ledger: LedgerStore;
  readonly #standings = new Map<string, Standing | undefined>();
  readonly #used = new Map<string, { units: number; changed: boolean }>();
  readonly #startedAt: number;
  #highWaterAt: number;
  #month = "";

  constructor(ledger: LedgerStore) {
    this.#ledger = ledger;
    this.#startedAt = ledger.highWater();
    this.#highWaterAt = this.#startedAt;
  }

  get highWaterAt(): number {
    return this.#highWaterAt;
  }

  /** The instant that counts: never before anything that was written. */
  effective(at: number): number {
    return Math.max(at, this.#highWaterAt);
  }

  wroteAt(at: number): void {
    this.#highWaterAt = at;
  }

  /** The key and its account; undefined: there is no such key. */
  standing(keyId: string, { month }: Month): Standing | undefined {
    if (month !== this.#month) this.#begin(month);
    if (this.#standings.has(keyId)) return this.#standings.get(keyId);
    const row = this.#ledger.standing(keyId, month);
    if (row === undefined) {
      this.#standings.set(keyId, undefined);
      return undefined;
    }
    const [accountId, expiresAt, revokedAt, disabledAt, plan, planEndsAt, monthUsed] = row;
    const standing = { accountId, expiresAt, revokedAt, disabledAt, plan, planEndsAt };
    this.#standings.set(keyId, standing);
    if (!this.#used.has(accountId)) this.#used.set(accountId, { units: monthUsed ?? 0, changed: false });
    return standing;
  }

  /** Units of an account whose key was looked up, in the month of that look. */
  monthUsed(accountId: string): number {
    return this.#usedBy(accountId).units;
  }

  /** One unit more. Returns the new count. */
  addUnit(accountId: string): number {
    const used = this.#usedBy(accountId);
    used.units += 1;
    used.changed = true;
    return used.units;
  }

  write(): void {
    for (const [accountId, used] of this.#used) {
      if (used.changed) this.#ledger.setMonthUsed(accountId, this.#month, used.units);
    }
    if (this.#highWaterAt > this.#startedAt) this.#ledger.setHighWater(this.#highWaterAt);
  }

  #begin(month: string): void {
    this.write();
    this.#standings.clear();
    this.#used.clear();
    this.#month = month;
  }

  #usedBy(accountId: string): { units: number; changed: boolean } {
    const used = this.#used.get(accountId);
    if (used === undefined) throw new Error("the account of the charge was not looked up");
    return used;
  }
}

function refused(code: LedgerRefusalCode, retryAfterS: number | null, month: Charged | null = null): LedgerReply {
  return { kind: "refused", code, retryAfterS, month };
}

function monthBlock(month: Month): Block {
  return { code: "monthly_quota_exceeded", freeAt: month.endsAt };
}

function firstFree(live: readonly { slot: number }[], slots: number): number | null {
  const taken = new Set(live.map((lease) => lease.slot));
  for (let slot = 1; slot <= slots; slot += 1) if (!taken.has(slot)) return slot;
  return null;
}
