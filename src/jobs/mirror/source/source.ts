/** Validators of content, as a conditional request sends them; null: the source gave none. */
export type Validator = { etag: string | null; lastModified: string | null; fileStamp: string | null };

/** A whole body with its validator, unpacked or packed still, or the source's answer that the content is unchanged. */
export type Fetched =
  | { kind: "body"; bytes: Buffer; validator: Validator | null }
  | ({ kind: "packed"; validator: Validator | null } & PackedBody)
  | { kind: "not_modified" };

/** A body in blocks, packed, with the SHA-256 of what came. */
export type PackedBody = { blocks: Buffer[]; packing: Packing; packedDigest: string };

export type Packing = "gzip" | "br";

/** `bytesMax` bounds the body packed and unpacked; `stallMs` how long nothing may come; `timeoutMs` the whole. */
export type SourceLimits = { bytesMax: number; timeoutMs: number; stallMs: number };

/**
 * `held`: the share of the body in the bound of all feeds; without it only `bytesMax` bounds the body. `staysPacked`: the body is not
 * unpacked here.
 */
export type FetchParts = { now(): number; signal: AbortSignal; held?: ShareOfBound; staysPacked?: boolean };

/** The share of one body in the bound of all. `cut` ends the fetch or the reading under way; null: none is. */
export type ShareOfBound = { add(bytes: number): void; cut: ((failure: SourceFailure) => void) | null };

/** Limits of one fetch and the signal that ends it. `alive` is called when something was received. */
export type Watched = SourceLimits & FetchParts & { alive(): void };

/** The reason why a source gave no body. `retryAfterMs`: its Retry-After; null: none. */
export class SourceFailure extends Error {
  readonly retryAfterMs: number | null;

  constructor(message: string, retryAfterMs: number | null = null) {
    super(message);
    this.name = "SourceFailure";
    this.retryAfterMs = retryAfterMs;
  }
}
