// Derived from openapi.yaml by `npm run generate`; edit the document instead.
import type { Answer, Arguments, ConditionalOptions, NotModified, Params } from "../src/client/types.ts";

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
