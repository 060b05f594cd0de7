import { crc32 } from "node:zlib";

/** Columns of a row as SQLite stores them, in the order of the table. */
export type StoredRow = readonly (string | number | Buffer | null)[];

/**
 * Returns the CRC-32 of a row of accounts, purchases, keys or export leases. `db check` compares it, since a flipped bit of an end or a
 * plan is another valid one.
 */
export function accessRowChecksum(row: StoredRow): number {
  return crc32(JSON.stringify(row.map((value) => (Buffer.isBuffer(value) ? value.toString("hex") : value))));
}

/** A charged unit. */
export type ChargedUnit = {
  requestId: string;
  accountId: string;
  keyId: string;
  operation: string;
  month: string;
  at: number;
};

/** Returns the CRC-32 of a charged unit. None of its columns holds a space. */
export function unitChecksum({ requestId, accountId, keyId, operation, month, at }: ChargedUnit): number {
  return crc32(`${requestId} ${accountId} ${keyId} ${operation} ${month} ${at}`);
}

/** Adds a unit's checksum to a sum of them, modulo 2^32: the order of the units does not count. */
export function addChecksum(sum: number, checksum: number): number {
  return (sum + checksum) >>> 0;
}
