import type { Caller } from "../access/credentials.ts";
import type { Params, Schema } from "../contract/types.ts";
import { type PortfolioReads, type TransactionPosition, valuedAt } from "../store/read/portfolios.ts";
import type { CursorFilters, CursorPosition, Cursors } from "../values/cursor.ts";
import { Failure } from "../values/failure/failure.ts";
import { type MaybePromise, whenReady } from "../values/maybe-promise.ts";
import { dayOf, hourMs } from "../values/time/calendar.ts";
import { type DayWindow, resolveSeriesWindow, windowTexts } from "../values/time/window.ts";
import { ObservationTimes } from "./observation-times.ts";
import { missingDays, pageOf, type Read, windowIn } from "./paging.ts";
import { holdingOf, portfolioOf, transactionOf, valuationOf } from "./portfolio-records.ts";

type Reader = { caller: Pick<Caller, "keyId" | "accountId" | "session"> };
type Asked = { caller: Pick<Caller, "accountId">; at: number };
type PortfoliosQuery = { after: string; limit: number };
type HoldingsQuery = { portfolioId: string; after: string; limit: number };
type TransactionsQuery = { portfolioId: string; window: DayWindow; after: TransactionPosition; limit: number };
/** `nextDay` is the start of the page. */
type ValuationsQuery = { portfolioId: string; window: DayWindow; nextDay: number; limit: number };

const operations = {
  list: "listPortfolios",
  holdings: "listPortfolioHoldings",
  transactions: "listPortfolioTransactions",
  history: "getPortfolioHistory",
} as const;
const limitDefaults = { list: 50, holdings: 100, transactions: 100, history: 366 };
const freshMs = 48 * hourMs;

/**
 * Reads portfolios for the personal tokens that select them, while the account owns them. Every refused read has the same refusal without a
 * reason. `prepare` never checks a portfolio, so every refusal is charged.
 */
export class Portfolios {
  readonly #store: PortfolioReads;
  readonly #cursors: Cursors;
  readonly #mainPlatform: () => string | null;

  constructor(parts: { store: PortfolioReads; cursors: Cursors; mainPlatform: () => string | null }) {
    this.#store = parts.store;
    this.#cursors = parts.cursors;
    this.#mainPlatform = parts.mainPlatform;
  }

  /** @throws {Failure} `invalid_cursor` or `cursor_mismatch`. */
  prepareList({ limit = limitDefaults.list, after }: Params<"listPortfolios">, { caller }: Asked): PortfoliosQuery {
    const position = this.#position("list", after, { account_id: caller.accountId });
    return { after: position === null ? "" : String(position.key), limit };
  }

