/** Validators of content for a conditional request. Null if the source did not send one. */
export type Validator = { etag: string | null; lastModified: string | null; fileStamp: string | null };

/** A complete body with its validator, uncompressed or still compressed, or the answer that the content is unchanged. */
export type Fetched =
  | { kind: "body"; bytes: Buffer; validator: Validator | null }
  | ({ kind: "packed"; validator: Validator | null } & CompressedBody)
  | { kind: "not_modified" };

/** A compressed body in blocks. `compressedDigest` is the SHA-256 of the received bytes. */
export type CompressedBody = { blocks: Buffer[]; contentEncoding: ContentEncoding; compressedDigest: string };

export type ContentEncoding = "gzip" | "br";

/**
 * Limits of a fetch. `bytesMax` limits the body, both compressed and uncompressed. `stallMs` limits the time without data, `timeoutMs` the
 * total time.
 */
export type SourceLimits = { bytesMax: number; timeoutMs: number; stallMs: number };

/**
 * `bodySize` counts the body in the shared limit of all feeds; without it only `bytesMax` applies. With `staysCompressed` the body stays
 * compressed.
 */
export type FetchParts = { now(): number; signal: AbortSignal; bodySize?: ShareOfBound; staysCompressed?: boolean };

/** The share of one body in the shared limit. `cut` ends the running fetch or reading; it is null if neither runs. */
export type ShareOfBound = { add(bytes: number): void; cut: ((failure: SourceFailure) => void) | null };

/** Limits of one fetch and the signal that ends it. Call `alive` when data arrives. */
export type Watched = SourceLimits & FetchParts & { alive(): void };

/** Thrown when a source does not supply a body. `retryAfterMs` is its Retry-After in ms, or null. */
export class SourceFailure extends Error {
  readonly retryAfterMs: number | null;

  constructor(message: string, retryAfterMs: number | null = null) {
    super(message);
    this.name = "SourceFailure";
    this.retryAfterMs = retryAfterMs;
  }
}
