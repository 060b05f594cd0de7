import { Failure, type FailureFacts } from "../../values/failure/failure.ts";
import { minuteMs, secondMs } from "../../values/time/calendar.ts";
import type { RefusalCode } from "../refusals.ts";

/** Time in which a lease holds its account's permit and its slot, unless it is ended before. */
export const leaseMs = 2 * minuteMs;
/** Time for which its holder uses it: less, so that two never export on one slot. */
export const holderMs = leaseMs - secondMs;

/**
 * One unit to charge; `reserve`: together with an export's lease, whose id is the request's; `place`: with a lease that is no start.
 * `plan`: what the operation asks for, compared again with the plan that the transaction finds. `at`: UTC ms.
 */
export type Charge = {
  kind: "charge" | "reserve" | "place";
  requestId: string;
  accountId: string;
  keyId: string;
  operation: string;
  plan: "free" | "paid";
  at: number;
  /** Of a page: the hash (hex) of the owner's session, which must still be open; null: of a look around a demo. Absent: of a key. */
  session?: string | null;
};

/** Units of an account's month. */
export type MonthUse = { used: number; limit: number };

/** The account's month right after its own charge. `expiresAt`: end of the lease unless it is ended before, null without one. */
export type Charged = MonthUse & { expiresAt: number | null };

/** How an export's lease ends. */
export type LeaseEnd = "finished" | "released";

/** Durable usage and export leases. A promise that resolves means: on disk. One that rejects means: nothing was charged. */
export interface Ledger {
  /**
   * Charges, and reserves a lease where the charge says so, in one transaction or not at all.
   * @throws {LedgerRefusal} when nothing was written.
   */
  charge(charge: Charge): Promise<Charged>;
  /** Ends the lease if it is still held; else does nothing. `released` gives the start back, `finished` counts it. */
  endLease(leaseId: string, how: LeaseEnd, at: number): Promise<void>;
  /**
   * Resolves when the ledger could charge now: it takes the writer's lock and writes nothing.
   * @throws {Error} when it could not; the message says why.
   */
  probe(): Promise<void>;
  /** Resolves when storage failed for good: nothing is admitted any more and the program should stop. */
  readonly fatal: Promise<Error>;
  /** Writes what is waiting, then lets go of the file. */
  close(): Promise<void>;
}

/** One entry of a batch. */
export type LedgerRequest = Charge | { kind: "end"; leaseId: string; how: LeaseEnd; at: number };

/** A refusal of the ledger, which wrote nothing. `month` is what it read of the account's month, where it came that far. */
export class LedgerRefusal extends Failure {
  declare readonly code: RefusalCode;
  readonly month: MonthUse | null;

  constructor(code: RefusalCode, facts: FailureFacts = {}, month: MonthUse | null = null) {
    super(code, facts);
    this.month = month;
  }
}

/** Answer to one entry. `ended`: this entry ended the lease. */
export type LedgerReply =
  | ({ kind: "charged" } & Charged)
  | { kind: "refused"; code: RefusalCode; retryAfterS: number | null; month: MonthUse | null }
  | { kind: "ended"; ended: boolean };

/** A committer of batches: a thread of its own in the program, the transactions themselves in a simulation. */
export interface BatchWriter {
  /**
   * Commits one transaction.
   * @throws {CommitFailure} when nothing of it was written.
   */
  commit(batch: readonly LedgerRequest[]): Promise<readonly LedgerReply[]>;
  /** Resolves when the writer is lost and can commit nothing any more. */
  readonly lost: Promise<Error>;
  close(): Promise<void>;
}

/**
 * Kinds of a failed commit. `refused`: storage said no and is whole (busy, full), try again later. `fatal`: a write error of
 * unknown extent, after which nothing the handle says can be trusted. `unexpected`: a fault of this program.
 */
export type CommitFailureKind = "refused" | "fatal" | "unexpected";

/** Tells that a commit failed, and whether the writer can go on. */
export class CommitFailure extends Error {
  readonly kind: CommitFailureKind;

  constructor(kind: CommitFailureKind, message: string) {
    super(message);
    this.name = "CommitFailure";
    this.kind = kind;
  }

  /** Sorts an error by SQLite's code; anything else is unexpected. */
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
