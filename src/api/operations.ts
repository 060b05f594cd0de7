import type { PermitRequest } from "../access/account-permits.ts";
import type { AccessRule, Admission } from "../access/admission.ts";
import type { Caller } from "../access/credentials.ts";
import { holderMs } from "../access/ledger/ledger.ts";
import type { Data, OperationId, Params, ReadMeta } from "../contract/types.ts";
import type { Catalog } from "../domain/catalog.ts";
import type { ContractChanges } from "../domain/contract-changes.ts";
import type { DailyHistory } from "../domain/daily-history.ts";
import type { DataEventLog } from "../domain/data-events.ts";
import type { ExchangeRates } from "../domain/exchange-rates.ts";
import type { CurrentRequest, Generations } from "../domain/generations.ts";
import type { HistoryDays } from "../domain/history-days.ts";
import type { HourlyHistory } from "../domain/hourly-history.ts";
import type { Indexes } from "../domain/indexes.ts";
import type { KnownPrices } from "../domain/known-prices.ts";
import type { ClientState, MarketChanges } from "../domain/market-changes.ts";
import type { MarketSnapshot, SnapshotRun } from "../domain/market-snapshot.ts";
import type { Openables } from "../domain/openables.ts";
import type { Portfolios } from "../domain/portfolios.ts";
import type { Providers } from "../domain/providers.ts";
import type { Quotes } from "../domain/quotes.ts";
import type { Reference } from "../domain/reference.ts";
import type { Status } from "../domain/status.ts";
import type { Usage } from "../domain/usage.ts";
import type { Encoded } from "../values/encoded.ts";
import type { MaybePromise } from "../values/maybe-promise.ts";

/** Context of `prepare`: the caller, the instant in UTC ms, and reference facts. It has no market data. */
type PrepareContext = { readonly caller: Caller; readonly at: number; readonly reference: Reference };

/** Operations with a stream of records as response. */
type StreamId = "streamMarketSnapshot" | "streamMarketChanges" | "streamHistoryDay";

/** A successful response: `data`, and the fields of `meta` that the API handler does not know. A stream returns its run. */
type Reply<Id extends OperationId> = Id extends StreamId ? { readonly stream: SnapshotRun } : JsonReply<Id>;

/** A delayed response. `wait` calls its function once, at most `waitMs` from now, and returns a function that cancels the wait. */
type DelayedReply<Id extends OperationId> = {
  readonly waitMs: number;
  wait(wake: () => void): () => void;
  read(): JsonReply<Id>;
};

type JsonReply<Id extends OperationId> = {
  readonly data: Data<Id> | Encoded;
} & (keyof ReadMeta<Id> extends never ? { readonly meta?: undefined } : { readonly meta: ReadMeta<Id> });

/** An operation without a key. Nothing is checked or charged. */
type PublicOperation<Id extends OperationId> = {
  readonly rule: null;
  read(params: Params<Id>, at: number): Reply<Id>;
};

/**
 * `prepare` resolves the request and may refuse it before the charge. `read` runs only for an admitted request, on read-only handles. It is
 * synchronous unless its rows are in PostgreSQL. Both throw Failure.
 */
type ProtectedOperation<Id extends OperationId, Query> = {
  readonly rule: AccessRule;
  prepare(params: Params<Id>, context: PrepareContext): Query;
  /** The permit that the request acquires with its charge, null without one. */
  permit?(query: Query): PermitRequest | null;
  read(query: Query, admission: Admission): MaybePromise<Reply<Id>> | DelayedReply<Id>;
};

/** Only an operation's own `prepare` and `read` know the type of its query. */
// biome-ignore lint/suspicious/noExplicitAny: no other type means "some query, the same in both places".
export type Operation<Id extends OperationId> = PublicOperation<Id> | ProtectedOperation<Id, any>;

/** A row for every operation of the contract. The compiler reports missing rows. */
export type OperationTable = { readonly [Id in OperationId]: Operation<Id> };

/** Gives the query of `prepare` and `read` the same type. */
function protectedOperation<Id extends OperationId, Query>(
  row: ProtectedOperation<Id, Query>,
): ProtectedOperation<Id, Query> {
  return row;
}

