import type { components, operations } from "../../generated/openapi.d.ts";

/** A named schema of the contract, such as `Schema<"CatalogItem">`. */
export type Schema<Name extends keyof components["schemas"]> = components["schemas"][Name];

/** Error code of a refusal: a code of the contract's list, which later versions may extend. */
export type ErrorCode = Schema<"ErrorCode"> | (string & Record<never, never>);

/** Name of an operation of the contract. */
export type OperationId = keyof operations;

/** An operation with a JSON response: all except streams. */
export type JsonOperationId = {
  [Id in OperationId]: operations[Id]["responses"][200] extends { content: { "application/json": unknown } }
    ? Id
    : never;
}[OperationId];

/** Path and query parameters and body fields of an operation, as one flat object. Integers are numbers. */
export type Params<Id extends OperationId> = Flat<
  Given<operations[Id]["parameters"]["path"]> & Given<operations[Id]["parameters"]["query"]> & Body<operations[Id]>
>;

/** `data` of a response. */
export type Data<Id extends JsonOperationId> = Envelope<Id> extends { data: infer Value } ? Value : never;

/** `meta` of a response. */
export type Meta<Id extends JsonOperationId> = Envelope<Id> extends { meta: infer Value } ? Value : never;

/** An operation that returns pages of a list. */
export type PagedOperationId = {
  [Id in JsonOperationId]: Meta<Id> extends { next_cursor: number | null } | { next_page: string | null } ? Id : never;
}[JsonOperationId];

/** A row of a list. */
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
/** The same type, with `undefined` allowed for each optional key. */
type Lenient<Parts> = {
  [Key in keyof Parts]: Record<never, never> extends Pick<Parts, Key> ? Parts[Key] | undefined : Parts[Key];
};

/** Allowance of the account, from the response headers; null for a missing header. */
export type Allowance = {
  readonly limitPerMinute: number | null;
  readonly remainingInMinute: number | null;
  /** Units left in the UTC calendar month. */
  readonly quotaRemaining: number | null;
};

/** A successful response. Pass `etag` as `ifNoneMatch` of the same request; it is null if the operation has none. */
export type Answer<Id extends JsonOperationId> = {
  readonly status: 200;
  readonly data: Data<Id>;
  readonly meta: Meta<Id>;
  readonly etag: string | null;
  readonly allowance: Allowance;
  readonly requestId: string;
};

/** Result if the response still has the `etag` from `ifNoneMatch`. It costs a unit like any other read. */
export type NotModified = {
  readonly status: 304;
  readonly data: null;
  readonly meta: null;
  readonly etag: string | null;
  readonly allowance: Allowance;
  readonly requestId: string | null;
};

/** A response as received. `body` is empty with 304. */
export type RawAnswer = {
  readonly status: 200 | 304;
  readonly address: string;
  readonly body: Uint8Array;
  readonly etag: string | null;
  readonly allowance: Allowance;
  readonly requestId: string | null;
  /** Number of requests that were sent for the call. */
  readonly attempts: number;
};

/** Rules for retrying refused requests. Only 429 and 503 are retried, but never a used-up month. */
export type RetryPolicy = {
  /** Requests per call, including the first. Default 5. */
  readonly attemptsMax: number;
  /**
   * Time limit of a call with all its requests and waits, in milliseconds. Default 90,000, enough to wait for the next minute. A wait
   * beyond the limit is not started.
   */
  readonly totalMs: number;
  /**
   * Time limit of one request with its whole response, in milliseconds. Default 30,000. In a stream it limits the wait for the next bytes.
   */
  readonly answerMs: number;
  /** Longest single wait in milliseconds. Default 60,000. If the server asks for more, its refusal is thrown immediately. */
  readonly waitMsMax: number;
};

/**
 * Passed to `onRetry` before each wait. `code` is the refusal's code, null without a problem record; `attempt` counts from 1. Status 200
 * means a failed export that is restarted, or with `behind` a service that is behind a copy. Status 0 means that a copy received no
 * response.
 */
export type RetryNotice = {
  readonly operationId: OperationId;
  readonly status: number;
  readonly code: ErrorCode | null;
  readonly waitMs: number;
  readonly attempt: number;
  /** Older generation of the service, such as g5. `attempt` counts its consecutive responses, and `waitMs` may be 0. */
  readonly behind?: string;
};

/** Options of one call. */
export type CallOptions = {
  /** Aborts requests and waits. The call then throws the signal's reason. */
  readonly signal?: AbortSignal | undefined;
  /** Overrides the client's own policy. */
  readonly retry?: Partial<RetryPolicy> | undefined;
};

/**
 * Options of a conditional read. `ifNoneMatch` is the `etag` of a response to the same request; pass null or undefined for an unconditional
 * read.
 */
export type ConditionalOptions = CallOptions & { readonly ifNoneMatch: string | null | undefined };

/** Options of a read that may be conditional. */
export type ReadOptions = CallOptions & Partial<ConditionalOptions>;

/**
 * Method of one operation.
 * @throws {ItemtapeError} if the request is refused; {TransportError} if the response is missing or broken.
 */
export type Method<Id extends JsonOperationId> = {
  (params: Params<Id>, options: ConditionalOptions): Promise<Answer<Id> | NotModified>;
  (...given: Arguments<Id>): Promise<Answer<Id>>;
};

/** Arguments of a call. `params` is optional if the operation requires none. */
export type Arguments<Id extends JsonOperationId, Options = CallOptions> =
  Record<never, never> extends Params<Id>
    ? [params?: Params<Id>, options?: Options]
    : [params: Params<Id>, options?: Options];

