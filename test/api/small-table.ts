import type { AccessRule } from "../../src/access/admission.ts";
import type { OperationTable } from "../../src/api/operations.ts";
import type { OperationId } from "../../src/contract/types.ts";

const free: AccessRule = { scope: "market:read", plan: "free", monthlyUnits: 1, lease: false };
const paid: AccessRule = { ...free, plan: "paid" };
const owned: AccessRule = { ...free, scope: "portfolio:read" };

/** The arguments passed to the rows of the small table, in order. */
export type Seen = { operation: OperationId; params: unknown }[];

/** Rows that record their arguments and return small responses. They do not implement the operations. */
export function smallTable(seen: Seen = []): OperationTable {
  const row = (operation: OperationId, rule: AccessRule) => ({
    rule,
    prepare(params: unknown) {
      seen.push({ operation, params });
      return params;
    },
    read: (params: unknown) => ({ data: params }),
  });
  const table: Record<OperationId, unknown> = {
    getStatus: { rule: null, read: () => ({ data: { database: "ok", market_snapshot: "missing", release: "0.1.0" } }) },
    listContractChanges: row("listContractChanges", free),
    listProviders: row("listProviders", free),
    listItems: row("listItems", free),
    getItem: row("getItem", free),
    resolveItemNames: row("resolveItemNames", free),
    getMarketPrices: row("getMarketPrices", paid),
    getMarketPricesBatch: row("getMarketPricesBatch", paid),
    getMarketPricesKnownAt: row("getMarketPricesKnownAt", paid),
    getDailyPriceHistory: row("getDailyPriceHistory", free),
    getHourlyPriceHistory: row("getHourlyPriceHistory", paid),
    listDataEvents: row("listDataEvents", free),
    listHistoryDays: row("listHistoryDays", free),
    streamHistoryDay: row("streamHistoryDay", { ...free, lease: true, isStart: false }),
    streamMarketSnapshot: row("streamMarketSnapshot", { ...paid, lease: true }),
    streamMarketChanges: row("streamMarketChanges", paid),
    getCurrentGeneration: row("getCurrentGeneration", paid),
    getGeneration: row("getGeneration", paid),
    listIndexes: row("listIndexes", paid),
    getIndex: row("getIndex", paid),
    getIndexHistory: row("getIndexHistory", paid),
    listIndexMembers: row("listIndexMembers", paid),
    listExchangeRates: row("listExchangeRates", paid),
    getExchangeRateHistory: row("getExchangeRateHistory", paid),
    listOpenables: row("listOpenables", paid),
    getOpenable: row("getOpenable", paid),
    getOpenableHistory: row("getOpenableHistory", paid),
    listOpenableOutcomes: row("listOpenableOutcomes", paid),
    listPortfolios: row("listPortfolios", owned),
    getPortfolio: row("getPortfolio", owned),
    listPortfolioHoldings: row("listPortfolioHoldings", owned),
    listPortfolioTransactions: row("listPortfolioTransactions", owned),
    getPortfolioHistory: row("getPortfolioHistory", owned),
    getUsage: row("getUsage", { scope: null, plan: "free", monthlyUnits: 0, lease: false }),
  };
  return table as unknown as OperationTable;
}
