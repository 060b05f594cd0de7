import { minuteMs, secondMs } from "../../values/calendar.ts";
import { Failure, type FailureCode, type FailureFacts } from "../../values/failure.ts";

/** How long a lease holds its account's place and its slot, unless it is ended before. */
export const leaseMs = 2 * minuteMs;
/** How long its holder works on it: less, so that nobody writes on a place that was given to another. */
export const holderMs = leaseMs - secondMs;

/** One unit to charge. `plan`: what the operation asks for, judged again with the plan that the transaction finds. */
export type Charge = {
  requestId: string;
  accountId: string;
  keyId: string;
  operation: string;
  plan: "free" | "paid";
  at: number;
};

/** The account's month right after its own charge. */
export type Charged = { used: number; limit: number };

/** A charge together with an export's place, which is held until `expiresAt` unless it is ended before. */
export type Reserved = Charged & { expiresAt: number };

export type LeaseEnd = "finished" | "released";

/** Durable usage and export leases. A promise that resolves means: on disk. One that rejects means: nothing was charged. */
export interface Ledger {
  /** Rejects with LedgerRefusal. */
  charge(charge: Charge): Promise<Charged>;
  /** Reserves and charges in one transaction, or neither. The lease's id is the request's. Rejects with LedgerRefusal. */
  reserve(charge: Charge): Promise<Reserved>;
  /** Ends the lease if it is still held; else does nothing. `released` gives the start back, `finished` counts it. */
  endLease(leaseId: string, how: LeaseEnd, at: number): Promise<void>;
  /** Resolves when storage failed for good: nothing is admitted any more and the program should stop. */
  readonly fatal: Promise<Error>;
  /** Writes what is waiting, then lets go of the file. */
  close(): Promise<void>;
}

/** One entry of a batch. */
export type LedgerRequest =
  | ({ kind: "charge" | "reserve" } & Charge)
  | { kind: "end"; leaseId: string; how: LeaseEnd; at: number };

export const ledgerRefusalCodes = [
  "invalid_api_key",
  "expired_api_key",
  "revoked_api_key",
  "account_disabled",
  "plan_upgrade_required",
  "snapshot_busy",
  "snapshot_capacity",
  "snapshot_daily_limit",
  "monthly_quota_exceeded",
  "service_unavailable",
] as const satisfies readonly FailureCode[];

export type LedgerRefusalCode = (typeof ledgerRefusalCodes)[number];

/** Why the ledger wrote nothing. `month` is what it read of the account's month, where it came that far. */
export class LedgerRefusal extends Failure {
  readonly reason: LedgerRefusalCode;
  readonly month: Charged | null;

  constructor(reason: LedgerRefusalCode, facts: FailureFacts = {}, month: Charged | null = null) {
    super(reason, facts);
    this.reason = reason;
    this.month = month;
  }
}

/** Answer to one entry. `ended` says whether this entry ended the lease. */
export type LedgerReply =
  | { kind: "charged"; used: number; limit: number; expiresAt: number | null }
  | { kind: "refused"; code: LedgerRefusalCode; retryAfterS: number | null; month: Charged | null }
  | { kind: "ended"; ended: boolean };

/** Whoever commits batches: a thread of its own in the program, the transactions themselves in a simulation. */
export interface BatchWriter {
  /** One transaction. Rejects with CommitFailure when nothing of it was written. */
  commit(batch: readonly LedgerRequest[]): Promise<readonly LedgerReply[]>;
  /** Resolves when the writer is lost and can commit nothing any more. */
  readonly lost: Promise<Error>;
  close(): Promise<void>;
}

/**
 * What a failed commit means. `refused`: storage said no and is whole (busy, full), try again later. `fatal`: a write error of
 * unknown extent, after which nothing the handle says can be trusted. `unexpected`: a fault of this program.
 */
export type CommitFailureKind = "refused" | "fatal" | "unexpected";

export class CommitFailure extends Error {
  readonly kind: CommitFailureKind;

  constructor(kind: CommitFailureKind, message: string) {
    super(message);
    this.name = "CommitFailure";
    this.kind = kind;
  }

  /** By SQLite's code; anything else is unexpected. */
  static from(error: unknown): CommitFailure {
    if (error instanceof CommitFailure) return error;
    const { code, message } = error as { code?: unknown; message?: unknown };
    const said = typeof code === "string" ? code : "";
    const kind = fatalCodes.test(said) ? "fatal" : refusedCodes.test(said) ? "refused" : "unexpected";
    return new CommitFailure(kind, `${said === "" ? "" : `${said}: `}${String(message ?? error)}`);
  }
}

const refusedCodes = /^SQLITE_(BUSY|FULL)/;
const fatalCodes = /^SQLITE_(IOERR|CORRUPT|NOTADB)/;