/** Records of an export. */
export type SnapshotStart = Schema<"SnapshotStart">;
export type SnapshotItemRecord = Schema<"SnapshotItem">;
export type SnapshotItem = Schema<"SnapshotItemData">;
export type SnapshotQuote = Schema<"SnapshotQuote">;
export type SnapshotEnd = Schema<"SnapshotEnd">;
/** A record of an export in progress. A record of type `error` is thrown as `ExportError` instead. */
export type SnapshotRecord = SnapshotStart | SnapshotItemRecord | SnapshotEnd;

/** A row of the export of a day. */
export type DayLine = Schema<"DayDaily"> | Schema<"DayQuotes"> | Schema<"DayMarkers">;

/** Records of a stream of changes. */
export type ChangesRecord =
  | Schema<"ChangesStart">
  | SnapshotItemRecord
  | Schema<"ChangesRemoved">
  | Schema<"ChangesEnd">;

/** The whole market in one state, proven by both digests. It never changes: a new state is a new object. */
export type Market = {
  readonly generation: string;
  /** Digests of the canonical price part and of the canonical identity part. */
  readonly digest: string;
  readonly identityDigest: string;
  readonly ingestedAt: string;
  /** Time and id of the response that proved this state. */
  readonly generatedAt: string;
  readonly requestId: string;
  /** Address of the service. */
  readonly baseUrl: string;
  /** All items by id, in ascending id. */
  readonly items: ReadonlyMap<number, SnapshotItem>;
  /** Ids of changed or new items, and of removed items, since the previous market. Null if unknown, as after an export. */
  readonly changes: { readonly items: readonly number[]; readonly removed: readonly number[] } | null;
};

/** SHA-256 of a generation's prices in hexadecimal, equal on both sides. */
export type VerifiedDigest = { readonly digest: string; readonly items: number; readonly bytes: number };

/** An export that was checked from `start` to `end`. `digest` is null if its check was skipped. */
export type VerifiedExport = {
  readonly start: SnapshotStart;
  readonly end: SnapshotEnd;
  readonly items: readonly SnapshotItem[];
  readonly digest: VerifiedDigest | null;
};

/** The export of a day, checked from `start` to `end` with the digest of its rows. */
export type VerifiedDay = {
  readonly start: Schema<"DayExportStart">;
  readonly end: Schema<"DayExportEnd">;
  readonly rows: readonly DayLine[];
};

/** Progress of an export. `itemId` is the last received id, `upTo` the upper bound of the ascending ids. `bytes` are uncompressed. */
export type ExportProgress = {
  readonly items: number;
  readonly bytes: number;
  readonly itemId: number;
  readonly upTo: number;
};

/** Options of a stream of the market. */
export type StreamOptions = CallOptions & {
  /**
   * Time limit of the whole stream, in milliseconds. Default 150,000. Processing time of the caller counts, but the limit is only checked
   * when it requests the next record. The server ends its side after two minutes.
   */
  readonly streamMs?: number | undefined;
  /** Called about once per received chunk. */
  readonly onProgress?: ((progress: ExportProgress) => void) | undefined;
};

/** Options of a verified export. */
export type ExportOptions = StreamOptions & {
  /** `check` (default) compares the prices with the generation's published digest, which costs another unit. `skip` does not. */
  readonly digest?: "check" | "skip" | undefined;
  /**
   * Maximum number of exports to start. Default 1. Further exports start after `changed`, `interrupted` or `truncated`; each costs a unit
   * and an export start of the plan's limit.
   */
  readonly attempts?: number | undefined;
};

/** Options of a copy that follows the market. */
export type FollowOptions = StreamOptions & {
  /**
   * Earlier market to start from instead of an export. `baseUrl` is the address of its service. The copy can go back to an older generation
   * only at this address. The service must have lost the newer generation, as after a restore.
   */
  readonly since?:
    | (Pick<Market, "generation" | "items"> & { readonly baseUrl?: string | null | undefined })
    | null
    | undefined;
  /**
   * Interval between requests for changes, in milliseconds, 1000 to 86,400,000; each costs a unit. By default it waits at the server, for a
   * unit per half minute.
   */
  readonly pauseMs?: number | undefined;
  /** `wait` (default) waits after temporary refusals as long as the server asks. `throw` waits only within `retry`. */
  readonly refusals?: "wait" | "throw" | undefined;
};

/** Clock, random numbers and waiting, replaceable in tests. */
export type ClientParts = {
  readonly clock: { now(): number; monotonicMs(): number };
  /** Returns a number in [0, 1). */
  readonly random: () => number;
  /** Resolves after `ms`; rejects with the signal's reason as soon as it is aborted. */
  readonly wait: (ms: number, signal: AbortSignal) => Promise<unknown>;
};

/** Settings of a client. */
export type ItemtapeOptions = {
  /** Address of the server. Default `http://127.0.0.1:8080`. A path before `/v1` is allowed; user, query and fragment are refused. */
  readonly baseUrl?: string | undefined;
  /** API key, sent only in the `Authorization` header. Without a key, only `getStatus` is available. */
  readonly apiKey?: string | undefined;
  readonly retry?: Partial<RetryPolicy> | undefined;
  /** Called before each wait. */
  readonly onRetry?: ((notice: RetryNotice) => void) | undefined;
  /** Default `itemtape-client/VERSION`. */
  readonly userAgent?: string | undefined;
  /** Default is the global `fetch`. */
  readonly fetch?: typeof globalThis.fetch | undefined;
  readonly parts?: Partial<ClientParts> | undefined;
};
