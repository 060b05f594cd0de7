import { Failure, type FailureFacts } from "../../values/failure/failure.ts";
import { minuteMs, secondMs } from "../../values/time/calendar.ts";
import { type RefusalCode, refusalDetails } from "../refusals.ts";

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

/** Values of a charge that has nothing more than its unit, in the order in which they are sent. */
type ChargeValues = [
  requestId: string,
  accountId: string,
  keyId: string,
  operation: string,
  plan: Charge["plan"],
  at: number,
];
const chargeValues = 6;

/** Requests of a batch as one flat list, cheaper to send to a thread than objects: the values of each such charge, and any other request as it is. */
export type EncodedRequests = readonly (ChargeValues[number] | LedgerRequest)[];

/** Encodes the requests of a batch, to be decoded by `decodeRequests` in another thread. */
export function encodeRequests(requests: readonly LedgerRequest[]): EncodedRequests {
  const encoded: (ChargeValues[number] | LedgerRequest)[] = [];
  for (const request of requests) {
    if (!isUnitAlone(request)) encoded.push(request);
    else {
      const { requestId, accountId, keyId, operation, plan, at } = request;
      encoded.push(requestId, accountId, keyId, operation, plan, at);
    }
  }
  return encoded;
}

function isUnitAlone(request: LedgerRequest): request is Charge {
  return request.kind === "charge" && request.session === undefined;
}

/** Decodes what `encodeRequests` made. */
export function decodeRequests(encoded: EncodedRequests): LedgerRequest[] {
  const requests: LedgerRequest[] = [];
  for (let index = 0; index < encoded.length; index += 1) {
    const first = encoded[index];
    if (typeof first === "object") requests.push(first);
    else {
      const values = encoded.slice(index, index + chargeValues) as ChargeValues;
      const [requestId, accountId, keyId, operation, plan, at] = values;
      requests.push({ kind: "charge", requestId, accountId, keyId, operation, plan, at });
      index += chargeValues - 1;
    }
  }
  return requests;
}

/** Replies of a batch as one flat array, `replyFields` numbers each: cheaper to receive from a thread than objects. */
export type EncodedReplies = Float64Array;

/** A refusal is sent as its index. */
const refusalCodes = Object.keys(refusalDetails) as readonly RefusalCode[];
const replyFields = 4;
const charged = -1;
const ended = -2;

/** Encodes the replies of a batch, to be decoded by `decodeReplies` in another thread. */
export function encodeReplies(replies: readonly LedgerReply[]): EncodedReplies {
  const encoded = new Float64Array(replies.length * replyFields);
  replies.forEach((reply, index) => {
    encoded.set(encodeReply(reply), index * replyFields);
  });
  return encoded;
}

/** Returns the outcome, then its figures; NaN stands for null. */
function encodeReply(reply: LedgerReply): number[] {
  if (reply.kind === "charged") return [charged, reply.used, reply.limit, reply.expiresAt ?? Number.NaN];
  if (reply.kind === "ended") return [ended, reply.ended ? 1 : 0, 0, 0];
  const { code, retryAfterS, month } = reply;
  return [refusalCodes.indexOf(code), retryAfterS ?? Number.NaN, month?.used ?? Number.NaN, month?.limit ?? Number.NaN];
}

/** Decodes what `encodeReplies` made. */
export function decodeReplies(encoded: EncodedReplies): LedgerReply[] {
  const replies: LedgerReply[] = [];
  const number = (index: number) => encoded[index] as number;
  for (let at = 0; at < encoded.length; at += replyFields)
    replies.push(decodeReply(number(at), number(at + 1), number(at + 2), number(at + 3)));
  return replies;
}

function decodeReply(outcome: number, first: number, second: number, third: number): LedgerReply {
  if (outcome === charged) {
    return { kind: "charged", used: first, limit: second, expiresAt: Number.isNaN(third) ? null : third };
  }
  if (outcome === ended) return { kind: "ended", ended: first === 1 };
  const code = refusalCodes[outcome];
  if (code === undefined) throw new Error(`the ledger thread sent the outcome ${outcome}`);
  return {
    kind: "refused",
    code,
    retryAfterS: Number.isNaN(first) ? null : first,
    month: Number.isNaN(second) ? null : { used: second, limit: third },
  };
}

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
