import type { Client } from "pg";

/** Maximum rows reported per fault. */
const faultRowsMax = 20;
const noAccount = "NOT EXISTS (SELECT FROM itemtape.accounts a WHERE a.account_id = t.account_id)";

// Not built by Drizzle: each query finds rows that must not exist, and returns their names in one column.
const checks: readonly (readonly [tell: (found: string) => string, text: string])[] = [
  [
    (found) => `usage: ${found}`,
    `SELECT format('account %s has %s units in %s, and %s charges', coalesce(m.account_id, e.account_id), coalesce(used, 0),
       coalesce(m.month, e.month), coalesce(n, 0))
     FROM itemtape.usage_months m
     FULL JOIN (SELECT account_id, month, count(*) AS n FROM itemtape.usage_events GROUP BY 1, 2) e USING (account_id, month)
     WHERE coalesce(used, 0) <> coalesce(n, 0)`,
  ],
  [(id) => `usage: charge ${id} has no account`, `SELECT request_id FROM itemtape.usage_events t WHERE ${noAccount}`],
  [
    (id) => `usage: the month of account ${id}, which does not exist`,
    `SELECT DISTINCT account_id FROM itemtape.usage_months t WHERE ${noAccount}`,
  ],
  [
    (id) => `usage: key ${id} was used but does not exist`,
    "SELECT key_id FROM itemtape.key_uses WHERE key_id NOT IN (SELECT key_id FROM itemtape.api_keys)",
  ],
  [
    (id) => `exports: lease ${id} was never charged`,
    `SELECT lease_id FROM itemtape.snapshot_leases l LEFT JOIN itemtape.usage_events e ON e.request_id = l.lease_id
     WHERE e.account_id IS DISTINCT FROM l.account_id OR e.at IS DISTINCT FROM l.admitted_at`,
  ],
  [
    (id) => `exports: state and end of lease ${id} do not fit`,
    `SELECT lease_id FROM itemtape.snapshot_leases
     WHERE (state = 'reserved') <> (ended_at IS NULL) OR ended_at < admitted_at`,
  ],
  [
    (id) => `places: ${id} holds a place and was never charged`,
    `SELECT request_id FROM itemtape.request_places p LEFT JOIN itemtape.usage_events e USING (request_id)
     WHERE e.account_id IS DISTINCT FROM p.account_id OR e.at IS DISTINCT FROM p.taken_at`,
  ],
  [
    (id) => `portfolios: ledger row ${id} names a lot of another portfolio`,
    `SELECT transaction_id FROM itemtape.portfolio_transactions entry JOIN itemtape.holdings lot USING (holding_id)
     WHERE lot.portfolio_id <> entry.portfolio_id`,
  ],
  [
    (id) => `portfolios: ${id} is deleted and has removed lots`,
    `SELECT DISTINCT portfolio_id FROM itemtape.removed_lots JOIN itemtape.portfolios USING (portfolio_id)
     WHERE deleted_at IS NOT NULL`,
  ],
  [
    (id) => `portfolios: key ${id} has selections but is not a personal token`,
    `SELECT DISTINCT key_id FROM itemtape.key_portfolios
     WHERE key_id NOT IN (SELECT key_id FROM itemtape.api_keys WHERE kind = 'personal')`,
  ],
  [
    (id) => `portfolios: token ${id} selects portfolios but lacks the scope to read them`,
    `SELECT DISTINCT key_id FROM itemtape.key_portfolios JOIN itemtape.api_keys USING (key_id)
     WHERE kind = 'personal' AND ' ' || scopes || ' ' NOT LIKE '% portfolio:read %'`,
  ],
  ...(["purchases", "activity"] as const).map((table): (typeof checks)[number] => {
    const column = table === "activity" ? "activity_id" : "purchase_id";
    const last = `(SELECT last_value FROM pg_sequences WHERE schemaname = 'itemtape' AND sequencename = '${table}_${column}_seq')`;
    return [
      (id) => `${table}: the next number is already used, row ${id}`,
      `SELECT max(${column}) FROM itemtape.${table} HAVING max(${column}) > coalesce(${last}, 0)`,
    ];
  }),
];

/**
 * Result of `private check`. `faults` lists contradictions. `hasPageChecksums` means that PostgreSQL itself detects a changed bit of a
 * page.
 */
type PrivateCheck = { faults: string[]; hasPageChecksums: boolean };

/** Checks the private tables for contradictions, in one snapshot. */
export async function checkPrivate(client: Client): Promise<PrivateCheck> {
  await client.query("BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY");
  try {
    const faults: string[] = [];
    for (const [tell, text] of checks) {
      const { rows } = await client.query<Record<string, unknown>>(`${text} LIMIT ${faultRowsMax}`);
      for (const row of rows) faults.push(tell(String(Object.values(row)[0])));
    }
    const { rows } = await client.query<{ data_checksums: string }>("SHOW data_checksums");
    return { faults, hasPageChecksums: rows[0]!.data_checksums === "on" };
  } finally {
    await client.query("ROLLBACK").catch(() => {});
  }
}
