import { getTableColumns, getTableName } from "drizzle-orm";
import type { PgTable } from "drizzle-orm/pg-core";
import type { Client } from "pg-driver";
import * as schema from "../../../db/postgres/schema.ts";
import { OperatorError } from "../../values/operator-error.ts";
import { type Progress, silent } from "../../values/progress.ts";
import { type Database, writeTransaction } from "../database.ts";
import { RowChecksums } from "../write/row-checksums.ts";

/** The tables that both stores have, each after those that it names. The columns have the same names. */
export const privateTables: readonly PgTable[] = [
  schema.accounts,
  schema.purchases,
  schema.apiKeys,
  schema.activity,
  schema.usageMonths,
  schema.usageEvents,
  schema.keyUses,
  schema.snapshotLeases,
  schema.owners,
  schema.ownerInvites,
  schema.ownerSessions,
  schema.portfolios,
  schema.holdings,
  schema.portfolioTransactions,
  schema.portfolioValuations,
  schema.keyPortfolios,
];

/** Rows of each table that were copied, by the table's name. */
export type Copied = ReadonlyMap<string, number>;

type Value = string | number | boolean | Buffer | null;
const rowsTogether = 1000;
const counters = [
  ["purchases", "purchase_id"],
  ["activity", "activity_id"],
] as const;

/**
 * Copies all private rows of the file into an empty private database, in one transaction, and compares the counts.
 * @throws {OperatorError} when there are accounts already, or the counts differ: nothing is written then.
 */
export async function importPrivate(file: Database, client: Client, progress: Progress = silent): Promise<Copied> {
  await client.query("BEGIN");
  try {
    await client.query("LOCK TABLE itemtape.accounts IN EXCLUSIVE MODE");
    await refuseUnlessEmpty(client);
    file.$client.exec("BEGIN");
    try {
      const copied = new Map<string, number>();
      progress.phase("copying private tables", privateTables.length);
      for (const table of privateTables) {
        copied.set(getTableName(table), await copyIn(file, client, table));
        progress.advance(1);
      }
      for (const [table, column] of counters)
        await client.query(
          `SELECT setval(pg_get_serial_sequence('itemtape.${table}', '${column}'), greatest(1, (SELECT max(${column}) FROM itemtape.${table})))`,
        );
      await client.query("COMMIT");
      return copied;
    } finally {
      file.$client.exec("COMMIT");
    }
  } catch (error) {
    await client.query("ROLLBACK").catch(() => {});
    throw error;
  } finally {
    progress.end();
  }
}

async function refuseUnlessEmpty(client: Client): Promise<void> {
  const { rows } = await client.query<{ count: number }>("SELECT count(*) AS count FROM itemtape.accounts");
  if (rows[0]!.count === 0) return;
  throw new OperatorError(
    `the private database has ${rows[0]!.count} accounts already, and an import takes none away; use an empty database`,
  );
}

async function copyIn(file: Database, client: Client, table: PgTable): Promise<number> {
  const name = getTableName(table);
  const columns = columnsOf(table);
  const insert = `INSERT INTO itemtape.${name} SELECT * FROM json_populate_recordset(NULL::itemtape.${name}, $1::json)`;
  const names = columns.map(({ name: column }) => column).join(", ");
  let page: Record<string, unknown>[] = [];
  let rows = 0;
  for (const row of file.$client.prepare<[], Record<string, Value>>(`SELECT ${names} FROM ${name}`).iterate()) {
    page.push(Object.fromEntries(columns.map((column) => [column.name, toJson(row[column.name]!, column.isBoolean)])));
    rows += 1;
    if (page.length < rowsTogether) continue;
    await client.query(insert, [JSON.stringify(page)]);
    page = [];
  }
  if (page.length > 0) await client.query(insert, [JSON.stringify(page)]);
  const counted = await client.query<{ count: number }>(`SELECT count(*) AS count FROM itemtape.${name}`);
  if (counted.rows[0]!.count !== rows)
    throw new OperatorError(`${name}: ${rows} rows of the file became ${counted.rows[0]!.count}; nothing is imported`);
  return rows;
}

/**
 * Copies all private rows of the database into a file that has none, as they are at one instant, and compares the counts.
 * @throws {OperatorError} when the file has accounts, lacks an item that a lot is of, or the counts differ: nothing is written then.
 */
