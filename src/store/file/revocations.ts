import type SqliteDatabase from "better-sqlite3";
import type { Database } from "../database.ts";
import { RowChecksums } from "../write/row-checksums.ts";

/** A key or account that is revoked, rotated or disabled in one file but not in another, such as an earlier backup. */
export type Reopened = { kind: "revoked" | "rotated" | "disabled"; id: string; name: string };

type KeyEnds = { keyId: string; name: string; secretHash: Buffer; displayPrefix: string; lastFour: string } & Instants;
type Instants = { rotatedAt: number | null; revokedAt: number | null };
type AccountEnd = { accountId: string; name: string; disabledAt: number | null };

/**
 * Returns the keys and accounts that `newer` has revoked, rotated or disabled and `older` has not. Ignores
 * entries of only one file, because an unknown key opens nothing.
 */
export function lostRevocations(older: SqliteDatabase.Database, newer: SqliteDatabase.Database): Reopened[] {
  const reopened: Reopened[] = [];
  const keys = new Map(keyEnds(older).map((key) => [key.keyId, key]));
  for (const { keyId, name, revokedAt, secretHash } of keyEnds(newer)) {
    const before = keys.get(keyId);
    if (before === undefined || before.revokedAt !== null) continue;
    if (revokedAt !== null) reopened.push({ kind: "revoked", id: keyId, name });
    else if (!secretHash.equals(before.secretHash)) reopened.push({ kind: "rotated", id: keyId, name });
  }
  const accounts = new Map(accountEnds(older).map((account) => [account.accountId, account]));
  for (const { accountId, name, disabledAt } of accountEnds(newer)) {
    const before = accounts.get(accountId);
    if (disabledAt !== null && before?.disabledAt === null) reopened.push({ kind: "disabled", id: accountId, name });
  }
  return reopened;
}

/** Revokes, rotates or disables the keys and accounts of `reopened` in `database` as in `newer`. A rotated key gets its new secret. */
export function applyRevocations(
  database: Database,
  newer: SqliteDatabase.Database,
  reopened: readonly Reopened[],
): void {
  const checksums = new RowChecksums(database);
  const keys = new Map(keyEnds(newer).map((key) => [key.keyId, key]));
  const accounts = new Map(accountEnds(newer).map((account) => [account.accountId, account]));
  const changeKey = database.$client.prepare(
    `UPDATE api_keys SET secret_hash = ?, display_prefix = ?, last_four = ?, rotated_at = ?, revoked_at = ? WHERE key_id = ?`,
  );
  const disable = database.$client.prepare("UPDATE accounts SET disabled_at = ? WHERE account_id = ?");
  for (const { kind, id } of reopened) {
    if (kind === "disabled") {
      disable.run(accounts.get(id)?.disabledAt, id);
      checksums.record("accounts", id);
      continue;
    }
    const key = keys.get(id);
    if (key === undefined) throw new Error(`key ${id} is in neither file`);
    changeKey.run(key.secretHash, key.displayPrefix, key.lastFour, key.rotatedAt, key.revokedAt, id);
    checksums.record("api_keys", id);
  }
}

// Not built by Drizzle: the other file may have an earlier schema, so it is open as a bare handle.
function keyEnds(client: SqliteDatabase.Database): KeyEnds[] {
  return client
    .prepare<[], KeyEnds>(
      `SELECT key_id AS keyId, name, secret_hash AS secretHash, display_prefix AS displayPrefix, last_four AS lastFour,
         rotated_at AS rotatedAt, revoked_at AS revokedAt FROM api_keys ORDER BY key_id`,
    )
    .all();
}

function accountEnds(client: SqliteDatabase.Database): AccountEnd[] {
  return client
    .prepare<[], AccountEnd>(
      "SELECT account_id AS accountId, name, disabled_at AS disabledAt FROM accounts ORDER BY account_id",
    )
    .all();
}
