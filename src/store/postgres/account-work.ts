import { getTableName } from "drizzle-orm";
import type { PgTable } from "drizzle-orm/pg-core";
import pg, { type Client, type Pool, type PoolClient } from "pg";
import * as schema from "../../../db/postgres/schema.ts";
import type { Database } from "../database.ts";
import { privateCopy } from "../file/file.ts";
import { DatabaseUnavailable } from "../file/refusal.ts";
import { connectionOptions, FailoverClient, msOf, refuseUnlessDurable, refuseUnlessPrivate } from "./connection.ts";
import { commitWork, fillCopy, type KeyedRows, keyedRows, type PrivateRow, writeChanges } from "./working-copy.ts";

/** Selects the accounts to work on, or all. `session` is the hash of a session (hex), `invite` the hash of a link's secret. */
export type AccountSelection = AccountSelector | readonly AccountSelector[] | "all";
export type AccountSelector =
  | { accountId: string }
  | { keyId: string }
  | { login: string }
  | { session: string }
  | { invite: Buffer | null };

/** Tables that an operation may change, only adds rows to, or only reads. */
type TableUse = {
  readonly changed: readonly PgTable[];
  readonly added: readonly PgTable[];
  readonly read: readonly PgTable[];
};

/** Tables of an operator's commands for accounts, keys and invitations. Nodes write the tables that these commands only read. */
const operatorTables: TableUse = {
  changed: [schema.accounts, schema.apiKeys, schema.keyPortfolios, schema.owners, schema.ownerInvites],
  added: [schema.purchases, schema.activity],
  read: [schema.usageMonths, schema.snapshotLeases, schema.keyUses, schema.portfolios],
};
/** Tables of the owners' pages. */
const ownerTables: TableUse = {
  changed: [schema.apiKeys, schema.keyPortfolios, schema.owners, schema.ownerInvites, schema.ownerSessions],
  added: [schema.activity],
  read: [schema.accounts, schema.keyUses, schema.portfolios],
};
/** Tables with rows by key instead of account. */
const ofKeys: ReadonlySet<PgTable> = new Set<PgTable>([schema.keyPortfolios, schema.keyUses]);
/** SQLSTATE codes of a conflict: another transaction interfered, or used a name that was free before. The operation is repeated. */
const conflicts: ReadonlySet<unknown> = new Set(["40001", "40P01", "23505"]);
const attemptsMax = 4;
/** SQLSTATE classes of invalid statements or data, which are faults of this program. */
const ownFault = /^(?:22|23|42)/;

/** Connections of one node for changes by owners, which rarely overlap. */
const connectionsMax = 4;

// Not built by Drizzle: each selector has its own index lookup.
const resolve = `SELECT account_id AS id FROM itemtape.accounts WHERE account_id = ANY ($1::text[])
  UNION SELECT account_id FROM itemtape.api_keys WHERE key_id = ANY ($2::text[])
  UNION SELECT account_id FROM itemtape.owners WHERE login = ANY ($3::text[])
  UNION SELECT account_id FROM itemtape.owner_sessions WHERE session_hash = ANY ($4::bytea[])
  UNION SELECT account_id FROM itemtape.owner_invites WHERE token_hash = ANY ($5::bytea[])
  UNION SELECT o.account_id FROM itemtape.owners o JOIN itemtape.owner_invites i USING (login) WHERE i.token_hash = ANY ($5::bytea[])`;
/** Locks accounts in the same mode and order as the ledger of each node. */
const lock = "SELECT FROM itemtape.accounts WHERE account_id = ANY ($1::text[]) ORDER BY account_id FOR NO KEY UPDATE";
const clock = `SELECT ${msOf("clock_timestamp()")} AS at`;

/**
 * Runs `work` on a working copy of the accounts' rows and writes its changes back. One transaction locks the accounts and does both. Work
 * on one account is serialized over all nodes. `at` is the database's clock, UTC ms. `copy` is empty before and after.
 * @throws {DatabaseUnavailable} when the database is unavailable, or the commit is uncertain.
 */