/** Sources that the operations read. */
export type Domain = {
  reference: Reference;
  status: Status;
  catalog: Catalog;
  quotes: Quotes;
  knownPrices: KnownPrices;
  dailyHistory: DailyHistory;
  hourlyHistory: HourlyHistory;
  historyDays: HistoryDays;
  dataEvents: DataEventLog;
  indexes: Indexes;
  exchangeRates: ExchangeRates;
  openables: Openables;
  portfolios: Portfolios;
  providers: Providers;
  snapshot: MarketSnapshot;
  marketChanges: MarketChanges;
  usage: Usage;
  generations: Generations;
  changes: ContractChanges;
};

/** All plans; one unit of the month. */
const metadata: AccessRule = { scope: "market:read", plan: "free", monthlyUnits: 1, lease: false };
/** Paid plans; one unit. */
const prices: AccessRule = { scope: "market:read", plan: "paid", monthlyUnits: 1, lease: false };
/** Paid plans; one unit, a lease and an export start. */
const exports: AccessRule = { scope: "market:read", plan: "paid", monthlyUnits: 1, lease: true };
/** All plans; one unit and a lease that does not count as a start. */
const dayExports: AccessRule = { scope: "market:read", plan: "free", monthlyUnits: 1, lease: true, isStart: false };
/** All plans, personal tokens only; one unit, even if the token may read no portfolio. */
const owned: AccessRule = { scope: "portfolio:read", plan: "free", monthlyUnits: 1, lease: false };
/** Any valid key; counts in the minute, costs no unit. */
const account: AccessRule = { scope: null, plan: "free", monthlyUnits: 0, lease: false };

/** Returns the operations of the contract, each with its access rule and its read. */
export function operationTable(domain: Domain) {
  return {
    ...serviceRows(domain),
    ...marketRows(domain),
    ...historyRows(domain),
    ...indexRows(domain),
    ...rateRows(domain),
    ...openableRows(domain),
    ...portfolioRows(domain),
  } satisfies OperationTable;
}

/** The service itself: status, usage, changes of the contract. */
function serviceRows(domain: Domain) {
  return {
    getStatus: { rule: null, read: () => domain.status.read() },
    getUsage: protectedOperation<"getUsage", null>({
      rule: account,
      prepare: () => null,
      read: (_query, { caller }) => domain.usage.read(caller),
    }),
    listContractChanges: protectedOperation<"listContractChanges", Parameters<ContractChanges["list"]>[0]>({
      rule: metadata,
      prepare: (params) => domain.changes.prepareList(params, domain.reference),
      read: (query) => domain.changes.list(query, domain.reference),
    }),
  } satisfies Partial<OperationTable>;
}

/** Catalog, providers and current quotes. */
function marketRows(domain: Domain) {
  const { reference } = domain;
  return {
    listProviders: protectedOperation<"listProviders", Parameters<Providers["list"]>[0]>({
      rule: metadata,
      prepare: (params) => domain.providers.prepareList(params, reference),
      read: (query) => domain.providers.list(query, reference),
    }),
    listItems: protectedOperation<"listItems", Parameters<Catalog["list"]>[0]>({
      rule: metadata,
      prepare: (params, context) => domain.catalog.prepareList(params, context),
      read: (query, { caller }) => domain.catalog.list(query, caller.plan !== "free"),
    }),
    getItem: protectedOperation<"getItem", number>({
      rule: metadata,
      prepare: ({ item_id }) => item_id,
      read: (itemId) => domain.catalog.item(itemId),
    }),
    resolveItemNames: protectedOperation<"resolveItemNames", readonly string[]>({
      rule: metadata,
      prepare: ({ body }) => body.names,
      read: (names) => domain.catalog.resolve(names),
    }),
    getMarketPrices: protectedOperation<"getMarketPrices", Parameters<Quotes["item"]>[0]>({
      rule: prices,
      prepare: (params) => domain.quotes.prepareItem(params, reference),
      read: (query, { at }) => domain.quotes.item(query, at),
    }),
    getMarketPricesBatch: protectedOperation<"getMarketPricesBatch", Parameters<Quotes["batch"]>[0]>({
      rule: prices,
      prepare: (params) => domain.quotes.prepareBatch(params, reference),
      read: (query, { at }) => domain.quotes.batch(query, at),
    }),
    getMarketPricesKnownAt: protectedOperation<"getMarketPricesKnownAt", Parameters<KnownPrices["read"]>[0]>({
      rule: prices,
      prepare: (params, context) => domain.knownPrices.prepare(params, context),
      read: (query) => domain.knownPrices.read(query),
    }),
    streamMarketSnapshot: protectedOperation<"streamMarketSnapshot", null>({
      rule: exports,
      prepare: () => null,
      read: (_query, admission) => ({ stream: domain.snapshot.open(admission) }),
    }),
    streamMarketChanges: protectedOperation<"streamMarketChanges", ClientState>({
      rule: prices,
      prepare: (params) => domain.marketChanges.prepare(params),
      permit: () => ({ kind: "changes", holdMs: holderMs }),
      read: (held, admission) => ({ stream: domain.marketChanges.open(held, admission) }),
    }),
    getCurrentGeneration: protectedOperation<"getCurrentGeneration", CurrentRequest>({
      rule: prices,
      prepare: (params) => domain.generations.prepareCurrent(params),
      permit: (query) => (domain.generations.isUnchanged(query) ? { kind: "waiting", holdMs: query.waitMs } : null),
      read(query, { lease }) {
        const { generations } = domain;
        const isToWait = lease !== null && generations.isUnchanged(query);
        return isToWait ? laterGeneration(generations, query) : generations.current();
      },
    }),
    getGeneration: protectedOperation<"getGeneration", string>({
      rule: prices,
      prepare: ({ generation }) => generation,
      read: (generation, { at }) => domain.generations.read(generation, at),
    }),
  } satisfies Partial<OperationTable>;
}

