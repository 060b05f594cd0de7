import { createHash } from "node:crypto";
import SqliteDatabase from "../../../src/store/sqlite.mjs";
import { utcMonth } from "../../../src/values/calendar.ts";
import { systemClock } from "../../../src/values/clock.ts";
import { systemIds } from "../../../src/values/ids.ts";

type Key = { keyId: string; accountId: string };

/** A ledger the way one writes it first: on the main thread, one synced transaction for each request. */
export class SyncLedger {
  readonly #client: SqliteDatabase.Database;
  readonly #ids = systemIds();
  readonly #find: SqliteDatabase.Statement<[Buffer, number], Key>;
  readonly #write: (key: Key, operation: string, at: number) => void;

  constructor(path: string) {
    const client = new SqliteDatabase(path, { fileMustExist: true });
    client.pragma("journal_mode = WAL");
    client.pragma("synchronous = FULL");
    this.#client = client;
    this.#find = client.prepare(`
      SELECT k.key_id AS keyId, k.account_id AS accountId FROM api_keys k JOIN accounts a USING (account_id)
      WHERE k.secret_hash = ? AND k.expires_at > ? AND k.revoked_at IS NULL AND a.disabled_at IS NULL`);
    const addUnit = client.prepare(`
      INSERT INTO usage_months(account_id, month, used) VALUES (?, ?, 1)
      ON CONFLICT (account_id, month) DO UPDATE SET used = used + 1`);
    const addEvent = client.prepare("INSERT INTO usage_events VALUES (?, ?, ?, ?, ?, ?)");
    const charge = client.transaction(({ accountId, keyId }: Key, operation: string, at: number) => {
      const month = utcMonth(at);
      addUnit.run(accountId, month);
      addEvent.run(this.#ids.requestId(at), accountId, keyId, operation, month, at);
    });
    this.#write = charge.immediate;
  }

  /** One unit on disk; false: the credential is not valid. */
  charge(authorization: string | undefined, operation: string): boolean {
    const at = systemClock.now();
    const secret = authorization?.slice("Bearer ".length) ?? "";
    const key = this.#find.get(createHash("sha256").update(secret).digest(), at);
    if (key === undefined) return false;
    this.#write(key, operation, at);
    return true;
  }

  close(): void {
    this.#client.close();
  }
}
