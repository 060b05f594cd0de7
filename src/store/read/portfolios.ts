import { and, asc, between, eq, getTableColumns, gt, isNull, lte, type SQL, sql } from "drizzle-orm";
import { unionAll } from "drizzle-orm/sqlite-core";
import { items } from "../../../db/schema/catalog.ts";
import {
  holdings,
  keyPortfolios,
  mainValuations,
  portfolios,
  portfolioTransactions,
  portfolioValuations,
} from "../../../db/schema/portfolios.ts";
import type { MaybePromise } from "../../values/maybe-promise.ts";
import type { Database } from "../database.ts";

/**
 * The reader of a portfolio. `keyId` is the key that must have it selected, or null for its owner. `accountId` is the account that must own
 * it.
 */
type PortfolioReader = { keyId: string | null; accountId: string };

type Private = "notes" | "externalAccountId" | "integrationRef" | "source";
/** Name and phase of an item. `marketHashName` is null if this market lacks the item, for example on a node with an older release. */
type Named = { marketHashName: string | null; phase: string | null };

/** A portfolio without the columns that never leave the server. */
type PortfolioRow = Omit<typeof portfolios.$inferSelect, Exclude<Private, "source"> | "accountId" | "deletedAt">;

/** A portfolio with the sizes of its two lists. */
export type PortfolioEntry = PortfolioRow & { holdingCount: number; transactionCount: number };

/** A lot with the name of its item. `acquiredDay` is in days since 1970. */
export type HoldingRow = Omit<typeof holdings.$inferSelect, Private | "portfolioId"> & Named;

/** A row of the ledger with the name of its item. */
export type TransactionRow = Omit<
  typeof portfolioTransactions.$inferSelect,
  Exclude<Private, "source"> | "portfolioId" | "accountId"
> &
  Named;

/** The value of a portfolio at the end of one day. */
export type ValuationRow = Omit<typeof portfolioValuations.$inferSelect, "portfolioId" | "accountId" | "dayRevision">;

/** The ledger row before the first row of a page. */
export type TransactionPosition = { day: number; transactionId: string };

/** The days `from` to `to`, since 1970, inclusive. */
type Days = { from: number; to: number };

type Statements = ReturnType<typeof prepare>;

/** A page of the values in a window of days, from `nextDay` on. `source` is the provider of the prices, or null for the portfolio's own. */
export type ValuationPage = { window: Days; nextDay: number; source: string | null };

/**
 * Reads portfolios for a token. Each read is a transaction that checks again whether the key may read the portfolio and the account still
 * owns it. A result is null if either check fails. Lists have at most `limit` rows.
 */
export interface PortfolioReads {
  page(reader: PortfolioReader, after: string, limit: number): MaybePromise<PortfolioEntry[]>;
  entry(portfolioId: string, reader: PortfolioReader): MaybePromise<PortfolioEntry | null>;
  /** Returns lots with an id after `after`, in ascending order. */
  holdings(
    portfolioId: string,
    reader: PortfolioReader,
    after: string,
    limit: number,
  ): MaybePromise<HoldingRow[] | null>;
  /** Returns ledger rows after `after` up to the day `to`, by day and id. */
  transactions(
    portfolioId: string,
    reader: PortfolioReader,
    span: { after: TransactionPosition; to: number },
    limit: number,
  ): MaybePromise<TransactionRow[] | null>;
  /** Returns the valuations of a page in ascending day, and all days of the window that have one. */
  valuations(
    portfolioId: string,
    reader: PortfolioReader,
    page: ValuationPage,
    limit: number,
  ): MaybePromise<{ rows: ValuationRow[]; days: number[] } | null>;
}

/**
 * Reads portfolios for a token. All reads use `open`, which checks again that the key has the portfolio selected and the account still owns
 * it. Each read begins its own transaction. `database` must have no open transaction, because that would miss a transfer or deletion before
 * the request.
 */
