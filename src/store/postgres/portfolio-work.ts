import { getTableName } from "drizzle-orm";
import type { PgTable } from "drizzle-orm/pg-core";
import type { Client } from "pg";
import * as schema from "../../../db/postgres/schema.ts";
import { exitCodes, OperatorError } from "../../values/failure/operator-error.ts";
import { dayMs } from "../../values/time/calendar.ts";
import { type Database, openWithEmptyPrivateTables } from "../database.ts";
import { msOf } from "./connection.ts";
import { clockOf } from "./valuations.ts";
import { commitWork, fillCopy, keyedRows, type PrivateRow, writeChanges } from "./working-copy.ts";

/**
 * Rows to load for work on portfolios. `account` selects an account directly, by its owner's session (hash as hex) or by a portfolio.
 * `also` adds another account without its portfolios.
 *
 * `lots` selects a portfolio with its lots, ledger rows and all values. With "all" it selects every portfolio of the account, each with its
 * last value. With null, only the last values are loaded. `removed` selects a portfolio with its removed lots and last import.
 */
export type PortfolioScope = {
  account: { accountId: string } | { sessionHash: string } | { portfolioId: string };
  also?: string;
  lots: string | "all" | null;
  removed?: string;
};

/** How to run the work. `reads` means that it changes no stored row. */
type WorkOptions = { marketPath: string; reads?: boolean };

/** Tables that the work may change. Only the valuation writes values. */
const changed: readonly PgTable[] = [
  schema.portfolios,
  schema.holdings,
  schema.removedLots,
  schema.lastImports,
  schema.portfolioTransactions,
  schema.activity,
];
/** First half of the advisory lock for changes of one account's portfolios: "itpf". */
const portfolioLock = 0x69747066;
/** Maximum pause between two statements, for example to validate a large file. */
const workIdleMs = 60_000;
const session = "SELECT * FROM itemtape.owner_sessions WHERE session_hash = $1";
const lockNotAvailable = "55P03";

/**
 * Runs `work` on a working copy of an account's portfolios, beside the market of `marketPath`. Writes its changes back in one transaction.
 * Changes of one account's portfolios are serialized. `at` is the database's clock, UTC ms.
 * @throws {OperatorError} when another change lasts too long, or the commit is uncertain.
 */
export async function workOnPortfolios<T>(
  client: Client,
  scope: PortfolioScope,
  { marketPath, reads = false }: WorkOptions,
  work: (database: Database, at: number) => T,
): Promise<T> {
  const copy = openWithEmptyPrivateTables(marketPath);
  try {
    const level = reads ? "REPEATABLE READ READ ONLY" : "READ COMMITTED";
    const bound = `SET LOCAL idle_in_transaction_session_timeout = ${workIdleMs}`;
    await client.query(`BEGIN ISOLATION LEVEL ${level}; ${bound}`);
    const accountId = await accountOf(client, scope.account);
    if (!reads) await lock(client, accountId, scope.also);
    await fill(client, copy, accountId, { ...scope, reads });
    const at = await clockOf(client);
    if (reads) return work(copy, at);
    const before = new Map(changed.map((table) => [table, keyedRows(copy, table)]));
    const result = work(copy, at);
    for (const table of changed) await writeChanges(client, table, before.get(table)!, keyedRows(copy, table));
    await commitWork(client);
    return result;
  } catch (error) {
    if ((error as { code?: unknown }).code !== lockNotAvailable) throw error;
    const what = "another change of these portfolios is running; nothing was changed: try again";
    throw new OperatorError(what, exitCodes.temporary);
  } finally {
    // Has no effect after a commit.
    await client.query("ROLLBACK").catch(() => {});
    copy.$client.close();
  }
}

// Not built by Drizzle: whole rows are copied unchanged.

/** Returns "" for an unknown account. The work then finds no rows and refuses with its own message. */
async function accountOf(client: Client, account: PortfolioScope["account"]): Promise<string> {
  if ("accountId" in account) return account.accountId;
  const [text, value] =
    "portfolioId" in account
      ? ["SELECT account_id AS id FROM itemtape.portfolios WHERE portfolio_id = $1", account.portfolioId]
      : [`SELECT account_id AS id FROM (${session}) s`, Buffer.from(account.sessionHash, "hex")];
  return (await client.query<{ id: string }>(text, [value])).rows[0]?.id ?? "";
}

/** Locks in a fixed order, so that two transfers between two accounts do not deadlock. */
async function lock(client: Client, accountId: string, also = accountId): Promise<void> {
  for (const id of [...new Set([accountId, also])].sort())
    await client.query("SELECT pg_advisory_xact_lock($1, hashtext($2))", [portfolioLock, id]);
}

async function fill(
  client: Client,
  copy: Database,
  accountId: string,
  { account, also, lots, removed, reads }: PortfolioScope & { reads: boolean },
): Promise<void> {
  const put = async (table: PgTable, text: string, values: readonly unknown[]) =>
    fillCopy(copy, table, (await client.query<PrivateRow>(text, values)).rows);
  await put(schema.accounts, "SELECT * FROM itemtape.accounts WHERE account_id = ANY ($1)", [[accountId, also ?? ""]]);
  await put(schema.owners, "SELECT * FROM itemtape.owners WHERE account_id = $1", [accountId]);
  if ("sessionHash" in account)
    await put(schema.ownerSessions, `${session} ${reads ? "" : "FOR SHARE"}`, [
      Buffer.from(account.sessionHash, "hex"),
    ]);
  // Read after the lock, so that a portfolio transferred meanwhile is not found.
  await put(schema.portfolios, "SELECT * FROM itemtape.portfolios WHERE account_id = $1", [accountId]);
  const isAll = lots === "all";
  const own = "SELECT portfolio_id FROM itemtape.portfolios WHERE account_id = $1 AND deleted_at IS NULL";
  const isMeant = isAll ? `portfolio_id IN (${own})` : `portfolio_id IN (${own} AND portfolio_id = $2)`;
  const meant = isAll ? [accountId] : [accountId, lots];
  if (lots !== null) {
    await put(schema.holdings, `SELECT * FROM itemtape.holdings WHERE ${isMeant}`, meant);
    await put(schema.portfolioTransactions, `SELECT * FROM itemtape.portfolio_transactions WHERE ${isMeant}`, meant);
  }
  if (removed !== undefined) {
    for (const table of [schema.removedLots, schema.lastImports]) {
      const text = `SELECT * FROM itemtape.${getTableName(table)} WHERE portfolio_id IN (${own} AND portfolio_id = $2)`;
      await put(table, text, [accountId, removed]);
    }
  }
  for (const table of [schema.portfolioValuations, schema.mainValuations]) {
    const name = `itemtape.${getTableName(table)}`;
    const isLast = lots === null || isAll;
    const values = isLast
      ? `SELECT DISTINCT ON (portfolio_id, account_id, price_source) * FROM ${name}
         WHERE portfolio_id IN (${own}) AND day <= ${msOf("now()")} / ${dayMs}
         ORDER BY portfolio_id, account_id, price_source, day DESC`
      : `SELECT * FROM ${name} WHERE ${isMeant}`;
    await put(table, values, isLast ? [accountId] : meant);
  }
}
