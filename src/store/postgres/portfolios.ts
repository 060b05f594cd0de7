import { getTableColumns } from "drizzle-orm";
import type { PgTable } from "drizzle-orm/pg-core";
import type { Pool } from "pg";
import { holdings, portfolios, portfolioTransactions, portfolioValuations } from "../../../db/postgres/schema.ts";
import type {
  HoldingRow,
  PortfolioEntry,
  PortfolioReads,
  TransactionPosition,
  TransactionRow,
  ValuationPage,
  ValuationRow,
} from "../read/portfolios.ts";

type Reader = Parameters<PortfolioReads["page"]>[0];
type Named = Pick<HoldingRow, "marketHashName" | "phase">;
/** Returns the name of an item in this node's market, or null for an unknown item. */
type NameOf = (itemId: number) => Named | null;

const privateColumns = ["notes", "externalAccountId", "integrationRef", "source"];

const portfolioColumns = columnsOf(portfolios, "p", ["accountId", "deletedAt", ...privateColumns]);
const valuationColumns = Object.values(getTableColumns(portfolioValuations)).map(({ name }) => name);
const counts = `(SELECT count(*)::int FROM itemtape.holdings WHERE portfolio_id = p.portfolio_id) AS "holdingCount",
  (SELECT count(*)::int FROM itemtape.portfolio_transactions WHERE portfolio_id = p.portfolio_id AND account_id = $1) AS "transactionCount"`;
/** Checks selection and owner in one lookup. If either does not match, it searches the same rows and finds none. */
const selected = `SELECT p.* FROM itemtape.key_portfolios k JOIN itemtape.portfolios p USING (portfolio_id)
  WHERE k.key_id = $2 AND k.portfolio_id = $3 AND p.account_id = $1 AND p.deleted_at IS NULL`;
/**
 * Searches an id only among the account's own portfolios. `|| ''` bypasses the index of ids, which would also find portfolios of other
 * accounts.
 */
const owned = `SELECT * FROM itemtape.portfolios
  WHERE $2::text IS NULL AND account_id = $1 AND portfolio_id || '' = $3 AND deleted_at IS NULL`;
/** Readable portfolios in order of id: the ones selected for a key, or all of an owner without a key. */
const selectedList = `FROM itemtape.key_portfolios k JOIN itemtape.portfolios p USING (portfolio_id)
  WHERE k.key_id = $2 AND k.portfolio_id COLLATE "C" > $3 AND p.account_id = $1 AND p.deleted_at IS NULL
  ORDER BY k.portfolio_id COLLATE "C"`;
const ownedList = `FROM itemtape.portfolios p
  WHERE $2::text IS NULL AND portfolio_id COLLATE "C" > $3 AND account_id = $1 AND deleted_at IS NULL
  ORDER BY portfolio_id COLLATE "C"`;

/** Reads portfolios for a token from PostgreSQL. Each read is one statement, so that its result is consistent. */
export class PostgresPortfolios implements PortfolioReads {
  readonly #pool: Pool;
  readonly #nameOf: NameOf;

  constructor(pool: Pool, nameOf: NameOf) {
    this.#pool = pool;
    this.#nameOf = nameOf;
  }

