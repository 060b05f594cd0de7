import type { ErrorCode, Schema } from "./types.ts";

/** What a refusal consists of. */
export type RefusalFacts = {
  readonly status: number;
  readonly problem: Schema<"Problem"> | null;
  readonly requestId: string | null;
  readonly retryAfterMs: number | null;
  readonly attempts: number;
};

/**
 * The server refused. `code` is one of the contract's closed list, or null where the answer had no problem record (a proxy).
 * No text in it holds the key.
 */
export class ItemtapeError extends Error {
  override readonly name = "ItemtapeError";
  readonly code: ErrorCode | null;
  readonly status: number;
  /** What the server says of the cause. */
  readonly detail: string | null;
  readonly requestId: string | null;
  /** How long the server wants to be left alone; null where it does not say. */
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

/** There was no answer, or none that the contract knows. It is never retried. */
export class TransportError extends Error {
  override readonly name = "TransportError";
  readonly reason: TransportReason;

  constructor(reason: TransportReason, message: string, options?: { cause?: unknown }) {
    super(message, options);
    this.reason = reason;
  }
}

/**
 * `changed`: a generation was published meanwhile. `interrupted`: the server gave up. `truncated`: the stream ended or stood
 * still without its end. `malformed`: a record that the contract forbids here. `digest`: the prices are not those of the
 * generation's digest.
 */
export type ExportReason = "changed" | "interrupted" | "truncated" | "malformed" | "digest";

/** An export that began and is not to be used. What came of it is to be thrown away. */
export class ExportError extends Error {
  override readonly name = "ExportError";
  readonly reason: ExportReason;
  readonly requestId: string | null;
  /** Line of the stream, from 1, at which it went wrong. */
  readonly line: number;

  constructor(
    reason: ExportReason,
    message: string,
    facts: { requestId?: string | null; line?: number; cause?: unknown } = {},
  ) {
    super(message, facts.cause === undefined ? undefined : { cause: facts.cause });
    this.reason = reason;
    this.requestId = facts.requestId ?? null;
    this.line = facts.line ?? 0;
  }
}
