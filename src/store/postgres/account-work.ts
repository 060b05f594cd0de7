import { getTableColumns, getTableName } from "drizzle-orm";
import type { PgTable } from "drizzle-orm/pg-core";
import type { Client } from "pg-driver";
import * as schema from "../../../db/postgres/schema.ts";
import type { Database } from "../database.ts";
import { privateCopy } from "../file.ts";

/** Whose rows are needed: of one account or the account of one key, or of all. */
export type Whose = { accountId: string } | { keyId: string } | "all";

type Row = Record<string, string | number | boolean | Buffer | null>;

/** Tables that an operator's command reads and may change, and those that it only reads. The ledger of the nodes writes the latter. */
const changed: readonly PgTable[] = [
  schema.accounts,
  schema.purchases,
  schema.apiKeys,
  schema.activity,
  schema.portfolios,
  schema.keyPortfolios,
];
const readOnly: readonly PgTable[] = [schema.usageMonths, schema.snapshotLeases, schema.keyUses, schema.owners];
/** Tables whose rows are of a key and not of an account. */
const ofKeys = new Set(["key_portfolios", "key_uses"]);
const counters = [
  ["purchases", "purchase_id"],
  ["activity", "activity_id"],
] as const;
/** Number of the lock that one operator's command holds at a time: "itmt". */
const operatorLock = 0x69746d74;

/**
 * Hands the rows of an account to `work` as a file of its own in memory, and writes what it changed back, in one transaction: the same
 * code decides for the file and for the private database. Operators' commands wait for each other, so that no change is lost.
 * `month` (`YYYY-MM`): also the account's charges of that month.
 */
export async function workOnAccounts<T>(
  client: Client,
  whose: Whose,
  work: (database: Database) => T,
  month: string | null = null,
): Promise<T> {
  await client.query("BEGIN");
  const copy = privateCopy();
  try {
    await client.query("SELECT pg_advisory_xact_lock($1)", [operatorLock]);
    const scope = await scopeOf(client, whose);
    for (const table of [...changed, ...readOnly]) fill(copy, table, await rowsOf(client, table, scope));
    if (month !== null) fill(copy, schema.usageEvents, await eventsOf(client, scope, month));
    await keepCounters(client, copy);
    const before = new Map(changed.map((table) => [table, keyed(copy, table)]));
    const result = work(copy);
    for (const table of changed) await writeBack(client, table, before.get(table)!, keyed(copy, table));
    await client.query("COMMIT");
    return result;
  } catch (error) {
    await client.query("ROLLBACK").catch(() => {});
    throw error;
  } finally {
    copy.$client.close();
  }
}

/** Null: all accounts. */
async function scopeOf(client: Client, whose: Whose): Promise<string | null> {
  if (whose === "all") return null;
  if ("accountId" in whose) return whose.accountId;
  const { rows } = await client.query<{ id: string }>(
    "SELECT account_id AS id FROM itemtape.api_keys WHERE key_id = $1",
    [whose.keyId],
  );
  return rows[0]?.id ?? "";
}

async function rowsOf(client: Client, table: PgTable, accountId: string | null): Promise<Row[]> {
  const name = getTableName(table);
  const where = ofKeys.has(name)
    ? "key_id IN (SELECT key_id FROM itemtape.api_keys WHERE account_id = $1)"
    : "account_id = $1";
  if (accountId === null) return (await client.query<Row>(`SELECT * FROM itemtape.${name}`)).rows;
  return (await client.query<Row>(`SELECT * FROM itemtape.${name} WHERE ${where}`, [accountId])).rows;
}

async function eventsOf(client: Client, accountId: string | null, month: string): Promise<Row[]> {
  const text = "SELECT * FROM itemtape.usage_events WHERE account_id = $1 AND month = $2";
  return (await client.query<Row>(text, [accountId, month])).rows;
}

function fill(copy: Database, table: PgTable, rows: readonly Row[]): void {
  const names = columnNames(table);
  const marks = names.map(() => "?").join(", ");
  const insert = copy.$client.prepare(`INSERT INTO ${getTableName(table)} (${names.join(", ")}) VALUES (${marks})`);
  for (const row of rows)
    insert.run(names.map((name) => (typeof row[name] === "boolean" ? Number(row[name]) : row[name])));
}

/** Makes new rows go on with the numbers of the database. */
async function keepCounters(client: Client, copy: Database): Promise<void> {
  for (const [table, column] of counters) {
    const { rows } = await client.query<{ last: number | null }>(
      `SELECT max(${column}) AS last FROM itemtape.${table}`,
    );
    copy.$client.prepare("DELETE FROM sqlite_sequence WHERE name = ?").run(table);
    copy.$client.prepare("INSERT INTO sqlite_sequence (name, seq) VALUES (?, ?)").run(table, rows[0]!.last ?? 0);
  }
}

/** Returns the rows as PostgreSQL reads them from JSON. */
function keyed(copy: Database, table: PgTable): Set<string> {
  const columns = Object.values(getTableColumns(table));
  const rows = copy.$client.prepare<[], Row>(`SELECT * FROM ${getTableName(table)}`).all();
  const asJson = (row: Row) =>
    JSON.stringify(
      Object.fromEntries(
        columns.map(({ name, dataType }) => {
          const value = row[name] ?? null;
          if (Buffer.isBuffer(value)) return [name, `\\x${value.toString("hex")}`];
          return [name, dataType === "boolean" && value !== null ? value === 1 : value];
        }),
      ),
    );
  return new Set(rows.map(asJson));
}

async function writeBack(
  client: Client,
  table: PgTable,
  before: ReadonlySet<string>,
  after: ReadonlySet<string>,
): Promise<void> {
  const rows = [...after].filter((row) => !before.has(row));
  if (rows.length === 0) return;
  const name = getTableName(table);
  const names = columnNames(table);
  const key = await primaryKeyOf(client, name);
  const others = names.filter((column) => !key.includes(column));
  const set = others.map((column) => `${column} = excluded.${column}`).join(", ");
  await client.query(
    `INSERT INTO itemtape.${name} (${names.join(", ")})
     SELECT ${names.join(", ")} FROM json_populate_recordset(NULL::itemtape.${name}, $1::json)
     ON CONFLICT (${key.join(", ")}) DO UPDATE SET ${set}`,
    [`[${rows.join(",")}]`],
  );
}

async function primaryKeyOf(client: Client, table: string): Promise<string[]> {
  const { rows } = await client.query<{ name: string }>(
    `SELECT a.attname AS name FROM pg_index i JOIN pg_attribute a ON a.attrelid = i.indrelid AND a.attnum = ANY (i.indkey)
     WHERE i.indrelid = $1::regclass AND i.indisprimary`,
    [`itemtape.${table}`],
  );
  return rows.map(({ name }) => name);
}

function columnNames(table: PgTable): string[] {
  return Object.values(getTableColumns(table)).map(({ name }) => name);
}