function laterGeneration(
  generations: Generations,
  { after, waitMs }: CurrentRequest,
): DelayedReply<"getCurrentGeneration"> {
  return {
    waitMs,
    wait: (wake) => generations.waiters.wait(after ?? 0, waitMs, wake),
    read: () => generations.current(),
  };
}

function historyRows(domain: Domain) {
  return {
    // All plans may call it; `prepare` refuses data beyond the plan.
    getDailyPriceHistory: protectedOperation<"getDailyPriceHistory", Parameters<DailyHistory["read"]>[0]>({
      rule: metadata,
      prepare: (params, context) => domain.dailyHistory.prepare(params, context),
      read: (query, { at }) => domain.dailyHistory.read(query, at),
    }),
    getHourlyPriceHistory: protectedOperation<"getHourlyPriceHistory", Parameters<HourlyHistory["read"]>[0]>({
      rule: prices,
      prepare: (params, context) => domain.hourlyHistory.prepare(params, context),
      read: (query, { at }) => domain.hourlyHistory.read(query, at),
    }),
    listHistoryDays: protectedOperation<"listHistoryDays", Parameters<HistoryDays["list"]>[0]>({
      rule: metadata,
      prepare: (params) => domain.historyDays.prepareList(params, domain.reference),
      read: (query) => domain.historyDays.list(query, domain.reference),
    }),
    // All plans may call it; `prepare` refuses data beyond the plan.
    streamHistoryDay: protectedOperation<"streamHistoryDay", Parameters<HistoryDays["open"]>[0]>({
      rule: dayExports,
      prepare: (params, context) => domain.historyDays.prepareExport(params, context),
      read: (query, admission) => ({ stream: domain.historyDays.open(query, admission) }),
    }),
    listDataEvents: protectedOperation<"listDataEvents", Parameters<DataEventLog["list"]>[0]>({
      rule: metadata,
      prepare: (params) => domain.dataEvents.prepareList(params, domain.reference),
      read: (query, { caller }) => domain.dataEvents.list(query, domain.reference, caller),
    }),
  } satisfies Partial<OperationTable>;
}