export async function exportPrivate(client: Client, file: Database, progress: Progress = silent): Promise<Copied> {
  const there = file.$client.prepare<[], number>("SELECT count(*) FROM accounts").pluck().get();
  if (there !== 0)
    throw new OperatorError(`the file has ${there} accounts already; export into one that \`itemtape db create\` made`);
  await client.query("BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY");
  try {
    const copied = new Map<string, number>();
    const tables: { table: PgTable; rows: Record<string, Value>[] }[] = [];
    progress.phase("copying private tables", privateTables.length);
    for (const table of privateTables) {
      const { rows } = await client.query<Record<string, Value>>(`SELECT * FROM itemtape.${getTableName(table)}`);
      tables.push({ table, rows });
      copied.set(getTableName(table), rows.length);
      progress.advance(1);
    }
    writeTransaction(file, () => {
      for (const { table, rows } of tables) copyOut(file, table, rows);
      const latest = "(SELECT coalesce(max(at), 0) FROM usage_events)";
      file.$client.exec(`UPDATE ledger_clock SET high_water_at = max(high_water_at, ${latest})`);
      new RowChecksums(file).recordAll();
    });
    return copied;
  } catch (error) {
    if ((error as { code?: string }).code === "SQLITE_CONSTRAINT_FOREIGNKEY")
      throw new OperatorError(
        "a lot is of an item that the file does not have; export into a file with the same catalog",
      );
    throw error;
  } finally {
    await client.query("ROLLBACK").catch(() => {});
    progress.end();
  }
}

function copyOut(file: Database, table: PgTable, rows: readonly Record<string, Value>[]): void {
  const name = getTableName(table);
  const names = columnsOf(table).map(({ name: column }) => column);
  const marks = names.map(() => "?").join(", ");
  const insert = file.$client.prepare(`INSERT INTO ${name} (${names.join(", ")}) VALUES (${marks})`);
  for (const row of rows) {
    insert.run(names.map((column) => (typeof row[column] === "boolean" ? Number(row[column]) : row[column])));
  }
  const stored = file.$client.prepare<[], number>(`SELECT count(*) FROM ${name}`).pluck().get();
  if (stored !== rows.length)
    throw new OperatorError(`${name}: ${rows.length} rows of the database became ${stored}; nothing is exported`);
}

function columnsOf(table: PgTable): { name: string; isBoolean: boolean }[] {
  return Object.values(getTableColumns(table)).map(({ name, dataType }) => ({
    name,
    isBoolean: dataType === "boolean",
  }));
}

/** Bytes are written as PostgreSQL reads them. */
function toJson(value: Value, isBoolean: boolean): unknown {
  if (value === null) return null;
  if (Buffer.isBuffer(value)) return `\\x${value.toString("hex")}`;
  return isBoolean ? value === 1 : value;
}

/** Returns what contradicts itself in the private tables: nothing where all is well. */
export async function checkPrivate(client: Client): Promise<string[]> {
  const faults: string[] = [];
  const add = async (text: string, tell: (row: Record<string, unknown>) => string) => {
    for (const row of (await client.query<Record<string, unknown>>(`${text} LIMIT 20`)).rows) faults.push(tell(row));
  };
  await add(
    `SELECT coalesce(m.account_id, e.account_id) AS account, coalesce(m.month, e.month) AS month, coalesce(used, 0) AS used, coalesce(n, 0) AS n
     FROM itemtape.usage_months m
     FULL JOIN (SELECT account_id, month, count(*) AS n FROM itemtape.usage_events GROUP BY 1, 2) e USING (account_id, month)
     WHERE coalesce(used, 0) <> coalesce(n, 0)`,
    ({ account, month, used, n }) => `usage: account ${account} has ${used} units in ${month}, and ${n} charges`,
  );
  await add(
    `SELECT request_id FROM itemtape.usage_events e LEFT JOIN itemtape.accounts a USING (account_id) WHERE a.account_id IS NULL`,
    ({ request_id: id }) => `usage: charge ${id} is of no account`,
  );
  await add(
    `SELECT lease_id FROM itemtape.snapshot_leases l LEFT JOIN itemtape.usage_events e ON e.request_id = l.lease_id WHERE e.request_id IS NULL`,
    ({ lease_id: id }) => `exports: lease ${id} was never charged`,
  );
  return faults;
}
