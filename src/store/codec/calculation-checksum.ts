import { crc32 } from "node:zlib";
import type { roiCalculations, roiHistory } from "../../../db/schema/openables.ts";

/** Rows of `roi_calculations` and `roi_history` without their checksum. */
export type CalculationWithoutChecksum = Omit<typeof roiCalculations.$inferSelect, "checksum">;
export type HistoryWithoutChecksum = Omit<typeof roiHistory.$inferSelect, "checksum">;

/**
 * Returns the CRC-32 of the columns other than the checksum. `db check` compares it, because a flipped bit of an amount is another valid
 * amount.
 */
export function calculationChecksum(row: CalculationWithoutChecksum): number {
  const { slug, valuationMode, methodologyVersion, revisionId, calculatedAt, priceAsOf, inputDigest } = row;
  const { numbers, ledger } = row;
  const columns = [slug, valuationMode, methodologyVersion, revisionId, calculatedAt, priceAsOf];
  return crc32(ledger, crc32(numbers, crc32(JSON.stringify([...columns, inputDigest.toString("hex")]))));
}

/** Returns the CRC-32 of a row of `roi_history`. */
export function historyChecksum(row: HistoryWithoutChecksum): number {
  const { slug, valuationMode, methodologyVersion, granularity, ts, recordedAt, revisionId } = row;
  const { costCents, expectedValueCents, expectedProfitCents, returnPct, profitChancePct } = row;
  const { pricedProbabilityMassPct, priceAsOf } = row;
  return crc32(
    JSON.stringify([
      slug,
      valuationMode,
      methodologyVersion,
      granularity,
      ts,
      recordedAt,
      revisionId,
      costCents,
      expectedValueCents,
      expectedProfitCents,
      returnPct,
      profitChancePct,
      pricedProbabilityMassPct,
      priceAsOf,
    ]),
  );
}
