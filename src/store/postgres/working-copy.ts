// A working copy applies the rules of the file store to PostgreSQL. A change locks and reads its rows and fills an in-memory SQLite
// database with them. Then it runs the code of the file store on that copy. The difference between the rows before and after is written to
// PostgreSQL in the same transaction. So each rule of accounts, keys and portfolios exists once. The ledger uses no copy, which would slow
// each charge. Its rules read rows through a small interface (access/ledger/transactions.ts).

import { getTableColumns, getTableName } from "drizzle-orm";
import { getTableConfig, type PgTable } from "drizzle-orm/pg-core";
import type { Client } from "pg";
import type { Database } from "../database.ts";
import { DatabaseUnavailable } from "../file/refusal.ts";
import { notReplicated } from "./connection.ts";

/** A row of PostgreSQL by column name. The file has the same column names. */
export type PrivateRow = Record<string, string | number | boolean | Buffer | null>;

/** Rows of a table by primary key (JSON). Each row is JSON that PostgreSQL can parse. */
export type KeyedRows = ReadonlyMap<string, string>;

/** Tables with row numbers from a sequence of the database, and the numbered column. */
const numbered: Readonly<Record<string, string>> = { purchases: "purchase_id", activity: "activity_id" };
/** Rows per statement. */
const rowsPerBatch = 1000;
/** SQLSTATE classes of a commit that PostgreSQL rolled back: a constraint, or another transaction. */
const undone = /^(?:23|40)/;

/** Inserts rows into a table of an in-memory copy. */
export function fillCopy(copy: Database, table: PgTable, rows: readonly PrivateRow[]): void {
  const names = columnNames(table);
  const marks = names.map(() => "?").join(", ");
  const insert = copy.$client.prepare(`INSERT INTO ${getTableName(table)} (${names.join(", ")}) VALUES (${marks})`);
  for (const row of rows)
    insert.run(names.map((name) => (typeof row[name] === "boolean" ? Number(row[name]) : row[name])));
}

/** Reads the rows of a table of a copy. */
export function keyedRows(copy: Database, table: PgTable): KeyedRows {
  const columns = Object.values(getTableColumns(table));
  const key = primaryKeyOf(table);
  const found = new Map<string, string>();
  for (const row of copy.$client.prepare<[], PrivateRow>(`SELECT * FROM ${getTableName(table)}`).iterate()) {
    const asRead = columns.map(({ name, dataType }) => {
      const value = row[name] ?? null;
      if (Buffer.isBuffer(value)) return [name, `\\x${value.toString("hex")}`];
      return [name, dataType === "boolean" && value !== null ? value === 1 : value];
    });
    const fields = Object.fromEntries(asRead);
    found.set(JSON.stringify(key.map((name) => fields[name])), JSON.stringify(fields));
  }
  return found;
}

/** Writes the changes of a copied table to the database: removed, changed and new rows. The caller holds the transaction and the locks. */
export async function writeChanges(client: Client, table: PgTable, before: KeyedRows, after: KeyedRows): Promise<void> {
  const gone = [...before].filter(([key]) => !after.has(key)).map(([, row]) => row);
  const changed = [...after].filter(([key, row]) => before.has(key) && before.get(key) !== row).map(([, row]) => row);
  const added = [...after].filter(([key]) => !before.has(key)).map(([, row]) => row);
  const name = getTableName(table);
  const names = columnNames(table);
  const key = primaryKeyOf(table);
  const isSame = key.map((column) => `t.${column} = r.${column}`).join(" AND ");
  const sent = `json_populate_recordset(NULL::itemtape.${name}, $1::json)`;
  await inParts(client, gone, `DELETE FROM itemtape.${name} t USING ${sent} r WHERE ${isSame}`);
  const set = names.filter((column) => !key.includes(column)).map((column) => `${column} = r.${column}`);
  if (set.length > 0)
    await inParts(client, changed, `UPDATE itemtape.${name} t SET ${set.join(", ")} FROM ${sent} r WHERE ${isSame}`);
  // Only the database can number rows, because several changes may run at once.
  const inserted = names.filter((column) => column !== numbered[name]).join(", ");
  await inParts(client, added, `INSERT INTO itemtape.${name} (${inserted}) SELECT ${inserted} FROM ${sent}`);
}

/**
 * Commits the current transaction.
 * @throws {DatabaseUnavailable} when nothing was committed. `isUncertain` if the response was lost, or a synchronous standby may lack the commit.
 */
export async function commitWork(client: Client): Promise<void> {
  let warned = false;
  const listen = ({ detail = "" }: { detail?: string }) => {
    warned ||= notReplicated.test(detail);
  };
  client.on("notice", listen);
  try {
    const { command } = await client.query("COMMIT").catch((error) => {
      throw undone.test(String(error.code)) ? error : new DatabaseUnavailable(error, true);
    });
    if (command !== "COMMIT" || warned)
      throw new DatabaseUnavailable(new Error(`the commit ended with ${command}`), warned);
  } finally {
    client.off("notice", listen);
  }
}

async function inParts(client: Client, rows: readonly string[], text: string): Promise<void> {
  for (let next = 0; next < rows.length; next += rowsPerBatch)
    await client.query(text, [`[${rows.slice(next, next + rowsPerBatch).join(",")}]`]);
}

function columnNames(table: PgTable): string[] {
  return Object.values(getTableColumns(table)).map(({ name }) => name);
}

function primaryKeyOf(table: PgTable): string[] {
  const { columns, primaryKeys } = getTableConfig(table);
  const [several] = primaryKeys;
  return (several?.columns ?? columns.filter(({ primary }) => primary)).map(({ name }) => name);
}