  /** Lists portfolios in ascending id. */
  list({ after, limit }: PortfoliosQuery, { caller }: Reader): MaybePromise<Read<"listPortfolios">> {
    const filters = { account_id: caller.accountId };
    return whenReady(this.#store.page(readerOf(caller), after, limit + 1), (rows) => ({
      data: rows.slice(0, limit).map(portfolioOf),
      meta: { next_page: this.#nextPage("list", rows, limit, filters, ({ portfolioId }) => portfolioId) },
    }));
  }

  /**
   * Returns one portfolio.
   *
   * @throws {Failure} `portfolio_not_found`.
   */
  portfolio(portfolioId: string, { caller }: Reader): MaybePromise<{ data: Schema<"Portfolio"> }> {
    return found(this.#store.entry(portfolioId, readerOf(caller)), (entry) => ({ data: portfolioOf(entry) }));
  }

  /** @throws {Failure} `invalid_cursor` or `cursor_mismatch`. */
  prepareHoldings(params: Params<"listPortfolioHoldings">, { caller }: Asked): HoldingsQuery {
    const { portfolio_id: portfolioId, limit = limitDefaults.holdings, after } = params;
    const position = this.#position("holdings", after, { account_id: caller.accountId, portfolio_id: portfolioId });
    return { portfolioId, after: position === null ? "" : String(position.key), limit };
  }

  /**
   * Lists lots in ascending id.
   *
   * @throws {Failure} `portfolio_not_found`.
   */
  holdings({ portfolioId, after, limit }: HoldingsQuery, reader: Reader): MaybePromise<Read<"listPortfolioHoldings">> {
    const read = this.#store.holdings(portfolioId, readerOf(reader.caller), after, limit + 1);
    return found(read, (rows) => {
      const filters = filtersOf(reader, portfolioId);
      return {
        data: rows.slice(0, limit).map(holdingOf),
        meta: { next_page: this.#nextPage("holdings", rows, limit, filters, ({ holdingId }) => holdingId) },
      };
    });
  }

  /** @throws {Failure} `invalid_parameter`, `invalid_range`, `window_too_large`, `invalid_cursor` or `cursor_mismatch`. */
  prepareTransactions(params: Params<"listPortfolioTransactions">, asked: Asked): TransactionsQuery {
    const { portfolio_id: portfolioId, limit = limitDefaults.transactions } = params;
    const { window, position } = this.#window("transactions", params, asked);
    const [day, transactionId] = position === null ? [window.from, ""] : (position.key as [number, string]);
    return { portfolioId, window, after: { day, transactionId }, limit };
  }

  /**
   * Lists ledger rows by day and id.
   *
   * @throws {Failure} `portfolio_not_found`.
   */
  transactions(
    { portfolioId, window, after, limit }: TransactionsQuery,
    reader: Reader,
  ): MaybePromise<Read<"listPortfolioTransactions">> {
    const read = this.#store.transactions(portfolioId, readerOf(reader.caller), { after, to: window.to }, limit + 1);
    return found(read, (rows) => {
      const resolved = windowTexts(window);
      const filters = { ...filtersOf(reader, portfolioId), ...resolved };
      const keyOf = ({ occurredDay, transactionId }: (typeof rows)[number]) => [occurredDay, transactionId];
      return {
        data: rows.slice(0, limit).map(transactionOf),
        meta: { ...resolved, next_page: this.#nextPage("transactions", rows, limit, filters, keyOf) },
      };
    });
  }

  /** @throws {Failure} `invalid_parameter`, `invalid_range`, `window_too_large`, `invalid_cursor` or `cursor_mismatch`. */
  prepareHistory(params: Params<"getPortfolioHistory">, asked: Asked): ValuationsQuery {
    const { portfolio_id: portfolioId, limit = limitDefaults.history } = params;
    const { window, position } = this.#window("history", params, asked);
    return { portfolioId, window, nextDay: position === null ? window.from : Number(position.key) + 1, limit };
  }

  /**
   * Returns the valuations of a portfolio by day. On Free they use the main platform.
   *
   * @throws {Failure} `portfolio_not_found`.
   */
  history(
    { portfolioId, window, nextDay, limit }: ValuationsQuery,
    reader: Reader & { caller: Pick<Caller, "plan">; at: number },
  ): MaybePromise<Read<"getPortfolioHistory">> {
    const source = valuedAt(reader.caller.plan, this.#mainPlatform());
    const read = this.#store.valuations(portfolioId, readerOf(reader.caller), { window, nextDay, source }, limit + 1);
    return found(read, ({ rows, days }) => {
      const page = rows.slice(0, limit);
      const resolved = windowTexts(window);
      const filters = { ...filtersOf(reader, portfolioId), ...resolved };
      const times = new ObservationTimes();
      // A day without a price has no age.
      for (const { valueCents, priceAsOf } of page) if (valueCents !== null) times.add(priceAsOf);
      return {
        data: page.map(valuationOf),
        meta: {
          ...resolved,
          resolution: "day",
          missing_points: missingDays(window, days),
          next_page: this.#nextPage("history", rows, limit, filters, ({ day }) => day),
          ...times.meta(freshMs, reader.at),
        },
      };
    });
  }

  /** Returns the requested window, or the window and the position of a cursor. */
  #window(
    list: "transactions" | "history",
    { portfolio_id, from, to, after }: { portfolio_id: string; from?: string; to?: string; after?: string },
    { caller, at }: Asked,
  ): { window: DayWindow; position: CursorPosition | null } {
    const position = this.#position(list, after, { account_id: caller.accountId, portfolio_id, from, to });
    if (position === null) return { window: resolveSeriesWindow({ from, to }, dayOf(at)), position };
    return { window: windowIn(position.filters), position };
  }

  #position(
    list: keyof typeof operations,
    after: string | undefined,
    given: Readonly<Record<string, string | undefined>>,
  ): CursorPosition | null {
    return after === undefined ? null : this.#cursors.read(after, operations[list], given);
  }

  /** Encodes the next page. Returns null if `rows` contains no more than `limit`. */
  #nextPage<Row>(
    list: keyof typeof operations,
    rows: readonly Row[],
    limit: number,
    filters: CursorFilters,
    keyOf: (row: Row) => CursorPosition["key"],
  ): string | null {
    const { last } = pageOf(rows, limit);
    return last && this.#cursors.write({ operation: operations[list], key: keyOf(last), filters });
  }
}

/** Builds the refusal of all five operations. It repeats no part of the request. */
function portfolioNotFound(): Failure {
  return new Failure("portfolio_not_found");
}

/** An owner's session can read all of the account's portfolios, so it needs no selection. */
function readerOf({ keyId, accountId, session }: Reader["caller"]): { keyId: string | null; accountId: string } {
  return { keyId: session === undefined ? keyId : null, accountId };
}

function filtersOf({ caller }: Reader, portfolioId: string): CursorFilters {
  return { account_id: caller.accountId, portfolio_id: portfolioId };
}

/**
 * Passes the rows to `make`.
 * @throws {Failure} `portfolio_not_found` if they are null.
 */
function found<Rows, T>(read: MaybePromise<Rows | null>, make: (rows: Rows) => T): MaybePromise<Awaited<T>> {
  return whenReady(read, (rows) => {
    if (rows === null) throw portfolioNotFound();
    return make(rows);
  });
}
