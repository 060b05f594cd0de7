import { createHash } from "node:crypto";
import { getTableColumns, getTableName } from "drizzle-orm";
import type { PgTable } from "drizzle-orm/pg-core";
import type { Client } from "pg";
import * as schema from "../../../db/postgres/schema.ts";
import { OperatorError } from "../../values/failure/operator-error.ts";
import { type Progress, silent } from "../../values/progress.ts";
import type { Database } from "../database.ts";
import { RowChecksums } from "../write/row-checksums.ts";

/** The tables that both stores have, each after the tables that it refers to. The columns have the same names. */
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
  schema.removedLots,
  schema.lastImports,
  schema.portfolioTransactions,
  schema.portfolioValuations,
  schema.mainValuations,
  schema.keyPortfolios,
];

/** Number of copied rows by table name. */
export type Copied = ReadonlyMap<string, number>;

type Value = string | number | boolean | Buffer | null;
type Row = Record<string, Value>;
type Column = { name: string; isBoolean: boolean };
/** Maximum rows in memory. */
const rowsPerBatch = 1000;
const counters = [
  ["purchases", "purchase_id"],
  ["activity", "activity_id"],
] as const;

/**
 * Copies all private rows of the file into an empty PostgreSQL database in one transaction, page by page. Compares counts and checksums.
 * @throws {OperatorError} when the database has accounts, or the copy differs. Nothing is written then.
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
    `the private database has ${rows[0]!.count} accounts already, and an import removes none; use an empty database`,
  );
}

async function copyIn(file: Database, client: Client, table: PgTable): Promise<number> {
  const name = getTableName(table);
  const columns = columnsOf(table);
  const insert = `INSERT INTO itemtape.${name} SELECT * FROM json_populate_recordset(NULL::itemtape.${name}, $1::json)`;
  const sent = new RowSum(columns);
  let page: Record<string, unknown>[] = [];
  for (const row of rowsOfFile(file, name, columns)) {
    sent.add(row);
    page.push(Object.fromEntries(columns.map((column) => [column.name, toJson(row[column.name]!, column.isBoolean)])));
    if (page.length < rowsPerBatch) continue;
    await client.query(insert, [JSON.stringify(page)]);
    page = [];
  }
  if (page.length > 0) await client.query(insert, [JSON.stringify(page)]);
  const stored = new RowSum(columns);
  for await (const rows of pagesOf(client, name)) for (const row of rows) stored.add(row);
  refuseUnlessEqual(name, sent, stored, "imported");
  return sent.count;
}

function rowsOfFile(file: Database, name: string, columns: readonly Column[]): Iterable<Row> {
  const names = columns.map(({ name: column }) => column).join(", ");
  return file.$client.prepare<[], Row>(`SELECT ${names} FROM ${name}`).iterate();
}

/** Reads the rows of a table page by page in the current transaction. At most one page is in memory. */
async function* pagesOf(client: Client, name: string): AsyncGenerator<Row[]> {
  await client.query(`DECLARE pages NO SCROLL CURSOR FOR SELECT * FROM itemtape.${name}`);
  for (;;) {
    const { rows } = await client.query<Row>(`FETCH ${rowsPerBatch} FROM pages`);
    if (rows.length === 0) break;
    yield rows;
  }
  await client.query("CLOSE pages");
}

/** Counts rows and adds up their checksums, independent of their order. */
class RowSum {
  count = 0;
  sum = 0n;
  readonly #columns: readonly Column[];

  constructor(columns: readonly Column[]) {
    this.#columns = columns;
  }

  add(row: Row): void {
    const values = this.#columns.map(({ name, isBoolean }) => {
      const value = row[name]!;
      if (value === null) return null;
      if (Buffer.isBuffer(value)) return value.toString("hex");
      return isBoolean ? Number(value) : value;
    });
    this.count += 1;
    this.sum = BigInt.asUintN(
      64,
      this.sum + createHash("sha256").update(JSON.stringify(values)).digest().readBigUInt64BE(),
    );
  }
}

function refuseUnlessEqual(name: string, from: RowSum, to: RowSum, done: string): void {
  if (from.count !== to.count)
    throw new OperatorError(`${name}: ${from.count} rows became ${to.count}; nothing is ${done}`);
  if (from.sum !== to.sum)
    throw new OperatorError(`${name}: the checksum of the ${from.count} rows has changed; nothing is ${done}`);
}

/**
 * Copies a snapshot of all private rows of the database into a file without accounts, page by page. The file has one transaction. Compares
 * counts and checksums.
 * @throws {OperatorError} when the file has accounts, lacks the item of a lot, or the copy differs. Nothing is written then.
 */
export async function exportPrivate(client: Client, file: Database, progress: Progress = silent): Promise<Copied> {
  await client.query("BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY");
  file.$client.exec("BEGIN IMMEDIATE");
  try {
    const there = file.$client.prepare<[], number>("SELECT count(*) FROM accounts").pluck().get();
    if (there !== 0)
      throw new OperatorError(
        `the file has ${there} accounts already; export into a file made by \`npx itemtape db create\``,
      );
    const copied = new Map<string, number>();
    progress.phase("copying private tables", privateTables.length);
    for (const table of privateTables) {
      copied.set(getTableName(table), await copyOut(file, client, table));
      progress.advance(1);
    }
    const latest = "(SELECT coalesce(max(at), 0) FROM usage_events)";
    file.$client.exec(`UPDATE ledger_clock SET high_water_at = max(high_water_at, ${latest})`);
    new RowChecksums(file).recordAll();
    file.$client.exec("COMMIT");
    return copied;
  } catch (error) {
    if ((error as { code?: string }).code === "SQLITE_CONSTRAINT_FOREIGNKEY")
      throw new OperatorError("the file lacks the item of a lot; export into a file with the same catalog");
    throw error;
  } finally {
    if (file.$client.inTransaction) file.$client.exec("ROLLBACK");
    await client.query("ROLLBACK").catch(() => {});
    progress.end();
  }
}

async function copyOut(file: Database, client: Client, table: PgTable): Promise<number> {
  const name = getTableName(table);
  const columns = columnsOf(table);
  const names = columns.map(({ name: column }) => column);
  const marks = names.map(() => "?").join(", ");
  const insert = file.$client.prepare(`INSERT INTO ${name} (${names.join(", ")}) VALUES (${marks})`);
  const sent = new RowSum(columns);
  for await (const rows of pagesOf(client, name))
    for (const row of rows) {
      sent.add(row);
      insert.run(names.map((column) => (typeof row[column] === "boolean" ? Number(row[column]) : row[column])));
    }
  const stored = new RowSum(columns);
  for (const row of rowsOfFile(file, name, columns)) stored.add(row);
  refuseUnlessEqual(name, sent, stored, "exported");
  return sent.count;
}

function columnsOf(table: PgTable): Column[] {
  return Object.values(getTableColumns(table)).map(({ name, dataType }) => ({
    name,
    isBoolean: dataType === "boolean",
  }));
}

/** Formats bytes as PostgreSQL hex text. */
function toJson(value: Value, isBoolean: boolean): unknown {
  if (value === null) return null;
  if (Buffer.isBuffer(value)) return `\\x${value.toString("hex")}`;
  return isBoolean ? value === 1 : value;
}
