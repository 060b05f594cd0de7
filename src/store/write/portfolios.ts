import { and, asc, eq, getTableColumns, getTableName, isNull, sql } from "drizzle-orm";
import { accounts, activity } from "../../../db/schema/access.ts";
import { items } from "../../../db/schema/catalog.ts";
import { holdings, portfolios, portfolioTransactions, portfolioValuations } from "../../../db/schema/portfolios.ts";
import type { Database } from "../database.ts";

export type PortfolioRecord = typeof portfolios.$inferSelect;
export type HoldingRecord = typeof holdings.$inferSelect;
export type TransactionRecord = typeof portfolioTransactions.$inferSelect;

/** A portfolio as its operator lists it. `valuedDay`: the last day with a valuation; null: none yet. */
export type PortfolioSummary = PortfolioRecord & { lots: number; transactions: number; valuedDay: number | null };

/** An item that goes by a market name. */
export type NamedItem = { itemId: number; marketHashName: string; phase: string | null; inCatalog: boolean };

/** Portfolios as their operator manages and fills them. A deleted one is not found. Callers hold the transactions. */
export class PortfolioWriter {
  readonly #database: Database;
  readonly #statements: ReturnType<typeof prepare>;

  constructor(database: Database) {
    this.#database = database;
    this.#statements = prepare(database);
  }

  isAccount(accountId: string): boolean {
    return this.#statements.account.get({ accountId }) !== undefined;
  }

  find(portfolioId: string): PortfolioRecord | null {
    return this.#statements.find.get({ portfolioId }) ?? null;
  }

  /** Returns the portfolios of an account in the order in which they were made. What an earlier owner recorded is not counted. */
  list(accountId: string): PortfolioSummary[] {
    const isOwners = sql`t.portfolio_id = portfolios.portfolio_id AND t.account_id = portfolios.account_id`;
    return this.#database
      .select({
        portfolio: portfolios,
        lots: sql<number>`(SELECT count(*) FROM holdings AS t WHERE t.portfolio_id = portfolios.portfolio_id)`,
        transactions: sql<number>`(SELECT count(*) FROM portfolio_transactions AS t WHERE ${isOwners})`,
        valuedDay: sql<number | null>`(SELECT max(t.day) FROM portfolio_valuations AS t WHERE ${isOwners})`,
      })
      .from(portfolios)
      .where(and(eq(portfolios.accountId, accountId), isNull(portfolios.deletedAt)))
      .orderBy(asc(portfolios.createdAt), asc(portfolios.portfolioId))
      .all()
      .map(({ portfolio, ...counts }) => ({ ...portfolio, ...counts }));
  }

  add(record: PortfolioRecord): void {
    this.#database.insert(portfolios).values(record).run();
  }

  change(
    portfolioId: string,
    change: Partial<Pick<PortfolioRecord, "accountId" | "name" | "displayCurrency" | "isPublic" | "deletedAt">> & {
      updatedAt: number;
    },
  ): void {
    this.#database.update(portfolios).set(change).where(eq(portfolios.portfolioId, portfolioId)).run();
  }

  /** An entry in the activity of an account: what became of one of its portfolios. */
  addOwnerChange(accountId: string, at: number, detail: string): void {
    this.#database.insert(activity).values({ accountId, keyId: null, kind: "owner_changed", at, detail }).run();
  }

  /** Returns every item of that exact name, those that left the catalog too, in ascending id. */
  itemsNamed(marketHashName: string): NamedItem[] {
    return this.#statements.named.all({ marketHashName });
  }

  item(itemId: number): NamedItem | null {
    return this.#statements.item.get({ itemId }) ?? null;
  }

  /** Returns all lots, in ascending id. */
  lots(portfolioId: string): HoldingRecord[] {
    return this.#statements.lots.all({ portfolioId });
  }

  /** Returns the ledger rows that one owner recorded and that have a reference of their source. */
  transactionsWithRefs(portfolioId: string, accountId: string): TransactionRecord[] {
    return this.#statements.transactions.all({ portfolioId, accountId });
  }

  /**
   * Returns a text that an import of lots or ledger rows changes, but for one in the same millisecond that leaves as many of both; "":
   * there is no such portfolio.
   */
  stateOf(portfolioId: string): string {
    const row = this.#statements.state.get({ portfolioId });
    return row === undefined ? "" : JSON.stringify(row);
  }

  /** Returns the number of ledger rows, those of earlier owners included. */
  transactionCount(portfolioId: string): number {
    return this.#statements.transactionCount.get({ portfolioId })?.count ?? 0;
  }

