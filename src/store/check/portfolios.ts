import type { Database } from "../database.ts";
import { type Chunks, type Finding, fact, faultOfMany } from "./finding.ts";

const children = {
  holdings: "lots",
  removed_lots: "removed lots",
  portfolio_transactions: "ledger rows",
  portfolio_valuations: "daily values",
  main_valuations: "daily values at the main platform",
} as const;

/** Checks the contents of portfolios and the tokens that may read them. Other checks find changed bytes, by pages and checksums. */
export function checkPortfolios(database: Database, chunks: Chunks): Finding[] {
  const found = (look: (database: Database) => string[], description: string) =>
    faultOfMany(
      chunks(() => look(database)),
      description,
    );
  const faults = [
    ...Object.entries(children).flatMap(([table, noun]) =>
      found((file) => lost(file, table), `portfolios that do not exist and have ${noun}`),
    ),
    ...["portfolio_transactions", "portfolio_valuations", "main_valuations", "removed_lots"].flatMap((table) =>
      found((file) => ownerless(file, table), `accounts that do not exist and have ${Reflect.get(children, table)}`),
    ),
    ...found(orphanTransactions, "ledger rows that name a lot of another portfolio"),
    ...found(
      (file) => [...lost(file, "last_imports"), ...ownerless(file, "last_imports")],
      "last imports without a portfolio or account",
    ),
    ...found(keptOfDeleted, "deleted portfolios that have removed lots or a last import"),
    ...found(unknownSources, "lots of a kind that does not exist"),
    ...found(foreignSelections, "selections of portfolios without a personal token"),
    ...found(scopelessTokens, "personal tokens without a portfolio scope that select portfolios"),
    ...found((file) => lost(file, "key_portfolios"), "portfolios that do not exist and are selected"),
  ];
  if (faults.length > 0) return faults;
  const count = (table: string) =>
    chunks(() => database.$client.prepare(`SELECT count(*) FROM ${table}`).pluck().get() as number);
  const counts = Object.entries(children).map(([table, noun]) => `${count(table)} ${noun}`);
  return [
    fact(`${count("portfolios")} portfolios with ${counts.join(", ")}`),
    fact(`${count("key_portfolios")} selections for personal tokens`),
  ];
}

function lost({ $client: client }: Database, table: string): string[] {
  const rows = client.prepare(
    `SELECT DISTINCT portfolio_id FROM ${table} WHERE portfolio_id NOT IN (SELECT portfolio_id FROM portfolios)`,
  );
  return rows.pluck().all() as string[];
}

/** Rows may belong to earlier owners, so their accounts are checked separately. */
function ownerless({ $client: client }: Database, table: string): string[] {
  const rows = client.prepare(
    `SELECT DISTINCT account_id FROM ${table} WHERE account_id NOT IN (SELECT account_id FROM accounts)`,
  );
  return rows.pluck().all() as string[];
}

/** Finds ledger rows of a lot in another portfolio. A row of a deleted lot is valid, because the ledger outlives its lots. */
function orphanTransactions({ $client: client }: Database): string[] {
  const rows = client.prepare(
    `SELECT transaction_id FROM portfolio_transactions AS entry JOIN holdings AS lot USING (holding_id)
     WHERE lot.portfolio_id <> entry.portfolio_id`,
  );
  return rows.pluck().all() as string[];
}

function keptOfDeleted({ $client: client }: Database): string[] {
  const rows = client.prepare(
    `SELECT portfolio_id FROM portfolios WHERE deleted_at IS NOT NULL AND
       (portfolio_id IN (SELECT portfolio_id FROM removed_lots) OR portfolio_id IN (SELECT portfolio_id FROM last_imports))`,
  );
  return rows.pluck().all() as string[];
}

function unknownSources({ $client: client }: Database): string[] {
  const rows = client.prepare(
    "SELECT holding_id FROM holdings WHERE source NOT IN ('table', 'form') AND source NOT GLOB 'steam:[0-9]*:[0-9]*:*'",
  );
  return rows.pluck().all() as string[];
}

function foreignSelections({ $client: client }: Database): string[] {
  const rows = client.prepare(
    `SELECT DISTINCT key_id FROM key_portfolios
     WHERE key_id NOT IN (SELECT key_id FROM api_keys WHERE kind = 'personal')`,
  );
  return rows.pluck().all() as string[];
}

function scopelessTokens({ $client: client }: Database): string[] {
  const rows = client.prepare(
    `SELECT DISTINCT key_id FROM key_portfolios JOIN api_keys USING (key_id)
     WHERE kind = 'personal' AND ' ' || scopes || ' ' NOT LIKE '% portfolio:read %'`,
  );
  return rows.pluck().all() as string[];
}
