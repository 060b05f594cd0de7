import { Failure, type FailureFacts } from "../../values/failure/failure.ts";
import { minuteMs, secondMs } from "../../values/time/calendar.ts";
import type { RefusalCode } from "../refusals.ts";

/** Time for which a lease holds its account's permit and its slot, unless it is ended earlier. */
export const leaseMs = 2 * minuteMs;
/** Time for which the holder uses its lease. It is shorter, so that two exports never share a slot. */
export const holderMs = leaseMs - secondMs;

/**
 * One unit to charge. `reserve` also reserves an export lease with the request's id; `place` does so without counting a start. `plan` is
 * the plan that the operation requires; the transaction compares it again with the stored plan. `at`: UTC ms.
 */
export type Charge = {
  kind: "charge" | "reserve" | "place";
  requestId: string;
  accountId: string;
  keyId: string;
  operation: string;
  plan: "free" | "paid";
  at: number;
  /** Absent for a key. For a page: the hash (hex) of the owner's session, which must still be open; null for a visitor of a demo. */
  session?: string | null;
};

/** Units of an account's month. */
export type MonthUse = { used: number; limit: number };

/** The account's month right after its own charge. `expiresAt` is the end of the lease unless it is ended earlier, null without a lease. */
export type Charged = MonthUse & { expiresAt: number | null };

/** How an export's lease ends. */
export type LeaseEnd = "finished" | "released";

/**
 * Durable usage and export leases. A promise that resolves means that the change is on disk; a rejection means that nothing was charged.
 */
export interface Ledger {
  /**
   * Charges, and reserves a lease if the charge asks for one, in a single transaction.
   * @throws {LedgerRefusal} when nothing was written.
   */
  charge(charge: Charge): Promise<Charged>;
  /** Ends the lease if it is still held. `released` returns the start, `finished` counts it. */
  endLease(leaseId: string, how: LeaseEnd, at: number): Promise<void>;
  /**
   * Resolves if the ledger could charge now. It acquires the writer's lock and writes nothing.
   * @throws {Error} with the reason if it could not.
   */
  probe(): Promise<void>;
  /** Resolves when storage has failed permanently. Nothing is admitted any more, and the program should stop. */
  readonly fatal: Promise<Error>;
  /** Commits the waiting requests, then closes the file. */
  close(): Promise<void>;
}

/** One entry of a batch. */
export type LedgerRequest = Charge | { kind: "end"; leaseId: string; how: LeaseEnd; at: number };

/** A refusal of the ledger, which wrote nothing. `month` is the account's month, if the ledger had read it. */
export class LedgerRefusal extends Failure {
  declare readonly code: RefusalCode;
  readonly month: MonthUse | null;

  constructor(code: RefusalCode, facts: FailureFacts = {}, month: MonthUse | null = null) {
    super(code, facts);
    this.month = month;
  }
}

/** Reply to one entry. `ended`: this entry ended the lease. */
export type LedgerReply =
  | ({ kind: "charged" } & Charged)
  | { kind: "refused"; code: RefusalCode; retryAfterS: number | null; month: MonthUse | null }
  | { kind: "ended"; ended: boolean };

/** Commits batches: a separate thread in the program, the transactions themselves in a simulation. */
export interface BatchWriter {
  /**
   * Commits one transaction.
   * @throws {CommitFailure} when no part of it was written.
   */
  commit(batch: readonly LedgerRequest[]): Promise<readonly LedgerReply[]>;
  /** Resolves when the writer is lost and cannot commit any more. */
  readonly lost: Promise<Error>;
  close(): Promise<void>;
}

/**
 * Kinds of a failed commit. `refused`: storage is intact but refused (busy, full); try again later. `fatal`: a write error of unknown
 * extent, after which the handle is unreliable. `unexpected`: a bug in this program.
 */
export type CommitFailureKind = "refused" | "fatal" | "unexpected";

/** Reports that a commit failed, and whether the writer can continue. */
export class CommitFailure extends Error {
  readonly kind: CommitFailureKind;

  constructor(kind: CommitFailureKind, message: string) {
    super(message);
    this.name = "CommitFailure";
    this.kind = kind;
  }

  /** Classifies an error by SQLite's code. Any other error is unexpected. */
  static from(error: unknown): CommitFailure {
    if (error instanceof CommitFailure) return error;
    const { code, message } = error as { code?: unknown; message?: unknown };
    const text = typeof code === "string" ? code : "";
    const kind = fatalCodes.test(text) ? "fatal" : refusedCodes.test(text) ? "refused" : "unexpected";
    return new CommitFailure(kind, `${text === "" ? "" : `${text}: `}${String(message ?? error)}`);
  }
}

const refusedCodes = /^SQLITE_(BUSY|FULL)/;
const fatalCodes = /^SQLITE_(IOERR|CORRUPT|NOTADB)/;
