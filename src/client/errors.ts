import type { ErrorCode, Schema } from "./types.ts";

/** Details of a refusal. */
export type RefusalFacts = {
  readonly status: number;
  readonly problem: Schema<"Problem"> | null;
  readonly requestId: string | null;
  readonly retryAfterMs: number | null;
  readonly attempts: number;
};

/**
 * Error for a refused request. `code` is an error code of the contract; later versions may add codes. It is null without a problem record,
 * such as from a proxy. No text from the server in it contains the key.
 */
export class ItemtapeError extends Error {
  override readonly name = "ItemtapeError";
  readonly code: ErrorCode | null;
  readonly status: number;
  /** The server's explanation of the cause. */
  readonly detail: string | null;
  readonly requestId: string | null;
  /** `Retry-After` in milliseconds; null without the header. */
  readonly retryAfterMs: number | null;
  readonly problem: Schema<"Problem"> | null;
  /** Number of requests that were sent for the call. */
  readonly attempts: number;

  constructor(message: string, facts: RefusalFacts) {
    super(message);
    this.code = facts.problem?.code ?? null;
    this.status = facts.status;
    this.detail = facts.problem?.detail ?? null;
    this.requestId = facts.requestId;
    this.retryAfterMs = facts.retryAfterMs;
    this.problem = facts.problem;
    this.attempts = facts.attempts;
  }
}

/**
 * Reason of a `TransportError`:
 * - `unreachable`: no connection, or it was lost
 * - `timeout`: no complete response in time
 * - `redirect`: a redirect, which is never followed because of the key
 * - `too_large`: more than 32 MiB
 * - `broken`: a response that violates the contract
 * - `paging`: a list with a cursor that repeats or goes backwards
 */
export type TransportReason = "unreachable" | "timeout" | "redirect" | "too_large" | "broken" | "paging";

/** Error for a missing response, or a response that violates the contract. Only `follow` retries after it. */
export class TransportError extends Error {
  override readonly name = "TransportError";
  readonly reason: TransportReason;
  /**
   * Number of requests that were sent for the call. All but the last were refused; the last refusal is the `cause` unless another error is.
   */
  readonly attempts: number;
  /** Request id of a broken or incomplete response; null if unknown. */
  readonly requestId: string | null;

  constructor(reason: TransportReason, message: string, facts: TransportFacts = {}) {
    super(message, causeOf(facts.cause));
    this.reason = reason;
    this.attempts = facts.attempts ?? 0;
    this.requestId = facts.requestId ?? null;
  }
}

/** Details of a `TransportError`. */
export type TransportFacts = {
  readonly cause?: unknown;
  readonly attempts?: number | undefined;
  readonly requestId?: string | null | undefined;
};

function causeOf(cause: unknown): ErrorOptions | undefined {
  return cause === undefined || cause === null ? undefined : { cause };
}

/**
 * Reason of an `ExportError`:
 * - `changed`: a generation was published during the export
 * - `interrupted`: the server aborted the export
 * - `truncated`: the stream ended early or stalled
 * - `malformed`: a record that the contract forbids at this point
 * - `digest`: the prices differ from the generation's digest
 * - `unconfirmed`: a complete export, but its digest could not be read; `cause` is the ItemtapeError or TransportError
 */
export type ExportReason = "changed" | "interrupted" | "truncated" | "malformed" | "digest" | "unconfirmed";

/** Error of an export that had started. Discard all records that were received. */
export class ExportError extends Error {
  override readonly name = "ExportError";
  readonly reason: ExportReason;
  readonly requestId: string | null;
  /** Line of the stream at which the error occurred, from 1. It is 0 for `digest` and `unconfirmed`, which concern no line. */
  readonly line: number;

  constructor(
    reason: ExportReason,
    message: string,
    facts: { requestId?: string | null; line?: number; cause?: unknown } = {},
  ) {
    super(message, causeOf(facts.cause));
    this.reason = reason;
    this.requestId = facts.requestId ?? null;
    this.line = facts.line ?? 0;
  }
}
