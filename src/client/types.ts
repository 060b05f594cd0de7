import type { components, operations } from "../../generated/openapi.d.ts";

/** A named schema of the contract, such as `Schema<"CatalogItem">`. */
export type Schema<Name extends keyof components["schemas"]> = components["schemas"][Name];

/** A code of a refusal: one of the contract's list, which later versions may add to. */
export type ErrorCode = Schema<"ErrorCode"> | (string & Record<never, never>);

/** Name of an operation of the contract. */
export type OperationId = keyof operations;

/** An operation that answers with JSON: all but the streams. */
export type JsonOperationId = {
  [Id in OperationId]: operations[Id]["responses"][200] extends { content: { "application/json": unknown } }
    ? Id
    : never;
}[OperationId];

/** Parameters of path and query and the fields of the body as one flat object. Integers are numbers. */
export type Params<Id extends OperationId> = Flat<
  Given<operations[Id]["parameters"]["path"]> & Given<operations[Id]["parameters"]["query"]> & Body<operations[Id]>
>;

/** `data` of an answer. */
export type Data<Id extends JsonOperationId> = Envelope<Id> extends { data: infer Value } ? Value : never;

/** `meta` of an answer. */
export type Meta<Id extends JsonOperationId> = Envelope<Id> extends { meta: infer Value } ? Value : never;

/** An operation whose answers are pages of a list. */
export type PagedOperationId = {
  [Id in JsonOperationId]: Meta<Id> extends { next_cursor: number | null } | { next_page: string | null } ? Id : never;
}[JsonOperationId];

/** One row of a list. */
export type Row<Id extends PagedOperationId> = Data<Id> extends readonly (infer Value)[] ? Value : never;

type Envelope<Id extends OperationId> = operations[Id]["responses"][200] extends {
  content: { "application/json": infer Value };
}
  ? Value
  : never;
type Given<Part> = [NonNullable<Part>] extends [never] ? unknown : NonNullable<Part>;
type Body<Operation> = Operation extends { requestBody: { content: { "application/json": infer Value } } }
  ? Value
  : unknown;
type Flat<Parts> = [keyof Parts] extends [never] ? { readonly [name: string]: never } : Lenient<Parts>;
/** The same type with `undefined` allowed for each optional key. */
type Lenient<Parts> = {
  [Key in keyof Parts]: Record<never, never> extends Pick<Parts, Key> ? Parts[Key] | undefined : Parts[Key];
};

/** The account's allowance by the answer's headers; null where one is absent. */
export type Allowance = {
  readonly limitPerMinute: number | null;
  readonly remainingInMinute: number | null;
  /** Units left of the UTC calendar month. */
  readonly quotaRemaining: number | null;
};

/** A successful answer. `etag` is for `ifNoneMatch` of the same request; null where the operation has none. */
export type Answer<Id extends JsonOperationId> = {
  readonly status: 200;
  readonly data: Data<Id>;
  readonly meta: Meta<Id>;
  readonly etag: string | null;
  readonly allowance: Allowance;
  readonly requestId: string;
};

/** The answer would be the one that `ifNoneMatch` names. It cost a unit like any other read. */
export type NotModified = {
  readonly status: 304;
  readonly data: null;
  readonly meta: null;
  readonly etag: string | null;
  readonly allowance: Allowance;
  readonly requestId: string | null;
};

/** An answer as it came. `body` is empty with 304. */
export type RawAnswer = {
  readonly status: 200 | 304;
  /** Address of the request. */
  readonly address: string;
  readonly body: Uint8Array;
  readonly etag: string | null;
  readonly allowance: Allowance;
  readonly requestId: string | null;
  /** Requests that were sent for it. */
  readonly attempts: number;
};

/** Rules for sending a refused request again: only 429 and 503, never a used-up month. */
export type RetryPolicy = {
  /** Requests for one answer, the first included: 5. */
  readonly attemptsMax: number;
  /**
   * For one answer with all its requests and waits, in milliseconds: 90,000, so that a used-up minute can be waited for. A wait
   * that would pass it is not begun.
   */
  readonly totalMs: number;
  /** For one request and the whole of its answer, in milliseconds: 30,000. In a stream: until its next bytes. */
  readonly answerMs: number;
  /** Longest single wait in milliseconds: 60,000. A server that asks for more has its refusal thrown at once. */
  readonly waitMsMax: number;
};

/**
 * Called before each wait. `code` is that of the refusal, null without a problem record; `attempt` counts from 1. With `status` 200 it
 * is an export that broke off and is begun again, or, where `behind` is there, a service that stays behind a copy. With 0 there was no
 * answer to a copy.
 */
export type RetryNotice = {
  readonly operationId: OperationId;
  readonly status: number;
  readonly code: ErrorCode | null;
  readonly waitMs: number;
  readonly attempt: number;
  /** Older generation that the service has, such as g5; `attempt` counts its answers in a row, and `waitMs` may be 0. */
  readonly behind?: string;
};

/** Options of one call. */
export type CallOptions = {
  /** Ends requests and waits; what is thrown then is the signal's reason. */
  readonly signal?: AbortSignal | undefined;
  /** Instead of the client's own. */
  readonly retry?: Partial<RetryPolicy> | undefined;
};

/** Options of a conditional read: `etag` of an answer to the same request. Without one the read is no conditional one. */
export type ConditionalOptions = CallOptions & { readonly ifNoneMatch: string | null | undefined };

/** Options of a read that may be a conditional one. */
export type ReadOptions = CallOptions & Partial<ConditionalOptions>;

/**
 * A call of one operation.
 *
 * @throws {ItemtapeError} when the request is refused; `TransportError` when there is no answer or a broken one.
 */
