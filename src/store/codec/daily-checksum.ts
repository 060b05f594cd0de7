import { crc32 } from "node:zlib";
import type { dailyPrices } from "../../../db/schema/history.ts";

/** A row of `daily_prices` without the checksum. */
export type DailyWithoutChecksum = Omit<typeof dailyPrices.$inferSelect, "checksum">;

/**
 * Returns the CRC-32 of all columns but the checksum's own. `db check` compares it, since a flipped bit of an amount is
 * another valid amount.
 */
export function dailyChecksum(row: DailyWithoutChecksum): number {
  const { itemId, side, day, provider, amount, lowAmount, highAmount, observations } = row;
  const { quantity, sourceObservedAt, recordedAt, importId } = row;
  return crc32(
    JSON.stringify([
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
    ]),
  );
}
