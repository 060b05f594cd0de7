import type { Caller } from "../access/credentials.ts";
import type { Params, Schema } from "../contract/types.ts";
import { type PortfolioReads, type TransactionPosition, valuedAt } from "../store/read/portfolios.ts";
import type { CursorFilters, CursorPosition, Cursors } from "../values/cursor.ts";
import { Failure } from "../values/failure/failure.ts";
import { type Soon, whenReady } from "../values/soon.ts";
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
/** `nextDay` is where the page starts. */
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
 * Reads portfolios for the personal tokens that they are selected for, while they are still their account's. Every refused read
 * gets the same refusal without a reason; no `prepare` looks at a portfolio, so that each refusal is paid for.
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
  list({ after, limit }: PortfoliosQuery, { caller }: Reader): Soon<Read<"listPortfolios">> {
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
  portfolio(portfolioId: string, { caller }: Reader): Soon<{ data: Schema<"Portfolio"> }> {
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
  holdings({ portfolioId, after, limit }: HoldingsQuery, reader: Reader): Soon<Read<"listPortfolioHoldings">> {
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
   * Lists rows of the ledger by day and id.
   *
   * @throws {Failure} `portfolio_not_found`.
   */
  transactions(
    { portfolioId, window, after, limit }: TransactionsQuery,
    reader: Reader,
  ): Soon<Read<"listPortfolioTransactions">> {
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
   * Returns the valuations of a portfolio by day, on Free those at the main platform.
   *
   * @throws {Failure} `portfolio_not_found`.
   */
  history(
    { portfolioId, window, nextDay, limit }: ValuationsQuery,
    reader: Reader & { caller: Pick<Caller, "plan">; at: number },
  ): Soon<Read<"getPortfolioHistory">> {
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

  /** Returns the requested window; with a cursor its window and its position. */
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

  /** null: `rows`, of which one more than `limit` was asked for, end here. */
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

/** Makes the one refusal of all five operations, which repeats nothing of the request. */
function portfolioNotFound(): Failure {
  return new Failure("portfolio_not_found");
}

/** The owner's session reads what a token of theirs could be given: no selection is asked for. */
function readerOf({ keyId, accountId, session }: Reader["caller"]): { keyId: string | null; accountId: string } {
  return { keyId: session === undefined ? keyId : null, accountId };
}

function filtersOf({ caller }: Reader, portfolioId: string): CursorFilters {
  return { account_id: caller.accountId, portfolio_id: portfolioId };
}

/** Hands what was read to `make`; null: the portfolio may not be read, for whatever reason. */
function found<Rows, T>(read: Soon<Rows | null>, make: (rows: Rows) => T): Soon<Awaited<T>> {
  return whenReady(read, (rows) => {
    if (rows === null) throw portfolioNotFound();
    return make(rows);
  });
}
