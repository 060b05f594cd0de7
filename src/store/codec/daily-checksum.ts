import { crc32 } from "node:zlib";
import type { dailyPrices } from "../../../db/schema/history.ts";

/** A row of `daily_prices` without its checksum. */
export type DailyWithoutChecksum = Omit<typeof dailyPrices.$inferSelect, "checksum">;

/** Columns that the checksum covers, in table order. The checksum is the CRC-32 of their `json_array` in SQLite. */
export const dailyColumns =
  "item_id, side, day, provider, amount, low_amount, high_amount, observations, quantity, source_observed_at, recorded_at, import_id";

/** Appends the columns of a row to `values` in table order, with the checksum last. */
export function pushDailyValues(values: (string | number | null)[], row: DailyWithoutChecksum): void {
  const { itemId, side, day, provider, amount, lowAmount, highAmount, observations } = row;
  const { quantity, sourceObservedAt, recordedAt, importId } = row;
  values.push(itemId, side, day, provider, amount, lowAmount, highAmount, observations);
  values.push(quantity, sourceObservedAt, recordedAt, importId, dailyChecksum(row));
}

/**
 * Returns the CRC-32 of the columns other than the checksum. `db check` compares it, because a flipped bit of an amount is another valid
 * amount.
 */
export function dailyChecksum(row: DailyWithoutChecksum): number {
  const { itemId, side, day, provider, amount, lowAmount, highAmount, observations } = row;
  const { quantity, sourceObservedAt, recordedAt, importId } = row;
  const source = [observations, quantity, sourceObservedAt, recordedAt, importId];
  return crc32(JSON.stringify([itemId, side, day, provider, amount, lowAmount, highAmount, ...source]));
}
