import type { ErrorCode, Schema } from "./types.ts";

/** Facts of a refusal. */
export type RefusalFacts = {
  readonly status: number;
  readonly problem: Schema<"Problem"> | null;
  readonly requestId: string | null;
  readonly retryAfterMs: number | null;
  readonly attempts: number;
};

/**
 * The server refused. `code` is one of the contract's list, which may grow, or null where the answer had no problem record (a proxy).
 * No text of the server in it holds the key.
 */
export class ItemtapeError extends Error {
  override readonly name = "ItemtapeError";
  readonly code: ErrorCode | null;
  readonly status: number;
  /** The server's explanation of the cause. */
  readonly detail: string | null;
  readonly requestId: string | null;
  /** Milliseconds of `Retry-After`; null where there is none. */
  readonly retryAfterMs: number | null;
  readonly problem: Schema<"Problem"> | null;
  /** Requests that were sent for it. */
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
 * `unreachable`: no connection, or it broke off. `timeout`: no whole answer in time. `redirect`: the server points elsewhere,
 * where the key is never sent. `too_large`: more than 32 MiB. `broken`: no answer of the contract. `paging`: a list whose
 * cursor repeats or goes backwards.
 */
export type TransportReason = "unreachable" | "timeout" | "redirect" | "too_large" | "broken" | "paging";

/** There was no answer, or none that the contract knows. It is never retried, but by `follow`. */
export class TransportError extends Error {
  override readonly name = "TransportError";
  readonly reason: TransportReason;
  /** Requests that were sent for it. Those before the last were refused: where nothing else is the `cause`, it is that refusal. */
  readonly attempts: number;
  /** Request id of the answer that was broken or not whole; null where there was none or it names none. */
  readonly requestId: string | null;

  constructor(reason: TransportReason, message: string, facts: TransportFacts = {}) {
    super(message, causeOf(facts.cause));
    this.reason = reason;
    this.attempts = facts.attempts ?? 0;
    this.requestId = facts.requestId ?? null;
  }
}

/** Facts of an answer that did not come or was none of the contract. */
export type TransportFacts = {
  readonly cause?: unknown;
  readonly attempts?: number | undefined;
  readonly requestId?: string | null | undefined;
};

function causeOf(cause: unknown): ErrorOptions | undefined {
  return cause === undefined || cause === null ? undefined : { cause };
}

/**
 * `changed`: a generation was published meanwhile. `interrupted`: the server gave up. `truncated`: the stream ended or stood
 * still without its end. `malformed`: a record that the contract forbids here. `digest`: the prices are not those of the
 * generation's digest. `unconfirmed`: it came whole, but the digest could not be read; `cause` is the ItemtapeError or
 * TransportError.
 */
export type ExportReason = "changed" | "interrupted" | "truncated" | "malformed" | "digest" | "unconfirmed";

/** An export that began and is not to be used. What came of it is to be thrown away. */
export class ExportError extends Error {
  override readonly name = "ExportError";
  readonly reason: ExportReason;
  readonly requestId: string | null;
  /** Line of the stream, from 1, at which it went wrong; 0 where none did, as with `digest` and `unconfirmed`. */
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
