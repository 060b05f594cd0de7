import { getTableName } from "drizzle-orm";
import type { PgTable } from "drizzle-orm/pg-core";
import type { Client } from "pg";
import * as schema from "../../../db/postgres/schema.ts";
import { exitCodes, OperatorError } from "../../values/failure/operator-error.ts";
import { dayMs } from "../../values/time/calendar.ts";
import { type Database, openBeside } from "../database.ts";
import { msOf } from "./connection.ts";
import { clockOf } from "./valuations.ts";
import { commitWork, fillCopy, keyedRows, type PrivateRow, writeBack } from "./working-copy.ts";

/**
 * The rows that work on portfolios needs. `account`: of that account, of the owner of a session (hash as hex) or of a portfolio. `also`:
 * another account, without its portfolios. `lots`: of which portfolio lots, ledger rows and all values are needed, "all" of the account's with the
 * last value of each, or null: none and the last value of each. `removed`: the portfolio of which removed lots and the last import are needed.
 */
export type PortfolioScope = {
  account: { accountId: string } | { sessionHash: string } | { portfolioId: string };
  also?: string;
  lots: string | "all" | null;
  removed?: string;
};

/** How the work is done. `reads`: it changes nothing that is kept. */
type WorkOptions = { marketPath: string; reads?: boolean };

/** Tables that the work may change. Values are written by the valuation alone. */
const changed: readonly PgTable[] = [
  schema.portfolios,
  schema.holdings,
  schema.removedLots,
  schema.lastImports,
  schema.portfolioTransactions,
  schema.activity,
];
/** First half of the lock that one change of an account's portfolios holds at a time: "itpf". */
const portfolioLock = 0x69747066;
/** Longest work between two statements: a large file is validated meanwhile. */
const workIdleMs = 60_000;
const session = "SELECT * FROM itemtape.owner_sessions WHERE session_hash = $1";
const lockNotAvailable = "55P03";

/**
 * Hands the portfolios of an account to `work`, as a working copy beside the market of `marketPath`, and writes its changes back, in one
 * transaction. Changes of one account's portfolios wait for each other. `at`: the database's clock, UTC ms.
 * @throws {OperatorError} when another change goes on for too long, or it is not certain that a standby has what was done.
 */
export async function workOnPortfolios<T>(
  client: Client,
  scope: PortfolioScope,
  { marketPath, reads = false }: WorkOptions,
  work: (database: Database, at: number) => T,
): Promise<T> {
  const copy = openBeside(marketPath);
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
    for (const table of changed) await writeBack(client, table, before.get(table)!, keyedRows(copy, table));
    await commitWork(client);
    return result;
  } catch (error) {
    if ((error as { code?: unknown }).code !== lockNotAvailable) throw error;
    const what = "another change of these portfolios goes on; nothing was changed: try again";
    throw new OperatorError(what, exitCodes.temporary);
  } finally {
    // After a commit it does nothing.
    await client.query("ROLLBACK").catch(() => {});
    copy.$client.close();
  }
}

// Not built by Drizzle: whole rows go into a copy as they are.

/** Returns "" where there is no such account: nothing is found then, and the work refuses in its own words. */
async function accountOf(client: Client, account: PortfolioScope["account"]): Promise<string> {
  if ("accountId" in account) return account.accountId;
  const [text, value] =
    "portfolioId" in account
      ? ["SELECT account_id AS id FROM itemtape.portfolios WHERE portfolio_id = $1", account.portfolioId]
      : [`SELECT account_id AS id FROM (${session}) s`, Buffer.from(account.sessionHash, "hex")];
  return (await client.query<{ id: string }>(text, [value])).rows[0]?.id ?? "";
}

/** In one order, so that two transfers between two accounts do not wait for each other. */
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
  // After the lock: a portfolio that was given away meanwhile is not found.
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
