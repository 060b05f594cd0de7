/** By what a source tells that its content is still the one it told before. */
export type Validator = { etag: string | null; lastModified: string | null; fileStamp: string | null };

/** A whole unpacked body with its validator, or the source's word that the content asked about is still its own. */
export type Fetched = { kind: "body"; bytes: Buffer; validator: Validator | null } | { kind: "not_modified" };

/** `bytesMax` bounds the body packed and unpacked; `stallMs` how long nothing may come; `timeoutMs` the whole. */
export type SourceLimits = { bytesMax: number; timeoutMs: number; stallMs: number };

export type FetchParts = { now(): number; signal: AbortSignal };

/** Limits of one fetch and the signal that ends it. `alive` says that something came. */
export type Watched = SourceLimits & FetchParts & { alive(): void };

/** Why a source gave no body. `retryAfterMs`: how long it asked to be left alone. */
export class SourceFailure extends Error {
  readonly retryAfterMs: number | null;

  constructor(message: string, retryAfterMs: number | null = null) {
    super(message);
    this.name = "SourceFailure";
    this.retryAfterMs = retryAfterMs;
  }
}
