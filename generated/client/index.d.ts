// Made from src/client and openapi.yaml by `npm run generate`; edit those instead.
import type { components, operations } from "../openapi.d.ts";

/** A named schema of the contract, such as `Schema<"CatalogItem">`. */
export type Schema<Name extends keyof components["schemas"]> = components["schemas"][Name];
/** A code of a refusal: one of the contract's list, which later versions may add to. */
export type ErrorCode = Schema<"ErrorCode"> | (string & Record<never, never>);
/** Name of an operation of the contract. */
export type OperationId = keyof operations;
/** An operation that answers with JSON: all but the export. */
export type JsonOperationId = Exclude<OperationId, "streamMarketSnapshot">;
/** Parameters of path and query and the fields of the body as one flat object. Integers are numbers. */
export type Params<Id extends OperationId> = Flat<Given<operations[Id]["parameters"]["path"]> & Given<operations[Id]["parameters"]["query"]> & Body<operations[Id]>>;
/** `data` of an answer. */
export type Data<Id extends JsonOperationId> = Envelope<Id> extends {
    data: infer Value;
} ? Value : never;
/** `meta` of an answer. */
export type Meta<Id extends JsonOperationId> = Envelope<Id> extends {
    meta: infer Value;
} ? Value : never;
/** An operation whose answers are pages of a list. */
export type PagedOperationId = {
    [Id in JsonOperationId]: Meta<Id> extends {
        next_cursor: number | null;
    } | {
        next_page: string | null;
    } ? Id : never;
}[JsonOperationId];
/** One row of a list. */
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
 * is an export that broke off and is begun again.
 */
