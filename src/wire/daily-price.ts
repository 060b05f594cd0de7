import type { Schema } from "../contract/types.ts";
import type { TimestampTexts } from "../values/timestamp-texts.ts";

type DailyPrice = Schema<"DailyPrice">;

/** One provider's prices of one UTC day: amounts in USD cents, `day` since 1970, times in UTC ms, null: unknown. */
export type DailyPriceFacts = {
  readonly day: number;
  readonly provider: string;
  readonly amount: number;
  readonly lowAmount: number;
  readonly highAmount: number;
  readonly observations: number;
  readonly quantity: number | null;
  readonly sourceObservedAt: number | null;
  readonly recordedAt: number;
};

const kind: DailyPrice["kind"] = "daily_cached_quote";
const money = '"currency":"USD","minor_units":2';

/** A row has less: a slug of 60 letters, six numbers, two times and the names of its members. */
const rowBytesMax = 640;

/** Encodes rows of `getDailyPriceHistory` as a JSON array in UTF-8. Days before `today` are complete. */
export function encodeDailyPrices(
  rows: readonly DailyPriceFacts[],
  { side, today, timestamps }: { side: DailyPrice["side"]; today: number; timestamps: TimestampTexts },
): Buffer {
  const middle = `","side":"${side}","amount":`;
  const bytes = Buffer.allocUnsafe(2 + rows.length * rowBytesMax);
  let used = bytes.write("[");
  for (const row of rows) {
    const { sourceObservedAt } = row;
    const text =
      `${used === 1 ? "" : ","}{"date":"${timestamps.date(row.day)}","provider":"${row.provider}${middle}${row.amount},"low_amount":${row.lowAmount},` +
      `"high_amount":${row.highAmount},"observations":${row.observations},"quantity":${row.quantity},${money},` +
      `"kind":"${kind}","complete":${row.day < today},"source_observed_at":` +
      `${sourceObservedAt === null ? "null" : `"${timestamps.of(sourceObservedAt)}"`},` +
      `"recorded_at":"${timestamps.of(row.recordedAt)}"}`;
    // All of it is ASCII. Row by row: one long text would be copied and encoded as a whole.
    used += bytes.write(text, used, "latin1");
  }
  used += bytes.write("]", used);
  return bytes.subarray(0, used);
}
