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
	/** Check the availability of the local data. Needs no key. */
	getStatus(params: Params<"getStatus">, options: ConditionalOptions): Promise<Answer<"getStatus"> | NotModified>;
	/** Check the availability of the local data. Needs no key. */
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
	/** Find the items with up to 100 exact names. All plans; one monthly unit. */
	resolveItemNames(params: Params<"resolveItemNames">, options: ConditionalOptions): Promise<Answer<"resolveItemNames"> | NotModified>;
	/** Find the items with up to 100 exact names. All plans; one monthly unit. */
	resolveItemNames(...given: Arguments<"resolveItemNames">): Promise<Answer<"resolveItemNames">>;
	/** Get the stored metadata of one item. All plans; one monthly unit. */
	getItem(params: Params<"getItem">, options: ConditionalOptions): Promise<Answer<"getItem"> | NotModified>;
	/** Get the stored metadata of one item. All plans; one monthly unit. */
	getItem(...given: Arguments<"getItem">): Promise<Answer<"getItem">>;
	/** Get the current cached quotes of one item. Paid plans; one monthly unit. */
	getMarketPrices(params: Params<"getMarketPrices">, options: ConditionalOptions): Promise<Answer<"getMarketPrices"> | NotModified>;
	/** Get the current cached quotes of one item. Paid plans; one monthly unit. */
	getMarketPrices(...given: Arguments<"getMarketPrices">): Promise<Answer<"getMarketPrices">>;
	/** Get the daily price history of one item. All plans; one monthly unit. */
	getDailyPriceHistory(params: Params<"getDailyPriceHistory">, options: ConditionalOptions): Promise<Answer<"getDailyPriceHistory"> | NotModified>;
	/** Get the daily price history of one item. All plans; one monthly unit. */
	getDailyPriceHistory(...given: Arguments<"getDailyPriceHistory">): Promise<Answer<"getDailyPriceHistory">>;
	/** Get the hourly price history of one item. Paid plans; one monthly unit. */
	getHourlyPriceHistory(params: Params<"getHourlyPriceHistory">, options: ConditionalOptions): Promise<Answer<"getHourlyPriceHistory"> | NotModified>;
	/** Get the hourly price history of one item. Paid plans; one monthly unit. */
	getHourlyPriceHistory(...given: Arguments<"getHourlyPriceHistory">): Promise<Answer<"getHourlyPriceHistory">>;
	/** List the sealed days of history. All plans; one monthly unit. */
	listHistoryDays(params: Params<"listHistoryDays">, options: ConditionalOptions): Promise<Answer<"listHistoryDays"> | NotModified>;
	/** List the sealed days of history. All plans; one monthly unit. */
	listHistoryDays(...given: Arguments<"listHistoryDays">): Promise<Answer<"listHistoryDays">>;
	/** Get the current cached quotes of up to 100 items. Paid plans; one monthly unit. */
	getMarketPricesBatch(params: Params<"getMarketPricesBatch">, options: ConditionalOptions): Promise<Answer<"getMarketPricesBatch"> | NotModified>;
	/** Get the current cached quotes of up to 100 items. Paid plans; one monthly unit. */
	getMarketPricesBatch(...given: Arguments<"getMarketPricesBatch">): Promise<Answer<"getMarketPricesBatch">>;
	/** Get the quotes of up to 100 items as known at an instant. Paid plans; one monthly unit. */
	getMarketPricesKnownAt(params: Params<"getMarketPricesKnownAt">, options: ConditionalOptions): Promise<Answer<"getMarketPricesKnownAt"> | NotModified>;
	/** Get the quotes of up to 100 items as known at an instant. Paid plans; one monthly unit. */
	getMarketPricesKnownAt(...given: Arguments<"getMarketPricesKnownAt">): Promise<Answer<"getMarketPricesKnownAt">>;
	/** Wait for the next generation of quotes. Paid plans; one monthly unit. */
	getCurrentGeneration(params: Params<"getCurrentGeneration">, options: ConditionalOptions): Promise<Answer<"getCurrentGeneration"> | NotModified>;
	/** Wait for the next generation of quotes. Paid plans; one monthly unit. */
	getCurrentGeneration(...given: Arguments<"getCurrentGeneration">): Promise<Answer<"getCurrentGeneration">>;
	/** Get the digest of one published generation. Paid plans; one monthly unit. */
	getGeneration(params: Params<"getGeneration">, options: ConditionalOptions): Promise<Answer<"getGeneration"> | NotModified>;
	/** Get the digest of one published generation. Paid plans; one monthly unit. */
	getGeneration(...given: Arguments<"getGeneration">): Promise<Answer<"getGeneration">>;
	/** List the price indexes with their latest levels. Paid plans; one monthly unit. */
	listIndexes(params: Params<"listIndexes">, options: ConditionalOptions): Promise<Answer<"listIndexes"> | NotModified>;
	/** List the price indexes with their latest levels. Paid plans; one monthly unit. */
	listIndexes(...given: Arguments<"listIndexes">): Promise<Answer<"listIndexes">>;
	/** Get one price index with its latest level. Paid plans; one monthly unit. */
	getIndex(params: Params<"getIndex">, options: ConditionalOptions): Promise<Answer<"getIndex"> | NotModified>;
	/** Get one price index with its latest level. Paid plans; one monthly unit. */
	getIndex(...given: Arguments<"getIndex">): Promise<Answer<"getIndex">>;
	/** Get the daily levels of one price index. Paid plans; one monthly unit. */
	getIndexHistory(params: Params<"getIndexHistory">, options: ConditionalOptions): Promise<Answer<"getIndexHistory"> | NotModified>;
	/** Get the daily levels of one price index. Paid plans; one monthly unit. */
	getIndexHistory(...given: Arguments<"getIndexHistory">): Promise<Answer<"getIndexHistory">>;
	/** List the members of one price index. Paid plans; one monthly unit. */
	listIndexMembers(params: Params<"listIndexMembers">, options: ConditionalOptions): Promise<Answer<"listIndexMembers"> | NotModified>;
	/** List the members of one price index. Paid plans; one monthly unit. */
	listIndexMembers(...given: Arguments<"listIndexMembers">): Promise<Answer<"listIndexMembers">>;
	/** List the latest exchange rates. Paid plans; one monthly unit. */
	listExchangeRates(params: Params<"listExchangeRates">, options: ConditionalOptions): Promise<Answer<"listExchangeRates"> | NotModified>;
	/** List the latest exchange rates. Paid plans; one monthly unit. */
	listExchangeRates(...given: Arguments<"listExchangeRates">): Promise<Answer<"listExchangeRates">>;
	/** Get the daily exchange rates of one currency. Paid plans; one monthly unit. */
	getExchangeRateHistory(params: Params<"getExchangeRateHistory">, options: ConditionalOptions): Promise<Answer<"getExchangeRateHistory"> | NotModified>;
	/** Get the daily exchange rates of one currency. Paid plans; one monthly unit. */
	getExchangeRateHistory(...given: Arguments<"getExchangeRateHistory">): Promise<Answer<"getExchangeRateHistory">>;
	/** List the containers with their current ROI calculation. Paid plans; one monthly unit. */
	listOpenables(params: Params<"listOpenables">, options: ConditionalOptions): Promise<Answer<"listOpenables"> | NotModified>;
	/** List the containers with their current ROI calculation. Paid plans; one monthly unit. */
	listOpenables(...given: Arguments<"listOpenables">): Promise<Answer<"listOpenables">>;
	/** Get one container with its pool and ROI calculation. Paid plans; one monthly unit. */
	getOpenable(params: Params<"getOpenable">, options: ConditionalOptions): Promise<Answer<"getOpenable"> | NotModified>;
	/** Get one container with its pool and ROI calculation. Paid plans; one monthly unit. */
	getOpenable(...given: Arguments<"getOpenable">): Promise<Answer<"getOpenable">>;
	/** Get the model's history of one container. Paid plans; one monthly unit. */
	getOpenableHistory(params: Params<"getOpenableHistory">, options: ConditionalOptions): Promise<Answer<"getOpenableHistory"> | NotModified>;
	/** Get the model's history of one container. Paid plans; one monthly unit. */
	getOpenableHistory(...given: Arguments<"getOpenableHistory">): Promise<Answer<"getOpenableHistory">>;
	/** List the outcomes of one container with odds and values. Paid plans; one monthly unit. */
	listOpenableOutcomes(params: Params<"listOpenableOutcomes">, options: ConditionalOptions): Promise<Answer<"listOpenableOutcomes"> | NotModified>;
	/** List the outcomes of one container with odds and values. Paid plans; one monthly unit. */
	listOpenableOutcomes(...given: Arguments<"listOpenableOutcomes">): Promise<Answer<"listOpenableOutcomes">>;
	/** List events of the data. All plans; one monthly unit. */
	listDataEvents(params: Params<"listDataEvents">, options: ConditionalOptions): Promise<Answer<"listDataEvents"> | NotModified>;
	/** List events of the data. All plans; one monthly unit. */
	listDataEvents(...given: Arguments<"listDataEvents">): Promise<Answer<"listDataEvents">>;
	/** Get the account's plan, usage and remaining allowance. All plans; no monthly unit. */
	getUsage(params: Params<"getUsage">, options: ConditionalOptions): Promise<Answer<"getUsage"> | NotModified>;
	/** Get the account's plan, usage and remaining allowance. All plans; no monthly unit. */
	getUsage(...given: Arguments<"getUsage">): Promise<Answer<"getUsage">>;
	/** List the portfolios that this token can read. All plans; one monthly unit. */
	listPortfolios(params: Params<"listPortfolios">, options: ConditionalOptions): Promise<Answer<"listPortfolios"> | NotModified>;
	/** List the portfolios that this token can read. All plans; one monthly unit. */
	listPortfolios(...given: Arguments<"listPortfolios">): Promise<Answer<"listPortfolios">>;
	/** Get the settings of one portfolio. All plans; one monthly unit. */
	getPortfolio(params: Params<"getPortfolio">, options: ConditionalOptions): Promise<Answer<"getPortfolio"> | NotModified>;
	/** Get the settings of one portfolio. All plans; one monthly unit. */
	getPortfolio(...given: Arguments<"getPortfolio">): Promise<Answer<"getPortfolio">>;
	/** List the inventory lots of one portfolio. All plans; one monthly unit. */
	listPortfolioHoldings(params: Params<"listPortfolioHoldings">, options: ConditionalOptions): Promise<Answer<"listPortfolioHoldings"> | NotModified>;
	/** List the inventory lots of one portfolio. All plans; one monthly unit. */
	listPortfolioHoldings(...given: Arguments<"listPortfolioHoldings">): Promise<Answer<"listPortfolioHoldings">>;
	/** List the ledger rows of one portfolio. All plans; one monthly unit. */
	listPortfolioTransactions(params: Params<"listPortfolioTransactions">, options: ConditionalOptions): Promise<Answer<"listPortfolioTransactions"> | NotModified>;
	/** List the ledger rows of one portfolio. All plans; one monthly unit. */
	listPortfolioTransactions(...given: Arguments<"listPortfolioTransactions">): Promise<Answer<"listPortfolioTransactions">>;
	/** Get the daily values of one portfolio. All plans; one monthly unit. */
	getPortfolioHistory(params: Params<"getPortfolioHistory">, options: ConditionalOptions): Promise<Answer<"getPortfolioHistory"> | NotModified>;
	/** Get the daily values of one portfolio. All plans; one monthly unit. */
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
	 * Returns the sealed rows of one day of the whole market, after checking their count and digest. Pass `revision` for an earlier seal.
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
		/** Response of `getStatus`: the availability of the local data. */
		StatusEnvelope: {
			data: Schema<"Status">;
			meta: Schema<"Meta">;
		};
		/** Availability of local data sets only; not a promise of full catalog or historical coverage. */
		Status: {
			database: Schema<"DatabaseState">;
			market_snapshot: Schema<"MarketSnapshotState">;
			/** Version of the running program, with its build if known. */
			release: string;
			contract_revision: Schema<"ContractRevision">;
			/** The sources of quotes, ordered by name. */
			feeds: Schema<"FeedStatus">[];
			/** The market release that the server answers from; null if the market is the server's own. */
			market_release: Schema<"MarketRelease"> | null;
			/** First instant of the past that the server can read back, such as with `known_at`; replaced data of before is not stored. */
			known_since: string | null;
		};
		/** Whether the local database can be read. */
		DatabaseState: "ok" | "unavailable";
		/** State of the published quotes, by the most recently verified feed; `feeds` has the state of each. */
		MarketSnapshotState: "available" | "missing" | "stale";
		/** A revision of this document: the UTC day in `info.x-itemtape-revision`. */
		ContractRevision: string;
		/** One source of quotes, which covers one or more providers. */
		FeedStatus: {
			/** Name of the source of quotes. */
			feed: string;
			state: Schema<"FeedState">;
			/** When the feed was last verified; null if never. */
			last_checked_at: string | null;
			/** When quotes of the feed were last published; null if never. */
			last_ingested_at: string | null;
			/** When the source saved its latest body, by its own statement; null if it gives no time. */
			source_saved_at: string | null;
			/** When the source last sent new content; null if never. */
			unchanged_since: string | null;
			/** End of the time in which a new source's prices count as unconfirmed; null if they are confirmed. */
			unconfirmed_until: string | null;
		};
		/** State of the feed. */
		FeedState: "available" | "stale" | "dropped" | "missing" | (string & Record<never, never>);
		/** The signed market release that the server answers from. */
		MarketRelease: {
			/** Number of the release; a later one has a higher number. */
			number: number;
			/** Generation in the release; null if none was published. */
			generation: Schema<"Generation"> | null;
			/** When the publisher sealed the release. */
			sealed_at: string;
			state: Schema<"MarketReleaseState">;
			/** When the server last found it to be its publisher's newest release; null if not since the server started. */
			checked_at: string | null;
		};
		/** Name of one published state of the whole price cache. */
		Generation: string;
		/** State of the served release. */
		MarketReleaseState: "available" | "failing" | "stale";
		/** Metadata of the response. */
		Meta: {
			request_id: Schema<"RequestId">;
			generated_at: Schema<"GeneratedAt">;
		};
		/** When this response was made. Never a price time. */
		GeneratedAt: string;
		/** The record of every error. Retry 429 and 503 only. */
		Problem: {
			/** `/problems/{code}`, a page of this server that explains cause and fix. */
			type: string;
			/** The code in words; the same for every occurrence. */
			title: string;
			/** The HTTP status of this response. */
			status: number;
			/** Fault of this request, in words. */
			detail?: string;
			code: Schema<"ErrorCode">;
			/** Diagnostic identifier of this request; the same as the header `X-Request-Id`. */
			request_id: string;
		};
		/** The error codes, an open list: read an unknown code by its `status`. */
		ErrorCode: "malformed_request" | "invalid_parameter" | "invalid_body" | "invalid_range" | "window_too_large" | "batch_limit_exceeded" | "invalid_cursor" | "cursor_mismatch" | "unknown_provider" | "unknown_methodology_version" | "credential_in_url" | "invalid_api_key" | "expired_api_key" | "revoked_api_key" | "plan_upgrade_required" | "insufficient_scope" | "account_disabled" | "item_not_found" | "openable_not_found" | "index_not_found" | "currency_not_found" | "portfolio_not_found" | "generation_not_found" | "changes_too_large" | "day_not_found" | "endpoint_not_found" | "request_too_large" | "rate_limited" | "monthly_quota_exceeded" | "snapshot_busy" | "snapshot_capacity" | "snapshot_daily_limit" | "changes_busy" | "changes_capacity" | "waiting_limit" | "snapshot_unavailable" | "data_unavailable" | "service_unavailable" | (string & Record<never, never>);
		/** Opaque position in a list; pass it back unchanged. */
		PageCursor: string;
		/** Response of `listContractChanges`: one page of changes. */
		ContractChangeListEnvelope: {
			/** The changes, in descending order of `change_id`. */
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
			/** The operations that the change affects. */
			operations: Schema<"OperationName">[];
			/** Description of the change. */
			summary: string;
		};
		/** Effect of the change on clients. */
		ContractChangeKind: "breaking" | "additive" | "wording";
		/** An `operationId` of this document, or of an operation that was removed. */
		OperationName: string;
		/** Metadata of the response, with the position of the next page. */
		PageMeta: {
			request_id: Schema<"RequestId">;
			generated_at: Schema<"GeneratedAt">;
			/** Pass it unchanged as `after`. Null on the last page. */
			next_page: Schema<"PageCursor"> | null;
		};
		/** Response of `listProviders`: one page of providers. */
		ProviderListEnvelope: {
			/** The providers, in ascending order of `provider`. */
			data: Schema<"Provider">[];
			meta: Schema<"PageMeta">;
		};
		/** A marketplace with quotes now or in the past. */
		Provider: {
			provider: Schema<"ProviderSlug">;
			/** Display name of the marketplace. */
			name: string;
			kind: Schema<"ProviderKind">;
			/** Whether its feed has sellers' offers. */
			has_asks: boolean;
			/** Whether its feed has buy orders. */
			has_bids: boolean;
			/** False if its feed is no longer read or no longer has its quotes; its history stays. */
			active: boolean;
			/** Highest ask that the marketplace lists at all, in US-dollar cents; null if it has no such limit. */
			price_ceiling_cents: Schema<"Cents"> | null;
			/** Last successful verification of its feed; null if never. */
			last_checked_at: Schema<"Timestamp"> | null;
			/** When data of its feed was last published here; null if never. */
			last_ingested_at: Schema<"Timestamp"> | null;
			/** When the source saved the latest body of its feed, by its own statement; null if it gives no time. */
			source_saved_at: Schema<"Timestamp"> | null;
			/** When the source of its feed last sent new content; null if never. */
			unchanged_since: Schema<"Timestamp"> | null;
			/** Page with the terms of its source; null if unknown. */
			terms_url: Schema<"HttpsUrl"> | null;
			/** UTC day on which these terms were last read; null if they were not. */
			terms_read_on: Schema<"UtcDate"> | null;
			redistribution: Schema<"Redistribution">;
			/** Text to show beside its prices, as its source asks; null if none is known. */
			attribution: string | null;
		};
		/** Exact slug of a marketplace, see `listProviders`. */
		ProviderSlug: string;
		/** Kind of marketplace. */
		ProviderKind: "main_platform" | "cash" | "trade" | (string & Record<never, never>);
		/** Money in integer US-dollar cents. Never zero for "unknown". */
		Cents: number;
		/** RFC 3339 date-time in UTC, with milliseconds and `Z`. */
		Timestamp: string;
		/** An https address. */
		HttpsUrl: string;
		/** A UTC day as `YYYY-MM-DD`. */
		UtcDate: string;
		/** Whether the terms of the source let you pass its prices on. */
		Redistribution: "allowed" | "not_allowed" | "unknown";
		/** Stable identifier of one exact variant. */
		ItemId: number;
		/** Response of `listItems`: one page of catalog items. */
		ItemListEnvelope: {
			/** The items, in ascending `item_id`. */
			data: Schema<"CatalogItem">[];
			meta: Schema<"ItemPageMeta">;
		};
		/** A catalog item in a list. An unknown field is null. */
		CatalogItem: {
			item_id: Schema<"ItemId">;
			market_hash_name: Schema<"MarketHashName">;
			slug: Schema<"ItemSlug">;
			/** Kind of item, such as a weapon, knife, sticker or container; null if unknown. */
			type: string | null;
			/** Rarity grade in words, such as `Covert`; null if unknown. */
			rarity: string | null;
			/** Collection that the item belongs to; null if it has none or it is unknown. */
			collection: string | null;
			/** Exact paint phase; null for items without phases and for unphased identities. */
			phase: Schema<"PaintPhase"> | null;
			/** Russian name of the item; null if unknown. */
			name_ru: string | null;
			/** HTTPS address of a picture; null if unknown. */
			image_url: Schema<"HttpsUrl"> | null;
			/** Wear in words, such as `Factory New`; null for items without wear. */
			wear: string | null;
			/** Whether this is the stat-counter variant; null if unknown. */
			stat_counter: boolean | null;
			/** Whether this is the souvenir variant; null if unknown. */
			souvenir: boolean | null;
			/** Lowest cached ask of all providers, in US-dollar cents; null on the Free plan and without an ask. */
			best_ask_cents: Schema<"Cents"> | null;
			/** Provider of that ask; null if `best_ask_cents` is null. */
			best_ask_provider: Schema<"ProviderSlug"> | null;
			/** When this ask was first seen here at this amount; null if `best_ask_cents` is null. */
			price_updated_at: Schema<"Timestamp"> | null;
		};
		/** Name as the main platform writes it. */
		MarketHashName: string;
		/** Readable short form of the name. */
		ItemSlug: string;
		/** Exact paint phase: one of `Phase 1` to `Phase 4`, `Ruby`, `Sapphire`, `Black Pearl`, `Emerald`. */
		PaintPhase: string;
		/** Metadata of the response, with the position of the next page. */
		ItemPageMeta: {
			request_id: Schema<"RequestId">;
			generated_at: Schema<"GeneratedAt">;
			/** The last `item_id` of this page, to pass as `cursor`; null on the last page. */
			next_cursor: number | null;
			/** The search made instead if no item has all words of `q`; null if `q` was searched unchanged. */
			read_as: string | null;
		};
		/** Request of `resolveItemNames`: the names to find. */
		ResolveNamesRequest: {
			/** 1 to 100 different names, each a whole `market_hash_name`. */
			names: Schema<"AskedItemName">[];
		};
		/** The name as in the request. */
		AskedItemName: string;
		/** Response of `resolveItemNames`: one entry for each name. */
		ResolvedNameListEnvelope: {
			/** One entry for each requested name, in the order of the request. */
			data: Schema<"ResolvedName">[];
			meta: Schema<"Meta">;
		};
		/** All items that have one requested name. */
		ResolvedName: {
			name: Schema<"AskedItemName">;
			/** True if there is more than one candidate: the name does not identify an item. */
			ambiguous: boolean;
			/** The items with this name, in ascending `item_id`. */
			candidates: Schema<"ItemCandidate">[];
		};
		/** An item with the requested name. */
		ItemCandidate: {
			item_id: Schema<"ItemId">;
			/** Exact paint phase; null for items without phases and for unphased identities. */
			phase: Schema<"PaintPhase"> | null;
			identity: Schema<"ItemIdentity">;
			/** False if the item has left the catalog and is stored only for its history. */
			in_catalog: boolean;
		};
		/** Whether the item is one exact variant. */
		ItemIdentity: "exact" | "unphased";
		/** Response of `getItem`: the metadata of one item. */
		ItemEnvelope: {
			data: Schema<"ItemDetail">;
			meta: Schema<"Meta">;
		};
		/** Stored catalog metadata of one item, without prices. */
		ItemDetail: {
			item_id: Schema<"ItemId">;
			market_hash_name: Schema<"MarketHashName">;
			slug: Schema<"ItemSlug">;
			/** Kind of item, such as a weapon, knife, sticker or container; null if unknown. */
			type: string | null;
			/** Rarity grade in words, such as `Covert`; null if unknown. */
			rarity: string | null;
			/** Collection that the item belongs to; null if it has none or it is unknown. */
			collection: string | null;
			/** Exact paint phase; null for items without phases and for unphased identities. */
			phase: Schema<"PaintPhase"> | null;
			/** Russian name of the item; null if unknown. */
			name_ru: string | null;
			/** HTTPS address of a picture; null if unknown. */
			image_url: Schema<"HttpsUrl"> | null;
			/** Wear in words, such as `Factory New`; null for items without wear. */
			wear: string | null;
			/** Whether this is the stat-counter variant; null if unknown. */
			stat_counter: boolean | null;
			/** Whether this is the souvenir variant; null if unknown. */
			souvenir: boolean | null;
			/** Lower bound of the finish's wear value as a decimal string; null if unknown. */
			wear_min: Schema<"WearBound"> | null;
			/** Upper bound of the finish's wear value as a decimal string; null if unknown. */
			wear_max: Schema<"WearBound"> | null;
			/** Other items with the same `market_hash_name`, at most 50, in ascending order. */
			shares_name_with: Schema<"ItemId">[];
			identity: Schema<"ItemIdentity">;
			/** Slug of the container that this item is, for `getOpenable`; null if it is not a container or the service does not show it. */
			openable_slug: Schema<"OpenableSlug"> | null;
			/** False if the item has left the catalog and is stored only for its history. */
			in_catalog: boolean;
			/** When the item was first imported. */
			first_seen_at: string;
			/** When an import last changed its metadata; null if never. */
			updated_at: Schema<"Timestamp"> | null;
		};
		/** Decimal number as a string, without an exponent. */
		WearBound: string;
		/** Exact slug of a container, see `listOpenables`. */
		OpenableSlug: string;
		/** Response of `getMarketPrices`: the cached quotes of one item. */
		MarketPricesEnvelope: {
			data: Schema<"MarketPrices">;
			meta: Schema<"QuoteMeta">;
		};
		/** Cached quotes of one item in one generation of the price cache. */
		MarketPrices: {
			item_id: Schema<"ItemId">;
			market_hash_name: Schema<"MarketHashName">;
			/** Exact paint phase, or null; it never falls back to an unphased item. */
			phase: Schema<"PaintPhase"> | null;
			availability: Schema<"Availability">;
			generation: Schema<"Generation">;
			ingested_at: Schema<"IngestedAt">;
			/** Sellers' offers in no promised order; sort ascending by `amount` yourself. */
			asks: Schema<"Quote">[];
			/** Buy orders in no promised order; sort descending by `amount` yourself. */
			bids: Schema<"Quote">[];
		};
		/** Whether the cache has quotes of this item, without regard to filters of the request. */
		Availability: "available" | "missing";
		/** When this generation of the price cache was published. */
		IngestedAt: string;
		/** One cached offer or buy order. */
		Quote: {
			provider: Schema<"ProviderSlug">;
			amount: Schema<"Cents">;
			/** Currency of `amount`; always `USD`. */
			currency: "USD";
			/** Decimal places of `amount`; always 2, so amounts are US-dollar cents. */
			minor_units: 2;
			/** Number of units offered or wanted at this amount; null if the source does not report it. */
			quantity: Schema<"Quantity"> | null;
			/** Page of the item at the provider; null if unknown. */
			url: Schema<"HttpsUrl"> | null;
			/** When the source observed this quote; null (unknown) if the source gives no time. */
			as_of: Schema<"Timestamp"> | null;
		};
		/** Number of units offered or wanted at this amount. */
		Quantity: number;
		/** Metadata of the response, with the times behind its quotes. */
		QuoteMeta: {
			request_id: Schema<"RequestId">;
			generated_at: Schema<"GeneratedAt">;
			/** Oldest source observation of the returned quotes; null (unknown) if any of them has none. */
			as_of: Schema<"Timestamp"> | null;
			freshness: Schema<"Freshness">;
			/** Whether the source was successfully verified within the last 15 minutes. */
			cache_recently_checked: boolean;
			timestamp_quality: Schema<"TimestampQuality">;
		};
		/** Age class of `as_of`; `unknown` if `as_of` is null. */
		Freshness: "unknown" | "fresh" | "stale";
		/** Completeness of the source times of the response. */
		TimestampQuality: "source_observed" | "partial" | "ingest_only" | "unknown";
		/** Side of the market; one side never falls back to the other. */
		SelectedSide: "ask" | "bid";
		/** RFC 3339 date-time in UTC with `Z`. */
		KnownInstant: string;
		/** Response of `getDailyPriceHistory`: one page of daily rows. */
		DailyPriceHistoryEnvelope: {
			/** The daily rows, in ascending order of `date`, then `provider`. */
			data: Schema<"DailyPrice">[];
			meta: Schema<"DailySeriesMeta">;
		};
		/** Prices of one item at one provider on one UTC day. */
		DailyPrice: {
			/** The UTC day of the prices. */
			date: string;
			provider: Schema<"ProviderSlug">;
			side: Schema<"QuoteSide">;
			/** Last stored observation of the day, in US-dollar cents. */
			amount: number;
			/** Lowest stored observation of the day, in US-dollar cents. */
			low_amount: number;
			/** Highest stored observation of the day, in US-dollar cents. */
			high_amount: number;
			/** Number of stored observations behind the row. */
			observations: number;
			/** Units offered or wanted at the last observation; null if the source does not report it. */
			quantity: Schema<"Quantity"> | null;
			/** Currency of `amount`; always `USD`. */
			currency: "USD";
			/** Decimal places of `amount`; always 2, so amounts are US-dollar cents. */
			minor_units: 2;
			/** Kind of price: an observed offer or order, never a sale. */
			kind: "daily_cached_quote";
			/** False only for the current UTC day, because its row still changes. */
			complete: boolean;
			/** When the source observed the last quote; null (unknown) if the source gives no time. */
			source_observed_at: Schema<"Timestamp"> | null;
			/** When the row last changed. */
			recorded_at: string;
		};
		/** Side of the market; one side never falls back to the other. */
		QuoteSide: "ask" | "bid";
		/** Metadata of the response: its window, its gaps and the times behind its rows. */
		DailySeriesMeta: {
			request_id: Schema<"RequestId">;
			generated_at: Schema<"GeneratedAt">;
			from: Schema<"UtcDate">;
			to: Schema<"UtcDate">;
			resolution: Schema<"SeriesResolutionDay">;
			missing_points: Schema<"MissingPoints">;
			/** Pass it unchanged as `after`. Null on the last page. */
			next_page: Schema<"PageCursor"> | null;
			/** Oldest source observation of the returned rows; null (unknown) if any of them has none. */
			as_of: Schema<"Timestamp"> | null;
			freshness: Schema<"Freshness">;
			timestamp_quality: Schema<"TimestampQuality">;
			known_at?: Schema<"KnownAtOfResponse">;
		};
		/** One row is one UTC day. */
		SeriesResolutionDay: "day";
		/** Points of the whole resolved window without a row, as a text; the same on every page. */
		MissingPoints: string;
		/** The requested `known_at`, with milliseconds. */
		KnownAtOfResponse: string;
		/** Response of `getHourlyPriceHistory`: one page of hourly rows. */
		HourlyPriceHistoryEnvelope: {
			/** The hourly rows, in ascending order of `ts`, then `provider`, markers first. */
			data: Schema<"HourlyPrice">[];
			meta: Schema<"HourlySeriesMeta">;
		};
		/** The cached quote of one item, side and provider in one UTC hour, from the first verified frame. */
		HourlyPrice: {
			/** First instant of the UTC hour. Not an observation time. */
			ts: string;
			/** Provider of the quote; null marks an hour in which no provider has a quote on the side. */
			provider: Schema<"ProviderSlug"> | null;
			side: Schema<"QuoteSide">;
			/** Price in US-dollar cents; null if nothing is quoted, never zero. */
			amount: Schema<"Cents"> | null;
			/** Units offered or wanted at this amount; null if unknown. */
			quantity: Schema<"Quantity"> | null;
			/** Currency of `amount`; always `USD`. */
			currency: "USD";
			/** Decimal places of `amount`; always 2, so amounts are US-dollar cents. */
			minor_units: 2;
			/** Kind of price: an observed offer or order, never a sale. */
			kind: "hourly_cached_quote";
			availability: Schema<"HourlyAvailability">;
			/** When the mirror published this state. */
			ingested_at: string;
			/** When this state was successfully verified in the hour, by a new body or by the source's report that nothing changed (304). */
			checked_at: string;
			/** When the frame was stored here. */
			recorded_at: string;
			/** When the source observed this quote; null (unknown) if the feed gives no quote time. */
			source_observed_at: Schema<"Timestamp"> | null;
		};
		/** Reason for a price or its absence. */
		HourlyAvailability: "quoted" | "item_missing" | "no_quote";
		/** Metadata of the response: its window, its gaps and the times behind its rows. */
		HourlySeriesMeta: {
			request_id: Schema<"RequestId">;
			generated_at: Schema<"GeneratedAt">;
			from: Schema<"UtcDate">;
			to: Schema<"UtcDate">;
			resolution: Schema<"SeriesResolutionHour">;
			missing_points: Schema<"MissingPoints">;
			/** Pass it unchanged as `after`. Null on the last page. */
			next_page: Schema<"PageCursor"> | null;
			/** Oldest source observation of the returned prices; null (unknown) if any of them has none. */
			as_of: Schema<"Timestamp"> | null;
			freshness: Schema<"Freshness">;
			timestamp_quality: Schema<"TimestampQuality">;
			known_at?: Schema<"KnownAtOfResponse">;
		};
		/** One row is one UTC hour. */
		SeriesResolutionHour: "hour";
		/** Response of `listHistoryDays`: one page of sealed days. */
		HistoryDayListEnvelope: {
			/** The sealed days, newest day first, then newest revision. */
			data: Schema<"HistoryDay">[];
			meta: Schema<"PageMeta">;
		};
		/** One revision of a sealed day. */
		HistoryDay: {
			date: Schema<"UtcDate">;
			revision: Schema<"DayRevision">;
			condition: Schema<"DayCondition">;
			/** The feeds with a frame on the day or in the 30 days before it, ordered by name. */
			feeds: Schema<"FeedHours">[];
			/** Number of daily rows of the day. */
			rows: number;
			/** Size of the daily rows' lines in bytes. */
			bytes: number;
			digest: Schema<"Sha256Digest">;
			/** State of the hourly rows. */
			hourly: "available" | "pruned";
			/** Number of lines of the hourly export; null if its hours were removed before the day was sealed. */
			hourly_rows: number | null;
			/** Size of these lines in bytes; null if `hourly_rows` is null. */
			hourly_bytes: number | null;
			/** SHA-256 of these lines; null if `hourly_rows` is null. */
			hourly_digest: Schema<"Sha256Digest"> | null;
			sealed_at: Schema<"Timestamp">;
			/** When the next revision was sealed; null for the latest revision. */
			superseded_at: Schema<"Timestamp"> | null;
			/** Whether `streamHistoryDay` can send this revision by its number. */
			kept: boolean;
		};
		/** Number of the seal of this day, from 1. */
		DayRevision: number;
		/** Completeness of the recorded hours. */
		DayCondition: "complete" | "partial" | "empty";
		/** Recorded hours of one feed on the day. */
		FeedHours: {
			feed: Schema<"FeedName">;
			/** Number of hours with a frame, 0 to 24. */
			hours: number;
		};
		/** Name of a source of quotes. */
		FeedName: string;
		/** A SHA-256 in lowercase hexadecimal digits. */
		Sha256Digest: string;
		/** Request of `streamHistoryDay`: the rows to export. */
		DayExportRequest: {
			resolution: Schema<"DayResolution">;
			revision?: Schema<"DayRevision">;
		};
		/** Rows of the export. `daily`: one line per daily row. */
		DayResolution: "daily" | "hourly";
		/** One line of the day's export; `type` selects the kind. */
		DayExportRecord: Schema<"DayExportStart"> | Schema<"DayDaily"> | Schema<"DayQuotes"> | Schema<"DayMarkers"> | Schema<"DayExportEnd"> | Schema<"SnapshotError">;
		/** First record of a day's export, exactly once. */
		DayExportStart: {
			/** Always `start`: the first record. */
			type: "start";
			request_id: Schema<"RequestId">;
			date: Schema<"UtcDate">;
			revision: Schema<"DayRevision">;
			resolution: Schema<"DayResolution">;
			generated_at: Schema<"Timestamp">;
			sealed_at: Schema<"Timestamp">;
			/** Currency of all amounts; always `USD`. */
			currency: "USD";
			/** Decimal places of amounts; always 2, for US-dollar cents. */
			minor_units: 2;
			/** The part that is sent; null if everything is sent, and the digest is then the listed one. */
			selection: Schema<"DaySelection"> | null;
			/** The frames of the day, one entry per feed; empty in a daily export. */
			frames: Schema<"DayFrames">[];
		};
		/** The part of the day that a plan may read; only these rows are sent. */
		DaySelection: {
			provider: Schema<"ProviderSlug">;
			side: Schema<"QuoteSide">;
		};
		/** The frames of one feed as parallel arrays, one entry per recorded hour. */
		DayFrames: {
			feed: Schema<"FeedName">;
			/** Hours of the day with a frame, ascending. */
			hours: Schema<"HourOfDay">[];
			/** When the mirror published each frame, in the order of `hours`. */
			ingested_at: Schema<"Timestamp">[];
			/** When each frame was successfully verified, in the order of `hours`. */
			checked_at: Schema<"Timestamp">[];
			/** When each frame was stored, in the order of `hours`. */
			recorded_at: Schema<"Timestamp">[];
		};
		/** Hour of a UTC day, 0 to 23. */
		HourOfDay: number;
		/** Record of one daily row. */
		DayDaily: {
			/** Always `daily`: one daily row. */
			type: "daily";
			data: Schema<"DayDailyData">;
		};
		/** One daily row; its fields are as in `getDailyPriceHistory`. */
		DayDailyData: {
			item_id: Schema<"ItemId">;
			side: Schema<"QuoteSide">;
			provider: Schema<"ProviderSlug">;
			amount: Schema<"Cents">;
			low_amount: Schema<"Cents">;
			high_amount: Schema<"Cents">;
			/** Number of stored observations behind the row. */
			observations: number;
			quantity: Schema<"KnownQuantity">;
			source_observed_at: Schema<"KnownTime">;
			recorded_at: Schema<"Timestamp">;
		};
		/** Number of units; null if the source does not report it. */
		KnownQuantity: number | null;
		/** When the source observed the quote; null if unknown. */
		KnownTime: string | null;
		/** Record of the hourly quotes of one item, side, provider and feed. */
		DayQuotes: {
			/** Always `quotes`: hourly quotes. */
			type: "quotes";
			data: Schema<"DayQuotesData">;
		};
		/** Parallel arrays with one entry for each range of hours with the same quote. */
		DayQuotesData: {
			item_id: Schema<"ItemId">;
			side: Schema<"QuoteSide">;
			provider: Schema<"ProviderSlug">;
			feed: Schema<"FeedName">;
			/** Ranges of hours of the quotes, ascending. */
			hours: Schema<"HourRange">[];
			/** Price in each range, in US-dollar cents. */
			amounts: Schema<"Cents">[];
			/** Units offered or wanted in each range; null if the source does not report it. */
			quantities: Schema<"KnownQuantity">[];
			/** When the source observed each quote; null if unknown. */
			source_observed_at: Schema<"KnownTime">[];
		};
		/** First and last hour, both inclusive. */
		HourRange: Schema<"HourOfDay">[];
		/** Record of the hours without a quote on one side of an item. */
		DayMarkers: {
			/** Always `markers`: hours without a quote. */
			type: "markers";
			data: Schema<"DayMarkersData">;
		};
		/** Parallel arrays with one entry for each range of hours with the same reason. */
		DayMarkersData: {
			item_id: Schema<"ItemId">;
			side: Schema<"QuoteSide">;
			/** Ranges of hours without a quote, ascending. */
			hours: Schema<"HourRange">[];
			/** Reason for the missing quote in each range. */
			availability: Schema<"HourlyAvailability">[];
			/** Feeds behind each range; null for all feeds with a frame in these hours. */
			feeds: Schema<"FeedsOfHours">[];
		};
		/** Names of feeds; null for all feeds with a frame in these hours. */
		FeedsOfHours: Schema<"FeedName">[] | null;
		/** Last record of a complete export. */
		DayExportEnd: {
			/** Always `end`: the last record of a complete export. */
			type: "end";
			request_id: Schema<"RequestId">;
			date: Schema<"UtcDate">;
			revision: Schema<"DayRevision">;
			/** Number of lines between `start` and `end`. */
			rows: number;
			digest: Schema<"Sha256Digest">;
		};
		/** Last record of a failed export, with the `request_id` of `start`. */
		SnapshotError: {
			/** Always `error`: the export failed. */
			type: "error";
			request_id: Schema<"RequestId">;
			code: Schema<"SnapshotErrorCode">;
		};
		/** Reason for the failure. */
		SnapshotErrorCode: "snapshot_interrupted" | "snapshot_changed";
		/** Request of `getMarketPricesBatch`: items, and optional filters of their quotes. */
		BatchPricesRequest: {
			/** 1 to 100 different item ids; the response has their order. */
			item_ids: Schema<"ItemId">[];
			provider?: Schema<"ProviderSlug">;
			side?: Schema<"QuoteSide">;
		};
		/** Response of `getMarketPricesBatch`: one entry for each requested id. */
		MarketPricesBatchEnvelope: {
			/** One entry for each requested id, in the order of the request. */
			data: Schema<"MarketPricesBatchEntry">[];
			meta: Schema<"QuoteMeta">;
		};
		/** Cached quotes of one requested item. */
		MarketPricesBatchEntry: {
			item_id: Schema<"ItemId">;
			status: Schema<"BatchEntryStatus">;
			/** Name of the item; null if the id is unknown. */
			market_hash_name: Schema<"MarketHashName"> | null;
			/** Exact paint phase, or null; also null if the id is unknown. */
			phase: Schema<"PaintPhase"> | null;
			/** Whether the cache has quotes of this item, without regard to filters; null if the id is unknown. */
			availability: Schema<"Availability"> | null;
			/** Generation of the quotes, the same for all known items; null if the id is unknown. */
			generation: Schema<"Generation"> | null;
			/** When that generation was published; null if the id is unknown. */
			ingested_at: Schema<"Timestamp"> | null;
			/** Sellers' offers in no promised order. */
			asks: Schema<"Quote">[];
			/** Buy orders in no promised order. */
			bids: Schema<"Quote">[];
		};
		/** Whether the id is known. `not_found`: no item has this id. */
		BatchEntryStatus: "found" | "not_found";
		/** Request of `getMarketPricesKnownAt`: an instant, items, and optional filters of their quotes. */
		KnownPricesRequest: {
			known_at: Schema<"KnownInstant">;
			/** 1 to 100 different item ids; the response has their order. */
			item_ids: Schema<"ItemId">[];
			provider?: Schema<"ProviderSlug">;
			side?: Schema<"QuoteSide">;
		};
		/** Response of `getMarketPricesKnownAt`: the frames, and one entry for each requested id. */
		MarketPricesKnownAtEnvelope: {
			data: Schema<"KnownPrices">;
			meta: Schema<"KnownPricesMeta">;
		};
		/** Quotes as known at an instant, and the frames that they are from. */
		KnownPrices: {
			/** Currency of all amounts; always `USD`. */
			currency: "USD";
			/** Decimal places of all amounts; always 2, so amounts are US-dollar cents. */
			minor_units: 2;
			/** The frames that counted at the instant, at most one of each feed, ordered by feed. */
			frames: Schema<"KnownFrame">[];
			/** One entry for each requested id, in the order of the request. */
			items: Schema<"KnownPricesEntry">[];
		};
		/** The frame of one feed. */
		KnownFrame: {
			feed: Schema<"FeedName">;
			/** Providers that the frame covers, ordered by slug; null if it does not remember them. */
			providers: Schema<"ProviderSlug">[] | null;
			/** Start of the frame's UTC hour. Not an observation time. */
			ts: string;
			/** When the feed was verified in that hour. */
			checked_at: string;
			/** When the server recorded the frame, at most `known_at`. */
			recorded_at: string;
		};
		/** Quotes of one requested item. */
		KnownPricesEntry: {
			item_id: Schema<"ItemId">;
			/** Whether the id was known at the instant. */
			status: "found" | "not_found";
			/** Sellers' offers, cheapest first. */
			asks: Schema<"KnownQuote">[];
			/** Buy orders, highest first. */
			bids: Schema<"KnownQuote">[];
		};
		/** One offer or buy order of a frame. */
		KnownQuote: {
			provider: Schema<"ProviderSlug">;
			amount: Schema<"Cents">;
			/** Number of units offered or wanted at this amount; null if the source does not report it. */
			quantity: Schema<"Quantity"> | null;
			/** When the source observed this quote; null (unknown) if the source gives no time. */
			as_of: Schema<"Timestamp"> | null;
		};
		/** Metadata of the response, with the instant and the times behind its quotes. */
		KnownPricesMeta: {
			request_id: Schema<"RequestId">;
			generated_at: Schema<"GeneratedAt">;
			known_at: Schema<"KnownAtOfResponse">;
			/** Oldest source observation of the returned quotes; null (unknown) if any of them has none. */
			as_of: Schema<"Timestamp"> | null;
			freshness: Schema<"Freshness">;
			timestamp_quality: Schema<"TimestampQuality">;
		};
		/** One line of the market export; `type` selects the kind. */
		SnapshotRecord: Schema<"SnapshotStart"> | Schema<"SnapshotItem"> | Schema<"SnapshotEnd"> | Schema<"SnapshotError">;
		/** First record of a market export, exactly once. */
		SnapshotStart: {
			/** Always `start`: the first record. */
			type: "start";
			request_id: Schema<"RequestId">;
			generation: Schema<"Generation">;
			/** When the export started. Not an observation time. */
			generated_at: string;
			ingested_at: Schema<"IngestedAt">;
			/** Always null, because the feed supplies no observation time. */
			price_as_of: null;
			/** All prices are from one generation. */
			consistency: "single_price_generation";
			/** Upper bound of the catalog scan; 0 if the catalog is empty. */
			catalog_max_item_id: number;
		};
		/** Record of one catalog item, at most 256 KiB encoded. */
		SnapshotItem: {
			/** Always `item`: one catalog item. */
			type: "item";
			data: Schema<"SnapshotItemData">;
		};
		/** Identity of an item and its quotes. */
		SnapshotItemData: {
			item_id: Schema<"ItemId">;
			market_hash_name: Schema<"MarketHashName">;
			/** Exact paint phase; null for items without phases and for unphased identities. */
			phase: Schema<"PaintPhase"> | null;
			availability: Schema<"Availability">;
			/** Sellers' offers, in no promised order. */
			asks: Schema<"SnapshotQuote">[];
			/** Buy orders, in no promised order. Empty if `missing`. */
			bids: Schema<"SnapshotQuote">[];
		};
		/** One cached offer or buy order. */
		SnapshotQuote: {
			provider: Schema<"ProviderSlug">;
			amount: Schema<"Cents">;
			/** Currency of `amount`; always `USD`. */
			currency: "USD";
			/** Decimal places of `amount`; always 2, so amounts are US-dollar cents. */
			minor_units: 2;
			/** Number of units offered or wanted at this amount; null if the source does not report it. */
			quantity: Schema<"Quantity"> | null;
			/** Page of the item at the provider; null if unknown. */
			url: Schema<"HttpsUrl"> | null;
			/** Time of the source's observation; always null in exports, even if a price read of the same quote has a time. */
			as_of: Schema<"Timestamp"> | null;
		};
		/** Last record of a complete export, with the `request_id` and the `generation` of `start`. */
		SnapshotEnd: {
			/** Always `end`: the last record of a complete export. */
			type: "end";
			request_id: Schema<"RequestId">;
			generation: Schema<"Generation">;
			/** Number of item records in the export. */
			items: number;
		};
		/** Request of `streamMarketChanges`: the state of the client's copy. */
		ChangesRequest: {
			/** Generation of the copy, such as `g5`. */
			generation: string;
			identity_digest: Schema<"Sha256Digest">;
		};
		/** One line of the stream of changes; `type` selects the kind. */
		ChangesRecord: Schema<"ChangesStart"> | Schema<"SnapshotItem"> | Schema<"ChangesRemoved"> | Schema<"ChangesEnd"> | Schema<"SnapshotError">;
		/** First record of a stream of changes, exactly once. */
		ChangesStart: {
			/** Always `start`: the first record. */
			type: "start";
			request_id: Schema<"RequestId">;
			generated_at: Schema<"GeneratedAt">;
			ingested_at: Schema<"IngestedAt">;
			from: Schema<"MarketState">;
			to: Schema<"MarketState">;
		};
		/** State of the market at one time, with the digests of `getGeneration`. */
		MarketState: {
			generation: Schema<"Generation">;
			digest: Schema<"Sha256Digest">;
			identity_digest: Schema<"Sha256Digest">;
		};
		/** Record of an item in the copy that exports no longer contain. */
		ChangesRemoved: {
			/** Always `removed`: an item to delete from the copy. */
			type: "removed";
			item_id: Schema<"ItemId">;
		};
		/** Last record, with the `request_id` and the `to` of `start`. */
		ChangesEnd: {
			/** Always `end`: the last record of complete changes. */
			type: "end";
			request_id: Schema<"RequestId">;
			to: Schema<"MarketState">;
			/** Number of `item` records in the stream. */
			items: number;
			/** Number of `removed` records in the stream. */
			removed: number;
		};
		/** Response of `getGeneration` and `getCurrentGeneration`: totals and digests. */
		PublishedGenerationEnvelope: {
			data: Schema<"PublishedGeneration">;
			meta: Schema<"Meta">;
		};
		/** Totals and digests of the complete export of one generation; see `getGeneration` for the canonical price part. */
		PublishedGeneration: {
			generation: Schema<"Generation">;
			ingested_at: Schema<"IngestedAt">;
			/** Number of available items: one line each in the canonical price part. */
			items: number;
			/** Length of the canonical price part in UTF-8 bytes, line feeds included. */
			bytes: number;
			/** SHA-256 of the canonical price part, in lowercase hexadecimal digits. */
			digest: string;
			/** SHA-256 of the canonical identity part as it is now, in lowercase hexadecimal digits; null for a superseded generation. */
			identity_digest: Schema<"Sha256Digest"> | null;
		};
		/** Response of `listIndexes`: one page of indexes. */
		IndexListEnvelope: {
			/** The indexes, in ascending order of `index_id`. */
			data: Schema<"MarketIndex">[];
			meta: Schema<"PageMeta">;
		};
		/** A price index over the daily asks of one provider, with its latest level under the current methodology. */
		MarketIndex: {
			index_id: Schema<"IndexId">;
			/** Display name of the index. */
			name: string;
			/** Composition of the index in words. */
			description: string;
			/** First UTC day of the index. */
			base_date: string;
			base_value: Schema<"DecimalString">;
			/** Latest level; null if too few constituents had a price (coverage under 90 %), if less than half of the members had one both then and on the last day with a value, or if no level exists yet. */
			value: Schema<"IndexValue"> | null;
			/** Price times units in US-dollar cents, summed over the constituents with a price; null if `value` is null. */
			capitalization_cents: Schema<"CapitalizationCents"> | null;
			/** Number of items in the membership version. */
			constituent_count: number;
			/** Number of constituents with a price on the day of the level; null if no level exists yet. */
			priced_constituent_count: number | null;
			/** Priced constituents as a share of all; null if no level exists yet. */
			coverage_pct: Schema<"PercentageString"> | null;
			provider: Schema<"ProviderSlug">;
			weighting: Schema<"IndexWeighting">;
			methodology_version: Schema<"MethodologyVersion">;
			membership_version: Schema<"MembershipVersion">;
			/** False if the index is no longer calculated; its history stays. */
			active: boolean;
			/** Oldest source observation behind the level; null (unknown) if any price has none. */
			as_of: Schema<"Timestamp"> | null;
			/** When the index was last calculated, even without a change; null if never. */
			calculated_at: Schema<"Timestamp"> | null;
		};
		/** Exact slug of an index, see `listIndexes`. */
		IndexId: string;
		/** Decimal number as a string, so that no reader rounds it. */
		DecimalString: string;
		/** Level of an index as a decimal string with four decimal places. */
		IndexValue: string;
		/** Capitalization in integer US-dollar cents, as a string of digits because a JSON number may lose precision. */
		CapitalizationCents: string;
		/** A share of 0 to 100 percent as a decimal string. */
		PercentageString: string;
		/** Weights of the constituents. */
		IndexWeighting: "equal" | "capitalization";
		/** Version of the method behind a value. */
		MethodologyVersion: string;
		/** Version of an index's members, counted from 1. */
		MembershipVersion: number;
		/** Response of `getIndex`: one index with its latest level. */
		IndexEnvelope: {
			data: Schema<"MarketIndex">;
			meta: Schema<"IndexMeta">;
		};
		/** Metadata of the response, with the times behind the level. */
		IndexMeta: {
			request_id: Schema<"RequestId">;
			generated_at: Schema<"GeneratedAt">;
			/** Oldest source observation behind the level; null (unknown) if any price has none. */
			as_of: Schema<"Timestamp"> | null;
			freshness: Schema<"Freshness">;
		};
		/** Response of `getIndexHistory`: one page of daily levels. */
		IndexHistoryEnvelope: {
			/** The daily levels, in ascending order of `date`, all of one methodology version. */
			data: Schema<"IndexLevel">[];
			meta: Schema<"DailySeriesMeta">;
		};
		/** Level of an index on one UTC day under one methodology. */
		IndexLevel: {
			/** The UTC day of the level. */
			date: string;
			/** The level; null if coverage was under the floor of the methodology (90 %), or if less than half of the members had a price both then and on the last day with a value. */
			value: Schema<"IndexValue"> | null;
			/** Price times units in US-dollar cents, summed over the constituents with a price; null if `value` is null. */
			capitalization_cents: Schema<"CapitalizationCents"> | null;
			/** Number of items in the membership version. */
			constituent_count: number;
			/** Number of constituents with a price on the day of the level. */
			priced_constituent_count: number;
			coverage_pct: Schema<"PercentageString">;
			methodology_version: Schema<"MethodologyVersion">;
			membership_version: Schema<"MembershipVersion">;
			/** Oldest source observation behind the level; null (unknown) if any price has none. */
			as_of: Schema<"Timestamp"> | null;
			/** When the stored row was written. Not an observation time. */
			recorded_at: string;
			/** Number of the level of the day, from 1. */
			revision: number;
			/** Kind of value: a level calculated from observed offers. */
			kind: "index_level";
		};
		/** Response of `listIndexMembers`: one page of members. */
		IndexMemberListEnvelope: {
			/** The members, in ascending order of `item_id`. */
			data: Schema<"IndexMember">[];
			meta: Schema<"PageMeta">;
		};
		/** An item in one membership version of an index. */
		IndexMember: {
			item_id: Schema<"ItemId">;
			market_hash_name: Schema<"MarketHashName">;
			/** Exact paint phase, or null; it never falls back to an unphased item. */
			phase: Schema<"PaintPhase"> | null;
			/** Share in the index at the latest level of this version with a value; null without such a level, or if that level had no price of the item. */
			weight_pct: Schema<"PercentageString"> | null;
			/** First UTC day of the item's unbroken membership. */
			added_on: string;
			/** First UTC day of a later version without the item; null if none dropped it. */
			removed_on: Schema<"UtcDate"> | null;
		};
		/** ISO 4217 code of a currency. */
		CurrencyCode: string;
		/** Response of `listExchangeRates`: one page of rates. */
		ExchangeRateListEnvelope: {
			/** The rates, in ascending order of `currency`. */
			data: Schema<"ExchangeRate">[];
			meta: Schema<"PageMeta">;
		};
		/** Latest stored rate of one currency. */
		ExchangeRate: {
			currency: Schema<"CurrencyCode">;
			rate_per_usd: Schema<"RatePerUsd">;
			/** Decimal places of the currency's smallest unit. */
			currency_minor_units: number;
			/** When the source observed the rate; null if unknown. */
			as_of: Schema<"Timestamp"> | null;
			/** When the rate was stored here; null for USD, which is 1 by definition. */
			ingested_at: Schema<"Timestamp"> | null;
			/** Source of the rate, or of the rates behind it. */
			source: string;
			methodology_version: Schema<"MethodologyVersion">;
		};
		/** Units of the currency per US dollar, as a decimal string. */
		RatePerUsd: string;
		/** Response of `getExchangeRateHistory`: one page of daily rates. */
		ExchangeRateHistoryEnvelope: {
			/** The daily rates, in ascending order of `date`. */
			data: Schema<"ExchangeRatePoint">[];
			meta: Schema<"DailySeriesMeta">;
		};
		/** Rate of one currency on one UTC day. */
		ExchangeRatePoint: {
			/** The UTC day of the rate. */
			date: string;
			currency: Schema<"CurrencyCode">;
			rate_per_usd: Schema<"RatePerUsd">;
			/** When the source observed the rate; null if unknown. */
			as_of: Schema<"Timestamp"> | null;
			/** When the stored row was written. Not an observation time. */
			recorded_at: string;
			/** Source of the rate, or of the rates behind it. */
			source: string;
			methodology_version: Schema<"MethodologyVersion">;
			/** Kind of rate: a reference rate, not an offer to exchange. */
			kind: "exchange_rate";
		};
		/** Valuation model, not an individual marketplace and not guaranteed proceeds. */
		SelectedValuationMode: "steam_gross" | "cash_ask";
		/** Response of `listOpenables`: one page of containers. */
		OpenableListEnvelope: {
			/** The containers, in ascending order of `slug`. */
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
			/** HTTPS address of a picture; null if unknown. */
			image_url: Schema<"HttpsUrl"> | null;
			/** False if the pool is retired. */
			active: boolean;
			/** UTC day of the container's release; null if unknown. */
			released_on: Schema<"UtcDate"> | null;
			/** UTC day of the pool's retirement; null if it is not retired or the day is unknown. */
			retired_on: Schema<"UtcDate"> | null;
			/** Whether an opening needs a key. */
			requires_key: boolean;
			/** Number of exact items with a probability above zero. */
			outcome_count: number;
			valuation_mode: Schema<"ValuationMode">;
			/** The current calculation; null if none is published for this mode and the current methodology; null is not zero ROI. */
			current: Schema<"RoiCalculation"> | null;
			/** The tier with the share `current.price_coverage.lowest_tier_coverage_pct`, the first of several; null without a calculation. */
			lowest_tier: Schema<"TierName"> | null;
		};
		/** Kind of container. `case`: weapons and gloves or knives. */
		OpenableType: "case" | "souvenir_package" | "capsule" | "other";
		/** Valuation model, not an individual marketplace and not guaranteed proceeds. */
		ValuationMode: "steam_gross" | "cash_ask";
		/** The model's result for one opening, calculated from observed asks, not from sales. */
		RoiCalculation: {
			revision_id: Schema<"PoolRevisionId">;
			revision_number: Schema<"PoolRevisionNumber">;
			methodology_version: Schema<"MethodologyVersion">;
			valuation_mode: Schema<"ValuationMode">;
			/** When the model last calculated or confirmed these numbers. */
			calculated_at: string;
			/** Oldest source time of the values and of the container's price; null (unknown) if a source gave none for any of them. */
			price_as_of: Schema<"Timestamp"> | null;
			/** Whether the calculation is stale now: more than 8 hours old, with an unknown price time, or with a price more than 24 hours old. */
			stale: boolean;
			/** Reasons why the calculation is stale; empty if it is not. */
			stale_reasons: Schema<"StaleReason">[];
			/** Currency of every amount; always `USD`. */
			currency: "USD";
			/** Decimal places of the amounts; always 2, for US-dollar cents. */
			minor_units: 2;
			/** Modeled cost of one opening in US-dollar cents: container plus key. */
			cost_cents: number;
			/** The container's lowest ask in this mode, in US-dollar cents. */
			container_cost_cents: number;
			container_cost_provider: Schema<"ProviderSlug">;
			/** Source time of the container's ask; null if the source gave none. */
			container_cost_as_of: Schema<"Timestamp"> | null;
			/** Fixed store price of the key in US-dollar cents, never a listing; 0 if the container needs none. */
			key_cost_cents: number;
			/** Modeled expected value of one opening in US-dollar cents; null if too little is priced for a point value. */
			expected_value_cents: number | null;
			/** Lower bound of the expected value, with unpriced outcomes worth nothing. */
			expected_value_lower_cents: number;
			/** Upper bound of the expected value; null is unknown, not zero. */
			expected_value_upper_cents: number | null;
			/** Expected value minus cost, in US-dollar cents; may be negative, null without an expected value. */
			expected_profit_cents: number | null;
			/** Expected value / cost x 100, from the published integers; may exceed 100, null without an expected value. */
			return_pct: Schema<"ReturnPercentage"> | null;
			/** `return_pct` minus 100; null without an expected value; null is not zero ROI. */
			profit_roi_pct: Schema<"ProfitPercentage"> | null;
			/** Modeled probability that the outcome is worth more than the cost; null if too little is priced for a point value. */
			profit_chance_pct: Schema<"FinePercentage"> | null;
			/** Lower bound of the chance: every unpriced outcome counts as a loss. */
			profit_chance_lower_pct: string;
			/** Upper bound of the chance: every unpriced outcome counts as a profit. */
			profit_chance_upper_pct: string;
			/** Probability of the possible outcomes with a price, rounded down: it is `100.0000` only if all have one. */
			priced_probability_mass_pct: string;
			price_coverage: Schema<"PriceCoverage">;
			/** Spread of the value of one opening; null if nothing is priced. */
			quantiles: Schema<"ValueQuantiles"> | null;
			confidence: Schema<"RoiConfidence">;
			/** Cautions about the numbers, always in the order of the list of flags. */
			flags: Schema<"RoiFlag">[];
		};
		/** Id of one published definition of a pool. */
		PoolRevisionId: string;
		/** Number of the published definition of the container's pool, from 1. */
		PoolRevisionNumber: number;
		/** Reason why a calculation is stale. */
		StaleReason: "calculation_age" | "price_time_unknown" | "price_age";
		/** Expected value / cost x 100, as a decimal string with two decimal places, rounded half up. */
		ReturnPercentage: string;
		/** `return_pct` minus 100, as a decimal string with two decimal places. */
		ProfitPercentage: string;
		/** A share of 0 to 100 percent as a decimal string with four decimal places. */
		FinePercentage: string;
		/** How much of the pool is priced, counted in outcomes. */
		PriceCoverage: {
			/** Number of outcomes with a probability above zero. */
			outcome_count: number;
			/** Number of these outcomes with a price. */
			priced_outcome_count: number;
			/** Priced outcomes as a share of all by number, rounded down. */
			priced_outcome_pct: string;
			/** Smallest priced share of a tier's own probability over all tiers, rounded down. */
			lowest_tier_coverage_pct: string;
		};
		/** Quantiles of the value of one opening over the priced outcomes, in integer US-dollar cents. */
		ValueQuantiles: {
			p05: Schema<"Cents">;
			p25: Schema<"Cents">;
			p50: Schema<"Cents">;
			p75: Schema<"Cents">;
			p95: Schema<"Cents">;
			p99: Schema<"Cents">;
		};
		/** Reliability of the point values, by a fixed rule; not a probability. */
		RoiConfidence: "high" | "medium" | "low" | "insufficient";
		/** Caution about a calculation. */
		RoiFlag: "unpriced_outcomes" | "phases_unpriced" | "tier_coverage_low" | "upper_bound_unknown" | "upper_bound_assumed" | "above_price_ceiling" | "odds_inferred" | "single_provider" | "price_time_unknown" | "price_stale" | "calculation_stale" | "retired_pool" | (string & Record<never, never>);
		/** Name of a group of outcomes that the pool draws first, such as a rarity. */
		TierName: string;
		/** Metadata of the response: the position of the next page and the times behind its values. */
		OpenablePageMeta: {
			request_id: Schema<"RequestId">;
			generated_at: Schema<"GeneratedAt">;
			/** Pass it unchanged as `after`. Null on the last page. */
			next_page: Schema<"PageCursor"> | null;
			/** Oldest source time of the returned values; null (unknown) if any of them has no time, or without values. */
			as_of: Schema<"Timestamp"> | null;
			freshness: Schema<"Freshness">;
		};
		/** Response of `getOpenable`: one container with its calculation. */
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
			/** HTTPS address of a picture; null if unknown. */
			image_url: Schema<"HttpsUrl"> | null;
			/** False if the pool is retired. */
			active: boolean;
			/** UTC day of the container's release; null if unknown. */
			released_on: Schema<"UtcDate"> | null;
			/** UTC day of the pool's retirement; null if it is not retired or the day is unknown. */
			retired_on: Schema<"UtcDate"> | null;
			/** Whether an opening needs a key. */
			requires_key: boolean;
			/** Number of exact items with a probability above zero. */
			outcome_count: number;
			valuation_mode: Schema<"ValuationMode">;
			/** The current calculation; null if none is published for this mode and the current methodology; null is not zero ROI. */
			current: Schema<"RoiCalculation"> | null;
			pool: Schema<"OpenablePool">;
		};
		/** The current pool, published as one immutable revision. */
		OpenablePool: {
			revision_id: Schema<"PoolRevisionId">;
			revision_number: Schema<"PoolRevisionNumber">;
			odds_source: Schema<"OddsSource">;
			/** Cautions about the definition; often empty. */
			flags: Schema<"PoolFlag">[];
			/** Model that spreads an item's probability over its wears, such as `wear-1`. */
			wear_model: string;
			/** The tiers, in the order of the pool. */
			tiers: Schema<"PoolTier">[];
		};
		/** Origin of the odds. `published`: by the game's operator. */
		OddsSource: "published" | "community" | "inferred" | (string & Record<never, never>);
		/** Caution about a pool's definition. */
		PoolFlag: "pool_completed" | (string & Record<never, never>);
		/** A tier of a pool. */
		PoolTier: {
			tier: Schema<"TierName">;
			/** Weight of the tier relative to the weights of the other tiers. */
			weight: number;
			probability_pct: Schema<"ProbabilityPercentage">;
			/** Number of items in the tier. */
			item_count: number;
			/** Priced share of the tier's own probability in the current calculation, rounded down; null without a calculation of this revision. */
			priced_probability_mass_pct: Schema<"FinePercentage"> | null;
		};
		/** A probability in percent as a decimal string with eight decimal places, rounded half up. */
		ProbabilityPercentage: string;
		/** Metadata of the response, with the times behind the calculation. */
		OpenableMeta: {
			request_id: Schema<"RequestId">;
			generated_at: Schema<"GeneratedAt">;
			/** `price_as_of` of the calculation; null (unknown) if that is null or without a calculation. */
			as_of: Schema<"Timestamp"> | null;
			freshness: Schema<"Freshness">;
		};
		/** Whether a row is one UTC hour or one UTC day. */
		SelectedRoiGranularity: "hour" | "day";
		/** Response of `getOpenableHistory`: one page of model snapshots. */
		OpenableHistoryEnvelope: {
			/** The snapshots, in ascending order of `ts`, all of one mode, granularity and methodology version. */
			data: Schema<"RoiHistoryRow">[];
			meta: Schema<"RoiSeriesMeta">;
		};
		/** The model's last result in one UTC hour or day. */
		RoiHistoryRow: {
			/** Kind of row: a snapshot of the model, not a sale or a realized return. */
			kind: "model_snapshot";
			/** Start of the UTC hour or day of the row. */
			ts: string;
			/** When the stored row was written. Not a price time. */
			recorded_at: string;
			revision_id: Schema<"PoolRevisionId">;
			revision_number: Schema<"PoolRevisionNumber">;
			methodology_version: Schema<"MethodologyVersion">;
			/** Origin of the row's inputs; it is not recorded. */
			provenance: "not_recorded";
			valuation_mode: Schema<"ValuationMode">;
			granularity: Schema<"RoiGranularity">;
			/** Modeled cost of one opening in US-dollar cents: container plus key. */
			cost_cents: number;
			/** Modeled expected value of one opening in US-dollar cents, not a median or guaranteed sale value; null if too little was priced for a point value; not zero. */
			expected_value_cents: number | null;
			/** Expected value minus cost, in US-dollar cents; may be negative, null without an expected value. */
			expected_profit_cents: number | null;
			/** Expected value / cost x 100; may exceed 100, null without an expected value. */
			return_pct: Schema<"ReturnPercentage"> | null;
			/** Modeled probability that the outcome is worth more than the cost; null if too little was priced for a point value. */
			profit_chance_pct: Schema<"FinePercentage"> | null;
			/** Probability of the possible outcomes with a price, rounded down. */
			priced_probability_mass_pct: string;
			/** Oldest source time of the prices; null (unknown) if any of them has none. */
			price_as_of: Schema<"Timestamp"> | null;
			/** Currency of every amount; always `USD`. */
			currency: "USD";
			/** Decimal places of the amounts; always 2, for US-dollar cents. */
			minor_units: 2;
		};
		/** Whether a row is one UTC hour or one UTC day. */
		RoiGranularity: "hour" | "day";
		/** Metadata of the response: its window, its gaps and the times behind its rows. */
		RoiSeriesMeta: {
			request_id: Schema<"RequestId">;
			generated_at: Schema<"GeneratedAt">;
			from: Schema<"UtcDate">;
			to: Schema<"UtcDate">;
			resolution: Schema<"RoiGranularity">;
			missing_points: Schema<"MissingPoints">;
			/** Pass it unchanged as `after`. Null on the last page. */
			next_page: Schema<"PageCursor"> | null;
			/** Oldest `price_as_of` of the returned rows; null (unknown) if any of them has none. */
			as_of: Schema<"Timestamp"> | null;
			freshness: Schema<"Freshness">;
			timestamp_quality: Schema<"TimestampQuality">;
			known_at?: Schema<"KnownAtOfResponse">;
		};
		/** Response of `listOpenableOutcomes`: one page of outcomes. */
		OpenableOutcomeListEnvelope: {
			/** The outcomes, in the order of the pool. */
			data: Schema<"OpenableOutcome">[];
			meta: Schema<"OpenablePageMeta">;
		};
		/** One exact item of a pool, with its odds and its value in the current calculation. */
		OpenableOutcome: {
			item_id: Schema<"ItemId">;
			market_hash_name: Schema<"MarketHashName">;
			/** Exact paint phase, or null; it never falls back to another phase or an unphased item. */
			phase: Schema<"PaintPhase"> | null;
			tier: Schema<"TierName">;
			/** Numerator of the outcome's probability, in digits. */
			probability_numerator: string;
			/** Denominator of the probability, in digits; the same for all outcomes of the pool. */
			probability_denominator: string;
			probability_pct: Schema<"ProbabilityPercentage">;
			status: Schema<"OutcomeStatus">;
			/** Lowest ask in this mode at the calculation, in US-dollar cents; null if not priced. */
			value_cents: Schema<"Cents"> | null;
			/** Provider of that ask; null if the outcome is not priced. */
			value_provider: Schema<"ProviderSlug"> | null;
			/** Source time of that ask; null if the source gave none or the outcome is not priced. */
			value_as_of: Schema<"Timestamp"> | null;
			/** Highest daily ask of exactly this item among the mode's providers in the 90 completed UTC days before the calculation, in US-dollar cents; null for priced outcomes and if none is stored. */
			recent_high_cents: Schema<"Cents"> | null;
			/** Price ceiling of the mode's providers, in US-dollar cents, if this unpriced outcome counts as above it, else null. */
			above_ceiling_cents: Schema<"Cents"> | null;
		};
		/** State of an outcome in the calculation. */
		OutcomeStatus: "priced" | "unpriced" | "excluded";
		/** Response of `listDataEvents`: one page of events. */
		DataEventListEnvelope: {
			/** The events, newest `at` first, then highest `event_id`. */
			data: Schema<"DataEvent">[];
			meta: Schema<"PageMeta">;
		};
		/** One event of the data. */
		DataEvent: {
			/** Number of the event, never given again. */
			event_id: number;
			at: Schema<"Timestamp">;
			/** The last refusal of this body; null for other kinds, and for a body that was refused once. */
			last_at: Schema<"Timestamp"> | null;
			kind: Schema<"DataEventKind">;
			cause: Schema<"DataEventCause">;
			/** The feed concerned; null for an event that is not of one feed. */
			feed: Schema<"FeedName"> | null;
			/** The provider concerned; null for a whole feed, and for an event that is not of a provider. */
			provider: Schema<"ProviderSlug"> | null;
			/** The index concerned; null for an event that is not of an index. */
			index_id: Schema<"IndexId"> | null;
			/** The container concerned; null for an event that is not of a container. */
			openable: Schema<"OpenableSlug"> | null;
			/** The first items concerned, ascending. */
			item_ids: Schema<"ItemId">[];
			window_from: Schema<"Timestamp">;
			window_to: Schema<"Timestamp">;
			/** The separate times within the window, ascending, of a gap or of frames. */
			spans: Schema<"DataEventSpan">[];
			/** Number of refused bodies, accepted bodies, missing hours, frames, dropped quotes, daily rows, rates, items or levels, depending on the kind; 1 for a revised day and a published pool. */
			count: number;
			/** The guard that refused the body or was overruled; null for other kinds. */
			guard: string | null;
			/** The measured figure in words; null for kinds without a guard, and on the Free plan. */
			figure: string | null;
			/** SHA-256 of the refused, accepted or imported body; null if it is unknown, and for other kinds. */
			body_digest: Schema<"Sha256Digest"> | null;
			/** The revision before the event; null if there was none, and for other kinds. */
			before: Schema<"DataEventState"> | null;
			/** The revision after the event; null for kinds without a revision. */
			after: Schema<"DataEventState"> | null;
			/** The first changes of values; empty for kinds without them, and on the Free plan. */
			changes: Schema<"DataEventChange">[];
		};
		/** Kind of event. */
		DataEventKind: "body_refused" | "exception_accepted" | "gap" | "late_frame" | "frame_retracted" | "feed_dropped" | "days_imported" | "days_replaced" | "day_revised" | "rates_corrected" | "items_moved" | "index_revised" | "pool_published" | (string & Record<never, never>);
		/** Cause of the event. */
		DataEventCause: "guard" | "operator" | "import" | "saved_body" | "delay" | "catalog" | "prices" | "body_refused" | "late_frame" | "frame_retracted" | "feed_dropped" | "days_imported" | "days_replaced" | "several" | "not_known" | (string & Record<never, never>);
		/** One time within the window of an event, from `from` until before `to`. */
		DataEventSpan: {
			from: Schema<"Timestamp">;
			to: Schema<"Timestamp">;
		};
		/** A revision of a sealed day, of an index level or of a pool. */
		DataEventState: {
			/** Number of the revision. */
			revision: number;
			/** SHA-256 of the day's daily lines; null for an index level and a pool. */
			digest: Schema<"Sha256Digest"> | null;
			/** SHA-256 of the day's hourly lines; null if its hours were removed, and for other kinds. */
			hourly_digest: Schema<"Sha256Digest"> | null;
		};
		/** One value that the event changed. */
		DataEventChange: {
			/** Name of the value that changed. */
			field: "ask_cents" | "bid_cents" | "rate_per_usd" | "market_hash_name" | "phase" | "identity" | "in_catalog" | "value" | (string & Record<never, never>);
			/** The item whose value changed; null for rates and index levels. */
			item_id: Schema<"ItemId"> | null;
			/** The currency whose rate changed; null for other values. */
			currency: Schema<"CurrencyCode"> | null;
			/** The value before, as text; null if there was none. */
			before: string | null;
			/** The value after, as text; null if there is none. */
			after: string | null;
		};
		/** Response of `getUsage`: plan, usage and limits of the account. */
		UsageEnvelope: {
			data: Schema<"Usage">;
			meta: Schema<"Meta">;
		};
		/** Usage of the account, over all its keys. */
		Usage: {
			plan: Schema<"PlanName">;
			/** When the plan ends; null for a plan without an end. */
			plan_ends_at: Schema<"Timestamp"> | null;
			/** First instant of the current UTC calendar month. */
			month_starts_at: string;
			/** First instant of the next UTC calendar month, when usage restarts at zero. */
			month_ends_at: string;
			/** Units of the plan per UTC calendar month. */
			monthly_limit: number;
			/** Units used in this month. */
			monthly_used: number;
			/** Units left in this month; 0 if more are used than the plan has. */
			monthly_remaining: number;
			/** Requests per minute that the plan allows, over all keys. */
			minute_limit: number;
			/** Export starts in the last 24 hours, a running export included. */
			snapshot_starts_used: number;
			/** Export starts that the plan allows in any 24 hours; 0 if it has no exports. */
			snapshot_starts_limit: number;
			/** When the next start becomes free; null if a start is free now or the plan has no exports. */
			snapshot_next_start_at: Schema<"Timestamp"> | null;
		};
		/** Plan of the account. */
		PlanName: "free" | "builder" | "trader" | "quant";
		/** Response of `listPortfolios`: one page of portfolios. */
		PortfolioListEnvelope: {
			/** The portfolios, in ascending order of `portfolio_id`. */
			data: Schema<"Portfolio">[];
			meta: Schema<"PageMeta">;
		};
		/** Settings of one portfolio. */
		Portfolio: {
			portfolio_id: Schema<"PortfolioId">;
			/** Name that the owner gave to the portfolio. */
			name: string;
			/** ISO 4217 code of the currency for the owner's display. */
			display_currency: string;
			/** Currency of all money of the portfolio; always `USD`, also with another `display_currency`. */
			currency: "USD";
			/** Decimal places of amounts; always 2, for US-dollar cents. */
			minor_units: 2;
			/** Whether the owner shares the portfolio publicly on the web. */
			is_public: boolean;
			/** Slug of the provider that values new days by its daily asks, or the reserved word `lowest-ask`: each lot at the lowest daily ask of all providers with a feed checked that day. */
			price_source: string;
			/** Number of lots in the portfolio now. */
			holding_count: number;
			/** Number of rows in this owner's ledger, over all days. */
			transaction_count: number;
			/** When the portfolio was created here. */
			created_at: string;
			/** When its settings, lots or ledger last changed. */
			updated_at: string;
		};
		/** Id of a portfolio. It is not a secret and grants no access. */
		PortfolioId: string;
		/** Response of `getPortfolio`: the settings of one portfolio. */
		PortfolioEnvelope: {
			data: Schema<"Portfolio">;
			meta: Schema<"Meta">;
		};
		/** Response of `listPortfolioHoldings`: one page of lots. */
		PortfolioHoldingListEnvelope: {
			/** The lots, in ascending order of `holding_id`. */
			data: Schema<"PortfolioHolding">[];
			meta: Schema<"PageMeta">;
		};
		/** One lot: units of one exact item that were added together. */
		PortfolioHolding: {
			holding_id: Schema<"HoldingId">;
			item_id: Schema<"ItemId">;
			market_hash_name: Schema<"LotItemName">;
			/** Exact paint phase, or null; it never falls back to an unphased item. */
			phase: Schema<"PaintPhase"> | null;
			/** Number of units in the lot. */
			quantity: number;
			/** Cost of one unit in US-dollar cents; null is unknown, 0 is free. */
			unit_cost_cents: number | null;
			/** Whether `unit_cost_cents` is an estimate, not a paid amount. */
			cost_estimated: boolean;
			/** UTC day on which the lot was acquired; null if unknown. */
			acquired_on: Schema<"UtcDate"> | null;
			origin: Schema<"HoldingOrigin">;
			/** When the lot was recorded here. */
			created_at: string;
			/** When the lot last changed here. */
			updated_at: string;
			/** Currency of all amounts; always `USD`, also with another `display_currency`. */
			currency: "USD";
			/** Decimal places of amounts; always 2, for US-dollar cents. */
			minor_units: 2;
		};
		/** Id of one lot in a portfolio. */
		HoldingId: string;
		/** Name of the item; null (unknown, like its phase) if the server does not have the item yet, as one of several servers may for some seconds. */
		LotItemName: Schema<"MarketHashName"> | null;
		/** Origin of the lot: by hand, by an import, or from a row of the ledger. */
		HoldingOrigin: "manual" | "import" | "transaction";
		/** Response of `listPortfolioTransactions`: one page of ledger rows. */
		PortfolioTransactionListEnvelope: {
			/** The ledger rows, in ascending order of `occurred_on`, then `transaction_id`. */
			data: Schema<"PortfolioTransaction">[];
			meta: Schema<"LedgerMeta">;
		};
		/** One row of this owner's ledger. */
		PortfolioTransaction: {
			transaction_id: Schema<"TransactionId">;
			/** The lot of the row, which may no longer exist; null if none is recorded. */
			holding_id: Schema<"HoldingId"> | null;
			kind: Schema<"TransactionKind">;
			item_id: Schema<"ItemId">;
			market_hash_name: Schema<"LotItemName">;
			/** Exact paint phase, or null; it never falls back to an unphased item. */
			phase: Schema<"PaintPhase"> | null;
			/** Number of units, never 0. */
			quantity: number;
			/** Amount per unit in US-dollar cents; null is unknown, 0 is nothing. */
			unit_amount_cents: number | null;
			/** Fees of the whole row in US-dollar cents; null is unknown, 0 means no fees. */
			fee_cents: number | null;
			/** Amount of the whole row in US-dollar cents, without a sign, as the owner recorded it; null is unknown, 0 is nothing. */
			total_amount_cents: number | null;
			/** Whether the amounts are estimates, not paid amounts. */
			cost_estimated: boolean;
			/** Marketplace of the transaction, as the owner recorded it; null if none is recorded. */
			provider: Schema<"ProviderSlug"> | null;
			/** UTC day of the transaction. */
			occurred_on: string;
			/** Time of the transaction; null if only the day is known. */
			occurred_at: Schema<"Timestamp"> | null;
			/** When the row was written here. */
			recorded_at: string;
			/** Currency of all amounts; always `USD`, also with another `display_currency`. */
			currency: "USD";
			/** Decimal places of amounts; always 2, for US-dollar cents. */
			minor_units: 2;
		};
		/** Id of one row of a ledger. */
		TransactionId: string;
		/** Kind of ledger row. `buy`, `sell`: units against money. */
		TransactionKind: "buy" | "sell" | "transfer_in" | "transfer_out" | "adjustment";
		/** Metadata of the response: its window and the position of the next page. */
		LedgerMeta: {
			request_id: Schema<"RequestId">;
			generated_at: Schema<"GeneratedAt">;
			from: Schema<"UtcDate">;
			to: Schema<"UtcDate">;
			/** Pass it unchanged as `after`. Null on the last page. */
			next_page: Schema<"PageCursor"> | null;
		};
		/** Response of `getPortfolioHistory`: one page of daily values. */
		PortfolioHistoryEnvelope: {
			/** The daily values, in ascending order of `date`. */
			data: Schema<"PortfolioValuation">[];
			meta: Schema<"DailySeriesMeta">;
		};
		/** Value of a portfolio on one UTC day, from daily asks: observed offers, not completed sales. */
		PortfolioValuation: {
			/** The UTC day of the value. */
			date: string;
			/** Kind of value: a valuation at observed offers, not a return. */
			kind: "portfolio_valuation";
			/** Daily ask times quantity in US-dollar cents, summed over the lots with a price; null if no lot had one, never 0 for an unknown. */
			value_cents: number | null;
			/** Unit cost times quantity in US-dollar cents, summed over all lots of the day, priced or not; null if the cost of any lot is unknown. */
			cost_basis_cents: number | null;
			/** Number of lots on that day. */
			holding_count: number;
			/** Number of lots with a stored price of that day at `price_source` for their exact item. */
			priced_holding_count: number;
			/** Number of lots without such a price. */
			unpriced_holding_count: number;
			/** True if `unpriced_holding_count` is 0. */
			complete: boolean;
			/** Number of lots with a price of that day and a known unit cost; null in rows that an earlier release wrote. */
			compared_holding_count: number | null;
			/** Value of these lots alone, in US-dollar cents; null without such lots, and in rows that an earlier release wrote. */
			compared_value_cents: number | null;
			/** Unit cost times quantity of the same lots, in US-dollar cents; null if `compared_value_cents` is null. */
			compared_cost_cents: number | null;
			/** Provider of the daily asks, or `lowest-ask`; null is an unknown legacy source. */
			price_source: Schema<"ProviderSlug"> | null;
			/** Slugs of the providers with daily asks in `value_cents`, in ascending order; null if `price_source` is unknown. */
			price_providers: Schema<"ProviderSlug">[] | null;
			/** Oldest source observation of the prices; null (unknown) if any of them has none. */
			price_as_of: Schema<"Timestamp"> | null;
			/** When this value was calculated. */
			recorded_at: string;
			/** Currency of all amounts; always `USD`, also with another `display_currency`. */
			currency: "USD";
			/** Decimal places of amounts; always 2, for US-dollar cents. */
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
				/** Maximum number of rows on a page. */
				limit?: number;
				/** Value of `meta.next_page` of the previous page, unchanged. */
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
				/** Maximum number of providers on a page. */
				limit?: number;
				/** Value of `meta.next_page` of the previous page, unchanged. */
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
				/** Exclusive lower bound of `item_id`: the value of `meta.next_cursor` of the previous page. */
				cursor?: number;
				/** Maximum number of rows on a page. */
				limit?: number;
				/** Words in any order. */
				q?: string;
				/** Only items of this type, such as `Weapon` or `Knife`. */
				item_type?: "Weapon" | "Knife" | "Gloves" | "Sticker" | "Sticker Slab" | "Graffiti" | "Patch" | "Charm" | "Music Kit" | "Agent" | "Collectible" | "Container" | "Key" | "Tool";
				/** Only items of this rarity grade, such as `Covert`. */
				rarity?: string;
				/** Only items of this weapon, such as `Karambit`. */
				weapon?: string;
				/** Only items of this wear, such as `Factory New`. */
				wear?: "Factory New" | "Minimal Wear" | "Field-Tested" | "Well-Worn" | "Battle-Scarred";
				/** Only items of this exact paint phase, such as `Phase 2` or `Ruby`. */
				phase?: "Phase 1" | "Phase 2" | "Phase 3" | "Phase 4" | "Ruby" | "Sapphire" | "Black Pearl" | "Emerald";
				/** Only stat-counter variants (`true`), or only others (`false`). */
				stat_counter?: boolean;
				/** Only souvenir variants (`true`), or only others (`false`). */
				souvenir?: boolean;
				/** Only items that this provider quotes, by its exact slug. */
				provider?: string;
				/** Minimum of `best_ask_cents`. In US-dollar cents, inclusive. */
				ask_min?: number;
				/** Maximum of `best_ask_cents`. In US-dollar cents, inclusive. */
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
				/** Exact slug of one provider, see `listProviders`. */
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
				/** Instant of the past, for a paid plan (`plan_upgrade_required`). */
				known_at?: Schema<"KnownInstant">;
				/** Maximum number of daily rows on a page. */
				limit?: number;
				/** Value of `meta.next_page` of the previous page, unchanged. */
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
				/** Exact slug of one provider, see `listProviders`; it never falls back to another. */
				provider?: Schema<"ProviderSlug">;
				/** First UTC day, inclusive. */
				from?: Schema<"UtcDate">;
				/** Last UTC day, inclusive, not before `from` and not after today (`invalid_range`). */
				to?: Schema<"UtcDate">;
				/** Instant of the past, for a paid plan (`plan_upgrade_required`). */
				known_at?: Schema<"KnownInstant">;
				/** Maximum number of rows on a page. */
				limit?: number;
				/** Value of `meta.next_page` of the previous page, unchanged. */
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
				/** Maximum number of day revisions on a page. */
				limit?: number;
				/** Value of `meta.next_page` of the previous page, unchanged. */
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
	getMarketPricesKnownAt: {
		parameters: {
			query?: never;
			path?: never;
		};
		requestBody: {
			content: {
				"application/json": Schema<"KnownPricesRequest">;
			};
		};
		responses: {
			200: {
				content: {
					"application/json": Schema<"MarketPricesKnownAtEnvelope">;
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
				/** The generation that the client has, such as `g5`; not a page cursor. */
				after?: string;
				/** Maximum wait in seconds for a generation newer than `after`. */
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
				/** Name of a generation, as in quotes and exports: `g` and its number without leading zero. */
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
				/** Maximum number of rows on a page. */
				limit?: number;
				/** Value of `meta.next_page` of the previous page, unchanged. */
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
				/** Only levels of this methodology; by default the index's current one. */
				methodology_version?: Schema<"MethodologyVersion">;
				/** Instant of the past, for a paid plan (`plan_upgrade_required`). */
				known_at?: Schema<"KnownInstant">;
				/** Maximum number of rows on a page. */
				limit?: number;
				/** Value of `meta.next_page` of the previous page, unchanged. */
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
				/** Members of this version; by default the version of the latest level. */
				membership_version?: Schema<"MembershipVersion">;
				/** Maximum number of rows on a page. */
				limit?: number;
				/** Value of `meta.next_page` of the previous page, unchanged. */
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
				/** Maximum number of rates on a page. */
				limit?: number;
				/** Value of `meta.next_page` of the previous page, unchanged. */
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
				/** Instant of the past, for a paid plan (`plan_upgrade_required`). */
				known_at?: Schema<"KnownInstant">;
				/** Maximum number of daily rows on a page. */
				limit?: number;
				/** Value of `meta.next_page` of the previous page, unchanged. */
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
				/** Valuation mode of the container and its outcomes; `steam_gross` by default. */
				valuation_mode?: Schema<"SelectedValuationMode">;
				/** Maximum number of containers on a page. */
				limit?: number;
				/** Value of `meta.next_page` of the previous page, unchanged. */
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
				/** Valuation mode of the container and its outcomes; `steam_gross` by default. */
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
				/** Rows per UTC hour or per UTC day; `day` by default. */
				granularity?: Schema<"SelectedRoiGranularity">;
				/** Valuation mode of the container and its outcomes; `steam_gross` by default. */
				valuation_mode?: Schema<"SelectedValuationMode">;
				/** Only rows of this methodology; by default the methodology of the current calculation. */
				methodology_version?: Schema<"MethodologyVersion">;
				/** Instant of the past, for a paid plan (`plan_upgrade_required`). */
				known_at?: Schema<"KnownInstant">;
				/** Maximum number of history rows on a page. */
				limit?: number;
				/** Value of `meta.next_page` of the previous page, unchanged. */
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
				/** Valuation mode of the container and its outcomes; `steam_gross` by default. */
				valuation_mode?: Schema<"SelectedValuationMode">;
				/** Maximum number of rows on a page. */
				limit?: number;
				/** Value of `meta.next_page` of the previous page, unchanged. */
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
	listDataEvents: {
		parameters: {
			query?: {
				/** Only events of this kind. */
				kind?: string;
				/** Only events that concern this feed. */
				feed?: string;
				/** Only events that concern this provider or its whole feed. */
				provider?: Schema<"ProviderSlug">;
				/** Only events that concern this UTC day or a later day. */
				from?: Schema<"UtcDate">;
				/** Only events that concern this UTC day or an earlier day, not before `from` (`invalid_range`). */
				to?: Schema<"UtcDate">;
				/** Maximum number of rows on a page. */
				limit?: number;
				/** Value of `meta.next_page` of the previous page, unchanged. */
				after?: Schema<"PageCursor">;
			};
			path?: never;
		};
		responses: {
			200: {
				content: {
					"application/json": Schema<"DataEventListEnvelope">;
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
				/** Maximum number of rows on a page. */
				limit?: number;
				/** Value of `meta.next_page` of the previous page, unchanged. */
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
				/** Id of a portfolio from `listPortfolios`: `pf_` and 16 to 32 of `[A-Za-z0-9]`. */
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
				/** Maximum number of rows on a page. */
				limit?: number;
				/** Value of `meta.next_page` of the previous page, unchanged. */
				after?: Schema<"PageCursor">;
			};
			path: {
				/** Id of a portfolio from `listPortfolios`: `pf_` and 16 to 32 of `[A-Za-z0-9]`. */
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
				/** Maximum number of rows on a page. */
				limit?: number;
				/** Value of `meta.next_page` of the previous page, unchanged. */
				after?: Schema<"PageCursor">;
			};
			path: {
				/** Id of a portfolio from `listPortfolios`: `pf_` and 16 to 32 of `[A-Za-z0-9]`. */
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
				/** Maximum number of daily rows on a page. */
				limit?: number;
				/** Value of `meta.next_page` of the previous page, unchanged. */
				after?: Schema<"PageCursor">;
			};
			path: {
				/** Id of a portfolio from `listPortfolios`: `pf_` and 16 to 32 of `[A-Za-z0-9]`. */
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
