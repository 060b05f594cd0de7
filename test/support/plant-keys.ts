import type { Database } from "../../src/store/database.ts";
import { dayMs } from "../../src/values/time/calendar.ts";

/** Adds active keys with unknown secrets. `NAME1` is the newest, and each next key is a millisecond older. */
export function plantKeys({ $client }: Database, accountId: string, count: number, name: string, at: number): void {
  $client
    .prepare(
      `WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ?)
       INSERT INTO api_keys (key_id, account_id, kind, name, display_prefix, last_four, secret_hash, scopes, created_at, expires_at)
       SELECT 'key_' || hex(randomblob(10)), ?, 'project', ? || i, 'test', 'test', randomblob(32), 'market:read', ? - i, ?
       FROM n`,
    )
    .run(count, accountId, name, at, at + 90 * dayMs);
}