async function workOnRows<T>(
  client: Client,
  { selector, use, copy }: { selector: readonly AccountSelector[]; use: TableUse; copy: Database },
  work: (database: Database, at: number) => T,
): Promise<T> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await inTransaction(client, async () => {
        const scope = await lockAccounts(client, selector);
        const { at } = (await client.query<{ at: number }>(clock)).rows[0]!;
        const tables = [...use.changed, ...use.read];
        const rows: PrivateRow[][] = [];
        for (const table of tables) rows.push(await rowsOf(client, table, scope));
        const { result, changes } = onCopy(copy, use, tables, rows, (database) => work(database, at));
        for (const { table, before, after } of changes) await writeChanges(client, table, before, after);
        return result;
      });
    } catch (error) {
      if (!conflicts.has((error as { code?: unknown }).code) || attempt === attemptsMax) throw error;
    }
  }
}

/** Runs changes by owners on its own connections, which open on demand. */
export class OwnerWork {
  readonly #url: string;
  readonly #pool: Pool;
  readonly #looked = new WeakSet<Client>();
  #copy: Database | null = null;

  constructor(url: string) {
    this.#url = url;
    this.#pool = new pg.Pool({ ...connectionOptions(url), Client: FailoverClient, max: connectionsMax });
    this.#pool.on("error", () => {});
  }

