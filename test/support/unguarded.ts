import type { Database } from "../../src/store/database.ts";

/** Statements that triggers refuse without a past row. */
const guarded = /\b(UPDATE|DELETE FROM|INSERT INTO) (items|daily_by_\w+|exchange_rates|roi_history|\w+_past)\b/;

/** Runs `work`, which executes `sql`. Suspends the triggers that refuse a change without its past row, as another program could. */
export function unguarded<T>(client: Database["$client"], sql: string, work: () => T): T {
  if (!guarded.test(sql)) return work();
  const triggers = client
    .prepare<[], { name: string; sql: string }>(
      "SELECT name, sql FROM sqlite_schema WHERE type = 'trigger' AND (name LIKE '%_kept' OR name LIKE '%_past_never_%')",
    )
    .all();
  for (const { name } of triggers) client.exec(`DROP TRIGGER ${name}`);
  const done = work();
  for (const { sql: created } of triggers) client.exec(created);
  return done;
}

/** Executes SQL without these triggers. With `values`, it is one statement. */
export function edit(client: Database["$client"], sql: string, ...values: unknown[]): void {
  unguarded(client, sql, () => (values.length === 0 ? client.exec(sql) : client.prepare(sql).run(...values)));
}