export class PortfoliosStore implements PortfolioReads {
  readonly #statements: Statements;
  readonly #begin;
  readonly #commit;

  constructor(database: Database) {
    this.#statements = prepare(database);
    this.#begin = database.$client.prepare("BEGIN");
    this.#commit = database.$client.prepare("COMMIT");
  }

  /** Returns at most `limit` portfolios that `reader` may read, with an id after `after`, in ascending order. */
  page({ keyId, accountId }: PortfolioReader, after: string, limit: number): PortfolioEntry[] {
    return keyId === null
      ? this.#statements.ownPage.all({ accountId, after, limit })
      : this.#statements.page.all({ keyId, accountId, after, limit });
  }

  entry(portfolioId: string, reader: PortfolioReader): PortfolioEntry | null {
    return this.open(portfolioId, reader, (portfolio) => portfolio.entry());
  }

  holdings(portfolioId: string, reader: PortfolioReader, after: string, limit: number): HoldingRow[] | null {
    return this.open(portfolioId, reader, (portfolio) => portfolio.holdings(after, limit));
  }

  transactions(
    portfolioId: string,
    reader: PortfolioReader,
    { after, to }: { after: TransactionPosition; to: number },
    limit: number,
  ): TransactionRow[] | null {
    return this.open(portfolioId, reader, (portfolio) => portfolio.transactions(after, to, limit));
  }

  valuations(
    portfolioId: string,
    reader: PortfolioReader,
    { window, nextDay, source }: ValuationPage,
    limit: number,
  ): { rows: ValuationRow[]; days: number[] } | null {
    return this.open(portfolioId, reader, (portfolio) => {
      const all = portfolio.valuations(window, source);
      return { rows: all.filter(({ day }) => day >= nextDay).slice(0, limit), days: all.map(({ day }) => day) };
    });
  }

