import { addChecksum } from "../../store/codec/access-checksum.ts";
import { type Database, writeTransaction } from "../../store/database.ts";
import { LeaseStore } from "../../store/write/leases.ts";
import { type KeyStatusRow, type LedgerClock, LedgerStore } from "../../store/write/ledger.ts";
import { type Failpoints, noFailpoints } from "../../values/failpoints.ts";
import { dayMs, dayOf, secondMs, secondsUntil } from "../../values/time/calendar.ts";
import { keyRefusal } from "../credentials.ts";
import { effectivePlan, type Plan, type PlanTable, plans, serviceSlots } from "../plans.ts";
import type { RefusalCode } from "../refusals.ts";
import { type Charge, type LedgerReply, type LedgerRequest, leaseMs, type MonthUse } from "./ledger.ts";
import { clockRegressionMax, type Month, Months } from "./months.ts";

const unreliableClockRetryS = 60;
/** Seconds of the longest month. No limit ends later, and the contract promises no longer wait. */
const retryAfterMaxS = 31 * (dayMs / secondMs);

/** Settings that a simulation changes. The product uses the defaults. */
export type LedgerOptions = {
  plans?: PlanTable;
  slots?: number;
  failpoints?: Failpoints;
};

/**
 * The rows of accounts, keys, months and charges for one batch. The rules read and write only through these methods, so they are
 * independent of the store.
 */
export type LedgerRows = Pick<
  LedgerStore,
  "clock" | "keyStatus" | "pagesStatus" | "setMonthUsed" | "setKeyUsed" | "addEvent" | "setClock"
>;
/** Export leases for one batch. */
export type LeaseRows = Pick<LeaseStore, "live" | "expire" | "nthNewestStart" | "add" | "end">;

/** Commits batches on the writing handle of the file: one IMMEDIATE transaction per batch. */
export class LedgerTransactions {
  readonly #database: Database;
  readonly #decisions: LedgerDecisions;
  readonly #failpoints: Failpoints;

  constructor(database: Database, options: LedgerOptions = {}) {
    this.#database = database;
    this.#decisions = new LedgerDecisions(new LedgerStore(database), new LeaseStore(database), options);
    this.#failpoints = options.failpoints ?? noFailpoints;
  }

  /**
   * Decides every request in order and commits the granted ones.
   * @throws {SqliteError} when nothing was written.
   */
  commit(batch: readonly LedgerRequest[]): LedgerReply[] {
    const work = () => {
      const decided = this.#decisions.decide(batch);
      this.#failpoints.hit("admit.commit.before");
      return decided;
    };
    const replies = writeTransaction(this.#database, work, { yields: true });
    this.#failpoints.hit("admit.commit.after");
    return replies;
  }
}

/**
 * Makes the ledger's decisions synchronously, on rows that cannot change meanwhile. It keeps no state between batches, so that a new
 * process continues from the rows.
 */
export class LedgerDecisions {
  readonly #ledger: LedgerRows;
  readonly #leases: LeaseRows;
  readonly #plans: PlanTable;
  readonly #slots: number;
  readonly #failpoints: Failpoints;
  readonly #months = new Months();

  constructor(ledger: LedgerRows, leases: LeaseRows, options: LedgerOptions = {}) {
    this.#ledger = ledger;
    this.#leases = leases;
    this.#plans = options.plans ?? plans;
    this.#slots = options.slots ?? serviceSlots;
    this.#failpoints = options.failpoints ?? noFailpoints;
  }

  /** Decides every request in order and writes the granted ones to the rows. */
  decide(batch: readonly LedgerRequest[]): LedgerReply[] {
    const work = new Batch(this.#ledger);
    const decided = batch.map((request) =>
      request.kind === "end" ? this.end(request, work) : this.#charge(request, work),
    );
    work.write();
    return decided;
  }

  #charge(request: Charge, work: Batch): LedgerReply {
    const found = this.find(request, work);
    if (found.kind === "refused") return found;
    return this.planRefusal(request, found) ?? this.pay(request, found, this.findSlot(request, found, work), work);
  }

