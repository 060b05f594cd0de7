import { crc32 } from "node:zlib";
import type { dailyPrices } from "../../../db/schema/history.ts";

/** A row of `daily_prices` without the checksum. */
export type DailyWithoutChecksum = Omit<typeof dailyPrices.$inferSelect, "checksum">;

/** Columns that the checksum is of, in the order of the table. It is the CRC-32 of what SQLite's json_array makes of them. */
export const dailyColumns =
  "item_id, side, day, provider, amount, low_amount, high_amount, observations, quantity, source_observed_at, recorded_at, import_id";

/** Returns the columns of a row in the order of the table, the checksum last. */
export function dailyValues(row: DailyWithoutChecksum): (string | number | null)[] {
  const values = valuesOf(row);
  values.push(checksumOf(values));
  return values;
}

/**
 * Returns the CRC-32 of all columns but the checksum's own. `db check` compares it, since a flipped bit of an amount is
 * another valid amount.
 */
export function dailyChecksum(row: DailyWithoutChecksum): number {
  return checksumOf(valuesOf(row));
}

function checksumOf(values: readonly (string | number | null)[]): number {
  return crc32(JSON.stringify(values));
}

function valuesOf(row: DailyWithoutChecksum): (string | number | null)[] {
  const { itemId, side, day, provider, amount, lowAmount, highAmount, observations } = row;
  const { quantity, sourceObservedAt, recordedAt, importId } = row;
  return [
    itemId,
    side,
    day,
    provider,
    amount,
    lowAmount,
    highAmount,
    observations,
    quantity,
    sourceObservedAt,
    recordedAt,
    importId,
  ];
}
