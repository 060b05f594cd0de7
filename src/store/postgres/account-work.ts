import { getTableName } from "drizzle-orm";
import type { PgTable } from "drizzle-orm/pg-core";
import pg, { type Client, type Pool, type PoolClient } from "pg";
import * as schema from "../../../db/postgres/schema.ts";
import type { Database } from "../database.ts";
import { privateCopy } from "../file/file.ts";
import { DatabaseAway } from "../file/refusal.ts";
import { connectionOptions, msOf, PrivateClient, refuseUnlessDurable, refuseUnlessPrivate } from "./connection.ts";
import { commitWork, fillCopy, type KeyedRows, keyedRows, type PrivateRow, writeBack } from "./working-copy.ts";

/** Names the accounts whose rows are needed, or all. A session is named by its hash (hex), a link by the hash of its secret. */
export type Whose = Named | readonly Named[] | "all";
export type Named =
  | { accountId: string }
  | { keyId: string }
  | { login: string }
  | { session: string }
  | { invite: Buffer | null };

/** Tables that a piece of work may change, that it only adds rows to, and that it only reads. */
type TableUse = {
  readonly changed: readonly PgTable[];
  readonly added: readonly PgTable[];
  readonly read: readonly PgTable[];
};

/** What an operator's commands for accounts, keys and invitations need. The nodes write what they only read. */
const operatorTables: TableUse = {
  changed: [schema.accounts, schema.apiKeys, schema.keyPortfolios, schema.owners, schema.ownerInvites],
  added: [schema.purchases, schema.activity],
  read: [schema.usageMonths, schema.snapshotLeases, schema.keyUses, schema.portfolios],
};
/** What owners need at their pages. */
const ownerTables: TableUse = {
  changed: [schema.apiKeys, schema.keyPortfolios, schema.owners, schema.ownerInvites, schema.ownerSessions],
  added: [schema.activity],
  read: [schema.accounts, schema.keyUses, schema.portfolios],
};
/** Tables whose rows are of a key and not of an account. */
const ofKeys: ReadonlySet<PgTable> = new Set<PgTable>([schema.keyPortfolios, schema.keyUses]);
/** Another transaction was in the way, or has taken a name that was free when it was looked for: the work is done again. */
const conflicts: ReadonlySet<unknown> = new Set(["40001", "40P01", "23505"]);
const attemptsMax = 4;
/** Errors of the statements themselves: faults of this program. */
const ownFault = /^(?:22|23|42)/;

/** Connections of one node for what owners change: few at once are let in. */
const connectionsMax = 4;

// Not built by Drizzle: each name is looked up in an index of its own.
const resolve = `SELECT account_id AS id FROM itemtape.accounts WHERE account_id = ANY ($1::text[])
  UNION SELECT account_id FROM itemtape.api_keys WHERE key_id = ANY ($2::text[])
  UNION SELECT account_id FROM itemtape.owners WHERE login = ANY ($3::text[])
  UNION SELECT account_id FROM itemtape.owner_sessions WHERE session_hash = ANY ($4::bytea[])
  UNION SELECT account_id FROM itemtape.owner_invites WHERE token_hash = ANY ($5::bytea[])
  UNION SELECT o.account_id FROM itemtape.owners o JOIN itemtape.owner_invites i USING (login) WHERE i.token_hash = ANY ($5::bytea[])`;
/** As the ledger of each node locks them, and in its order. */
const lock = "SELECT FROM itemtape.accounts WHERE account_id = ANY ($1::text[]) ORDER BY account_id FOR NO KEY UPDATE";
const clock = `SELECT ${msOf("clock_timestamp()")} AS at`;

/**
 * Hands the rows of accounts to `work` as a working copy, and writes its changes back, in one transaction that holds the accounts' rows. Work on
 * one account is done one after another, over all nodes. `at`: the database's clock, UTC ms. `copy` is empty before and after.
 * @throws {DatabaseAway} when nothing, or nothing certain, could be done.
 */
async function workOnRows<T>(
  client: Client,
  { whose, use, copy }: { whose: readonly Named[]; use: TableUse; copy: Database },
  work: (database: Database, at: number) => T,
): Promise<T> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await inTransaction(client, async () => {
        const scope = await lockAccounts(client, whose);
        const { at } = (await client.query<{ at: number }>(clock)).rows[0]!;
        const tables = [...use.changed, ...use.read];
        const rows: PrivateRow[][] = [];
        for (const table of tables) rows.push(await rowsOf(client, table, scope));
        const { result, changes } = onCopy(copy, use, tables, rows, (database) => work(database, at));
        for (const { table, before, after } of changes) await writeBack(client, table, before, after);
        return result;
      });
    } catch (error) {
      if (!conflicts.has((error as { code?: unknown }).code) || attempt === attemptsMax) throw error;
    }
  }
}

/** What owners change, on connections of its own, which are opened when they are needed. */
export class OwnerWork {
  readonly #url: string;
  readonly #pool: Pool;
  readonly #looked = new WeakSet<Client>();
  #copy: Database | null = null;

  constructor(url: string) {
    this.#url = url;
    this.#pool = new pg.Pool({ ...connectionOptions(url), Client: PrivateClient, max: connectionsMax });
    this.#pool.on("error", () => {});
  }

