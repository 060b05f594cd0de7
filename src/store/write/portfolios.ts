import { and, asc, eq, getTableColumns, getTableName, isNull, sql } from "drizzle-orm";
import { accounts, activity } from "../../../db/schema/access.ts";
import { items } from "../../../db/schema/catalog.ts";
import {
  holdings,
  lastImports,
  portfolios,
  portfolioTransactions,
  portfolioValuations,
  removedLots,
} from "../../../db/schema/portfolios.ts";
import type { Database } from "../database.ts";

export type PortfolioRecord = typeof portfolios.$inferSelect;
export type HoldingRecord = typeof holdings.$inferSelect;
export type RemovedLot = typeof removedLots.$inferSelect;
/** An import that can be undone until the portfolio changes. `before` is JSON. */
type LastImport = typeof lastImports.$inferSelect;
export type TransactionRecord = typeof portfolioTransactions.$inferSelect;

/** A portfolio in an operator's list. `valuedDay` is the last day with a valuation, or null before the first one. */
export type PortfolioSummary = PortfolioRecord & { lots: number; transactions: number; valuedDay: number | null };

/** An item with its market name. */
export type NamedItem = { itemId: number; marketHashName: string; phase: string | null; inCatalog: boolean };

/** Reads and writes portfolios for operators and imports. Deleted portfolios are not found. Callers hold the transactions. */
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

  /** Returns the portfolios of an account in order of creation. Rows recorded by an earlier owner are not counted. */
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
    change: Partial<
      Pick<PortfolioRecord, "accountId" | "name" | "displayCurrency" | "priceSource" | "isPublic" | "deletedAt">
    > & {
      updatedAt: number;
    },
  ): void {
    this.#database.update(portfolios).set(change).where(eq(portfolios.portfolioId, portfolioId)).run();
  }

  /** Adds an entry about a portfolio's change of owner to the activity of an account. */
  addOwnerChange(accountId: string, at: number, detail: string): void {
    this.#database.insert(activity).values({ accountId, keyId: null, kind: "owner_changed", at, detail }).run();
  }

  /** Returns all items with exactly this name in ascending id, including items that left the catalog. */
  itemsNamed(marketHashName: string): NamedItem[] {
    return this.#statements.named.all({ marketHashName });
  }

  item(itemId: number): NamedItem | null {
    return this.#statements.item.get({ itemId }) ?? null;
  }

  /** Returns all lots in ascending id. */
  lots(portfolioId: string): HoldingRecord[] {
    return this.#statements.lots.all({ portfolioId });
  }

  /** Returns the ledger rows of one owner that have a reference from their source. */
  transactionsWithRefs(portfolioId: string, accountId: string): TransactionRecord[] {
    return this.#statements.transactions.all({ portfolioId, accountId });
  }

  /**
   * Returns a text that changes with imports of lots or ledger rows. It misses a change in the same millisecond with equal numbers of both.
   * Returns "" for an unknown portfolio.
   */
  stateOf(portfolioId: string): string {
    const row = this.#statements.state.get({ portfolioId });
    return row === undefined ? "" : JSON.stringify(row);
  }

  /** Returns the number of ledger rows, including rows of earlier owners. */
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

  /**
   * Removes lots of the portfolio of `accountId`. Ledger rows still refer to them. Entered fields of a lot are saved under its reference. A
   * field without a new value keeps its earlier one.
   */
  removeLots(records: readonly HoldingRecord[], accountId: string, removedAt: number): void {
    const remove = this.#database.$client.prepare("DELETE FROM holdings WHERE portfolio_id = ? AND holding_id = ?");
    const keep = this.#database.$client.prepare(keepRemoved);
    for (const record of records) {
      remove.run(record.portfolioId, record.holdingId);
      // A lot without a reference of its own is identified by its content, so no other field must be saved.
      if (record.integrationRef !== null && !record.integrationRef.startsWith("row:"))
        keep.run({ ...record, costEstimated: Number(record.costEstimated), accountId, removedAt });
    }
    const [portfolioId] = records.map((record) => record.portfolioId);
    if (portfolioId !== undefined) this.#database.$client.prepare(forgetOldest).run({ portfolioId, accountId });
  }

  /** Returns the lots that imports removed for one owner of a portfolio, by reference. */
  removedLots(portfolioId: string, accountId: string): Map<string, RemovedLot> {
    const rows = this.#statements.removed.all({ portfolioId, accountId });
    return new Map(rows.map((row) => [row.integrationRef, row]));
  }

  /** Forgets all removed lots of a portfolio, for all owners, and its last import. */
  forgetRemovedLots(portfolioId: string): void {
    this.#database.delete(removedLots).where(eq(removedLots.portfolioId, portfolioId)).run();
    this.forgetImport(portfolioId);
  }

  /** Returns the last import of a portfolio if the portfolio has not changed since. Returns null without one. */
  lastImport({ portfolioId, accountId }: Pick<PortfolioRecord, "portfolioId" | "accountId">): LastImport | null {
    const row = this.#database.select().from(lastImports).where(eq(lastImports.portfolioId, portfolioId)).get();
    return row?.accountId === accountId && row.state === this.stateOf(portfolioId) ? row : null;
  }

  keepImport(row: Omit<LastImport, "state">): void {
    this.forgetImport(row.portfolioId);
    this.#database
      .insert(lastImports)
      .values({ ...row, state: this.stateOf(row.portfolioId) })
      .run();
  }

  forgetImport(portfolioId: string): void {
    this.#database.delete(lastImports).where(eq(lastImports.portfolioId, portfolioId)).run();
  }

  /** Clears the source of all lots of a portfolio, because a new owner has other files. */
  forgetSources(portfolioId: string): void {
    this.#database.update(holdings).set({ source: null }).where(eq(holdings.portfolioId, portfolioId)).run();
  }

  removeTransactions(transactionIds: readonly string[]): void {
    const remove = this.#database.$client.prepare("DELETE FROM portfolio_transactions WHERE transaction_id = ?");
    for (const id of transactionIds) remove.run(id);
  }

  addTransactions(records: readonly TransactionRecord[]): void {
    insertAll(this.#database, portfolioTransactions, records);
  }

  /** Returns the number of stored valuations of one owner from the day `from` on. */
  valuationsFrom(portfolioId: string, accountId: string, from: number): number {
    return this.#statements.valuations.get({ portfolioId, accountId, from })?.count ?? 0;
  }
}

