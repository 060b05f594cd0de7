import { createHash } from "node:crypto";
import SqliteDatabase from "../../../src/store/sqlite.mjs";
import { utcMonth } from "../../../src/values/calendar.ts";
import { systemClock, toTimestamp, toTimestampOrNull } from "../../../src/values/clock.ts";
import { systemIds } from "../../../src/values/ids.ts";

// `getItem` and its charge the way one writes them first.
const ids = systemIds();

type ItemRow = {
  stat_counter: number | null;
  souvenir: number | null;
  in_catalog: number;
  first_seen_at: number;
  updated_at: number | null;
};

/** Opens a read with a prepared SELECT and an object made of the row, which the framework turns into JSON. */
export function openItems(path: string) {
  const client = new SqliteDatabase(path, { readonly: true, fileMustExist: true });
  const item = client.prepare<[number], ItemRow>(`
    SELECT item_id, market_hash_name, slug, type, rarity, collection, phase, name_ru, image_url, wear, stat_counter,
      souvenir, wear_min, wear_max, identity, in_catalog, first_seen_at, updated_at FROM items WHERE item_id = ?`);
  const flag = (stored: number | null) => (stored === null ? null : stored === 1);
  return {
    close: () => void client.close(),
    /** Returns the answer; undefined: there is no such item. */
    answer(itemId: number) {
      const row = item.get(itemId);
      if (row === undefined) return undefined;
      const at = systemClock.now();
      return {
        data: {
          ...row,
          stat_counter: flag(row.stat_counter),
          souvenir: flag(row.souvenir),
          shares_name_with: [],
          openable_slug: null,
          in_catalog: row.in_catalog === 1,
          first_seen_at: toTimestamp(row.first_seen_at),
          updated_at: toTimestampOrNull(row.updated_at),
        },
        meta: { request_id: ids.requestId(at), generated_at: toTimestamp(at) },
      };
    },
  };
}

export type SyncLedger = ReturnType<typeof openSyncLedger>;

/** Opens a ledger on the main thread, with one synced transaction for each request. */
export function openSyncLedger(path: string) {
  const client = new SqliteDatabase(path, { fileMustExist: true });
  client.pragma("journal_mode = WAL");
  client.pragma("synchronous = FULL");
  const find = client.prepare<[Buffer, number], { keyId: string; accountId: string }>(`
    SELECT k.key_id AS keyId, k.account_id AS accountId FROM api_keys k JOIN accounts a USING (account_id)
    WHERE k.secret_hash = ? AND k.expires_at > ? AND k.revoked_at IS NULL AND a.disabled_at IS NULL`);
  const addUnit = client.prepare(`
    INSERT INTO usage_months(account_id, month, used) VALUES (?, ?, 1)
    ON CONFLICT (account_id, month) DO UPDATE SET used = used + 1`);
  const addEvent = client.prepare("INSERT INTO usage_events VALUES (?, ?, ?, ?, ?, ?)");
  const write = client.transaction((accountId: string, keyId: string, at: number) => {
    addUnit.run(accountId, utcMonth(at));
    addEvent.run(ids.requestId(at), accountId, keyId, "getItem", utcMonth(at), at);
  }).immediate;
  return {
    close: () => void client.close(),
    /** Writes one unit to the disk; false: the credential is not valid. */
    charge(authorization: string | undefined): boolean {
      const at = systemClock.now();
      const secret = authorization?.slice("Bearer ".length) ?? "";
      const key = find.get(createHash("sha256").update(secret).digest(), at);
      if (key !== undefined) write(key.accountId, key.keyId, at);
      return key !== undefined;
    },
  };
}
