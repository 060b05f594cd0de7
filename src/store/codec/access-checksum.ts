import { crc32 } from "node:zlib";

/** Columns of a row as SQLite stores them, in the order of the table. */
export type StoredRow = readonly (string | number | Buffer | null)[];

/**
 * Returns the CRC-32 of a row of accounts, purchases, keys or export leases. `db check` compares it, because a flipped bit can result in
 * another valid date or plan.
 */
export function accessRowChecksum(row: StoredRow): number {
  return crc32(JSON.stringify(row.map((value) => (Buffer.isBuffer(value) ? value.toString("hex") : value))));
}

/** One charged unit of usage. */
export type ChargedUnit = {
  requestId: string;
  accountId: string;
  keyId: string;
  operation: string;
  month: string;
  at: number;
};

/** Returns the CRC-32 of a charged unit. Its columns contain no spaces. */
export function unitChecksum({ requestId, accountId, keyId, operation, month, at }: ChargedUnit): number {
  return crc32(`${requestId} ${accountId} ${keyId} ${operation} ${month} ${at}`);
}

/** Adds a unit's checksum to a sum, modulo 2^32. The order of the units does not matter. */
export function addChecksum(sum: number, checksum: number): number {
  return (sum + checksum) >>> 0;
}