  /**
   * Runs `work` like `workOnRows`, on the tables of owners.
   * @throws {DatabaseUnavailable} when the database is unavailable, or the commit is uncertain.
   */
  async run<T>(selector: readonly AccountSelector[], work: (database: Database, at: number) => T): Promise<T> {
    const client = await this.#connected();
    let isBroken = true;
    try {
      this.#copy ??= privateCopy();
      const result = await workOnRows(client, { selector, use: ownerTables, copy: this.#copy }, work);
      isBroken = false;
      return result;
    } catch (error) {
      isBroken = error instanceof DatabaseUnavailable;
      throw error;
    } finally {
      client.release(isBroken);
    }
  }

  async close(): Promise<void> {
    await this.#pool.end();
    this.#copy?.$client.close();
  }

  async #connected(): Promise<PoolClient> {
    const client = await this.#pool.connect().catch((error) => {
      throw new DatabaseUnavailable(error, false);
    });
    if (this.#looked.has(client)) return client;
    try {
      await refuseUnlessDurable(client, this.#url);
      await refuseUnlessPrivate(client, this.#url);
    } catch (error) {
      client.release(true);
      throw new DatabaseUnavailable(error, false);
    }
    this.#looked.add(client);
    return client;
  }
}

type Change = { table: PgTable; before: KeyedRows; after: KeyedRows };

/** Runs `work` synchronously on a copy of the rows. Returns its result and its changes. */
function onCopy<T>(
  copy: Database,
  { changed, added }: TableUse,
  tables: readonly PgTable[],
  rows: readonly PrivateRow[][],
  work: (database: Database) => T,
): { result: T; changes: Change[] } {
  const written = [...changed, ...added];
  copy.$client.exec("BEGIN");
  try {
    for (const [index, table] of tables.entries()) fillCopy(copy, table, rows[index]!);
    const before = written.map((table) => keyedRows(copy, table));
    const result = ownErrors(() => work(copy));
    const changes = written.map((table, index) => ({ table, before: before[index]!, after: keyedRows(copy, table) }));
    return { result, changes };
  } finally {
    copy.$client.exec("ROLLBACK");
  }
}

/** Reading all accounts locks none, so only a snapshot keeps their tables consistent. */
const readsOfAll = "REPEATABLE READ READ ONLY";

/**
 * Does the same for an operator's command. With "all", it loads every account without locks in a read-only transaction. `month` (`YYYY-MM`)
 * also loads the charges of that month; the charges of running exports are always loaded.
 * @throws {DatabaseUnavailable} when the database is unavailable, or the commit is uncertain.
 */
export async function workOnAccounts<T>(
  client: Client,
  selector: AccountSelection,
  work: (database: Database) => T,
  month: string | null = null,
): Promise<T> {
  const copy = privateCopy();
  try {
    const onRows = async () => {
      const scope = selector === "all" ? null : await lockAccounts(client, [selector].flat());
      const tables = [...operatorTables.changed, ...operatorTables.added, ...operatorTables.read];
      const rows: PrivateRow[][] = [];
      for (const table of tables) rows.push(await rowsOf(client, table, scope));
      tables.push(schema.usageEvents);
      rows.push(await eventsOf(client, scope, month));
      const { result, changes } = onCopy(copy, operatorTables, tables, rows, work);
      for (const { table, before, after } of changes) await writeChanges(client, table, before, after);
      return result;
    };
    return await inTransaction(client, onRows, selector === "all" ? readsOfAll : undefined);
  } finally {
    copy.$client.close();
  }
}

/**
 * Runs `work` in a transaction and commits it.
 * @throws {DatabaseUnavailable} when the database is unavailable. `isUncertain` if the response to the commit was lost.
 */
async function inTransaction<T>(client: Client, work: () => Promise<T>, level = "READ COMMITTED"): Promise<T> {
  await client.query(`BEGIN ISOLATION LEVEL ${level}`).catch((error) => {
    throw new DatabaseUnavailable(error, false);
  });
  const result = await work().catch(async (error) => {
    await client.query("ROLLBACK").catch(() => {});
    throw undoneBy(error);
  });
  await commitWork(client);
  return result;
}

/** Wraps errors that `work` itself throws, to distinguish them from errors of the driver and the server. */
class WorkError {
  readonly error: unknown;

  constructor(error: unknown) {
    this.error = error;
  }
}

function ownErrors<T>(work: () => T): T {
  try {
    return work();
  } catch (error) {
    throw new WorkError(error);
  }
}

/** Returns the error to throw after a rollback. */
function undoneBy(error: unknown): unknown {
  if (error instanceof WorkError) return error.error;
  const code = String((error as { code?: unknown }).code);
  return conflicts.has(code) || ownFault.test(code) ? error : new DatabaseUnavailable(error, false);
}

/** Locks the selected accounts and returns their ids. */
async function lockAccounts(client: Client, selector: readonly AccountSelector[]): Promise<string[]> {
  const of = <Value>(pick: (named: AccountSelector) => Value | null): Value[] =>
    selector.map(pick).filter((value): value is Value & NonNullable<unknown> => value !== null);
  const values = [
    of((named) => ("accountId" in named ? named.accountId : null)),
    of((named) => ("keyId" in named ? named.keyId : null)),
    // A login may be any text. PostgreSQL accepts no NUL, so such a login cannot exist.
    of((named) => ("login" in named && !named.login.includes("\0") ? named.login : null)),
    of((named) => ("session" in named ? Buffer.from(named.session, "hex") : null)),
    of((named) => ("invite" in named ? named.invite : null)),
  ];
  const ids = (await client.query<{ id: string }>(resolve, values)).rows.map(({ id }) => id);
  if (ids.length > 0) await client.query(lock, [ids]);
  return ids;
}

/** Returns the rows of a table for the accounts in `scope`. Pass null for all accounts. */
async function rowsOf(client: Client, table: PgTable, scope: readonly string[] | null): Promise<PrivateRow[]> {
  const name = getTableName(table);
  const where = ofKeys.has(table)
    ? "key_id IN (SELECT key_id FROM itemtape.api_keys WHERE account_id = ANY ($1::text[]))"
    : "account_id = ANY ($1::text[])";
  if (scope === null) return (await client.query<PrivateRow>(`SELECT * FROM itemtape.${name}`)).rows;
  return (await client.query<PrivateRow>(`SELECT * FROM itemtape.${name} WHERE ${where}`, [scope])).rows;
}

/** Returns the charges of the month and of running exports. The operation of a charge shows whether its export counts as a start. */
async function eventsOf(client: Client, scope: readonly string[] | null, month: string | null): Promise<PrivateRow[]> {
  const isOfScope = scope === null ? "" : "e.account_id = ANY ($2::text[]) AND";
  const text = `SELECT e.* FROM itemtape.usage_events e WHERE ${isOfScope} e.month = $1
    UNION ALL SELECT e.* FROM itemtape.snapshot_leases l JOIN itemtape.usage_events e ON e.request_id = l.lease_id
    WHERE ${isOfScope} l.state = 'reserved' AND e.month IS DISTINCT FROM $1`;
  return (await client.query<PrivateRow>(text, scope === null ? [month] : [month, scope])).rows;
}