  addLots(records: readonly HoldingRecord[]): void {
    insertAll(this.#database, holdings, records);
  }

  /** Updates stored lots to the values of the records. */
  changeLots(records: readonly HoldingRecord[]): void {
    const { portfolioId: _portfolio, holdingId: _holding, ...changing } = getTableColumns(holdings);
    const fields = Object.entries(changing);
    const statement = this.#database.$client.prepare(
      `UPDATE holdings SET ${fields.map(([, { name }]) => `${name} = ?`).join(", ")} WHERE portfolio_id = ? AND holding_id = ?`,
    );
    for (const record of records) {
      const values = fields.map(([field]) => bareValue(Reflect.get(record, field)));
      statement.run(...values, record.portfolioId, record.holdingId);
    }
  }

  /** Removes lots. Ledger rows keep naming them. */
  removeLots(records: readonly HoldingRecord[]): void {
    const statement = this.#database.$client.prepare("DELETE FROM holdings WHERE portfolio_id = ? AND holding_id = ?");
    for (const { portfolioId, holdingId } of records) statement.run(portfolioId, holdingId);
  }

  addTransactions(records: readonly TransactionRecord[]): void {
    insertAll(this.#database, portfolioTransactions, records);
  }

  /** Returns the number of stored valuations of one owner on the day `from` or later. */
  valuationsFrom(portfolioId: string, accountId: string, from: number): number {
    return this.#statements.valuations.get({ portfolioId, accountId, from })?.count ?? 0;
  }
}

/** One bare statement for all of them: a file is written in one transaction, which keeps other writers out. */
function insertAll(
  database: Database,
  table: typeof holdings | typeof portfolioTransactions,
  records: readonly object[],
): void {
  const columns = Object.entries(getTableColumns(table));
  const names = columns.map(([, { name }]) => name).join(", ");
  const places = columns.map(() => "?").join(", ");
  const statement = database.$client.prepare(`INSERT INTO ${getTableName(table)} (${names}) VALUES (${places})`);
  for (const record of records) statement.run(columns.map(([field]) => bareValue(Reflect.get(record, field))));
}

function bareValue(value: unknown): unknown {
  return typeof value === "boolean" ? Number(value) : value;
}

function prepare(database: Database) {
  const { placeholder } = sql;
  const { itemId, marketHashName, phase, inCatalog } = items;
  const named = { itemId, marketHashName, phase, inCatalog };
  const ofPortfolio = placeholder("portfolioId");
  return {
    account: database
      .select({ accountId: accounts.accountId })
      .from(accounts)
      .where(eq(accounts.accountId, placeholder("accountId")))
      .prepare(),
    find: database
      .select()
      .from(portfolios)
      .where(and(eq(portfolios.portfolioId, ofPortfolio), isNull(portfolios.deletedAt)))
      .prepare(),
    named: database
      .select(named)
      .from(items)
      .where(eq(marketHashName, placeholder("marketHashName")))
      .orderBy(asc(itemId))
      .prepare(),
    item: database
      .select(named)
      .from(items)
      .where(eq(itemId, placeholder("itemId")))
      .prepare(),
    lots: database
      .select()
      .from(holdings)
      .where(eq(holdings.portfolioId, ofPortfolio))
      .orderBy(asc(holdings.holdingId))
      .prepare(),
    transactions: database
      .select()
      .from(portfolioTransactions)
      .where(
        and(
          eq(portfolioTransactions.portfolioId, ofPortfolio),
          eq(portfolioTransactions.accountId, placeholder("accountId")),
          sql`${portfolioTransactions.integrationRef} IS NOT NULL`,
        ),
      )
      .prepare(),
    ...prepareCounts(database),
  };
}

/** Prepares what tells whether a portfolio changed, and how much there is of it. */
function prepareCounts(database: Database) {
  const { placeholder } = sql;
  const ofPortfolio = placeholder("portfolioId");
  return {
    state: database
      .select({
        updatedAt: portfolios.updatedAt,
        lots: sql<number>`(SELECT count(*) FROM holdings AS t WHERE t.portfolio_id = portfolios.portfolio_id)`,
        transactions: sql<number>`(SELECT count(*) FROM portfolio_transactions AS t WHERE t.portfolio_id = portfolios.portfolio_id)`,
      })
      .from(portfolios)
      .where(eq(portfolios.portfolioId, ofPortfolio))
      .prepare(),
    transactionCount: database
      .select({ count: sql<number>`count(*)` })
      .from(portfolioTransactions)
      .where(eq(portfolioTransactions.portfolioId, ofPortfolio))
      .prepare(),
    valuations: database
      .select({ count: sql<number>`count(*)` })
      .from(portfolioValuations)
      .where(
        and(
          eq(portfolioValuations.portfolioId, ofPortfolio),
          eq(portfolioValuations.accountId, placeholder("accountId")),
          sql`${portfolioValuations.day} >= ${placeholder("from")}`,
        ),
      )
      .prepare(),
  };
}
