import { crc32 } from "node:zlib";
import type { dailyPrices } from "../../../db/schema/history.ts";

/** A row of `daily_prices` before it is sealed. */
export type DailyWithoutChecksum = Omit<typeof dailyPrices.$inferSelect, "seal">;

/** CRC-32 of all columns but the seal: what `db check` compares, since a flipped bit of an amount is another valid amount. */
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