  /** Finds key, account, plan and instant of a charge, or the refusal of a credential that is invalid at that instant. */
  find(request: Charge, work: Batch): Payer | Refused {
    const { keyId, accountId, session } = request;
    const at = work.effective(request.at);
    if (work.highWaterAt - request.at > clockRegressionMax)
      return refused("service_unavailable", unreliableClockRetryS);
    const month = this.#months.of(at);
    const status = session === undefined ? work.keyStatus(keyId, month) : work.pagesStatus(request, session, month);
    if (status === undefined || status.accountId !== accountId) return refused("invalid_api_key", null);
    const refusal = keyRefusal(status, at);
    // An expired session is an invalid credential.
    if (refusal !== null)
      return refused(session !== undefined && at >= status.expiresAt ? "invalid_api_key" : refusal, null);
    const plan = effectivePlan(status.plan, status.planEndsAt, at);
    return { kind: "payer", at, month, plan, limits: this.#plans[plan] };
  }

  /** Returns the refusal if the plan is too small for the operation, else null. */
  planRefusal({ kind, plan }: Charge, { plan: own, limits }: Payer): Refused | null {
    const tooSmall = kind === "reserve" ? limits.snapshotStartsPerDay === 0 : plan === "paid";
    return own === "free" && tooSmall ? refused("plan_upgrade_required", null) : null;
  }

  /** Charges the unit with the free slot. Refuses it if there are blocks or the month is used up. */
  pay(request: Charge, payer: Payer, { slot, blocks: found }: FoundSlot, work: Batch): LedgerReply {
    const { month, limits } = payer;
    const used = { used: work.monthUsed(request.accountId), limit: limits.requestsPerMonth };
    const blocks = used.used < used.limit ? found : [...found, monthBlock(month)];
    const first = blocks[0];
    if (first !== undefined) {
      const freeAt = Math.max(...blocks.map((block) => block.freeAt));
      return refused(first.code, Math.min(retryAfterMaxS, secondsUntil(freeAt, request.at)), used);
    }
    return this.#grant(request, payer, slot, work);
  }

  #grant(charge: Charge, { at, month, limits }: Payer, slot: number | null, work: Batch): LedgerReply {
    const expiresAt = slot === null ? null : at + leaseMs;
    work.wroteAt(at);
    if (slot !== null && expiresAt !== null) {
      this.#leases.add(charge.requestId, charge.accountId, slot, at, expiresAt);
      this.#failpoints.hit("admit.leaseInserted");
    }
    const checksum = this.#ledger.addEvent(charge, month.month, at);
    const used = work.addUnit(charge, dayOf(at), checksum);
    this.#failpoints.hit("admit.charged");
    return { kind: "charged", used, limit: limits.requestsPerMonth, expiresAt };
  }

  /**
   * Returns a free slot, or every block of an export. The first block gives the error code; Retry-After is the latest of all. A `charge`
   * needs no slot.
   */
  findSlot({ kind, accountId }: Charge, { at, limits }: Payer, work: Batch): FoundSlot {
    if (kind === "charge") return noSlot;
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
    if (kind === "place") return { slot, blocks };
    const startedAt = this.#leases.nthNewestStart(accountId, at - dayMs, at, limits.snapshotStartsPerDay);
    if (startedAt !== null) blocks.push({ code: "snapshot_daily_limit", freeAt: startedAt + dayMs });
    return { slot, blocks };
  }

  /** Ends a lease, if it is still held. */
  end(request: LedgerRequest & { kind: "end" }, work: Batch): LedgerReply {
    this.#failpoints.hit("lease.release.before");
    const at = work.effective(request.at);
    const ended = this.#leases.end(request.leaseId, request.how, at);
    if (ended) work.wroteAt(at);
    this.#failpoints.hit("lease.release.after");
    return { kind: "ended", ended };
  }
}

type Refused = Extract<LedgerReply, { kind: "refused" }>;
/** The account to charge: the plan in force at the instant that counts (UTC ms), with its limits and month. */
type Payer = { kind: "payer"; at: number; month: Month; plan: Plan; limits: PlanTable[Plan] };
/** An obstacle to a charge. Without it the charge could be made at `freeAt` (UTC ms). */
export type Block = { code: RefusalCode; freeAt: number };
/** `slot` is null if none is free or none is needed. */
export type FoundSlot = { slot: number | null; blocks: readonly Block[] };
const noSlot: FoundSlot = { slot: null, blocks: [] };

type KeyStatus = {
  accountId: string;
  expiresAt: number;
  revokedAt: number | null;
  disabledAt: number | null;
  plan: Plan;
  planEndsAt: number | null;
  /** UTC day of the latest charge (days since 1970), null before the first one. */
  usedDay: number | null;
};

/** Caches the rows that one transaction has read and must write at its end: each key and account once, for one month. */
export class Batch {
  readonly #ledger: LedgerRows;
  readonly #statuses = new Map<string, KeyStatus | undefined>();
  readonly #used = new Map<string, { units: number; changed: boolean }>();
  readonly #startedFrom: LedgerClock;
  #unitsChecksum: number;
  #highWaterAt: number;
  #month = "";