/** Maximum saved lots per portfolio and owner. The oldest are removed first. */
const removedLotsMax = 20_000;
const typed = ["unit_cost_cents", "acquired_day", "notes", "external_account_id"];
const keepRemoved = `INSERT INTO removed_lots (portfolio_id, account_id, integration_ref, holding_id, item_id, unit_cost_cents, cost_estimated,
    acquired_day, notes, external_account_id, created_at, removed_at)
  VALUES (@portfolioId, @accountId, @integrationRef, @holdingId, @itemId, @unitCostCents, @costEstimated,
    @acquiredDay, @notes, @externalAccountId, @createdAt, @removedAt)
  ON CONFLICT (portfolio_id, account_id, integration_ref) DO UPDATE SET
    cost_estimated = iif(excluded.unit_cost_cents IS NULL AND item_id = excluded.item_id, cost_estimated, excluded.cost_estimated),
    ${typed.map((name) => `${name} = iif(item_id = excluded.item_id, coalesce(excluded.${name}, ${name}), excluded.${name})`).join(", ")},
    holding_id = excluded.holding_id, item_id = excluded.item_id, created_at = excluded.created_at, removed_at = excluded.removed_at`;
const forgetOldest = `DELETE FROM removed_lots WHERE portfolio_id = @portfolioId AND account_id = @accountId AND integration_ref IN (
  SELECT integration_ref FROM removed_lots WHERE portfolio_id = @portfolioId AND account_id = @accountId
  ORDER BY removed_at DESC, integration_ref LIMIT -1 OFFSET ${removedLotsMax})`;

/** Uses one statement directly, because a file is written in a single transaction that blocks other writers. */
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
    removed: database
      .select()
      .from(removedLots)
      .where(and(eq(removedLots.portfolioId, ofPortfolio), eq(removedLots.accountId, placeholder("accountId"))))
      .prepare(),
    ...prepareCounts(database),
  };
}

/** Prepares queries for the state and the size of a portfolio. */
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