export type Method<Id extends JsonOperationId> = {
  (params: Params<Id>, options: ConditionalOptions): Promise<Answer<Id> | NotModified>;
  (...given: Arguments<Id>): Promise<Answer<Id>>;
};

/** Parameters may be left out where none is required. */
export type Arguments<Id extends JsonOperationId, Options = CallOptions> =
  Record<never, never> extends Params<Id>
    ? [params?: Params<Id>, options?: Options]
    : [params: Params<Id>, options?: Options];

/** Records of the export. */
export type SnapshotStart = Schema<"SnapshotStart">;
export type SnapshotItemRecord = Schema<"SnapshotItem">;
export type SnapshotItem = Schema<"SnapshotItemData">;
export type SnapshotQuote = Schema<"SnapshotQuote">;
export type SnapshotEnd = Schema<"SnapshotEnd">;
/** The record of an export under way; one of `type` `error` is thrown as `ExportError` instead. */
export type SnapshotRecord = SnapshotStart | SnapshotItemRecord | SnapshotEnd;

/** Records of a stream of changes. */
export type ChangesRecord =
  | Schema<"ChangesStart">
  | SnapshotItemRecord
  | Schema<"ChangesRemoved">
  | Schema<"ChangesEnd">;

/** The whole market in one state, which both digests prove. It never changes: the next state is another one. */
export type Market = {
  readonly generation: string;
  /** Digests of the canonical price part and of the canonical identity part. */
  readonly digest: string;
  readonly identityDigest: string;
  readonly ingestedAt: string;
  /** When the server answered, and which request that was. */
  readonly generatedAt: string;
  readonly requestId: string;
  /** Address of the service. */
  readonly baseUrl: string;
  /** All items by id, in ascending id. */
  readonly items: ReadonlyMap<number, SnapshotItem>;
  /** Ids that changed or came, and that went, since the market before; null: unknown, as after an export. */
  readonly changes: { readonly items: readonly number[]; readonly removed: readonly number[] } | null;
};

/** Digest of a generation's prices as both sides computed it: SHA-256 in hexadecimal. */
export type VerifiedDigest = { readonly digest: string; readonly items: number; readonly bytes: number };

/** An export that was checked from `start` to `end`. `digest` is null where its check was skipped. */
export type VerifiedExport = {
  readonly start: SnapshotStart;
  readonly end: SnapshotEnd;
  readonly items: readonly SnapshotItem[];
  readonly digest: VerifiedDigest | null;
};

/** Progress of an export: it has come to `itemId` of `upTo`, the bound of the ascending item ids. `bytes` are uncompressed. */
export type ExportProgress = {
  readonly items: number;
  readonly bytes: number;
  readonly itemId: number;
  readonly upTo: number;
};

/** Options of a stream of the market. */
export type StreamOptions = CallOptions & {
  /**
   * For the whole stream, in milliseconds: 150,000. What the caller does between records counts too, but ends nothing before the next
   * one is wanted. The server ends its own side after two minutes.
   */
  readonly streamMs?: number | undefined;
  /** Called about once for each chunk that comes. */
  readonly onProgress?: ((progress: ExportProgress) => void) | undefined;
};

/** Options of a verified export. */
export type ExportOptions = StreamOptions & {
  /** `check` (default) compares the prices with the server's digest of the generation, for one unit more. `skip` does not. */
  readonly digest?: "check" | "skip" | undefined;
  /**
   * Exports to begin, at most: 1. More are begun where one ended as `changed`, `interrupted` or `truncated`; each costs a
   * unit and a start of the plan's ceiling.
   */
  readonly attempts?: number | undefined;
};

/** Options of a copy that follows the market. */
export type FollowOptions = StreamOptions & {
  /**
   * A market of before, to begin from instead of an export. `baseUrl` is the address that it came from: only a service at that address
   * that no longer has the generation, as after a restore, takes the copy back.
   */
  readonly since?:
    | (Pick<Market, "generation" | "items"> & { readonly baseUrl?: string | null | undefined })
    | null
    | undefined;
  /** Asks for changes once in so many ms, one unit each, 1000 to 86,400,000. Left out: waits at the server, a unit each half minute. */
  readonly pauseMs?: number | undefined;
  /** `wait` (default): where a place or the minute is taken, goes on when the server says, however late. `throw`: by `retry` only. */
  readonly refusals?: "wait" | "throw" | undefined;
};

/** Time, chance and waiting, for tests. */
export type ClientParts = {
  readonly clock: { now(): number; monotonicMs(): number };
  /** A number in [0, 1). */
  readonly random: () => number;
  /** Resolves after `ms`; rejects with the signal's reason as soon as it is aborted. */
  readonly wait: (ms: number, signal: AbortSignal) => Promise<unknown>;
};

/** Settings of a client. */
export type ItemtapeOptions = {
  /** Address of the server: `http://127.0.0.1:8080`. A path before `/v1` is kept; user, query and fragment are refused. */
  readonly baseUrl?: string | undefined;
  /** Goes into the `Authorization` header and nowhere else. Without one only `getStatus` is answered. */
  readonly apiKey?: string | undefined;
  readonly retry?: Partial<RetryPolicy> | undefined;
  /** Called before each wait. */
  readonly onRetry?: ((notice: RetryNotice) => void) | undefined;
  /** `itemtape-client/VERSION`. */
  readonly userAgent?: string | undefined;
  /** Instead of the global one. */
  readonly fetch?: typeof globalThis.fetch | undefined;
  readonly parts?: Partial<ClientParts> | undefined;
};