  /**
   * Runs `work` in the transaction that checked the reader's access. Returns null if `reader` may not read the portfolio. For any id, it
   * runs the same statement with the same lookups.
   */
  open<T>(portfolioId: string, reader: PortfolioReader, work: (portfolio: OpenPortfolio) => T): T | null {
    this.#begin.run();
    try {
      const { keyId, accountId } = reader;
      const { open, ownOpen } = this.#statements;
      // Outer joins make every column nullable, but the condition excludes rows without a portfolio.
      const row = (keyId === null ? ownOpen : open).get({ keyId, accountId, portfolioId }) as PortfolioRow | undefined;
      return row === undefined ? null : work(new OpenPortfolio(row, reader, this.#statements));
    } finally {
      this.#commit.run();
    }
  }
}

/**
 * A readable portfolio, valid until the callback of `open` returns. Its lots belong to the portfolio. Its ledger and values are limited to
 * rows recorded for the reader's account.
 */
export class OpenPortfolio {
  readonly row: PortfolioRow;
  readonly #own: { portfolioId: string; accountId: string };
  readonly #statements: Statements;

  constructor(row: PortfolioRow, { accountId }: PortfolioReader, statements: Statements) {
    this.row = row;
    this.#own = { portfolioId: row.portfolioId, accountId };
    this.#statements = statements;
  }

  entry(): PortfolioEntry {
    const counts = this.#statements.counts.get(this.#own)!;
    return { ...this.row, ...counts };
  }

  /** Returns at most `limit` lots with an id after `after`, in ascending order. */
  holdings(after: string, limit: number): HoldingRow[] {
    return this.#statements.holdings.all({ portfolioId: this.row.portfolioId, after, limit });
  }

  /** Returns at most `limit` ledger rows after `after` up to the day `to`, by day and id. */
  transactions(after: TransactionPosition, to: number, limit: number): TransactionRow[] {
    return this.#statements.transactions.all({ ...this.#own, ...after, to, limit });
  }

  /** Returns the valuations of the days `from` to `to`, in ascending day. `source` is the same as in `ValuationPage`. */
  valuations({ from, to }: Days, source: string | null): ValuationRow[] {
    return this.#statements.valuations.all({ ...this.#own, from, to, source });
  }
}

/** Returns whether any portfolio is not deleted. */
export function hasPortfolios(database: Database): boolean {
  const any = database.select({ one: sql`1` }).from(portfolios).where(isNull(portfolios.deletedAt)).limit(1);
  return any.get() !== undefined;
}

function prepare(database: Database) {
  return { ...preparePortfolios(database), ...prepareLists(database), ...prepareValuations(database) };
}

/** Returns the columns that a token may see, without private ones. */
function portfolioColumns() {
  const { portfolioId, name, displayCurrency, isPublic, priceSource, createdAt, updatedAt } =
    getTableColumns(portfolios);
  return { portfolioId, name, displayCurrency, isPublic, priceSource, createdAt, updatedAt };
}

function preparePortfolios(database: Database) {
  const { placeholder } = sql;
  const { portfolioId: ledgerOf, accountId: recordedFor } = portfolioTransactions;
  const counts = (portfolioId: unknown) => ({
    holdingCount: sql<number>`(SELECT count(*) FROM ${holdings} WHERE ${holdings.portfolioId} = ${portfolioId})`,
    transactionCount: sql<number>`(SELECT count(*) FROM ${portfolioTransactions}
      WHERE ${ledgerOf} = ${portfolioId} AND ${recordedFor} = ${placeholder("accountId")})`,
  });
  /** An equivalent lookup that finds nothing, because ids contain no dash. */
  const missing = sql`asked.portfolio_id || '-'`;
  const isOwn = and(eq(portfolios.accountId, placeholder("accountId")), isNull(portfolios.deletedAt));
  const asked = sql`(SELECT ${placeholder("portfolioId")} AS portfolio_id) AS asked`;
  return {
    // Searches an id only in the key's own selection. Unselected portfolios are never found, so that not even the response time reveals
    // them. Outer joins and one condition over both force the second lookup in any case.
    open: database
      .select(portfolioColumns())
      .from(asked)
      .leftJoin(
        keyPortfolios,
        and(eq(keyPortfolios.keyId, placeholder("keyId")), sql`${keyPortfolios.portfolioId} = asked.portfolio_id`),
      )
      .leftJoin(portfolios, sql`${portfolios.portfolioId} = coalesce(${keyPortfolios.portfolioId}, ${missing})`)
      .where(
        sql`(${keyPortfolios.portfolioId} IS NOT NULL) + (${portfolios.accountId} IS ${placeholder("accountId")})
          + (${portfolios.portfolioId} IS NOT NULL AND ${portfolios.deletedAt} IS NULL) = 3`,
      )
      .prepare(),
    page: database
      .select({ ...portfolioColumns(), ...counts(portfolios.portfolioId) })
      .from(keyPortfolios)
      .innerJoin(portfolios, eq(portfolios.portfolioId, keyPortfolios.portfolioId))
      .where(
        and(
          eq(keyPortfolios.keyId, placeholder("keyId")),
          gt(keyPortfolios.portfolioId, placeholder("after")),
          sql`+${portfolios.accountId} = ${placeholder("accountId")}`,
          isNull(portfolios.deletedAt),
        ),
      )
      .orderBy(asc(keyPortfolios.portfolioId))
      .limit(placeholder("limit"))
      .prepare(),
    // Searches an id only among the account's own portfolios. The index of ids would also find portfolios of other accounts.
    ownOpen: database
      .select(portfolioColumns())
      .from(portfolios)
      .where(and(isOwn, sql`+${portfolios.portfolioId} = ${placeholder("portfolioId")}`))
      .prepare(),
    // Plain SQL, because Drizzle omits table names from columns in a query of one table.
    ownPage: database
      .select({ ...portfolioColumns(), ...counts(sql`portfolios.portfolio_id`) })
      .from(portfolios)
      .where(and(isOwn, gt(portfolios.portfolioId, placeholder("after"))))
      .orderBy(asc(portfolios.portfolioId))
      .limit(placeholder("limit"))
      .prepare(),
    counts: database.select(counts(sql`asked.portfolio_id`)).from(asked).prepare(),
  };
}

function prepareLists(database: Database) {
  const { placeholder } = sql;
  const { marketHashName, phase } = items;
  const { portfolioId: _owner, ...lot } = withoutPrivate(getTableColumns(holdings));
  const { portfolioId: _ledger, accountId: _reader, ...entry } = withoutPrivate(getTableColumns(portfolioTransactions));
  const { occurredDay, transactionId } = portfolioTransactions;
  return {
    holdings: database
      .select({ ...lot, marketHashName, phase })
      .from(holdings)
      .innerJoin(items, eq(items.itemId, holdings.itemId))
      .where(and(eq(holdings.portfolioId, placeholder("portfolioId")), gt(holdings.holdingId, placeholder("after"))))
      .orderBy(asc(holdings.holdingId))
      .limit(placeholder("limit"))
      .prepare(),
    transactions: database
      .select({ ...entry, marketHashName, phase })
      .from(portfolioTransactions)
      .innerJoin(items, eq(items.itemId, portfolioTransactions.itemId))
      .where(
        and(
          eq(portfolioTransactions.portfolioId, placeholder("portfolioId")),
          eq(portfolioTransactions.accountId, placeholder("accountId")),
          sql`(${occurredDay}, ${transactionId}) > (${placeholder("day")}, ${placeholder("transactionId")})`,
          lte(occurredDay, placeholder("to")),
        ),
      )
      .orderBy(asc(occurredDay), asc(transactionId))
      .limit(placeholder("limit"))
      .prepare(),
  };
}

function prepareValuations(database: Database) {
  const { placeholder } = sql;
  const inWindow = ({ day }: ValuationTable) => between(day, placeholder("from"), placeholder("to"));
  return { valuations: valuesAt(database, inWindow).orderBy(sql`day`).prepare() };
}

type ValuationTable = typeof portfolioValuations | typeof mainValuations;

/**
 * Selects the values of one portfolio and account that match `isWanted`, at the provider in the placeholder `source`. If that is null,
 * selects the values at the portfolio's own source.
 */
export function valuesAt(database: Database, isWanted: (table: ValuationTable) => SQL) {
  const { placeholder } = sql;
  const isMeant = (table: ValuationTable) =>
    and(
      eq(table.portfolioId, placeholder("portfolioId")),
      eq(table.accountId, placeholder("accountId")),
      isWanted(table),
    );
  const {
    portfolioId: _portfolio,
    accountId: _account,
    dayRevision: _revision,
    ...own
  } = getTableColumns(portfolioValuations);
  const { portfolioId: _main, accountId: _owner, dayRevision: _day, ...main } = getTableColumns(mainValuations);
  const source = placeholder("source");
  const isOwn = sql`(${source} IS NULL OR ${own.priceSource} = ${source})`;
  return unionAll(
    database
      .select(own)
      .from(portfolioValuations)
      .where(and(isMeant(portfolioValuations), isOwn)),
    database
      .select(main)
      .from(mainValuations)
      .where(and(isMeant(mainValuations), eq(main.priceSource, source))),
  );
}

function withoutPrivate<Columns extends Partial<Record<Private, unknown>>>(columns: Columns): Omit<Columns, Private> {
  const { notes: _notes, externalAccountId: _account, integrationRef: _reference, source: _kind, ...open } = columns;
  return open;
}

/**
 * Returns the provider at which owners of a plan see the values of their portfolios. Null means each portfolio's own. On Free it is the
 * main platform, or "" without one. Such owners see no daily ask of another provider.
 */
export function valuedAt(plan: string, mainPlatform: string | null): string | null {
  return plan === "free" ? (mainPlatform ?? "") : null;
}