  constructor(ledger: LedgerRows) {
    this.#ledger = ledger;
    this.#startedFrom = ledger.clock();
    this.#highWaterAt = this.#startedFrom.at;
    this.#unitsChecksum = this.#startedFrom.unitsChecksum;
  }

  get highWaterAt(): number {
    return this.#highWaterAt;
  }

  /** Returns the instant that counts, which is never before the ledger's latest entry. */
  effective(at: number): number {
    return Math.max(at, this.#highWaterAt);
  }

  wroteAt(at: number): void {
    this.#highWaterAt = at;
  }

  /** Reads the key and its account. Returns undefined for an unknown key. */
  keyStatus(keyId: string, { month }: Month): KeyStatus | undefined {
    return this.#status(keyId, month, () => this.#ledger.keyStatus(keyId, month));
  }

  /** Reads the account and the session of a page's request. Returns undefined if the session has ended or belongs to another account. */
  pagesStatus(charge: Charge, session: string | null, { month }: Month): KeyStatus | undefined {
    return this.#status(statusKey(charge), month, () => this.#ledger.pagesStatus(charge, session, month));
  }

  #status(key: string, month: string, read: () => KeyStatusRow | undefined): KeyStatus | undefined {
    if (month !== this.#month) this.#begin(month);
    if (this.#statuses.has(key)) return this.#statuses.get(key);
    const row = read();
    if (row === undefined) {
      this.#statuses.set(key, undefined);
      return undefined;
    }
    const [accountId, expiresAt, revokedAt, disabledAt, plan, planEndsAt, monthUsed, usedDay] = row;
    const status = { accountId, expiresAt, revokedAt, disabledAt, plan, planEndsAt, usedDay };
    this.#statuses.set(key, status);
    if (!this.#used.has(accountId)) this.#used.set(accountId, { units: monthUsed ?? 0, changed: false });
    return status;
  }

  /** Returns the units of an account in the month of its key's lookup. */
  monthUsed(accountId: string): number {
    return this.#usedBy(accountId).units;
  }

  /**
   * Adds one unit for a key that was looked up and returns the new count. `checksum` belongs to the charge's event. A key's first unit of a
   * day also records the day.
   */
  addUnit(charge: Charge, day: number, checksum: number): number {
    const { accountId, keyId } = charge;
    const used = this.#usedBy(accountId);
    const status = this.#statuses.get(statusKey(charge));
    if (status !== undefined && status.usedDay !== day) {
      this.#ledger.setKeyUsed(keyId, day);
      status.usedDay = day;
    }
    this.#unitsChecksum = addChecksum(this.#unitsChecksum, checksum);
    used.units += 1;
    used.changed = true;
    return used.units;
  }

  write(): void {
    for (const [accountId, used] of this.#used) {
      if (used.changed) this.#ledger.setMonthUsed(accountId, this.#month, used.units);
    }
    const { at, unitsChecksum } = this.#startedFrom;
    if (this.#highWaterAt > at || this.#unitsChecksum !== unitsChecksum)
      this.#ledger.setClock(this.#highWaterAt, this.#unitsChecksum);
  }

  #begin(month: string): void {
    this.write();
    this.#statuses.clear();
    this.#used.clear();
    this.#month = month;
  }

  #usedBy(accountId: string): { units: number; changed: boolean } {
    const used = this.#used.get(accountId);
    if (used === undefined) throw new Error("the account of the charge was not looked up");
    return used;
  }
}

/** Two sessions of one account need separate entries. */
function statusKey({ keyId, session = null }: Charge): string {
  return session === null ? keyId : `${keyId} ${session}`;
}

/** Builds the reply of a refusal. Pass null as `month` if it was not read. */
export function refused(code: RefusalCode, retryAfterS: number | null, month: MonthUse | null = null): Refused {
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
