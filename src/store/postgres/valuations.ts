import { getTableColumns, getTableName } from "drizzle-orm";
import type { Client } from "pg";
import * as schema from "../../../db/postgres/schema.ts";
import type { Database } from "../database.ts";
import { msOf } from "./connection.ts";
import { fillCopy, type KeyedRows, keyedRows, type PrivateRow } from "./working-copy.ts";

/** Advisory lock of the only node that values portfolios: "itva". */
const valuationLock = 0x69747661;
/** Maximum time of a statement of a valuation, which may write all values of a portfolio. */
export const valuationStatementMs = 60_000;
/** The server ends the session of a vanished node after about a minute, which releases the lock. */
const bounds = `SET tcp_keepalives_idle = 30; SET tcp_keepalives_interval = 10; SET tcp_keepalives_count = 3;
  SET statement_timeout = ${valuationStatementMs}`;
const rowsPerBatch = 1000;

const columns = Object.values(getTableColumns(schema.portfolioValuations)).map(({ name }) => name);
const names = columns.join(", ");
const set = columns.map((name) => `${name} = r.${name}`).join(", ");
const tables = [schema.portfolioValuations, schema.mainValuations];
/** Returns one statement for many rows of a table. `was` is the value when the portfolio was read. */
const writeTo = (table: string) => `WITH
  sent AS (SELECT (s.row).*, (s.was).recorded_at AS was
    FROM json_to_recordset($1::json) s("row" itemtape.${table}, was itemtape.${table})),
  r AS (SELECT sent.* FROM sent JOIN itemtape.portfolios p USING (portfolio_id, account_id) WHERE p.deleted_at IS NULL),
  replaced AS (UPDATE itemtape.${table} v SET ${set} FROM r
    WHERE v.portfolio_id = r.portfolio_id AND v.account_id = r.account_id AND v.day = r.day AND v.recorded_at = r.was)
  INSERT INTO itemtape.${table} (${names}) SELECT ${names} FROM r WHERE was IS NULL ON CONFLICT DO NOTHING`;

/**
 * Runs `work` while this session holds the valuation lock. Returns null if another node holds it. The end of the session also releases the
 * lock.
 */
export async function whileValuing<T>(client: Client, work: () => Promise<T>): Promise<T | null> {
  await client.query(bounds);
  const text = "SELECT pg_try_advisory_lock($1) AS taken";
  const { rows } = await client.query<{ taken: boolean }>(text, [valuationLock]);
  if (!rows[0]!.taken) return null;
  try {
    return await work();
  } finally {
    await client.query("SELECT pg_advisory_unlock($1)", [valuationLock]).catch(() => {});
  }
}

/** Returns the database's clock, UTC ms, which all nodes share. */
export async function clockOf(client: Client): Promise<number> {
  const text = `SELECT ${msOf("clock_timestamp()")} AS at`;
  return (await client.query<{ at: number }>(text)).rows[0]!.at;
}

/** Returns the ids of undeleted portfolios in ascending order. Pass a `portfolioId` to select one portfolio. */
export async function portfoliosToValue(client: Client, portfolioId: string | null): Promise<string[]> {
  const { rows } = await client.query<{ id: string }>(
    `SELECT portfolio_id AS id FROM itemtape.portfolios WHERE deleted_at IS NULL AND ($1::text IS NULL OR portfolio_id = $1)
     ORDER BY portfolio_id COLLATE "C"`,
    [portfolioId],
  );
  return rows.map(({ id }) => id);
}

/** Fills an empty copy with a snapshot of a portfolio, its lots, ledger and values. Returns the values. */
export async function fillPortfolio(client: Client, copy: Database, portfolioId: string): Promise<KeyedRows[]> {
  await client.query("BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY");
  try {
    for (const table of [schema.portfolios, schema.holdings, schema.portfolioTransactions, ...tables]) {
      const text = `SELECT * FROM itemtape.${getTableName(table)} WHERE portfolio_id = $1`;
      fillCopy(copy, table, (await client.query<PrivateRow>(text, [portfolioId])).rows);
    }
    return tables.map((table) => keyedRows(copy, table));
  } finally {
    await client.query("COMMIT");
  }
}

/** Removes the rows of a portfolio from the copy. */
export function emptyPortfolio(copy: Database): void {
  for (const name of ["main_valuations", "portfolio_valuations", "portfolio_transactions", "holdings", "portfolios"])
    copy.$client.exec(`DELETE FROM ${name}`);
}

/**
 * Writes the values of the copy that differ from `before`. Skips a portfolio that was deleted or transferred meanwhile, and a day with a
 * value by another writer.
 */
export async function writeValuations(client: Client, copy: Database, before: readonly KeyedRows[]): Promise<void> {
  for (const [index, table] of tables.entries()) {
    const changed = [...keyedRows(copy, table)].flatMap(([key, row]) => {
      const old = before[index]!.get(key);
      return old === row ? [] : [{ row: JSON.parse(row) as object, was: old === undefined ? null : JSON.parse(old) }];
    });
    for (let next = 0; next < changed.length; next += rowsPerBatch) {
      const sent = JSON.stringify(changed.slice(next, next + rowsPerBatch));
      await client.query(writeTo(getTableName(table)), [sent]);
    }
  }
}