  /**
   * Runs `work` as `workOnRows` does, on the tables of owners.
   * @throws {DatabaseAway}
   */
  async run<T>(whose: readonly Named[], work: (database: Database, at: number) => T): Promise<T> {
    const client = await this.#connected();
    let isBroken = true;
    try {
      this.#copy ??= privateCopy();
      const result = await workOnRows(client, { whose, use: ownerTables, copy: this.#copy }, work);
      isBroken = false;
      return result;
    } catch (error) {
      isBroken = error instanceof DatabaseAway;
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
      throw new DatabaseAway(error, false);
    });
    if (this.#looked.has(client)) return client;
    try {
      await refuseUnlessDurable(client, this.#url);
      await refuseUnlessPrivate(client, this.#url);
    } catch (error) {
      client.release(true);
      throw new DatabaseAway(error, false);
    }
    this.#looked.add(client);
    return client;
  }
}

type Change = { table: PgTable; before: KeyedRows; after: KeyedRows };

/** Runs `work` on a copy of the rows, at once, and returns what it changed. */
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

/** Nothing of all accounts is locked, so only a state of its own keeps their tables of one instant. */
const readsOfAll = "REPEATABLE READ READ ONLY";

/**
 * Does the same for an operator's command: `whose` may be all accounts, which are only read, and `month` (`YYYY-MM`) takes in the charges of that month, beside those of exports that run.
 */
export async function workOnAccounts<T>(
  client: Client,
  whose: Whose,
  work: (database: Database) => T,
  month: string | null = null,
): Promise<T> {
  const copy = privateCopy();
  try {
    const onRows = async () => {
      const scope = whose === "all" ? null : await lockAccounts(client, [whose].flat());
      const tables = [...operatorTables.changed, ...operatorTables.added, ...operatorTables.read];
      const rows: PrivateRow[][] = [];
      for (const table of tables) rows.push(await rowsOf(client, table, scope));
      tables.push(schema.usageEvents);
      rows.push(await eventsOf(client, scope, month));
      const { result, changes } = onCopy(copy, operatorTables, tables, rows, work);
      for (const { table, before, after } of changes) await writeBack(client, table, before, after);
      return result;
    };
    return await inTransaction(client, onRows, whose === "all" ? readsOfAll : undefined);
  } finally {
    copy.$client.close();
  }
}

/**
 * Runs `work` in a transaction and commits it.
 * @throws {DatabaseAway} when the database cannot be asked; `inDoubt`: the answer of the commit was lost.
 */
async function inTransaction<T>(client: Client, work: () => Promise<T>, level = "READ COMMITTED"): Promise<T> {
  await client.query(`BEGIN ISOLATION LEVEL ${level}`).catch((error) => {
    throw new DatabaseAway(error, false);
  });
  const result = await work().catch(async (error) => {
    await client.query("ROLLBACK").catch(() => {});
    throw undoneBy(error);
  });
  await commitWork(client);
  return result;
}

/** Carries what `work` itself threw past what the driver and the server throw. */
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

/** Returns what to throw for an error within a transaction that was undone. */
function undoneBy(error: unknown): unknown {
  if (error instanceof WorkError) return error.error;
  const code = String((error as { code?: unknown }).code);
  return conflicts.has(code) || ownFault.test(code) ? error : new DatabaseAway(error, false);
}

/** Locks the accounts that are named and returns their ids. */
async function lockAccounts(client: Client, whose: readonly Named[]): Promise<string[]> {
  const of = <Value>(pick: (named: Named) => Value | null): Value[] =>
    whose.map(pick).filter((value): value is Value & NonNullable<unknown> => value !== null);
  const values = [
    of((named) => ("accountId" in named ? named.accountId : null)),
    of((named) => ("keyId" in named ? named.keyId : null)),
    // A person may send any text, and PostgreSQL takes none with a NUL: it is nobody's.
    of((named) => ("login" in named && !named.login.includes("\0") ? named.login : null)),
    of((named) => ("session" in named ? Buffer.from(named.session, "hex") : null)),
    of((named) => ("invite" in named ? named.invite : null)),
  ];
  const ids = (await client.query<{ id: string }>(resolve, values)).rows.map(({ id }) => id);
  if (ids.length > 0) await client.query(lock, [ids]);
  return ids;
}

/** `scope` null: all accounts. */
async function rowsOf(client: Client, table: PgTable, scope: readonly string[] | null): Promise<PrivateRow[]> {
  const name = getTableName(table);
  const where = ofKeys.has(table)
    ? "key_id IN (SELECT key_id FROM itemtape.api_keys WHERE account_id = ANY ($1::text[]))"
    : "account_id = ANY ($1::text[])";
  if (scope === null) return (await client.query<PrivateRow>(`SELECT * FROM itemtape.${name}`)).rows;
  return (await client.query<PrivateRow>(`SELECT * FROM itemtape.${name} WHERE ${where}`, [scope])).rows;
}

/** Returns the charges of the month, and those of exports that run now: which of them are starts, only their operations say. */
async function eventsOf(client: Client, scope: readonly string[] | null, month: string | null): Promise<PrivateRow[]> {
  const isOfScope = scope === null ? "" : "e.account_id = ANY ($2::text[]) AND";
  const text = `SELECT e.* FROM itemtape.usage_events e WHERE ${isOfScope} e.month = $1
    UNION ALL SELECT e.* FROM itemtape.snapshot_leases l JOIN itemtape.usage_events e ON e.request_id = l.lease_id
    WHERE ${isOfScope} l.state = 'reserved' AND e.month IS DISTINCT FROM $1`;
  return (await client.query<PrivateRow>(text, scope === null ? [month] : [month, scope])).rows;
}
