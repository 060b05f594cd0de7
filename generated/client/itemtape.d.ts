// Made from src/client and openapi.yaml by `npm run generate`; edit those instead.

/** A named schema of the contract, such as `Schema<"CatalogItem">`. */
export type Schema<Name extends keyof components["schemas"]> = components["schemas"][Name];
/** Error code of a refusal: a code of the contract's list, which later versions may extend. */
export type ErrorCode = Schema<"ErrorCode"> | (string & Record<never, never>);
/** Name of an operation of the contract. */
export type OperationId = keyof operations;
/** An operation with a JSON response: all except streams. */
export type JsonOperationId = {
	[Id in OperationId]: operations[Id]["responses"][200] extends {
		content: {
			"application/json": unknown;
		};
	} ? Id : never;
}[OperationId];
/** Path and query parameters and body fields of an operation, as one flat object. Integers are numbers. */
export type Params<Id extends OperationId> = Flat<Given<operations[Id]["parameters"]["path"]> & Given<operations[Id]["parameters"]["query"]> & Body<operations[Id]>>;
/** `data` of a response. */
export type Data<Id extends JsonOperationId> = Envelope<Id> extends {
	data: infer Value;
} ? Value : never;
/** `meta` of a response. */
export type Meta<Id extends JsonOperationId> = Envelope<Id> extends {
	meta: infer Value;
} ? Value : never;
/** An operation that returns pages of a list. */
export type PagedOperationId = {
	[Id in JsonOperationId]: Meta<Id> extends {
		next_cursor: number | null;
	} | {
		next_page: string | null;
	} ? Id : never;
}[JsonOperationId];
/** A row of a list. */
export type Row<Id extends PagedOperationId> = Data<Id> extends readonly (infer Value)[] ? Value : never;
type Envelope<Id extends OperationId> = operations[Id]["responses"][200] extends {
	content: {
		"application/json": infer Value;
	};
} ? Value : never;
type Given<Part> = [NonNullable<Part>] extends [never] ? unknown : NonNullable<Part>;
type Body<Operation> = Operation extends {
	requestBody: {
		content: {
			"application/json": infer Value;
		};
	};
} ? Value : unknown;
type Flat<Parts> = [keyof Parts] extends [never] ? {
	readonly [name: string]: never;
} : Lenient<Parts>;
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
export type ConditionalOptions = CallOptions & {
	readonly ifNoneMatch: string | null | undefined;
};
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
export type Arguments<Id extends JsonOperationId, Options = CallOptions> = Record<never, never> extends Params<Id> ? [params?: Params<Id>, options?: Options] : [params: Params<Id>, options?: Options];
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
export type ChangesRecord = Schema<"ChangesStart"> | SnapshotItemRecord | Schema<"ChangesRemoved"> | Schema<"ChangesEnd">;
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
	readonly changes: {
		readonly items: readonly number[];
		readonly removed: readonly number[];
	} | null;
};
/** SHA-256 of a generation's prices in hexadecimal, equal on both sides. */
export type VerifiedDigest = {
	readonly digest: string;
	readonly items: number;
	readonly bytes: number;
};
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
	readonly since?: (Pick<Market, "generation" | "items"> & {
		readonly baseUrl?: string | null | undefined;
	}) | null | undefined;
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
	readonly clock: {
		now(): number;
		monotonicMs(): number;
	};
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
export declare class ItemtapeError extends Error {
	readonly name = "ItemtapeError";
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
	constructor(message: string, facts: RefusalFacts);
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
export declare class TransportError extends Error {
	readonly name = "TransportError";
	readonly reason: TransportReason;
	/**
	 * Number of requests that were sent for the call. All but the last were refused; the last refusal is the `cause` unless another error is.
	 */
	readonly attempts: number;
	/** Request id of a broken or incomplete response; null if unknown. */
	readonly requestId: string | null;
	constructor(reason: TransportReason, message: string, facts?: TransportFacts);
}
/** Details of a `TransportError`. */
export type TransportFacts = {
	readonly cause?: unknown;
	readonly attempts?: number | undefined;
	readonly requestId?: string | null | undefined;
};
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
export declare class ExportError extends Error {
	readonly name = "ExportError";
	readonly reason: ExportReason;
	readonly requestId: string | null;
	/** Line of the stream at which the error occurred, from 1. It is 0 for `digest` and `unconfirmed`, which concern no line. */
	readonly line: number;
	constructor(reason: ExportReason, message: string, facts?: {
		requestId?: string | null;
		line?: number;
		cause?: unknown;
	});
}

/**
 * One method per operation with a JSON response. Parameters of path, query and body are one flat object. Each method throws
 * `ItemtapeError` for a refusal, `TransportError` for a missing or invalid response.
 */
export interface OperationMethods {
	/** Tell whether the local data can be read. Needs no key. */
	getStatus(params: Params<"getStatus">, options: ConditionalOptions): Promise<Answer<"getStatus"> | NotModified>;
	/** Tell whether the local data can be read. Needs no key. */
	getStatus(...given: Arguments<"getStatus">): Promise<Answer<"getStatus">>;
	/** List the changes of this contract. All plans; one monthly unit. */
	listContractChanges(params: Params<"listContractChanges">, options: ConditionalOptions): Promise<Answer<"listContractChanges"> | NotModified>;
	/** List the changes of this contract. All plans; one monthly unit. */
	listContractChanges(...given: Arguments<"listContractChanges">): Promise<Answer<"listContractChanges">>;
	/** List the providers of quotes. All plans; one monthly unit. */
	listProviders(params: Params<"listProviders">, options: ConditionalOptions): Promise<Answer<"listProviders"> | NotModified>;
	/** List the providers of quotes. All plans; one monthly unit. */
	listProviders(...given: Arguments<"listProviders">): Promise<Answer<"listProviders">>;
	/** List or search the items of the catalog. All plans; one monthly unit. */
	listItems(params: Params<"listItems">, options: ConditionalOptions): Promise<Answer<"listItems"> | NotModified>;
	/** List or search the items of the catalog. All plans; one monthly unit. */
	listItems(...given: Arguments<"listItems">): Promise<Answer<"listItems">>;
	/** Find the items of up to 100 names. All plans; one monthly unit. */
	resolveItemNames(params: Params<"resolveItemNames">, options: ConditionalOptions): Promise<Answer<"resolveItemNames"> | NotModified>;
	/** Find the items of up to 100 names. All plans; one monthly unit. */
	resolveItemNames(...given: Arguments<"resolveItemNames">): Promise<Answer<"resolveItemNames">>;
	/** Read the stored metadata of one item. All plans; one monthly unit. */
	getItem(params: Params<"getItem">, options: ConditionalOptions): Promise<Answer<"getItem"> | NotModified>;
	/** Read the stored metadata of one item. All plans; one monthly unit. */
	getItem(...given: Arguments<"getItem">): Promise<Answer<"getItem">>;
	/** Read the current cached quotes of one item. Paid plans; one monthly unit. */
	getMarketPrices(params: Params<"getMarketPrices">, options: ConditionalOptions): Promise<Answer<"getMarketPrices"> | NotModified>;
	/** Read the current cached quotes of one item. Paid plans; one monthly unit. */
	getMarketPrices(...given: Arguments<"getMarketPrices">): Promise<Answer<"getMarketPrices">>;
	/** Read the daily price history of one item. All plans; one monthly unit. */
	getDailyPriceHistory(params: Params<"getDailyPriceHistory">, options: ConditionalOptions): Promise<Answer<"getDailyPriceHistory"> | NotModified>;
	/** Read the daily price history of one item. All plans; one monthly unit. */
	getDailyPriceHistory(...given: Arguments<"getDailyPriceHistory">): Promise<Answer<"getDailyPriceHistory">>;
	/** Read the hourly cached quotes of one item. Paid plans; one monthly unit. */
	getHourlyPriceHistory(params: Params<"getHourlyPriceHistory">, options: ConditionalOptions): Promise<Answer<"getHourlyPriceHistory"> | NotModified>;
	/** Read the hourly cached quotes of one item. Paid plans; one monthly unit. */
	getHourlyPriceHistory(...given: Arguments<"getHourlyPriceHistory">): Promise<Answer<"getHourlyPriceHistory">>;
	/** List the sealed days of history. All plans; one monthly unit. */
	listHistoryDays(params: Params<"listHistoryDays">, options: ConditionalOptions): Promise<Answer<"listHistoryDays"> | NotModified>;
	/** List the sealed days of history. All plans; one monthly unit. */
	listHistoryDays(...given: Arguments<"listHistoryDays">): Promise<Answer<"listHistoryDays">>;
	/** Read the current cached quotes of up to 100 items. Paid plans; one monthly unit. */
	getMarketPricesBatch(params: Params<"getMarketPricesBatch">, options: ConditionalOptions): Promise<Answer<"getMarketPricesBatch"> | NotModified>;
	/** Read the current cached quotes of up to 100 items. Paid plans; one monthly unit. */
	getMarketPricesBatch(...given: Arguments<"getMarketPricesBatch">): Promise<Answer<"getMarketPricesBatch">>;
	/** Wait for the next generation of quotes. Paid plans; one monthly unit. */
	getCurrentGeneration(params: Params<"getCurrentGeneration">, options: ConditionalOptions): Promise<Answer<"getCurrentGeneration"> | NotModified>;
	/** Wait for the next generation of quotes. Paid plans; one monthly unit. */
	getCurrentGeneration(...given: Arguments<"getCurrentGeneration">): Promise<Answer<"getCurrentGeneration">>;
	/** Read the digest of one published generation of quotes. Paid plans; one monthly unit. */
	getGeneration(params: Params<"getGeneration">, options: ConditionalOptions): Promise<Answer<"getGeneration"> | NotModified>;
	/** Read the digest of one published generation of quotes. Paid plans; one monthly unit. */
	getGeneration(...given: Arguments<"getGeneration">): Promise<Answer<"getGeneration">>;
	/** List the price indexes. Paid plans; one monthly unit. */
	listIndexes(params: Params<"listIndexes">, options: ConditionalOptions): Promise<Answer<"listIndexes"> | NotModified>;
	/** List the price indexes. Paid plans; one monthly unit. */
	listIndexes(...given: Arguments<"listIndexes">): Promise<Answer<"listIndexes">>;
	/** Read one price index with its latest level. Paid plans; one monthly unit. */
	getIndex(params: Params<"getIndex">, options: ConditionalOptions): Promise<Answer<"getIndex"> | NotModified>;
	/** Read one price index with its latest level. Paid plans; one monthly unit. */
	getIndex(...given: Arguments<"getIndex">): Promise<Answer<"getIndex">>;
	/** Read the daily levels of one price index. Paid plans; one monthly unit. */
	getIndexHistory(params: Params<"getIndexHistory">, options: ConditionalOptions): Promise<Answer<"getIndexHistory"> | NotModified>;
	/** Read the daily levels of one price index. Paid plans; one monthly unit. */
	getIndexHistory(...given: Arguments<"getIndexHistory">): Promise<Answer<"getIndexHistory">>;
	/** List the members of one price index. Paid plans; one monthly unit. */
	listIndexMembers(params: Params<"listIndexMembers">, options: ConditionalOptions): Promise<Answer<"listIndexMembers"> | NotModified>;
	/** List the members of one price index. Paid plans; one monthly unit. */
	listIndexMembers(...given: Arguments<"listIndexMembers">): Promise<Answer<"listIndexMembers">>;
	/** List the latest exchange rates. Paid plans; one monthly unit. */
	listExchangeRates(params: Params<"listExchangeRates">, options: ConditionalOptions): Promise<Answer<"listExchangeRates"> | NotModified>;
	/** List the latest exchange rates. Paid plans; one monthly unit. */
	listExchangeRates(...given: Arguments<"listExchangeRates">): Promise<Answer<"listExchangeRates">>;
	/** Read the daily exchange rates of one currency. Paid plans; one monthly unit. */
	getExchangeRateHistory(params: Params<"getExchangeRateHistory">, options: ConditionalOptions): Promise<Answer<"getExchangeRateHistory"> | NotModified>;
	/** Read the daily exchange rates of one currency. Paid plans; one monthly unit. */
	getExchangeRateHistory(...given: Arguments<"getExchangeRateHistory">): Promise<Answer<"getExchangeRateHistory">>;
	/** List the containers with their current ROI calculation. Paid plans; one monthly unit. */
	listOpenables(params: Params<"listOpenables">, options: ConditionalOptions): Promise<Answer<"listOpenables"> | NotModified>;
	/** List the containers with their current ROI calculation. Paid plans; one monthly unit. */
	listOpenables(...given: Arguments<"listOpenables">): Promise<Answer<"listOpenables">>;
	/** Read one container with its pool and its current ROI calculation. Paid plans; one monthly unit. */
	getOpenable(params: Params<"getOpenable">, options: ConditionalOptions): Promise<Answer<"getOpenable"> | NotModified>;
	/** Read one container with its pool and its current ROI calculation. Paid plans; one monthly unit. */
	getOpenable(...given: Arguments<"getOpenable">): Promise<Answer<"getOpenable">>;
	/** Read what the ROI model said about one container over time. Paid plans; one monthly unit. */
	getOpenableHistory(params: Params<"getOpenableHistory">, options: ConditionalOptions): Promise<Answer<"getOpenableHistory"> | NotModified>;
	/** Read what the ROI model said about one container over time. Paid plans; one monthly unit. */
	getOpenableHistory(...given: Arguments<"getOpenableHistory">): Promise<Answer<"getOpenableHistory">>;
	/** List every outcome of one container with its odds and its value. Paid plans; one monthly unit. */
	listOpenableOutcomes(params: Params<"listOpenableOutcomes">, options: ConditionalOptions): Promise<Answer<"listOpenableOutcomes"> | NotModified>;
	/** List every outcome of one container with its odds and its value. Paid plans; one monthly unit. */
	listOpenableOutcomes(...given: Arguments<"listOpenableOutcomes">): Promise<Answer<"listOpenableOutcomes">>;
	/** Read what the account has used and may still use. All plans; no monthly unit. */
	getUsage(params: Params<"getUsage">, options: ConditionalOptions): Promise<Answer<"getUsage"> | NotModified>;
	/** Read what the account has used and may still use. All plans; no monthly unit. */
	getUsage(...given: Arguments<"getUsage">): Promise<Answer<"getUsage">>;
	/** List the portfolios that this token may read. All plans; one monthly unit. */
	listPortfolios(params: Params<"listPortfolios">, options: ConditionalOptions): Promise<Answer<"listPortfolios"> | NotModified>;
	/** List the portfolios that this token may read. All plans; one monthly unit. */
	listPortfolios(...given: Arguments<"listPortfolios">): Promise<Answer<"listPortfolios">>;
	/** Read the settings of one portfolio. All plans; one monthly unit. */
	getPortfolio(params: Params<"getPortfolio">, options: ConditionalOptions): Promise<Answer<"getPortfolio"> | NotModified>;
	/** Read the settings of one portfolio. All plans; one monthly unit. */
	getPortfolio(...given: Arguments<"getPortfolio">): Promise<Answer<"getPortfolio">>;
	/** List the inventory lots of one portfolio. All plans; one monthly unit. */
	listPortfolioHoldings(params: Params<"listPortfolioHoldings">, options: ConditionalOptions): Promise<Answer<"listPortfolioHoldings"> | NotModified>;
	/** List the inventory lots of one portfolio. All plans; one monthly unit. */
	listPortfolioHoldings(...given: Arguments<"listPortfolioHoldings">): Promise<Answer<"listPortfolioHoldings">>;
	/** List the ledger rows of one portfolio. All plans; one monthly unit. */
	listPortfolioTransactions(params: Params<"listPortfolioTransactions">, options: ConditionalOptions): Promise<Answer<"listPortfolioTransactions"> | NotModified>;
	/** List the ledger rows of one portfolio. All plans; one monthly unit. */
	listPortfolioTransactions(...given: Arguments<"listPortfolioTransactions">): Promise<Answer<"listPortfolioTransactions">>;
	/** Read the daily values of one portfolio. All plans; one monthly unit. */
	getPortfolioHistory(params: Params<"getPortfolioHistory">, options: ConditionalOptions): Promise<Answer<"getPortfolioHistory"> | NotModified>;
	/** Read the daily values of one portfolio. All plans; one monthly unit. */
	getPortfolioHistory(...given: Arguments<"getPortfolioHistory">): Promise<Answer<"getPortfolioHistory">>;
}

export interface Itemtape extends OperationMethods {
}
/**
 * Client of the API with one key; without a key, only `getStatus` is available. Each JSON operation is a method:
 * `client.getItem({ item_id: 445 })`.
 *
 * - Only 429 and 503 are retried, after `Retry-After` plus jitter, within the limits of `RetryPolicy`. A used-up month
 *   (`monthly_quota_exceeded`) is never retried.
 * - The key is sent only in the `Authorization` header of requests to `baseUrl`. Redirects are refused.
 * - A refusal throws an `ItemtapeError`, a missing or broken response a `TransportError`. Wrong parameters throw a `TypeError` before a
 *   request is sent. An abort throws the reason of the caller's signal.
 */
export declare class Itemtape {
	#private;
	/** @throws {TypeError} if an option is invalid. */
	constructor(options?: ItemtapeOptions);
	/**
	 * Calls an operation by name. Pass the `etag` of an earlier response to the same request as `ifNoneMatch`: the result may then be
	 * `{ status: 304, data: null }`, which also costs a unit.
	 */
	call<Id extends JsonOperationId>(operationId: Id, params: Params<Id>, options: ConditionalOptions): Promise<Answer<Id> | NotModified>;
	call<Id extends JsonOperationId>(operationId: Id, ...given: Arguments<Id>): Promise<Answer<Id>>;
	/** Returns the bytes of a response as received. Waits and throws like `call`, but does not check the body. */
	read<Id extends JsonOperationId>(operationId: Id, ...[params, options]: Arguments<Id, ReadOptions>): Promise<RawAnswer>;
	/**
	 * Yields the pages of a list from the position in `params`, with all other parameters unchanged. Each page is a call with its own retries
	 * and time limits.
	 * @throws as `call`, and {TransportError} `paging` if a cursor repeats or goes backwards.
	 */
	pages<Id extends PagedOperationId>(operationId: Id, ...[params, options]: Arguments<Id>): AsyncGenerator<Answer<Id>, void, undefined>;
	/**
	 * Yields the rows of all pages.
	 * @throws as `pages`, after the rows of the previous pages.
	 */
	rows<Id extends PagedOperationId>(operationId: Id, ...given: Arguments<Id>): AsyncGenerator<Row<Id>, void, undefined>;
	/**
	 * Returns the whole market after verifying that it is complete. It has one `start`, items in ascending id within the bound, a matching
	 * `end`, and one generation. The prices must match the generation's published digest, which costs a unit; pass `digest: "skip"` to save
	 * it. The market is held in memory in about its uncompressed size: 55 MiB for 30,000 items with 270,000 quotes.
	 * @throws {ExportError} if an export that started is invalid; {ItemtapeError} if it was refused.
	 */
	exportMarket(options?: ExportOptions): Promise<VerifiedExport>;
	/**
	 * Returns the sealed rows of one day of the whole market, after checking their count and digest.
	 *
	 * @throws as `exportMarket`.
	 */
	exportDay(params: Params<"streamHistoryDay">, options?: StreamOptions): Promise<VerifiedDay>;
	/**
	 * Yields the records of an export as they arrive: `start`, items, `end`. Records are unverified until `end`, which follows after all
	 * checks except the digest. Leaving the loop ends the export.
	 * @throws as `exportMarket`, at the first fault.
	 */
	streamMarketUnverified(options?: StreamOptions): AsyncGenerator<SnapshotRecord, void, undefined>;
	/**
	 * Yields the whole market, and again after each change, until the caller stops. The first market is read from an export or from `since`;
	 * later ones apply changes. Both digests of the server prove each market, and a market that was yielded never changes. Inconsistent or
	 * unconfirmed data is discarded and replaced by an export. To continue after an error, pass the last market as `since`.
	 *
	 * A service that has lost the generation and has an older one was restored: the next market is an export of it. If `since` is from
	 * another address, `generation_not_found` is thrown instead.
	 *
	 * After a temporary refusal it waits as long as the server asks, up to a day, regardless of `retry`. These refusals are `changes_busy`,
	 * `changes_capacity`, `snapshot_busy`, `snapshot_capacity`, `waiting_limit` and `rate_limited`. A request without a response is retried
	 * after 1 to 2 s, then after 2 to 4 s; each may have cost a unit. The third failure in a row is thrown.
	 *
	 * Each stream of changes and each half minute of waiting costs a unit. An export costs a unit and an export start. With `pauseMs` it does
	 * not wait at the server, and costs a unit per pause.
	 *
	 * @throws as `exportMarket` and `call`.
	 */
	follow(options?: FollowOptions): AsyncGenerator<Market, void, undefined>;
}
interface components {
	schemas: {
		/** Diagnostic identifier of a request, made by the server; the same as the header `X-Request-Id`. */
		RequestId: string;
		/** Answer of `getStatus`. */
		StatusEnvelope: {
			data: Schema<"Status">;
			meta: Schema<"Meta">;
		};
		/** Availability of local data sets only; not a promise of full catalog or historical coverage. */
		Status: {
			database: Schema<"DatabaseState">;
			market_snapshot: Schema<"MarketSnapshotState">;
			/** Version of the running program, with its build where known. */
			release: string;
			contract_revision: Schema<"ContractRevision">;
			/** The sources of the quotes, by name. */
			feeds: Schema<"FeedStatus">[];
			/** The release that is answered from; null where the market is the server's own. */
			market_release: Schema<"MarketRelease"> | null;
		};
		/** Whether the local database can be read. */
		DatabaseState: "ok" | "unavailable";
		/** `available`: a generation of quotes is published. */
		MarketSnapshotState: "available" | "missing" | "stale";
		/** A revision of this document, the UTC day at `info.x-itemtape-revision`. */
		ContractRevision: string;
		/** One source of quotes, which covers one or more providers. */
		FeedStatus: {
			/** Name of the feed. */
			feed: string;
			state: Schema<"FeedState">;
			/** When the feed was last verified; null if never. */
			last_checked_at: string | null;
			/** When quotes of the feed were last published; null if never. */
			last_ingested_at: string | null;
			/** When the source says that it saved its latest body; null if it does not say. */
			source_saved_at: string | null;
			/** When the source last said something new; null if never. */
			unchanged_since: string | null;
			/** Until when the prices of a new source count as unconfirmed, because no other source could be compared with them, or the operator accepted that others are far from them; null if another source confirms them, and after seven days. */
			unconfirmed_until: string | null;
		};
		/** `available`: quotes of the feed are published, and it was verified within 24 hours. */
		FeedState: "available" | "stale" | "dropped" | "missing" | (string & Record<never, never>);
		/** A signed release of the market. */
		MarketRelease: {
			/** Number of the release; a later one has a higher number. */
			number: number;
			/** The generation in it; null if none was published. */
			generation: Schema<"Generation"> | null;
			/** When its publisher sealed it. */
			sealed_at: string;
			state: Schema<"MarketReleaseState">;
			/** When it was last found to be the newest of its publisher; null if not since this server started. */
			checked_at: string | null;
		};
		/** Names one published state of the whole price cache. */
		Generation: string;
		/** `available`: the newest release that was found is served. */
		MarketReleaseState: "available" | "failing" | "stale";
		/** About the answer. */
		Meta: {
			request_id: Schema<"RequestId">;
			generated_at: Schema<"GeneratedAt">;
		};
		/** When this answer was made. Never a price time. */
		GeneratedAt: string;
		/** Every error is this record. Retry 429 and 503 only. */
		Problem: {
			/** `/problems/{code}`, a page of this server that explains cause and fix. */
			type: string;
			/** The code in words; the same for every occurrence. */
			title: string;
			/** The HTTP status of this answer. */
			status: number;
			/** What is wrong with this request. */
			detail?: string;
			code: Schema<"ErrorCode">;
			/** Diagnostic identifier of this request; the same as the header `X-Request-Id`. */
			request_id: string;
		};
		/** The error codes, an open list: read an unknown code by its `status`. */
		ErrorCode: "malformed_request" | "invalid_parameter" | "invalid_body" | "invalid_range" | "window_too_large" | "batch_limit_exceeded" | "invalid_cursor" | "cursor_mismatch" | "unknown_provider" | "unknown_methodology_version" | "credential_in_url" | "invalid_api_key" | "expired_api_key" | "revoked_api_key" | "plan_upgrade_required" | "insufficient_scope" | "account_disabled" | "item_not_found" | "openable_not_found" | "index_not_found" | "currency_not_found" | "portfolio_not_found" | "generation_not_found" | "changes_too_large" | "day_not_found" | "endpoint_not_found" | "request_too_large" | "rate_limited" | "monthly_quota_exceeded" | "snapshot_busy" | "snapshot_capacity" | "snapshot_daily_limit" | "changes_busy" | "changes_capacity" | "waiting_limit" | "snapshot_unavailable" | "data_unavailable" | "service_unavailable" | (string & Record<never, never>);
		/** Opaque position in a list. */
		PageCursor: string;
		/** Answer of `listContractChanges`. */
		ContractChangeListEnvelope: {
			/** In descending order of `change_id`. */
			data: Schema<"ContractChange">[];
			meta: Schema<"PageMeta">;
		};
		/** One change of this document. */
		ContractChange: {
			/** Number of the change, ascending in time. */
			change_id: number;
			/** The UTC day of the change. */
			date: string;
			revision: Schema<"ContractRevision">;
			/** The `info.version` of the document that brought the change. */
			contract_version: string;
			kind: Schema<"ContractChangeKind">;
			/** The operations that the change touches. */
			operations: Schema<"OperationName">[];
			/** What changed, in words. */
			summary: string;
		};
		/** `breaking`: a client that was right before may fail or misread. */
		ContractChangeKind: "breaking" | "additive" | "wording";
		/** An `operationId` of this document, or of an operation that was removed. */
		OperationName: string;
		/** About the answer, with the position of the next page. */
		PageMeta: {
			request_id: Schema<"RequestId">;
			generated_at: Schema<"GeneratedAt">;
			/** Pass it unchanged as `after`. Null on the last page. */
			next_page: Schema<"PageCursor"> | null;
		};
		/** Answer of `listProviders`. */
		ProviderListEnvelope: {
			/** In ascending order of `provider`. */
			data: Schema<"Provider">[];
			meta: Schema<"PageMeta">;
		};
		/** A marketplace whose quotes are or were stored. */
		Provider: {
			provider: Schema<"ProviderSlug">;
			/** Name for display. */
			name: string;
			kind: Schema<"ProviderKind">;
			/** Whether its feed tells sellers' offers. */
			has_asks: boolean;
			/** Whether its feed tells buy orders. */
			has_bids: boolean;
			/** False when its feed is no longer read, or no longer has quotes of it; its history stays. */
			active: boolean;
			/** Dearest ask that the marketplace lists at all, in US-dollar cents. */
			price_ceiling_cents: Schema<"Cents"> | null;
			/** Last successful verification of its feed, changed or not, also when the feed no longer has quotes of it. */
			last_checked_at: Schema<"Timestamp"> | null;
			/** When data of its feed was last published here. */
			last_ingested_at: Schema<"Timestamp"> | null;
			/** When the source says that it saved the latest body of its feed. */
			source_saved_at: Schema<"Timestamp"> | null;
			/** When the source of its feed last said something new; null if never. */
			unchanged_since: Schema<"Timestamp"> | null;
		};
		/** Exact slug of a marketplace, see `listProviders`. */
		ProviderSlug: string;
		/** `main_platform`: the game's own market. */
		ProviderKind: "main_platform" | "cash" | "trade" | (string & Record<never, never>);
		/** Money in integer US-dollar cents. Never zero for "unknown". */
		Cents: number;
		/** RFC 3339 in UTC, with milliseconds and `Z`. */
		Timestamp: string;
		/** Stable identifier of one exact variant: wear, stat-counter and souvenir variants and paint phases each have their own. */
		ItemId: number;
		/** Answer of `listItems`. */
		ItemListEnvelope: {
			/** In ascending `item_id`. */
			data: Schema<"CatalogItem">[];
			meta: Schema<"ItemPageMeta">;
		};
		/** An item as lists show it. A field that is not known is null. */
		CatalogItem: {
			item_id: Schema<"ItemId">;
			market_hash_name: Schema<"MarketHashName">;
			slug: Schema<"ItemSlug">;
			/** Kind of item, such as a weapon, knife, sticker or container. */
			type: string | null;
			/** Rarity grade in words. */
			rarity: string | null;
			/** Collection that the item belongs to. */
			collection: string | null;
			/** Exact paint phase; null for items without phases and for unphased identities. */
			phase: Schema<"PaintPhase"> | null;
			/** Russian name. */
			name_ru: string | null;
			/** Address of a picture. */
			image_url: Schema<"HttpsUrl"> | null;
			/** Wear in words, such as `Factory New`; null for items without wear. */
			wear: string | null;
			/** Whether this is the stat-counter variant. */
			stat_counter: boolean | null;
			/** Whether this is the souvenir variant. */
			souvenir: boolean | null;
			/** Lowest cached ask over all providers, in US-dollar cents: an observed offer, not a sale. */
			best_ask_cents: Schema<"Cents"> | null;
			/** Provider of that ask. Null when `best_ask_cents` is. */
			best_ask_provider: Schema<"ProviderSlug"> | null;
			/** When this ask was first seen here at this amount: when its source saved the state that brought it, if that is known, else when the poll that brought it was answered. */
			price_updated_at: Schema<"Timestamp"> | null;
		};
		/** Name as the main platform writes it. */
		MarketHashName: string;
		/** Readable short form of the name. */
		ItemSlug: string;
		/** Exact paint phase: one of `Phase 1` to `Phase 4`, `Ruby`, `Sapphire`, `Black Pearl`, `Emerald`. */
		PaintPhase: string;
		/** An https address. */
		HttpsUrl: string;
		/** About the answer, with the position of the next page. */
		ItemPageMeta: {
			request_id: Schema<"RequestId">;
			generated_at: Schema<"GeneratedAt">;
			/** The last `item_id` of this page; pass it as `cursor`. */
			next_cursor: number | null;
			/** The search that was made because no item has all words of `q`: a mistyped word is replaced by the nearest one. */
			read_as: string | null;
		};
		/** The names to look for. */
		ResolveNamesRequest: {
			/** 1 to 100 different names, each a whole `market_hash_name`. */
			names: Schema<"AskedItemName">[];
		};
		/** The name as the request says it. */
		AskedItemName: string;
		/** Answer of `resolveItemNames`. */
		ResolvedNameListEnvelope: {
			/** One entry for each requested name, in the order of the request. */
			data: Schema<"ResolvedName">[];
			meta: Schema<"Meta">;
		};
		/** All items that have one requested name. */
		ResolvedName: {
			name: Schema<"AskedItemName">;
			/** True when there is more than one candidate, so that the name does not say which item is meant. */
			ambiguous: boolean;
			/** In ascending `item_id`. Empty when no item has the name. */
			candidates: Schema<"ItemCandidate">[];
		};
		/** An item that has the name. */
		ItemCandidate: {
			item_id: Schema<"ItemId">;
			/** Exact paint phase; null for items without phases and for unphased identities. */
			phase: Schema<"PaintPhase"> | null;
			identity: Schema<"ItemIdentity">;
			/** False when the item has left the catalog and is kept only for its history. */
			in_catalog: boolean;
		};
		/** `exact`: one exact variant. */
		ItemIdentity: "exact" | "unphased";
		/** Answer of `getItem`. */
		ItemEnvelope: {
			data: Schema<"ItemDetail">;
			meta: Schema<"Meta">;
		};
		/** Locally stored catalog metadata of one item. */
		ItemDetail: {
			item_id: Schema<"ItemId">;
			market_hash_name: Schema<"MarketHashName">;
			slug: Schema<"ItemSlug">;
			/** Kind of item, such as a weapon, knife, sticker or container. */
			type: string | null;
			/** Rarity grade in words. */
			rarity: string | null;
			/** Collection that the item belongs to. */
			collection: string | null;
			/** Exact paint phase; null for items without phases and for unphased identities. */
			phase: Schema<"PaintPhase"> | null;
			/** Russian name. */
			name_ru: string | null;
			/** Address of a picture. */
			image_url: Schema<"HttpsUrl"> | null;
			/** Wear in words, such as `Factory New`; null for items without wear. */
			wear: string | null;
			/** Whether this is the stat-counter variant. */
			stat_counter: boolean | null;
			/** Whether this is the souvenir variant. */
			souvenir: boolean | null;
			/** Lower bound of the finish's wear value. */
			wear_min: Schema<"WearBound"> | null;
			/** Upper bound of the finish's wear value. */
			wear_max: Schema<"WearBound"> | null;
			/** Other items with the same `market_hash_name`, at most 50, in ascending order. */
			shares_name_with: Schema<"ItemId">[];
			identity: Schema<"ItemIdentity">;
			/** Slug of the container that this item is, for `getOpenable`; null when it is none that the service shows. */
			openable_slug: Schema<"OpenableSlug"> | null;
			/** False when the item has left the catalog and is kept only for its history. */
			in_catalog: boolean;
			/** When the item was first imported. */
			first_seen_at: string;
			/** When an import last changed its metadata; null when none ever did. */
			updated_at: Schema<"Timestamp"> | null;
		};
		/** Decimal number as a string, never with an exponent. */
		WearBound: string;
		/** Exact slug of a container, see `listOpenables`. */
		OpenableSlug: string;
		/** Answer of `getMarketPrices`. */
		MarketPricesEnvelope: {
			data: Schema<"MarketPrices">;
			meta: Schema<"QuoteMeta">;
		};
		/** Cached quotes of one item in one generation. */
		MarketPrices: {
			item_id: Schema<"ItemId">;
			market_hash_name: Schema<"MarketHashName">;
			/** Exact paint phase; there is no fallback to an unphased item. */
			phase: Schema<"PaintPhase"> | null;
			availability: Schema<"Availability">;
			generation: Schema<"Generation">;
			ingested_at: Schema<"IngestedAt">;
			/** Sellers' offers in no promised order; sort ascending by `amount` yourself. */
			asks: Schema<"Quote">[];
			/** Buy orders in no promised order; sort descending by `amount` yourself. */
			bids: Schema<"Quote">[];
		};
		/** `available`: the cache holds at least one quote of this exact item, on either side. */
		Availability: "available" | "missing";
		/** When this generation of the price cache was published. */
		IngestedAt: string;
		/** One cached offer or order. */
		Quote: {
			provider: Schema<"ProviderSlug">;
			amount: Schema<"Cents">;
			/** Always US dollars. */
			currency: "USD";
			/** Decimal places of `amount`: cents. */
			minor_units: 2;
			/** How many units are offered or wanted at this amount; null when the source does not say. */
			quantity: Schema<"Quantity"> | null;
			/** Page of the item at the provider, where known. */
			url: Schema<"HttpsUrl"> | null;
			/** When the source observed this quote; null (unknown) when the source did not say. */
			as_of: Schema<"Timestamp"> | null;
		};
		/** How many units are offered or wanted at this amount. */
		Quantity: number;
		/** About the answer and the times behind its quotes. */
		QuoteMeta: {
			request_id: Schema<"RequestId">;
			generated_at: Schema<"GeneratedAt">;
			/** Oldest source observation among the returned quotes; null (unknown) when any of them has none. */
			as_of: Schema<"Timestamp"> | null;
			freshness: Schema<"Freshness">;
			/** Whether the source was successfully verified (new data, or its word that nothing changed) within the last 15 minutes. */
			cache_recently_checked: boolean;
			timestamp_quality: Schema<"TimestampQuality">;
		};
		/** `unknown` when `as_of` is null, else by the age of `as_of`: `fresh` up to 30 minutes for quotes and hourly rows, 36 hours for exchange rates, 48 hours for daily rows, indexes and daily values of portfolios, 24 hours for rows of ROI history, then `stale`. */
		Freshness: "unknown" | "fresh" | "stale";
		/** `source_observed`: every returned value carries its source's time. */
		TimestampQuality: "source_observed" | "partial" | "ingest_only" | "unknown";
		/** `ask`: sellers' offers. `bid`: buy orders. */
		SelectedSide: "ask" | "bid";
		/** A UTC day as `YYYY-MM-DD`. */
		UtcDate: string;
		/** Answer of `getDailyPriceHistory`. */
		DailyPriceHistoryEnvelope: {
			/** In ascending order of `date`, then `provider`. */
			data: Schema<"DailyPrice">[];
			meta: Schema<"DailySeriesMeta">;
		};
		/** What one item cost at one provider on one UTC day. */
		DailyPrice: {
			/** The UTC day. */
			date: string;
			provider: Schema<"ProviderSlug">;
			side: Schema<"QuoteSide">;
			/** USD cents of the last stored observation of the day. */
			amount: number;
			/** USD cents of the lowest stored observation of the day. */
			low_amount: number;
			/** USD cents of the highest stored observation of the day. */
			high_amount: number;
			/** Stored observations of the day that the row is made of; of recorded frames, their hours. */
			observations: number;
			/** Units offered or wanted at the last observation; null when the source does not say. */
			quantity: Schema<"Quantity"> | null;
			/** Always US dollars. */
			currency: "USD";
			/** Decimal places of `amount`: cents. */
			minor_units: 2;
			/** Not a feed of sales. */
			kind: "daily_cached_quote";
			/** False only for the current UTC day, whose row still changes. */
			complete: boolean;
			/** When the source observed the last quote; null (unknown) when the source did not say. */
			source_observed_at: Schema<"Timestamp"> | null;
			/** When the row last changed. */
			recorded_at: string;
		};
		/** `ask`: sellers' offers. `bid`: buy orders. */
		QuoteSide: "ask" | "bid";
		/** About the answer, its window, its gaps and the times behind its rows. */
		DailySeriesMeta: {
			request_id: Schema<"RequestId">;
			generated_at: Schema<"GeneratedAt">;
			from: Schema<"UtcDate">;
			to: Schema<"UtcDate">;
			resolution: Schema<"SeriesResolutionDay">;
			missing_points: Schema<"MissingPoints">;
			/** Pass it unchanged as `after`. Null on the last page. */
			next_page: Schema<"PageCursor"> | null;
			/** Oldest source observation among the returned rows; null (unknown) when any of them has none. */
			as_of: Schema<"Timestamp"> | null;
			freshness: Schema<"Freshness">;
			timestamp_quality: Schema<"TimestampQuality">;
		};
		/** One row stands for a UTC day. */
		SeriesResolutionDay: "day";
		/** Points of the whole resolved window that have begun at the request and have no row, the running one included; the same on every page. */
		MissingPoints: string;
		/** Answer of `getHourlyPriceHistory`. */
		HourlyPriceHistoryEnvelope: {
			/** In ascending order of `ts`, then `provider`, markers first. */
			data: Schema<"HourlyPrice">[];
			meta: Schema<"HourlySeriesMeta">;
		};
		/** The cached quote of one item, side and provider in the first verified frame of one UTC hour, or a marker that says why there is none. */
		HourlyPrice: {
			/** First instant of the UTC hour. Not an observation time. */
			ts: string;
			/** Null marks an hour in which no provider has a quote on the side; such rows come only without a provider filter. */
			provider: Schema<"ProviderSlug"> | null;
			side: Schema<"QuoteSide">;
			/** USD cents; null when nothing is quoted, never zero. */
			amount: Schema<"Cents"> | null;
			/** Units offered or wanted at this amount; null when unknown. */
			quantity: Schema<"Quantity"> | null;
			/** Always US dollars. */
			currency: "USD";
			/** Decimal places of `amount`: cents. */
			minor_units: 2;
			/** Not a feed of sales. */
			kind: "hourly_cached_quote";
			availability: Schema<"HourlyAvailability">;
			/** When the mirror published this state. */
			ingested_at: string;
			/** When this state was successfully verified in the hour, by a new body or by the source's word that nothing changed (304); of a saved file that was imported later, when the source saved it. */
			checked_at: string;
			/** When the frame was stored here. */
			recorded_at: string;
			/** When the source observed this quote; null (unknown) when the feed gives no real quote time. */
			source_observed_at: Schema<"Timestamp"> | null;
		};
		/** `quoted`: a stored price exists for this provider and side. */
		HourlyAvailability: "quoted" | "item_missing" | "no_quote";
		/** About the answer, its window, its gaps and the times behind its rows. */
		HourlySeriesMeta: {
			request_id: Schema<"RequestId">;
			generated_at: Schema<"GeneratedAt">;
			from: Schema<"UtcDate">;
			to: Schema<"UtcDate">;
			resolution: Schema<"SeriesResolutionHour">;
			missing_points: Schema<"MissingPoints">;
			/** Pass it unchanged as `after`. Null on the last page. */
			next_page: Schema<"PageCursor"> | null;
			/** Oldest source observation among the returned prices; null (unknown) when any of them has none. */
			as_of: Schema<"Timestamp"> | null;
			freshness: Schema<"Freshness">;
			timestamp_quality: Schema<"TimestampQuality">;
		};
		/** One row stands for a UTC hour. */
		SeriesResolutionHour: "hour";
		/** Answer of `listHistoryDays`. */
		HistoryDayListEnvelope: {
			/** Newest day first, then newest revision. */
			data: Schema<"HistoryDay">[];
			meta: Schema<"PageMeta">;
		};
		/** One revision of a sealed day. */
		HistoryDay: {
			date: Schema<"UtcDate">;
			revision: Schema<"DayRevision">;
			condition: Schema<"DayCondition">;
			/** The feeds with a frame on the day or in the 30 days before it, by name. */
			feeds: Schema<"FeedHours">[];
			/** Daily rows. */
			rows: number;
			/** Bytes of their lines. */
			bytes: number;
			digest: Schema<"Sha256Digest">;
			/** `pruned`: the hours were removed from the server. */
			hourly: "available" | "pruned";
			/** Lines of the hourly export; null where its hours were removed before the day was sealed. */
			hourly_rows: number | null;
			/** Bytes of these lines. */
			hourly_bytes: number | null;
			/** Digest of these lines. */
			hourly_digest: Schema<"Sha256Digest"> | null;
			sealed_at: Schema<"Timestamp">;
			/** When the next revision was sealed; null for the last one. */
			superseded_at: Schema<"Timestamp"> | null;
		};
		/** Counts how often the day was sealed. */
		DayRevision: number;
		/** `complete`: each feed has a frame in each of the 24 hours. */
		DayCondition: "complete" | "partial" | "empty";
		/** How much of a day a feed was recorded. */
		FeedHours: {
			feed: Schema<"FeedName">;
			/** Hours with a frame. */
			hours: number;
		};
		/** Name of a source of quotes. */
		FeedName: string;
		/** A SHA-256 in lowercase hexadecimal digits. */
		Sha256Digest: string;
		/** What to export of the day. */
		DayExportRequest: {
			resolution: Schema<"DayResolution">;
		};
		/** `daily`: a line per daily row. */
		DayResolution: "daily" | "hourly";
		/** One line of the export of a day. */
		DayExportRecord: Schema<"DayExportStart"> | Schema<"DayDaily"> | Schema<"DayQuotes"> | Schema<"DayMarkers"> | Schema<"DayExportEnd"> | Schema<"SnapshotError">;
		/** The first record, exactly once. */
		DayExportStart: {
			/** Kind of record. */
			type: "start";
			request_id: Schema<"RequestId">;
			date: Schema<"UtcDate">;
			revision: Schema<"DayRevision">;
			resolution: Schema<"DayResolution">;
			generated_at: Schema<"Timestamp">;
			sealed_at: Schema<"Timestamp">;
			/** Always US dollars. */
			currency: "USD";
			/** Decimal places of amounts: cents. */
			minor_units: 2;
			/** Null where everything is sent; then the digest is the listed one. */
			selection: Schema<"DaySelection"> | null;
			/** The frames of the day by feed; empty in a daily export. */
			frames: Schema<"DayFrames">[];
		};
		/** The only rows that are sent. */
		DaySelection: {
			provider: Schema<"ProviderSlug">;
			side: Schema<"QuoteSide">;
		};
		/** The frames of one feed; parallel arrays. */
		DayFrames: {
			feed: Schema<"FeedName">;
			/** Hours with a frame. */
			hours: Schema<"HourOfDay">[];
			/** Mirror publication times. */
			ingested_at: Schema<"Timestamp">[];
			/** Times of the successful verification. */
			checked_at: Schema<"Timestamp">[];
			/** When the frames were stored. */
			recorded_at: Schema<"Timestamp">[];
		};
		/** Hour of a UTC day. */
		HourOfDay: number;
		/** One daily row. */
		DayDaily: {
			/** Kind of record. */
			type: "daily";
			data: Schema<"DayDailyData">;
		};
		/** As in `getDailyPriceHistory`. */
		DayDailyData: {
			item_id: Schema<"ItemId">;
			side: Schema<"QuoteSide">;
			provider: Schema<"ProviderSlug">;
			amount: Schema<"Cents">;
			low_amount: Schema<"Cents">;
			high_amount: Schema<"Cents">;
			/** Observations behind the row. */
			observations: number;
			quantity: Schema<"KnownQuantity">;
			source_observed_at: Schema<"KnownTime">;
			recorded_at: Schema<"Timestamp">;
		};
		/** Units; null when the source does not say. */
		KnownQuantity: number | null;
		/** Time of the source's observation; null when it is unknown. */
		KnownTime: string | null;
		/** Quotes of one item, side, provider and feed. */
		DayQuotes: {
			/** Kind of record. */
			type: "quotes";
			data: Schema<"DayQuotesData">;
		};
		/** Parallel arrays, an entry for each range of hours. */
		DayQuotesData: {
			item_id: Schema<"ItemId">;
			side: Schema<"QuoteSide">;
			provider: Schema<"ProviderSlug">;
			feed: Schema<"FeedName">;
			/** Ascending. */
			hours: Schema<"HourRange">[];
			/** Amounts. */
			amounts: Schema<"Cents">[];
			/** Units. */
			quantities: Schema<"KnownQuantity">[];
			/** Source times. */
			source_observed_at: Schema<"KnownTime">[];
		};
		/** First and last hour, both inclusive. */
		HourRange: Schema<"HourOfDay">[];
		/** Hours in which a side of an item had no quote. */
		DayMarkers: {
			/** Kind of record. */
			type: "markers";
			data: Schema<"DayMarkersData">;
		};
		/** Parallel arrays, an entry for each range of hours. */
		DayMarkersData: {
			item_id: Schema<"ItemId">;
			side: Schema<"QuoteSide">;
			/** Ascending. */
			hours: Schema<"HourRange">[];
			/** Why. */
			availability: Schema<"HourlyAvailability">[];
			/** The feeds that tell of the item. */
			feeds: Schema<"FeedsOfHours">[];
		};
		/** Null for all with a frame in these hours. */
		FeedsOfHours: Schema<"FeedName">[] | null;
		/** The last record of a complete export. */
		DayExportEnd: {
			/** Kind of record. */
			type: "end";
			request_id: Schema<"RequestId">;
			date: Schema<"UtcDate">;
			revision: Schema<"DayRevision">;
			/** Lines between `start` and `end`. */
			rows: number;
			digest: Schema<"Sha256Digest">;
		};
		/** The last record of a failed export, with the `request_id` of `start`. */
		SnapshotError: {
			/** Kind of record. */
			type: "error";
			request_id: Schema<"RequestId">;
			code: Schema<"SnapshotErrorCode">;
		};
		/** `snapshot_changed`: the price cache changed its generation, or the day its revision, during the export. */
		SnapshotErrorCode: "snapshot_interrupted" | "snapshot_changed";
		/** Which items to read, and which of their quotes. */
		BatchPricesRequest: {
			/** 1 to 100 different items. */
			item_ids: Schema<"ItemId">[];
			provider?: Schema<"ProviderSlug">;
			side?: Schema<"QuoteSide">;
		};
		/** Answer of `getMarketPricesBatch`. */
		MarketPricesBatchEnvelope: {
			/** One entry for each requested id, in the order of the request. */
			data: Schema<"MarketPricesBatchEntry">[];
			meta: Schema<"QuoteMeta">;
		};
		/** Cached quotes of one requested item, or word that there is no such item. */
		MarketPricesBatchEntry: {
			item_id: Schema<"ItemId">;
			status: Schema<"BatchEntryStatus">;
			/** Null when not found. */
			market_hash_name: Schema<"MarketHashName"> | null;
			/** Exact paint phase, without fallback to an unphased item. */
			phase: Schema<"PaintPhase"> | null;
			/** Whether the cache holds quotes of this item, filters aside. */
			availability: Schema<"Availability"> | null;
			/** The same for all entries that were found. */
			generation: Schema<"Generation"> | null;
			/** When that generation was published. */
			ingested_at: Schema<"Timestamp"> | null;
			/** Sellers' offers in no promised order. */
			asks: Schema<"Quote">[];
			/** Buy orders in no promised order. */
			bids: Schema<"Quote">[];
		};
		/** `not_found`: no item has this id. */
		BatchEntryStatus: "found" | "not_found";
		/** One line of the export. */
		SnapshotRecord: Schema<"SnapshotStart"> | Schema<"SnapshotItem"> | Schema<"SnapshotEnd"> | Schema<"SnapshotError">;
		/** The first record, exactly once. */
		SnapshotStart: {
			/** Kind of record. */
			type: "start";
			request_id: Schema<"RequestId">;
			generation: Schema<"Generation">;
			/** When the export started. Not an observation time. */
			generated_at: string;
			ingested_at: Schema<"IngestedAt">;
			/** Always null: the feed supplies no observation time. */
			price_as_of: null;
			/** All prices come from one generation; catalog identity is scanned by id and is no database snapshot. */
			consistency: "single_price_generation";
			/** Upper bound of the catalog scan; 0 when the catalog is empty. */
			catalog_max_item_id: number;
		};
		/** One item of the catalog. At most 256 KiB encoded. */
		SnapshotItem: {
			/** Kind of record. */
			type: "item";
			data: Schema<"SnapshotItemData">;
		};
		/** An item with its quotes. */
		SnapshotItemData: {
			item_id: Schema<"ItemId">;
			market_hash_name: Schema<"MarketHashName">;
			/** Exact paint phase. No fallback to an unphased item. */
			phase: Schema<"PaintPhase"> | null;
			availability: Schema<"Availability">;
			/** Sellers' offers. */
			asks: Schema<"SnapshotQuote">[];
			/** Buy orders. Empty when `missing`. */
			bids: Schema<"SnapshotQuote">[];
		};
		/** One cached offer or order. */
		SnapshotQuote: {
			provider: Schema<"ProviderSlug">;
			amount: Schema<"Cents">;
			/** Always US dollars. */
			currency: "USD";
			/** Decimal places of `amount`: cents. */
			minor_units: 2;
			/** How many units are offered or wanted at this amount; null when the source does not say. */
			quantity: Schema<"Quantity"> | null;
			/** Page of the item at the provider, where known. */
			url: Schema<"HttpsUrl"> | null;
			/** Time of the source's observation. */
			as_of: Schema<"Timestamp"> | null;
		};
		/** The last record of a complete export, with the `request_id` and the `generation` of `start`. */
		SnapshotEnd: {
			/** Kind of record. */
			type: "end";
			request_id: Schema<"RequestId">;
			generation: Schema<"Generation">;
			/** Number of item records that were sent. */
			items: number;
		};
		/** The state of the market that the caller holds. */
		ChangesRequest: {
			/** Generation of the copy. */
			generation: string;
			identity_digest: Schema<"Sha256Digest">;
		};
		/** One line of the stream. */
		ChangesRecord: Schema<"ChangesStart"> | Schema<"SnapshotItem"> | Schema<"ChangesRemoved"> | Schema<"ChangesEnd"> | Schema<"SnapshotError">;
		/** The first record, exactly once. */
		ChangesStart: {
			/** Kind of record. */
			type: "start";
			request_id: Schema<"RequestId">;
			generated_at: Schema<"GeneratedAt">;
			ingested_at: Schema<"IngestedAt">;
			from: Schema<"MarketState">;
			to: Schema<"MarketState">;
		};
		/** What an export holds at one time; see `getGeneration` for both digests. */
		MarketState: {
			generation: Schema<"Generation">;
			digest: Schema<"Sha256Digest">;
			identity_digest: Schema<"Sha256Digest">;
		};
		/** An item that the copy holds and that exports do not hold any more. */
		ChangesRemoved: {
			/** Kind of record. */
			type: "removed";
			item_id: Schema<"ItemId">;
		};
		/** The last record, with the `request_id` and the `to` of `start`. */
		ChangesEnd: {
			/** Kind of record. */
			type: "end";
			request_id: Schema<"RequestId">;
			to: Schema<"MarketState">;
			/** Number of `item` records that were sent. */
			items: number;
			/** Number of `removed` records that were sent. */
			removed: number;
		};
		/** Answer of `getGeneration`. */
		PublishedGenerationEnvelope: {
			data: Schema<"PublishedGeneration">;
			meta: Schema<"Meta">;
		};
		/** What every complete export of one generation holds; see `getGeneration` for the canonical price part. */
		PublishedGeneration: {
			generation: Schema<"Generation">;
			ingested_at: Schema<"IngestedAt">;
			/** Available items, each one line of the canonical price part. */
			items: number;
			/** Length of the canonical price part in UTF-8, line feeds included. */
			bytes: number;
			/** SHA-256 of the canonical price part, in lowercase hexadecimal digits. */
			digest: string;
			/** SHA-256 of the canonical identity part as it is now; null for a superseded generation. */
			identity_digest: Schema<"Sha256Digest"> | null;
		};
		/** Answer of `listIndexes`. */
		IndexListEnvelope: {
			/** In ascending order of `index_id`. */
			data: Schema<"MarketIndex">[];
			meta: Schema<"PageMeta">;
		};
		/** A price index over the daily asks of one provider, with its latest level under the current methodology. */
		MarketIndex: {
			index_id: Schema<"IndexId">;
			/** Name for display. */
			name: string;
			/** What the index is made of, in words. */
			description: string;
			/** First UTC day of the index. */
			base_date: string;
			base_value: Schema<"DecimalString">;
			/** Latest level; null when too few constituents had a price (coverage under 90 %), when less than half of the members had one both then and on the last day with a value, or when no level was calculated yet. */
			value: Schema<"IndexValue"> | null;
			/** Price times units, summed over the constituents that had a price; see `coverage_pct`. */
			capitalization_cents: Schema<"CapitalizationCents"> | null;
			/** Items in the membership version. */
			constituent_count: number;
			/** Constituents that had a price on the day of the level; null when no level was calculated yet. */
			priced_constituent_count: number | null;
			/** Priced constituents as a share of all; null when no level was calculated yet. */
			coverage_pct: Schema<"PercentageString"> | null;
			provider: Schema<"ProviderSlug">;
			weighting: Schema<"IndexWeighting">;
			methodology_version: Schema<"MethodologyVersion">;
			membership_version: Schema<"MembershipVersion">;
			/** False when the index is no longer calculated; its history stays. */
			active: boolean;
			/** Oldest source observation behind the level; null (unknown) when any price has none. */
			as_of: Schema<"Timestamp"> | null;
			/** When the index was last calculated, changed or not. */
			calculated_at: Schema<"Timestamp"> | null;
		};
		/** Exact slug of an index, see `listIndexes`. */
		IndexId: string;
		/** Decimal number as a string, so that no reader rounds it. */
		DecimalString: string;
		/** Level of an index as a decimal string with four decimal places. */
		IndexValue: string;
		/** Capitalization in integer US-dollar cents, in digits: a string because it can exceed what a number holds exactly. */
		CapitalizationCents: string;
		/** A share of 0 to 100 percent as a decimal string. */
		PercentageString: string;
		/** `equal`: every constituent counts the same. */
		IndexWeighting: "equal" | "capitalization";
		/** Version of the method by which a value was made. */
		MethodologyVersion: string;
		/** Version of an index's members, counted from 1. */
		MembershipVersion: number;
		/** Answer of `getIndex`. */
		IndexEnvelope: {
			data: Schema<"MarketIndex">;
			meta: Schema<"IndexMeta">;
		};
		/** About the answer and the times behind the level. */
		IndexMeta: {
			request_id: Schema<"RequestId">;
			generated_at: Schema<"GeneratedAt">;
			/** Oldest source observation behind the level; null (unknown) when any price has none. */
			as_of: Schema<"Timestamp"> | null;
			freshness: Schema<"Freshness">;
		};
		/** Answer of `getIndexHistory`. */
		IndexHistoryEnvelope: {
			/** In ascending order of `date`, all of one methodology version. */
			data: Schema<"IndexLevel">[];
			meta: Schema<"DailySeriesMeta">;
		};
		/** Level of an index on one UTC day under one methodology. */
		IndexLevel: {
			/** The UTC day. */
			date: string;
			/** Null when coverage was under the floor of the methodology (90 %), or when less than half of the members had a price both then and on the last day with a value; neither zero nor the level of the day before. */
			value: Schema<"IndexValue"> | null;
			/** Price times units, summed over the constituents that had a price; see `coverage_pct`. */
			capitalization_cents: Schema<"CapitalizationCents"> | null;
			/** Items in the membership version. */
			constituent_count: number;
			/** Constituents that had a price on the day of the level. */
			priced_constituent_count: number;
			coverage_pct: Schema<"PercentageString">;
			methodology_version: Schema<"MethodologyVersion">;
			membership_version: Schema<"MembershipVersion">;
			/** Oldest source observation behind the level; null (unknown) when any price has none. */
			as_of: Schema<"Timestamp"> | null;
			/** When the stored row was written. Not an observation time. */
			recorded_at: string;
			/** Counts the levels of the day from 1. */
			revision: number;
			/** A level that was calculated from observed offers. */
			kind: "index_level";
		};
		/** Answer of `listIndexMembers`. */
		IndexMemberListEnvelope: {
			/** In ascending order of `item_id`. */
			data: Schema<"IndexMember">[];
			meta: Schema<"PageMeta">;
		};
		/** An item in one membership version of an index. */
		IndexMember: {
			item_id: Schema<"ItemId">;
			market_hash_name: Schema<"MarketHashName">;
			/** Exact paint phase; there is no fallback to an unphased item. */
			phase: Schema<"PaintPhase"> | null;
			/** Share in the index at the last level of this version that has a value; null when there is none, or when it did not know the item's price. */
			weight_pct: Schema<"PercentageString"> | null;
			/** UTC day from which on, without a break, the item is a member. */
			added_on: string;
			/** UTC day from which on a later version holds it no more; null when none dropped it. */
			removed_on: Schema<"UtcDate"> | null;
		};
		/** ISO 4217 code of a currency. */
		CurrencyCode: string;
		/** Answer of `listExchangeRates`. */
		ExchangeRateListEnvelope: {
			/** In ascending order of `currency`. */
			data: Schema<"ExchangeRate">[];
			meta: Schema<"PageMeta">;
		};
		/** Latest stored rate of one currency. */
		ExchangeRate: {
			currency: Schema<"CurrencyCode">;
			rate_per_usd: Schema<"RatePerUsd">;
			/** Decimal places of the currency's smallest unit. */
			currency_minor_units: number;
			/** Time of the source's observation. */
			as_of: Schema<"Timestamp"> | null;
			/** When the rate was stored here. Not an observation time. */
			ingested_at: Schema<"Timestamp"> | null;
			/** Who told the rate, or the rates that it was derived from. */
			source: string;
			methodology_version: Schema<"MethodologyVersion">;
		};
		/** Units of the currency per 1 US dollar, as a decimal string. */
		RatePerUsd: string;
		/** Answer of `getExchangeRateHistory`. */
		ExchangeRateHistoryEnvelope: {
			/** In ascending order of `date`. Nothing is carried forward. */
			data: Schema<"ExchangeRatePoint">[];
			meta: Schema<"DailySeriesMeta">;
		};
		/** Rate of one currency on one UTC day. */
		ExchangeRatePoint: {
			/** The UTC day. */
			date: string;
			currency: Schema<"CurrencyCode">;
			rate_per_usd: Schema<"RatePerUsd">;
			/** Time of the source's observation. */
			as_of: Schema<"Timestamp"> | null;
			/** When the stored row was written. Not an observation time. */
			recorded_at: string;
			/** Who told the rate, or the rates that it was derived from. */
			source: string;
			methodology_version: Schema<"MethodologyVersion">;
			/** A reference rate and no offer to exchange. */
			kind: "exchange_rate";
		};
		/** A valuation model, not an individual marketplace and no guaranteed liquidation proceeds. */
		SelectedValuationMode: "steam_gross" | "cash_ask";
		/** Answer of `listOpenables`. */
		OpenableListEnvelope: {
			/** In ascending order of `slug`. */
			data: Schema<"Openable">[];
			meta: Schema<"OpenablePageMeta">;
		};
		/** A container that is opened for one random item, with its current calculation in one valuation mode. */
		Openable: {
			slug: Schema<"OpenableSlug">;
			/** Name of the container as the main platform writes it. */
			name: string;
			item_id: Schema<"ItemId">;
			type: Schema<"OpenableType">;
			/** Address of a picture. */
			image_url: Schema<"HttpsUrl"> | null;
			/** False when the pool is retired. */
			active: boolean;
			/** UTC day on which the container came out; null when unknown. */
			released_on: Schema<"UtcDate"> | null;
			/** UTC day on which the pool was retired; null when it is not, or the day is unknown. */
			retired_on: Schema<"UtcDate"> | null;
			/** Whether opening it takes a key. */
			requires_key: boolean;
			/** Exact items that can come out, those with a probability above zero. */
			outcome_count: number;
			valuation_mode: Schema<"ValuationMode">;
			/** The current calculation; null when none is published for this mode and the current methodology. */
			current: Schema<"RoiCalculation"> | null;
			/** The tier whose priced share is `current.price_coverage.lowest_tier_coverage_pct`, the first of several; null when there is no calculation. */
			lowest_tier: Schema<"TierName"> | null;
		};
		/** `case`: weapons and gloves or knives. */
		OpenableType: "case" | "souvenir_package" | "capsule" | "other";
		/** A valuation model, not an individual marketplace and no guaranteed liquidation proceeds. */
		ValuationMode: "steam_gross" | "cash_ask";
		/** What the model says about one opening: modeled on observed asks, not on sales. */
		RoiCalculation: {
			revision_id: Schema<"PoolRevisionId">;
			revision_number: Schema<"PoolRevisionNumber">;
			methodology_version: Schema<"MethodologyVersion">;
			valuation_mode: Schema<"ValuationMode">;
			/** When the model last calculated these numbers or found them unchanged. */
			calculated_at: string;
			/** Oldest source time among the values and the container's price; null (unknown) when a source told none for any of them. */
			price_as_of: Schema<"Timestamp"> | null;
			/** Whether, at this answer, the calculation is more than 8 hours old, the price time is unknown, or the price is more than 24 hours old. */
			stale: boolean;
			/** Why it is stale; empty when it is not. */
			stale_reasons: Schema<"StaleReason">[];
			/** Currency of every amount. */
			currency: "USD";
			/** Decimal places between the integer amounts and the dollar. */
			minor_units: 2;
			/** Modeled cost of one opening, container plus key. */
			cost_cents: number;
			/** The container's lowest ask in this mode. */
			container_cost_cents: number;
			container_cost_provider: Schema<"ProviderSlug">;
			/** Source time of the container's ask; null when the source told none. */
			container_cost_as_of: Schema<"Timestamp"> | null;
			/** Fixed store price of the key, never a listing; 0 when the container really needs none. */
			key_cost_cents: number;
			/** Modeled expected output value of one opening, not a median or guaranteed sale value. */
			expected_value_cents: number | null;
			/** Lower bound of the expected value, unpriced outcomes worth nothing. */
			expected_value_lower_cents: number;
			/** Upper bound of the expected value, an unpriced outcome worth the dearest priced one of its tier or its own highest daily ask of the last 90 completed days, whichever is more. */
			expected_value_upper_cents: number | null;
			/** Expected value minus cost; may be negative. */
			expected_profit_cents: number | null;
			/** Expected value / cost x 100 of the published integers; may exceed 100. */
			return_pct: Schema<"ReturnPercentage"> | null;
			/** `return_pct` minus 100. */
			profit_roi_pct: Schema<"ProfitPercentage"> | null;
			/** Modeled probability that the outcome is worth more than the cost. */
			profit_chance_pct: Schema<"FinePercentage"> | null;
			/** Lower bound of the chance, every unpriced outcome taken for a loss. */
			profit_chance_lower_pct: string;
			/** Upper bound of the chance, every unpriced outcome taken for a profit. */
			profit_chance_upper_pct: string;
			/** Probability of the possible outcomes that have a price, rounded down, so that it is `100.0000` only when all have one. */
			priced_probability_mass_pct: string;
			price_coverage: Schema<"PriceCoverage">;
			/** Spread of the value of one opening; null when nothing is priced. */
			quantiles: Schema<"ValueQuantiles"> | null;
			confidence: Schema<"RoiConfidence">;
			/** What to know before relying on the numbers, always in the order of the list of flags. */
			flags: Schema<"RoiFlag">[];
		};
		/** Names one published definition of a pool, which never changes. */
		PoolRevisionId: string;
		/** Counts the published definitions of the container's pool, from 1. */
		PoolRevisionNumber: number;
		/** `calculation_age`: calculated more than 8 hours ago. */
		StaleReason: "calculation_age" | "price_time_unknown" | "price_age";
		/** Expected value / cost x 100, as a decimal string with two decimal places, rounded half up. */
		ReturnPercentage: string;
		/** `return_pct` minus 100, as a decimal string with two decimal places. */
		ProfitPercentage: string;
		/** A share of 0 to 100 percent as a decimal string with four decimal places. */
		FinePercentage: string;
		/** How much of the pool is priced, counted in outcomes. */
		PriceCoverage: {
			/** Outcomes with a probability above zero. */
			outcome_count: number;
			/** Those of them that have a price. */
			priced_outcome_count: number;
			/** Priced outcomes as a share of all by number, rounded down. */
			priced_outcome_pct: string;
			/** Smallest priced share of any tier of its own probability, rounded down. */
			lowest_tier_coverage_pct: string;
		};
		/** Quantiles of the value of one opening over the priced outcomes, in integer US-dollar cents: `p50` is the smallest value that at least half of the priced probability does not exceed. */
		ValueQuantiles: {
			p05: Schema<"Cents">;
			p25: Schema<"Cents">;
			p50: Schema<"Cents">;
			p75: Schema<"Cents">;
			p95: Schema<"Cents">;
			p99: Schema<"Cents">;
		};
		/** How far the point values can be relied on, as a fixed rule and not as a probability. */
		RoiConfidence: "high" | "medium" | "low" | "insufficient";
		/** `unpriced_outcomes`: a possible outcome has no price. */
		RoiFlag: "unpriced_outcomes" | "phases_unpriced" | "tier_coverage_low" | "upper_bound_unknown" | "upper_bound_assumed" | "above_price_ceiling" | "odds_inferred" | "single_provider" | "price_time_unknown" | "price_stale" | "calculation_stale" | "retired_pool" | (string & Record<never, never>);
		/** A group of outcomes that the pool draws first, such as a rarity. */
		TierName: string;
		/** About the answer, the position of the next page and the times behind its values. */
		OpenablePageMeta: {
			request_id: Schema<"RequestId">;
			generated_at: Schema<"GeneratedAt">;
			/** Pass it unchanged as `after`. Null on the last page. */
			next_page: Schema<"PageCursor"> | null;
			/** Oldest source time behind the returned values; null (unknown) when any of them has none, or there is none. */
			as_of: Schema<"Timestamp"> | null;
			freshness: Schema<"Freshness">;
		};
		/** Answer of `getOpenable`. */
		OpenableEnvelope: {
			data: Schema<"OpenableDetail">;
			meta: Schema<"OpenableMeta">;
		};
		/** A container with its pool and its current calculation in one valuation mode. */
		OpenableDetail: {
			slug: Schema<"OpenableSlug">;
			/** Name of the container as the main platform writes it. */
			name: string;
			item_id: Schema<"ItemId">;
			type: Schema<"OpenableType">;
			/** Address of a picture. */
			image_url: Schema<"HttpsUrl"> | null;
			/** False when the pool is retired. */
			active: boolean;
			/** UTC day on which the container came out; null when unknown. */
			released_on: Schema<"UtcDate"> | null;
			/** UTC day on which the pool was retired; null when it is not, or the day is unknown. */
			retired_on: Schema<"UtcDate"> | null;
			/** Whether opening it takes a key. */
			requires_key: boolean;
			/** Exact items that can come out, those with a probability above zero. */
			outcome_count: number;
			valuation_mode: Schema<"ValuationMode">;
			/** The current calculation; null when none is published for this mode and the current methodology. */
			current: Schema<"RoiCalculation"> | null;
			pool: Schema<"OpenablePool">;
		};
		/** The pool in force, published as one immutable revision. */
		OpenablePool: {
			revision_id: Schema<"PoolRevisionId">;
			revision_number: Schema<"PoolRevisionNumber">;
			odds_source: Schema<"OddsSource">;
			/** What to know of the definition; empty when there is nothing. */
			flags: Schema<"PoolFlag">[];
			/** Model that spreads an item's probability over its wears, such as `wear-1`. */
			wear_model: string;
			/** In the order of the pool. */
			tiers: Schema<"PoolTier">[];
		};
		/** Where the odds come from. */
		OddsSource: "published" | "community" | "inferred" | (string & Record<never, never>);
		/** `pool_completed`: the source of the definition ends its list early, and the missing items were added from other public sources. */
		PoolFlag: "pool_completed" | (string & Record<never, never>);
		/** A tier of a pool. */
		PoolTier: {
			tier: Schema<"TierName">;
			/** Weight of the tier against the weights of the other tiers. */
			weight: number;
			probability_pct: Schema<"ProbabilityPercentage">;
			/** Items that the tier lists. */
			item_count: number;
			/** Priced share of the tier's own probability in the current calculation, rounded down; null when there is none of this revision. */
			priced_probability_mass_pct: Schema<"FinePercentage"> | null;
		};
		/** A probability in percent as a decimal string with eight decimal places, rounded half up. */
		ProbabilityPercentage: string;
		/** About the answer and the times behind the calculation. */
		OpenableMeta: {
			request_id: Schema<"RequestId">;
			generated_at: Schema<"GeneratedAt">;
			/** `price_as_of` of the calculation; null (unknown) when that is null, or there is no calculation. */
			as_of: Schema<"Timestamp"> | null;
			freshness: Schema<"Freshness">;
		};
		/** Whether a row stands for a UTC hour or a UTC day. */
		SelectedRoiGranularity: "hour" | "day";
		/** Answer of `getOpenableHistory`. */
		OpenableHistoryEnvelope: {
			/** In ascending order of `ts`, all of one mode, granularity and methodology version. */
			data: Schema<"RoiHistoryRow">[];
			meta: Schema<"RoiSeriesMeta">;
		};
		/** What the model said in one UTC hour or day: its last run in it. */
		RoiHistoryRow: {
			/** A snapshot of the model; not a sale or a realized return. */
			kind: "model_snapshot";
			/** Start of the UTC hour or day. */
			ts: string;
			/** When the stored row was written. Not a price time. */
			recorded_at: string;
			revision_id: Schema<"PoolRevisionId">;
			revision_number: Schema<"PoolRevisionNumber">;
			methodology_version: Schema<"MethodologyVersion">;
			/** Where the inputs of the row came from is not recorded. */
			provenance: "not_recorded";
			valuation_mode: Schema<"ValuationMode">;
			granularity: Schema<"RoiGranularity">;
			/** Modeled cost of one opening, container plus key. */
			cost_cents: number;
			/** Modeled expected output value of one opening, not a median or guaranteed sale value. */
			expected_value_cents: number | null;
			/** Expected value minus cost; may be negative. */
			expected_profit_cents: number | null;
			/** Expected value / cost x 100; may exceed 100. */
			return_pct: Schema<"ReturnPercentage"> | null;
			/** Modeled probability that the outcome is worth more than the cost. */
			profit_chance_pct: Schema<"FinePercentage"> | null;
			/** Probability of the possible outcomes that had a price, rounded down. */
			priced_probability_mass_pct: string;
			/** Oldest source time among the prices used; null (unknown) when any of them has none. */
			price_as_of: Schema<"Timestamp"> | null;
			/** Currency of every amount. */
			currency: "USD";
			/** Decimal places between the integer amounts and the dollar. */
			minor_units: 2;
		};
		/** Whether a row stands for a UTC hour or a UTC day. */
		RoiGranularity: "hour" | "day";
		/** About the answer, its window, its gaps and the times behind its rows. */
		RoiSeriesMeta: {
			request_id: Schema<"RequestId">;
			generated_at: Schema<"GeneratedAt">;
			from: Schema<"UtcDate">;
			to: Schema<"UtcDate">;
			resolution: Schema<"RoiGranularity">;
			missing_points: Schema<"MissingPoints">;
			/** Pass it unchanged as `after`. Null on the last page. */
			next_page: Schema<"PageCursor"> | null;
			/** Oldest `price_as_of` among the returned rows; null (unknown) when any of them has none. */
			as_of: Schema<"Timestamp"> | null;
			freshness: Schema<"Freshness">;
			timestamp_quality: Schema<"TimestampQuality">;
		};
		/** Answer of `listOpenableOutcomes`. */
		OpenableOutcomeListEnvelope: {
			/** In the order of the pool. */
			data: Schema<"OpenableOutcome">[];
			meta: Schema<"OpenablePageMeta">;
		};
		/** One exact item that a pool names, with its odds and what the current calculation took it for. */
		OpenableOutcome: {
			item_id: Schema<"ItemId">;
			market_hash_name: Schema<"MarketHashName">;
			/** Exact paint phase; there is no fallback to another phase or an unphased item. */
			phase: Schema<"PaintPhase"> | null;
			tier: Schema<"TierName">;
			/** Probability of the outcome as a fraction, its numerator in digits. */
			probability_numerator: string;
			/** Denominator in digits, the same for all outcomes of the pool. */
			probability_denominator: string;
			probability_pct: Schema<"ProbabilityPercentage">;
			status: Schema<"OutcomeStatus">;
			/** Lowest ask in this mode that the calculation took; null when it is not priced. */
			value_cents: Schema<"Cents"> | null;
			/** Provider of that ask; null when the outcome is not priced. */
			value_provider: Schema<"ProviderSlug"> | null;
			/** Source time of that ask; null when the source told none or the outcome is not priced. */
			value_as_of: Schema<"Timestamp"> | null;
			/** Highest daily ask of exactly this item among the mode's providers in the 90 UTC days completed before the calculation, told for unpriced outcomes only, whose part of the upper bound it makes; null when none is stored. */
			recent_high_cents: Schema<"Cents"> | null;
			/** Price ceiling of the mode's providers, in US-dollar cents, that this unpriced outcome counts as above: its price is unknown, not low. */
			above_ceiling_cents: Schema<"Cents"> | null;
		};
		/** `priced`: has a value. */
		OutcomeStatus: "priced" | "unpriced" | "excluded";
		/** Answer of `getUsage`. */
		UsageEnvelope: {
			data: Schema<"Usage">;
			meta: Schema<"Meta">;
		};
		/** What the account has used, over all its keys. */
		Usage: {
			plan: Schema<"PlanName">;
			/** When the plan ends; purchases last 30 days and do not renew themselves. */
			plan_ends_at: Schema<"Timestamp"> | null;
			/** First instant of the UTC calendar month that is counted. */
			month_starts_at: string;
			/** First instant of the next UTC calendar month, when usage begins at zero again. */
			month_ends_at: string;
			/** Units of the plan in a UTC calendar month. */
			monthly_limit: number;
			/** Units used in this month. */
			monthly_used: number;
			/** Units that are left in this month; 0 when more is used than the plan has. */
			monthly_remaining: number;
			/** Requests per minute. */
			minute_limit: number;
			/** Export starts in the last 24 hours, a running export included. */
			snapshot_starts_used: number;
			/** Export starts that the plan allows in any 24 hours; 0 when it has no exports. */
			snapshot_starts_limit: number;
			/** When the next start becomes free. */
			snapshot_next_start_at: Schema<"Timestamp"> | null;
		};
		/** Plan of the account. */
		PlanName: "free" | "builder" | "trader" | "quant";
		/** Answer of `listPortfolios`. */
		PortfolioListEnvelope: {
			/** In ascending order of `portfolio_id`. */
			data: Schema<"Portfolio">[];
			meta: Schema<"PageMeta">;
		};
		/** Settings of one portfolio. */
		Portfolio: {
			portfolio_id: Schema<"PortfolioId">;
			/** Name that the owner gave it. */
			name: string;
			/** ISO 4217 code of the currency in which the owner likes to see it. */
			display_currency: string;
			/** Currency of all money of the portfolio, whatever `display_currency`. */
			currency: "USD";
			/** Decimal places of amounts: cents. */
			minor_units: 2;
			/** Whether the owner shares it with everybody on the web. */
			is_public: boolean;
			/** Slug of the provider at whose daily asks new days are valued, or the reserved word `lowest-ask`: each lot at the lowest daily ask of all providers whose feed was checked that day. */
			price_source: string;
			/** Lots that it holds now. */
			holding_count: number;
			/** Rows of this owner's ledger, of whatever day. */
			transaction_count: number;
			/** When it was made here. */
			created_at: string;
			/** When its settings, lots or ledger last changed. */
			updated_at: string;
		};
		/** Id of a portfolio. Knowing it opens nothing. */
		PortfolioId: string;
		/** Answer of `getPortfolio`. */
		PortfolioEnvelope: {
			data: Schema<"Portfolio">;
			meta: Schema<"Meta">;
		};
		/** Answer of `listPortfolioHoldings`. */
		PortfolioHoldingListEnvelope: {
			/** In ascending order of `holding_id`. */
			data: Schema<"PortfolioHolding">[];
			meta: Schema<"PageMeta">;
		};
		/** One lot: units of one exact item that came in together. */
		PortfolioHolding: {
			holding_id: Schema<"HoldingId">;
			item_id: Schema<"ItemId">;
			market_hash_name: Schema<"LotItemName">;
			/** Exact paint phase; there is no fallback to an unphased item. */
			phase: Schema<"PaintPhase"> | null;
			/** Units in the lot. */
			quantity: number;
			/** What one unit cost, in US-dollar cents. */
			unit_cost_cents: number | null;
			/** Whether `unit_cost_cents` is an estimate and no amount that was paid. */
			cost_estimated: boolean;
			/** UTC day on which the lot was acquired; null (unknown) when nobody said. */
			acquired_on: Schema<"UtcDate"> | null;
			origin: Schema<"HoldingOrigin">;
			/** When the lot was recorded here. */
			created_at: string;
			/** When the lot last changed here. */
			updated_at: string;
			/** Always US dollars, whatever `display_currency`. */
			currency: "USD";
			/** Decimal places of amounts: cents. */
			minor_units: 2;
		};
		/** Id of one lot. */
		HoldingId: string;
		/** Name of the item. */
		LotItemName: Schema<"MarketHashName"> | null;
		/** How the lot came in: by hand, by an import, or out of a row of the ledger. */
		HoldingOrigin: "manual" | "import" | "transaction";
		/** Answer of `listPortfolioTransactions`. */
		PortfolioTransactionListEnvelope: {
			/** In ascending order of `occurred_on`, then `transaction_id`. */
			data: Schema<"PortfolioTransaction">[];
			meta: Schema<"LedgerMeta">;
		};
		/** One row of this owner's ledger. */
		PortfolioTransaction: {
			transaction_id: Schema<"TransactionId">;
			/** The lot that the row is about; it may be gone since. */
			holding_id: Schema<"HoldingId"> | null;
			kind: Schema<"TransactionKind">;
			item_id: Schema<"ItemId">;
			market_hash_name: Schema<"LotItemName">;
			/** Exact paint phase; there is no fallback to an unphased item. */
			phase: Schema<"PaintPhase"> | null;
			/** Units, never 0. */
			quantity: number;
			/** Amount per unit in US-dollar cents. */
			unit_amount_cents: number | null;
			/** Fees of the whole row in US-dollar cents. */
			fee_cents: number | null;
			/** Money that changed hands over the whole row, in US-dollar cents and without a sign, as the owner recorded it. */
			total_amount_cents: number | null;
			/** Whether the amounts are estimates and no amounts that were paid. */
			cost_estimated: boolean;
			/** Marketplace where it happened, as the owner recorded it; null when none is recorded. */
			provider: Schema<"ProviderSlug"> | null;
			/** The UTC day on which it happened. */
			occurred_on: string;
			/** When it happened; null when only the day is known. */
			occurred_at: Schema<"Timestamp"> | null;
			/** When the row was written here. Not when it happened. */
			recorded_at: string;
			/** Always US dollars, whatever `display_currency`. */
			currency: "USD";
			/** Decimal places of amounts: cents. */
			minor_units: 2;
		};
		/** Id of one row of a ledger. */
		TransactionId: string;
		/** `buy`, `sell`: units against money. */
		TransactionKind: "buy" | "sell" | "transfer_in" | "transfer_out" | "adjustment";
		/** About the answer, its window and the position of the next page. */
		LedgerMeta: {
			request_id: Schema<"RequestId">;
			generated_at: Schema<"GeneratedAt">;
			from: Schema<"UtcDate">;
			to: Schema<"UtcDate">;
			/** Pass it unchanged as `after`. Null on the last page. */
			next_page: Schema<"PageCursor"> | null;
		};
		/** Answer of `getPortfolioHistory`. */
		PortfolioHistoryEnvelope: {
			/** In ascending order of `date`. */
			data: Schema<"PortfolioValuation">[];
			meta: Schema<"DailySeriesMeta">;
		};
		/** What a portfolio was worth on one UTC day, made of daily asks: observed offers, not completed sales. */
		PortfolioValuation: {
			/** The UTC day. */
			date: string;
			/** A valuation at observed offers. It is no return. */
			kind: "portfolio_valuation";
			/** Daily ask times quantity in US-dollar cents, summed over the lots that had a price. */
			value_cents: number | null;
			/** Unit cost times quantity in US-dollar cents, summed over all lots of the day, priced or not. */
			cost_basis_cents: number | null;
			/** Lots of that day. */
			holding_count: number;
			/** Lots whose exact item had a stored price of that day at `price_source`. */
			priced_holding_count: number;
			/** Lots without such a price. */
			unpriced_holding_count: number;
			/** True when `unpriced_holding_count` is 0. */
			complete: boolean;
			/** Lots with a price of that day and a known unit cost. */
			compared_holding_count: number | null;
			/** Value of these lots alone, in US-dollar cents. */
			compared_value_cents: number | null;
			/** Unit cost times quantity of the same lots, in US-dollar cents. */
			compared_cost_cents: number | null;
			/** Provider whose daily asks were used, or the reserved word `lowest-ask`: each lot at the lowest daily ask of all providers. */
			price_source: Schema<"ProviderSlug"> | null;
			/** Slugs of the providers whose daily asks are in `value_cents`, in ascending order; empty if no lot had a price. */
			price_providers: Schema<"ProviderSlug">[] | null;
			/** Oldest source observation among the prices used; null (unknown) when any of them has none. */
			price_as_of: Schema<"Timestamp"> | null;
			/** When this value was calculated. */
			recorded_at: string;
			/** Always US dollars, whatever `display_currency`. */
			currency: "USD";
			/** Decimal places of amounts: cents. */
			minor_units: 2;
		};
	};
}
interface operations {
	getStatus: {
		parameters: {
			query?: never;
			path?: never;
		};
		responses: {
			200: {
				content: {
					"application/json": Schema<"StatusEnvelope">;
				};
			};
		};
	};
	listContractChanges: {
		parameters: {
			query?: {
				/** Most rows on a page. */
				limit?: number;
				/** `meta.next_page` of the page before, unchanged. */
				after?: Schema<"PageCursor">;
			};
			path?: never;
		};
		responses: {
			200: {
				content: {
					"application/json": Schema<"ContractChangeListEnvelope">;
				};
			};
		};
	};
	listProviders: {
		parameters: {
			query?: {
				/** Most providers on a page. */
				limit?: number;
				/** `meta.next_page` of the page before, unchanged. */
				after?: Schema<"PageCursor">;
			};
			path?: never;
		};
		responses: {
			200: {
				content: {
					"application/json": Schema<"ProviderListEnvelope">;
				};
			};
		};
	};
	listItems: {
		parameters: {
			query?: {
				/** Exclusive lower bound of `item_id`. */
				cursor?: number;
				/** Most rows on a page. */
				limit?: number;
				/** Words in any order. */
				q?: string;
				/** Type. */
				item_type?: "Weapon" | "Knife" | "Gloves" | "Sticker" | "Sticker Slab" | "Graffiti" | "Patch" | "Charm" | "Music Kit" | "Agent" | "Collectible" | "Container" | "Key" | "Tool";
				/** Rarity. */
				rarity?: string;
				/** Such as `AK-47` or `Karambit`. */
				weapon?: string;
				/** Wear. */
				wear?: "Factory New" | "Minimal Wear" | "Field-Tested" | "Well-Worn" | "Battle-Scarred";
				/** Phase. */
				phase?: "Phase 1" | "Phase 2" | "Phase 3" | "Phase 4" | "Ruby" | "Sapphire" | "Black Pearl" | "Emerald";
				/** Stat-counter variants. */
				stat_counter?: boolean;
				/** Souvenirs. */
				souvenir?: boolean;
				/** Provider that quotes it. */
				provider?: string;
				/** Least `best_ask_cents`. */
				ask_min?: number;
				/** Most `best_ask_cents`. */
				ask_max?: number;
				/** Only these items. */
				item_ids?: Schema<"ItemId">[];
			};
			path?: never;
		};
		responses: {
			200: {
				content: {
					"application/json": Schema<"ItemListEnvelope">;
				};
			};
		};
	};
	resolveItemNames: {
		parameters: {
			query?: never;
			path?: never;
		};
		requestBody: {
			content: {
				"application/json": Schema<"ResolveNamesRequest">;
			};
		};
		responses: {
			200: {
				content: {
					"application/json": Schema<"ResolvedNameListEnvelope">;
				};
			};
		};
	};
	getItem: {
		parameters: {
			query?: never;
			path: {
				/** Stable identifier of the item, in canonical decimal form (no sign, no leading zero). */
				item_id: Schema<"ItemId">;
			};
		};
		responses: {
			200: {
				content: {
					"application/json": Schema<"ItemEnvelope">;
				};
			};
		};
	};
	getMarketPrices: {
		parameters: {
			query?: {
				/** Exact slug of one provider, see `listProviders`; only its quotes are returned. */
				provider?: Schema<"ProviderSlug">;
			};
			path: {
				/** Stable identifier of the item, in canonical decimal form (no sign, no leading zero). */
				item_id: Schema<"ItemId">;
			};
		};
		responses: {
			200: {
				content: {
					"application/json": Schema<"MarketPricesEnvelope">;
				};
			};
		};
	};
	getDailyPriceHistory: {
		parameters: {
			query?: {
				/** Exact slug of one provider, see `listProviders`; it never falls back to another. */
				provider?: Schema<"ProviderSlug">;
				/** Offers (`ask`) or buy orders (`bid`), without fallback to the other. */
				side?: Schema<"SelectedSide">;
				/** First UTC day, inclusive. */
				from?: Schema<"UtcDate">;
				/** Last UTC day, inclusive, not before `from` and not after today (`invalid_range`). */
				to?: Schema<"UtcDate">;
				/** Most rows on a page. */
				limit?: number;
				/** `meta.next_page` of the page before, unchanged. */
				after?: Schema<"PageCursor">;
			};
			path: {
				/** Stable identifier of the item, in canonical decimal form (no sign, no leading zero). */
				item_id: Schema<"ItemId">;
			};
		};
		responses: {
			200: {
				content: {
					"application/json": Schema<"DailyPriceHistoryEnvelope">;
				};
			};
		};
	};
	getHourlyPriceHistory: {
		parameters: {
			query?: {
				/** Offers (`ask`) or buy orders (`bid`), without fallback to the other. */
				side?: Schema<"SelectedSide">;
				/** Exact slug of one provider, see `listProviders`. */
				provider?: Schema<"ProviderSlug">;
				/** First UTC day, inclusive. */
				from?: Schema<"UtcDate">;
				/** Last UTC day, inclusive, not before `from` and not after today (`invalid_range`). */
				to?: Schema<"UtcDate">;
				/** Most rows on a page. */
				limit?: number;
				/** `meta.next_page` of the page before, unchanged. */
				after?: Schema<"PageCursor">;
			};
			path: {
				/** Stable identifier of the item, in canonical decimal form (no sign, no leading zero). */
				item_id: Schema<"ItemId">;
			};
		};
		responses: {
			200: {
				content: {
					"application/json": Schema<"HourlyPriceHistoryEnvelope">;
				};
			};
		};
	};
	listHistoryDays: {
		parameters: {
			query?: {
				/** Most revisions on a page. */
				limit?: number;
				/** `meta.next_page` of the page before, unchanged. */
				after?: Schema<"PageCursor">;
			};
			path?: never;
		};
		responses: {
			200: {
				content: {
					"application/json": Schema<"HistoryDayListEnvelope">;
				};
			};
		};
	};
	streamHistoryDay: {
		parameters: {
			query?: never;
			path: {
				/** A UTC day before today (`invalid_range`). */
				date: Schema<"UtcDate">;
			};
		};
		requestBody: {
			content: {
				"application/json": Schema<"DayExportRequest">;
			};
		};
		responses: {
			200: {
				content: {
					"application/x-ndjson": string;
				};
			};
		};
	};
	getMarketPricesBatch: {
		parameters: {
			query?: never;
			path?: never;
		};
		requestBody: {
			content: {
				"application/json": Schema<"BatchPricesRequest">;
			};
		};
		responses: {
			200: {
				content: {
					"application/json": Schema<"MarketPricesBatchEnvelope">;
				};
			};
		};
	};
	streamMarketSnapshot: {
		parameters: {
			query?: never;
			path?: never;
		};
		responses: {
			200: {
				content: {
					"application/x-ndjson": string;
				};
			};
		};
	};
	streamMarketChanges: {
		parameters: {
			query?: never;
			path?: never;
		};
		requestBody: {
			content: {
				"application/json": Schema<"ChangesRequest">;
			};
		};
		responses: {
			200: {
				content: {
					"application/x-ndjson": string;
				};
			};
		};
	};
	getCurrentGeneration: {
		parameters: {
			query?: {
				/** The generation that is known already, such as `g5`; no cursor of pages. */
				after?: string;
				/** Longest wait for a newer generation than `after`. */
				wait_seconds?: number;
			};
			path?: never;
		};
		responses: {
			200: {
				content: {
					"application/json": Schema<"PublishedGenerationEnvelope">;
				};
			};
		};
	};
	getGeneration: {
		parameters: {
			query?: never;
			path: {
				/** Name of a generation as quotes and exports tell it, `g` and its number without leading zero. */
				generation: string;
			};
		};
		responses: {
			200: {
				content: {
					"application/json": Schema<"PublishedGenerationEnvelope">;
				};
			};
		};
	};
	listIndexes: {
		parameters: {
			query?: {
				/** Most rows on a page. */
				limit?: number;
				/** `meta.next_page` of the page before, unchanged. */
				after?: Schema<"PageCursor">;
			};
			path?: never;
		};
		responses: {
			200: {
				content: {
					"application/json": Schema<"IndexListEnvelope">;
				};
			};
		};
	};
	getIndex: {
		parameters: {
			query?: never;
			path: {
				/** Exact slug of the index, see `listIndexes`. */
				index_id: Schema<"IndexId">;
			};
		};
		responses: {
			200: {
				content: {
					"application/json": Schema<"IndexEnvelope">;
				};
			};
		};
	};
	getIndexHistory: {
		parameters: {
			query?: {
				/** First UTC day, inclusive. */
				from?: Schema<"UtcDate">;
				/** Last UTC day, inclusive, not before `from` and not after today (`invalid_range`). */
				to?: Schema<"UtcDate">;
				/** Only levels of this methodology. */
				methodology_version?: Schema<"MethodologyVersion">;
				/** Most rows on a page. */
				limit?: number;
				/** `meta.next_page` of the page before, unchanged. */
				after?: Schema<"PageCursor">;
			};
			path: {
				/** Exact slug of the index, see `listIndexes`. */
				index_id: Schema<"IndexId">;
			};
		};
		responses: {
			200: {
				content: {
					"application/json": Schema<"IndexHistoryEnvelope">;
				};
			};
		};
	};
	listIndexMembers: {
		parameters: {
			query?: {
				/** Members of this version. */
				membership_version?: Schema<"MembershipVersion">;
				/** Most rows on a page. */
				limit?: number;
				/** `meta.next_page` of the page before, unchanged. */
				after?: Schema<"PageCursor">;
			};
			path: {
				/** Exact slug of the index, see `listIndexes`. */
				index_id: Schema<"IndexId">;
			};
		};
		responses: {
			200: {
				content: {
					"application/json": Schema<"IndexMemberListEnvelope">;
				};
			};
		};
	};
	listExchangeRates: {
		parameters: {
			query?: {
				/** ISO 4217 code, in capitals; only its rate is listed. */
				currency?: Schema<"CurrencyCode">;
				/** Most rates on a page. */
				limit?: number;
				/** `meta.next_page` of the page before, unchanged. */
				after?: Schema<"PageCursor">;
			};
			path?: never;
		};
		responses: {
			200: {
				content: {
					"application/json": Schema<"ExchangeRateListEnvelope">;
				};
			};
		};
	};
	getExchangeRateHistory: {
		parameters: {
			query?: {
				/** First UTC day, inclusive. */
				from?: Schema<"UtcDate">;
				/** Last UTC day, inclusive, not before `from` and not after today (`invalid_range`). */
				to?: Schema<"UtcDate">;
				/** Most rows on a page. */
				limit?: number;
				/** `meta.next_page` of the page before, unchanged. */
				after?: Schema<"PageCursor">;
			};
			path: {
				/** ISO 4217 code, in capitals. */
				currency: Schema<"CurrencyCode">;
			};
		};
		responses: {
			200: {
				content: {
					"application/json": Schema<"ExchangeRateHistoryEnvelope">;
				};
			};
		};
	};
	listOpenables: {
		parameters: {
			query?: {
				/** What an outcome and the container are worth; `steam_gross` when left out. */
				valuation_mode?: Schema<"SelectedValuationMode">;
				/** Most containers on a page. */
				limit?: number;
				/** `meta.next_page` of the page before, unchanged. */
				after?: Schema<"PageCursor">;
			};
			path?: never;
		};
		responses: {
			200: {
				content: {
					"application/json": Schema<"OpenableListEnvelope">;
				};
			};
		};
	};
	getOpenable: {
		parameters: {
			query?: {
				/** What an outcome and the container are worth; `steam_gross` when left out. */
				valuation_mode?: Schema<"SelectedValuationMode">;
			};
			path: {
				/** Exact slug of the container, see `listOpenables`. */
				slug: Schema<"OpenableSlug">;
			};
		};
		responses: {
			200: {
				content: {
					"application/json": Schema<"OpenableEnvelope">;
				};
			};
		};
	};
	getOpenableHistory: {
		parameters: {
			query?: {
				/** First UTC day, inclusive. */
				from?: Schema<"UtcDate">;
				/** Last UTC day, inclusive, not before `from` and not after today (`invalid_range`). */
				to?: Schema<"UtcDate">;
				/** Whether a row stands for a UTC hour or a UTC day; `day` when left out. */
				granularity?: Schema<"SelectedRoiGranularity">;
				/** What an outcome and the container are worth; `steam_gross` when left out. */
				valuation_mode?: Schema<"SelectedValuationMode">;
				/** Only rows of this methodology. */
				methodology_version?: Schema<"MethodologyVersion">;
				/** Most rows on a page. */
				limit?: number;
				/** `meta.next_page` of the page before, unchanged. */
				after?: Schema<"PageCursor">;
			};
			path: {
				/** Exact slug of the container, see `listOpenables`. */
				slug: Schema<"OpenableSlug">;
			};
		};
		responses: {
			200: {
				content: {
					"application/json": Schema<"OpenableHistoryEnvelope">;
				};
			};
		};
	};
	listOpenableOutcomes: {
		parameters: {
			query?: {
				/** What an outcome and the container are worth; `steam_gross` when left out. */
				valuation_mode?: Schema<"SelectedValuationMode">;
				/** Most rows on a page. */
				limit?: number;
				/** `meta.next_page` of the page before, unchanged. */
				after?: Schema<"PageCursor">;
			};
			path: {
				/** Exact slug of the container, see `listOpenables`. */
				slug: Schema<"OpenableSlug">;
			};
		};
		responses: {
			200: {
				content: {
					"application/json": Schema<"OpenableOutcomeListEnvelope">;
				};
			};
		};
	};
	getUsage: {
		parameters: {
			query?: never;
			path?: never;
		};
		responses: {
			200: {
				content: {
					"application/json": Schema<"UsageEnvelope">;
				};
			};
		};
	};
	listPortfolios: {
		parameters: {
			query?: {
				/** Most rows on a page. */
				limit?: number;
				/** `meta.next_page` of the page before, unchanged. */
				after?: Schema<"PageCursor">;
			};
			path?: never;
		};
		responses: {
			200: {
				content: {
					"application/json": Schema<"PortfolioListEnvelope">;
				};
			};
		};
	};
	getPortfolio: {
		parameters: {
			query?: never;
			path: {
				/** Id of a portfolio out of `listPortfolios`: `pf_` and 16 to 32 of `[A-Za-z0-9]`. */
				portfolio_id: string;
			};
		};
		responses: {
			200: {
				content: {
					"application/json": Schema<"PortfolioEnvelope">;
				};
			};
		};
	};
	listPortfolioHoldings: {
		parameters: {
			query?: {
				/** Most rows on a page. */
				limit?: number;
				/** `meta.next_page` of the page before, unchanged. */
				after?: Schema<"PageCursor">;
			};
			path: {
				/** Id of a portfolio out of `listPortfolios`: `pf_` and 16 to 32 of `[A-Za-z0-9]`. */
				portfolio_id: string;
			};
		};
		responses: {
			200: {
				content: {
					"application/json": Schema<"PortfolioHoldingListEnvelope">;
				};
			};
		};
	};
	listPortfolioTransactions: {
		parameters: {
			query?: {
				/** First UTC day, inclusive. */
				from?: Schema<"UtcDate">;
				/** Last UTC day, inclusive, not before `from` and not after today (`invalid_range`). */
				to?: Schema<"UtcDate">;
				/** Most rows on a page. */
				limit?: number;
				/** `meta.next_page` of the page before, unchanged. */
				after?: Schema<"PageCursor">;
			};
			path: {
				/** Id of a portfolio out of `listPortfolios`: `pf_` and 16 to 32 of `[A-Za-z0-9]`. */
				portfolio_id: string;
			};
		};
		responses: {
			200: {
				content: {
					"application/json": Schema<"PortfolioTransactionListEnvelope">;
				};
			};
		};
	};
	getPortfolioHistory: {
		parameters: {
			query?: {
				/** First UTC day, inclusive. */
				from?: Schema<"UtcDate">;
				/** Last UTC day, inclusive, not before `from` and not after today (`invalid_range`). */
				to?: Schema<"UtcDate">;
				/** Most rows on a page. */
				limit?: number;
				/** `meta.next_page` of the page before, unchanged. */
				after?: Schema<"PageCursor">;
			};
			path: {
				/** Id of a portfolio out of `listPortfolios`: `pf_` and 16 to 32 of `[A-Za-z0-9]`. */
				portfolio_id: string;
			};
		};
		responses: {
			200: {
				content: {
					"application/json": Schema<"PortfolioHistoryEnvelope">;
				};
			};
		};
	};
}
export {};
