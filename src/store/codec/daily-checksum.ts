import { crc32 } from "node:zlib";
import type { dailyPrices } from "../../../db/schema/history.ts";

/** A row of `daily_prices` without the checksum. */
export type DailyWithoutChecksum = Omit<typeof dailyPrices.$inferSelect, "checksum">;

/** Columns that the checksum is of, in the order of the table. It is the CRC-32 of what SQLite's json_array makes of them. */
export const dailyColumns =
  "item_id, side, day, provider, amount, low_amount, high_amount, observations, quantity, source_observed_at, recorded_at, import_id";

/** Adds the columns of a row to `values` in the order of the table, the checksum last. */
export function pushDailyValues(values: (string | number | null)[], row: DailyWithoutChecksum): void {
  const { itemId, side, day, provider, amount, lowAmount, highAmount, observations } = row;
  const { quantity, sourceObservedAt, recordedAt, importId } = row;
  values.push(itemId, side, day, provider, amount, lowAmount, highAmount, observations);
  values.push(quantity, sourceObservedAt, recordedAt, importId, dailyChecksum(row));
}

/** Returns the CRC-32 of all columns but its own. `db check` compares it: a flipped bit of an amount is another valid amount. */
export function dailyChecksum(row: DailyWithoutChecksum): number {
  const { itemId, side, day, provider, amount, lowAmount, highAmount, observations } = row;
  const { quantity, sourceObservedAt, recordedAt, importId } = row;
  const source = [observations, quantity, sourceObservedAt, recordedAt, importId];
  return crc32(JSON.stringify([itemId, side, day, provider, amount, lowAmount, highAmount, ...source]));
}