export type RetryNotice = {
    readonly operationId: OperationId;
    readonly status: number;
    readonly code: ErrorCode | null;
    readonly waitMs: number;
    readonly attempt: number;
};
/** Options of one call. */
export type CallOptions = {
    /** Ends requests and waits; what is thrown then is the signal's reason. */
    readonly signal?: AbortSignal | undefined;
    /** Instead of the client's own. */
    readonly retry?: Partial<RetryPolicy> | undefined;
};
/** Options of a conditional read: `etag` of an answer to the same request. Without one the read is no conditional one. */
export type ConditionalOptions = CallOptions & {
    readonly ifNoneMatch: string | null | undefined;
};
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
export type Arguments<Id extends JsonOperationId, Options = CallOptions> = Record<never, never> extends Params<Id> ? [params?: Params<Id>, options?: Options] : [params: Params<Id>, options?: Options];
/** Records of the export. */
export type SnapshotStart = Schema<"SnapshotStart">;
export type SnapshotItemRecord = Schema<"SnapshotItem">;
export type SnapshotItem = Schema<"SnapshotItemData">;
export type SnapshotQuote = Schema<"SnapshotQuote">;
export type SnapshotEnd = Schema<"SnapshotEnd">;
/** The record of an export under way; one of `type` `error` is thrown as `ExportError` instead. */
export type SnapshotRecord = SnapshotStart | SnapshotItemRecord | SnapshotEnd;
/** Digest of a generation's prices as both sides computed it: SHA-256 in hexadecimal. */
export type VerifiedDigest = {
    readonly digest: string;
    readonly items: number;
    readonly bytes: number;
};
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
/** Time, chance and waiting, for tests. */
export type ClientParts = {
    readonly clock: {
        now(): number;
        monotonicMs(): number;
    };
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

/** Facts of a refusal. */
export type RefusalFacts = {
    readonly status: number;
    readonly problem: Schema<"Problem"> | null;
    readonly requestId: string | null;
    readonly retryAfterMs: number | null;
    readonly attempts: number;
};
/**
 * The server refused. `code` is one of the contract's closed list, or null where the answer had no problem record (a proxy).
 * No text of the server in it holds the key.
 */
export declare class ItemtapeError extends Error {
    readonly name = "ItemtapeError";
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
    constructor(message: string, facts: RefusalFacts);
}
/**
 * `unreachable`: no connection, or it broke off. `timeout`: no whole answer in time. `redirect`: the server points elsewhere,
 * where the key is never sent. `too_large`: more than 32 MiB. `broken`: no answer of the contract. `paging`: a list whose
 * cursor repeats or goes backwards.
 */
export type TransportReason = "unreachable" | "timeout" | "redirect" | "too_large" | "broken" | "paging";
/** There was no answer, or none that the contract knows. It is never retried. */
export declare class TransportError extends Error {
    readonly name = "TransportError";
    readonly reason: TransportReason;
    /** Requests that were sent for it. Those before the last were refused: where nothing else is the `cause`, it is that refusal. */
    readonly attempts: number;
    /** Request id of the answer that was broken or not whole; null where there was none or it names none. */
    readonly requestId: string | null;
    constructor(reason: TransportReason, message: string, facts?: TransportFacts);
}
/** Facts of an answer that did not come or was none of the contract. */
export type TransportFacts = {
    readonly cause?: unknown;
    readonly attempts?: number | undefined;
    readonly requestId?: string | null | undefined;
};
/**
 * `changed`: a generation was published meanwhile. `interrupted`: the server gave up. `truncated`: the stream ended or stood
 * still without its end. `malformed`: a record that the contract forbids here. `digest`: the prices are not those of the
 * generation's digest. `unconfirmed`: it came whole, but the digest could not be read; `cause` is the ItemtapeError or
 * TransportError.
 */
export type ExportReason = "changed" | "interrupted" | "truncated" | "malformed" | "digest" | "unconfirmed";
/** An export that began and is not to be used. What came of it is to be thrown away. */
export declare class ExportError extends Error {
    readonly name = "ExportError";
    readonly reason: ExportReason;
    readonly requestId: string | null;
    /** Line of the stream, from 1, at which it went wrong; 0 where none did, as with `digest` and `unconfirmed`. */
    readonly line: number;
    constructor(reason: ExportReason, message: string, facts?: {
        requestId?: string | null;
        line?: number;
        cause?: unknown;
    });
}

/**
 * One method per operation that answers with JSON. Parameters of path, query and body are one flat object. Each throws `ItemtapeError`
 * for a refusal, `TransportError` for no answer or a broken one.
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
    /** Read the current cached quotes of up to 100 items. Paid plans; one monthly unit. */
    getMarketPricesBatch(params: Params<"getMarketPricesBatch">, options: ConditionalOptions): Promise<Answer<"getMarketPricesBatch"> | NotModified>;
    /** Read the current cached quotes of up to 100 items. Paid plans; one monthly unit. */
    getMarketPricesBatch(...given: Arguments<"getMarketPricesBatch">): Promise<Answer<"getMarketPricesBatch">>;
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
 * The API with one key, or with none for `getStatus`. Each JSON operation is a method: `client.getItem({ item_id: 445 })`.
 *
 * - Only 429 and 503 are sent again, after `Retry-After` and some jitter, within the attempts and times of `RetryPolicy`; a
 *   used-up month (`monthly_quota_exceeded`) never.
 * - The key goes into the `Authorization` header of requests to `baseUrl` and nowhere else; redirects are refused.
 * - A refusal is an `ItemtapeError`, no answer or a broken one a `TransportError`, wrong parameters are a `TypeError` before
 *   anything is sent. An abort throws the reason of the caller's signal.
 */
export declare class Itemtape {
    #private;
    /** @throws {TypeError} when an option cannot be used. */
    constructor(options?: ItemtapeOptions);
    /**
     * Calls an operation by name. With `ifNoneMatch`, the `etag` of an answer to the same request, the answer may be
     * `{ status: 304, data: null }`; it costs a unit all the same.
     */
    call<Id extends JsonOperationId>(operationId: Id, params: Params<Id>, options: ConditionalOptions): Promise<Answer<Id> | NotModified>;
    call<Id extends JsonOperationId>(operationId: Id, ...given: Arguments<Id>): Promise<Answer<Id>>;
    /** Returns the answer's bytes as received, for a caller that checks them. Waits and throws like `call`, but does not look into the body. */
    read<Id extends JsonOperationId>(operationId: Id, ...[params, options]: Arguments<Id, ReadOptions>): Promise<RawAnswer>;
    /**
     * Yields the pages of a list from where `params` says, each a call with its own attempts and times. All other parameters stay as they
     * are.
     *
     * @throws what `call` throws, and {TransportError} `paging` for a cursor that repeats or goes backwards.
     */
    pages<Id extends PagedOperationId>(operationId: Id, ...[params, options]: Arguments<Id>): AsyncGenerator<Answer<Id>, void, undefined>;
    /**
     * Yields the rows of all pages, one by one.
     *
     * @throws as `pages`, after the rows of the pages before.
     */
    rows<Id extends PagedOperationId>(operationId: Id, ...given: Arguments<Id>): AsyncGenerator<Row<Id>, void, undefined>;
    /**
     * Returns the whole market, handed over only when it is complete: one `start`, items in ascending id within the bound, one matching
     * `end`, one generation, and prices that have the digest which the server published for it (`digest: "skip"` saves that unit).
     * Until then it stays in memory, which takes about as many bytes as the stream has uncompressed: 55 MiB for 30,000 items with
     * 270,000 quotes.
     *
     * @throws {ExportError} when an export that began is not valid; ItemtapeError when it was refused.
     */
    exportMarket(options?: ExportOptions): Promise<VerifiedExport>;
    /**
     * Yields the records of an export as they come: `start`, items, `end`. The caller has seen rows before it is known whether the export is
     * complete: until `end` comes, which is after everything but the digest was checked, they prove nothing.
     * Leaving the loop ends the export.
     *
     * @throws as `exportMarket`, at the first fault.
     */
    streamMarketUnverified(options?: StreamOptions): AsyncGenerator<SnapshotRecord, void, undefined>;
}
export {};