function indexRows(domain: Domain) {
  const { reference } = domain;
  return {
    listIndexes: protectedOperation<"listIndexes", Parameters<Indexes["list"]>[0]>({
      rule: prices,
      prepare: (params) => domain.indexes.prepareList(params, reference),
      read: (query, { at }) => domain.indexes.list(query, { reference, at }),
    }),
    getIndex: protectedOperation<"getIndex", Parameters<Indexes["index"]>[0]>({
      rule: prices,
      prepare: ({ index_id }) => index_id,
      read: (query, { at }) => domain.indexes.index(query, at),
    }),
    getIndexHistory: protectedOperation<"getIndexHistory", Parameters<Indexes["history"]>[0]>({
      rule: prices,
      prepare: (params, context) => domain.indexes.prepareHistory(params, context),
      read: (query, { at }) => domain.indexes.history(query, { reference, at }),
    }),
    listIndexMembers: protectedOperation<"listIndexMembers", Parameters<Indexes["members"]>[0]>({
      rule: prices,
      prepare: (params, context) => domain.indexes.prepareMembers(params, context),
      read: (query, { at }) => domain.indexes.members(query, { reference, at }),
    }),
  } satisfies Partial<OperationTable>;
}

function rateRows(domain: Domain) {
  return {
    listExchangeRates: protectedOperation<"listExchangeRates", Parameters<ExchangeRates["list"]>[0]>({
      rule: prices,
      prepare: (params) => domain.exchangeRates.prepareList(params),
      read: (query) => domain.exchangeRates.list(query),
    }),
    getExchangeRateHistory: protectedOperation<"getExchangeRateHistory", Parameters<ExchangeRates["history"]>[0]>({
      rule: prices,
      prepare: (params, context) => domain.exchangeRates.prepareHistory(params, context),
      read: (query, { at }) => domain.exchangeRates.history(query, at),
    }),
  } satisfies Partial<OperationTable>;
}

function openableRows(domain: Domain) {
  const { reference } = domain;
  return {
    listOpenables: protectedOperation<"listOpenables", Parameters<Openables["list"]>[0]>({
      rule: prices,
      prepare: (params) => domain.openables.prepareList(params, reference),
      read: (query, { at }) => domain.openables.list(query, { reference, at }),
    }),
    getOpenable: protectedOperation<"getOpenable", Parameters<Openables["openable"]>[0]>({
      rule: prices,
      prepare: (params) => domain.openables.prepareOpenable(params),
      read: (query, { at }) => domain.openables.openable(query, at),
    }),
    getOpenableHistory: protectedOperation<"getOpenableHistory", Parameters<Openables["history"]>[0]>({
      rule: prices,
      prepare: (params, context) => domain.openables.prepareHistory(params, context),
      read: (query, { at }) => domain.openables.history(query, { reference, at }),
    }),
    listOpenableOutcomes: protectedOperation<"listOpenableOutcomes", Parameters<Openables["outcomes"]>[0]>({
      rule: prices,
      prepare: (params, context) => domain.openables.prepareOutcomes(params, context),
      read: (query, { at }) => domain.openables.outcomes(query, { reference, at }),
    }),
  } satisfies Partial<OperationTable>;
}

/** Portfolios of the caller's account. Each read checks the access again. */
function portfolioRows(domain: Domain) {
  return {
    listPortfolios: protectedOperation<"listPortfolios", Parameters<Portfolios["list"]>[0]>({
      rule: owned,
      prepare: (params, context) => domain.portfolios.prepareList(params, context),
      read: (query, admission) => domain.portfolios.list(query, admission),
    }),
    getPortfolio: protectedOperation<"getPortfolio", string>({
      rule: owned,
      prepare: ({ portfolio_id }) => portfolio_id,
      read: (portfolioId, admission) => domain.portfolios.portfolio(portfolioId, admission),
    }),
    listPortfolioHoldings: protectedOperation<"listPortfolioHoldings", Parameters<Portfolios["holdings"]>[0]>({
      rule: owned,
      prepare: (params, context) => domain.portfolios.prepareHoldings(params, context),
      read: (query, admission) => domain.portfolios.holdings(query, admission),
    }),
    listPortfolioTransactions: protectedOperation<
      "listPortfolioTransactions",
      Parameters<Portfolios["transactions"]>[0]
    >({
      rule: owned,
      prepare: (params, context) => domain.portfolios.prepareTransactions(params, context),
      read: (query, admission) => domain.portfolios.transactions(query, admission),
    }),
    getPortfolioHistory: protectedOperation<"getPortfolioHistory", Parameters<Portfolios["history"]>[0]>({
      rule: owned,
      prepare: (params, context) => domain.portfolios.prepareHistory(params, context),
      read: (query, admission) => domain.portfolios.history(query, admission),
    }),
  } satisfies Partial<OperationTable>;
}
