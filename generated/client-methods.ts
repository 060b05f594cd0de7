// Derived from openapi.yaml by `npm run generate`; edit the document instead.
import type { Method } from "../src/client/types.ts";

/** One method per operation that answers with JSON. Parameters of path, query and body are one flat object. */
export interface OperationMethods {
  /** Tell whether the local data can be read. Needs no key. */
  readonly getStatus: Method<"getStatus">;

  /** List the changes of this contract. All plans; one monthly unit. */
  readonly listContractChanges: Method<"listContractChanges">;

  /** List the providers of quotes. All plans; one monthly unit. */
  readonly listProviders: Method<"listProviders">;

  /** List or search the items of the catalog. All plans; one monthly unit. */
  readonly listItems: Method<"listItems">;

  /** Find the items of up to 100 names. All plans; one monthly unit. */
  readonly resolveItemNames: Method<"resolveItemNames">;

  /** Read the stored metadata of one item. All plans; one monthly unit. */
  readonly getItem: Method<"getItem">;

  /** Read the current cached quotes of one item. Paid plans; one monthly unit. */
  readonly getMarketPrices: Method<"getMarketPrices">;

  /** Read the daily price history of one item. All plans; one monthly unit. */
  readonly getDailyPriceHistory: Method<"getDailyPriceHistory">;

  /** Read the hourly cached quotes of one item. Paid plans; one monthly unit. */
  readonly getHourlyPriceHistory: Method<"getHourlyPriceHistory">;

  /** Read the current cached quotes of up to 100 items. Paid plans; one monthly unit. */
  readonly getMarketPricesBatch: Method<"getMarketPricesBatch">;

  /** Read the digest of one published generation of quotes. Paid plans; one monthly unit. */
  readonly getGeneration: Method<"getGeneration">;

  /** List the price indexes. Paid plans; one monthly unit. */
  readonly listIndexes: Method<"listIndexes">;

  /** Read one price index with its latest level. Paid plans; one monthly unit. */
  readonly getIndex: Method<"getIndex">;

  /** Read the daily levels of one price index. Paid plans; one monthly unit. */
  readonly getIndexHistory: Method<"getIndexHistory">;

  /** List the members of one price index. Paid plans; one monthly unit. */
  readonly listIndexMembers: Method<"listIndexMembers">;

  /** List the latest exchange rates. Paid plans; one monthly unit. */
  readonly listExchangeRates: Method<"listExchangeRates">;

  /** Read the daily exchange rates of one currency. Paid plans; one monthly unit. */
  readonly getExchangeRateHistory: Method<"getExchangeRateHistory">;

  /** List the containers with their current ROI calculation. Paid plans; one monthly unit. */
  readonly listOpenables: Method<"listOpenables">;

  /** Read one container with its pool and its current ROI calculation. Paid plans; one monthly unit. */
  readonly getOpenable: Method<"getOpenable">;

  /** Read what the ROI model said about one container over time. Paid plans; one monthly unit. */
  readonly getOpenableHistory: Method<"getOpenableHistory">;

  /** List every outcome of one container with its odds and its value. Paid plans; one monthly unit. */
  readonly listOpenableOutcomes: Method<"listOpenableOutcomes">;

  /** Read what the account has used and may still use. All plans; no monthly unit. */
  readonly getUsage: Method<"getUsage">;

  /** List the portfolios that this token may read. All plans; one monthly unit. */
  readonly listPortfolios: Method<"listPortfolios">;

  /** Read the settings of one portfolio. All plans; one monthly unit. */
  readonly getPortfolio: Method<"getPortfolio">;

  /** List the inventory lots of one portfolio. All plans; one monthly unit. */
  readonly listPortfolioHoldings: Method<"listPortfolioHoldings">;

  /** List the ledger rows of one portfolio. All plans; one monthly unit. */
  readonly listPortfolioTransactions: Method<"listPortfolioTransactions">;

  /** Read the daily values of one portfolio. All plans; one monthly unit. */
  readonly getPortfolioHistory: Method<"getPortfolioHistory">;
}
