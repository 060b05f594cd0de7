import type SqliteDatabase from "better-sqlite3";
import { accessRowChecksum, addChecksum, type StoredRow, unitChecksum } from "../codec/access-checksum.ts";
import type { Database } from "../database.ts";

/** Tables with a checksum per row, and their key column. */
export const checkedTables = {
  accounts: "account_id",
  api_keys: "key_id",
  purchases: "purchase_id",
  snapshot_leases: "lease_id",
} as const;

export type CheckedTable = keyof typeof checkedTables;

/**
 * Writes the checksums of rows in the transaction that writes the rows. Not built by Drizzle, which maps values; checksums use stored
 * values.
 */
export class RowChecksums {
  readonly #client;
  readonly #record;
  readonly #row = new Map<CheckedTable, SqliteDatabase.Statement>();

  constructor({ $client: client }: Database) {
    this.#client = client;
    this.#record = client.prepare<[CheckedTable, string, number]>(
      `INSERT INTO row_checksums (table_name, row_key, checksum) VALUES (?, ?, ?)
       ON CONFLICT (table_name, row_key) DO UPDATE SET checksum = excluded.checksum`,
    );
  }

  /** Records the checksum of the current row of `key`. */
  record(table: CheckedTable, key: string | number): void {
    const row = this.#rowOf(table).get(key);
    if (row === undefined) return;
    this.#record.run(table, String(key), accessRowChecksum(row as StoredRow));
  }

  /** Records the checksum of every current row, for a file of a release without checksums. */
  recordAll(): void {
    for (const [table, key] of Object.entries(checkedTables) as [CheckedTable, string][]) {
      const keys = this.#client.prepare<[], string | number>(`SELECT ${key} FROM ${table}`).pluck().all();
      for (const one of keys) this.record(table, one);
    }
    this.#client.prepare("UPDATE ledger_clock SET units_checksum = ?").run(this.#sumOfUnits());
  }

  /** Prepared once on first use, because the ledger records each export twice. */
  #rowOf(table: CheckedTable): SqliteDatabase.Statement {
    const prepared =
      this.#row.get(table) ??
      this.#client.prepare(`SELECT * FROM ${table} WHERE ${checkedTables[table]} = ?`).raw(true);
    this.#row.set(table, prepared);
    return prepared;
  }

  #sumOfUnits(): number {
    const units = this.#client.prepare<[], Parameters<typeof unitChecksum>[0]>(
      `SELECT request_id AS requestId, account_id AS accountId, key_id AS keyId, operation, month, at FROM usage_events`,
    );
    let sum = 0;
    for (const unit of units.iterate()) sum = addChecksum(sum, unitChecksum(unit));
    return sum;
  }
}