  async page({ keyId, accountId }: Reader, after: string, limit: number): Promise<PortfolioEntry[]> {
    const list = keyId === null ? ownedList : selectedList;
    const text = `SELECT ${portfolioColumns}, ${counts} ${list} LIMIT $4`;
    return (await this.#pool.query<PortfolioEntry>(text, [accountId, keyId, after, limit])).rows;
  }

  async entry(portfolioId: string, { keyId, accountId }: Reader): Promise<PortfolioEntry | null> {
    const text = `SELECT ${portfolioColumns}, ${counts} FROM (${openTo(keyId)}) p`;
    return (await this.#pool.query<PortfolioEntry>(text, [accountId, keyId, portfolioId])).rows[0] ?? null;
  }

  async holdings(portfolioId: string, reader: Reader, after: string, limit: number): Promise<HoldingRow[] | null> {
    const own = columnsOf(holdings, "t", ["portfolioId", ...privateColumns]);
    const text = `SELECT ${own} FROM itemtape.holdings t, p WHERE t.portfolio_id = p.portfolio_id AND holding_id COLLATE "C" > $4
      ORDER BY holding_id COLLATE "C" LIMIT $5`;
    const rows = await this.#list<Omit<HoldingRow, keyof Named>>(text, portfolioId, reader, [after, limit]);
    return rows === null ? null : rows.map((row) => ({ ...row, ...this.#named(row.itemId) }));
  }

  async transactions(
    portfolioId: string,
    reader: Reader,
    { after, to }: { after: TransactionPosition; to: number },
    limit: number,
  ): Promise<TransactionRow[] | null> {
    const own = columnsOf(portfolioTransactions, "t", ["portfolioId", "accountId", ...privateColumns]);
    const text = `SELECT ${own} FROM itemtape.portfolio_transactions t, p WHERE t.portfolio_id = p.portfolio_id AND t.account_id = $1
      AND (occurred_day > $4 OR (occurred_day = $4 AND transaction_id COLLATE "C" > $5)) AND occurred_day <= $6
      ORDER BY occurred_day, transaction_id COLLATE "C" LIMIT $7`;
    const values = [after.day, after.transactionId, to, limit];
    const rows = await this.#list<Omit<TransactionRow, keyof Named>>(text, portfolioId, reader, values);
    return rows === null ? null : rows.map((row) => ({ ...row, ...this.#named(row.itemId) }));
  }

  async valuations(
    portfolioId: string,
    reader: Reader,
    { window, nextDay, source }: ValuationPage,
    limit: number,
  ): Promise<{ rows: ValuationRow[]; days: number[] } | null> {
    const own = columnsOf(portfolioValuations, "t", ["portfolioId", "accountId", "dayRevision"]);
    const text = `SELECT ${own} FROM ${valuesAt("$6")} t, p WHERE t.portfolio_id = p.portfolio_id AND t.account_id = $1
      AND day BETWEEN $4 AND $5 ORDER BY day`;
    const all = await this.#list<ValuationRow>(text, portfolioId, reader, [window.from, window.to, source]);
    if (all === null) return null;
    return { rows: all.filter(({ day }) => day >= nextDay).slice(0, limit), days: all.map(({ day }) => day) };
  }

  /** Reads the rows of a portfolio `p`. Returns null if the reader may not read it. */
  async #list<Row>(
    text: string,
    portfolioId: string,
    { keyId, accountId }: Reader,
    values: readonly unknown[],
  ): Promise<Row[] | null> {
    const { rows } = await this.#pool.query<{ is_open: boolean; rows: Row[] | null }>(
      `WITH p AS (${openTo(keyId)}) SELECT EXISTS (SELECT FROM p) AS is_open, (SELECT json_agg(r) FROM (${text}) r) AS rows`,
      [accountId, keyId, portfolioId, ...values],
    );
    return rows[0]!.is_open ? (rows[0]!.rows ?? []) : null;
  }

  #named(itemId: number): Named {
    return this.#nameOf(itemId) ?? { marketHashName: null, phase: null };
  }
}

/**
 * Returns SQL for the stored values at the provider in the parameter `source`. If that is null, it selects the values at each portfolio's
 * own source.
 */
export function valuesAt(source: string): string {
  return `(SELECT ${valuationColumns} FROM itemtape.portfolio_valuations WHERE ${source}::text IS NULL OR price_source = ${source}
    UNION ALL SELECT ${valuationColumns} FROM itemtape.main_valuations WHERE price_source = ${source})`;
}

/** Returns the query for a readable portfolio. Pass null for `keyId` to search by owner. */
function openTo(keyId: string | null): string {
  return keyId === null ? owned : selected;
}

function columnsOf(table: PgTable, alias: string, without: readonly string[]): string {
  const columns = Object.entries(getTableColumns(table)).filter(([name]) => !without.includes(name));
  return columns.map(([name, column]) => `${alias}.${column.name} AS "${name}"`).join(", ");
}
