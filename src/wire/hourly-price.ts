import type { Schema } from "../contract/types.ts";
import type { TimestampTexts } from "../values/timestamp-texts.ts";

type HourlyPrice = Schema<"HourlyPrice">;

/** The middle of a row and its end: what stays the same from hour to hour while nothing changes. */
type HourlyTexts = { readonly head: string; readonly tail: string };

const kind: HourlyPrice["kind"] = "hourly_cached_quote";

/** Encodes the beginning of the rows of an hour, behind a comma; a row is this, the head of its texts, its times, and their tail. */
export function encodeHourStart(day: number, hourOfDay: number, timestamps: TimestampTexts): string {
  return `,{"ts":"${timestamps.date(day)}T${hourOfDay < 10 ? "0" : ""}${hourOfDay}:00:00.000Z",`;
}

/** Where the two digits of the hour stand in the beginning of a row. */
export const hourDigitsAt = ',{"ts":"2026-01-31T'.length;

/** Encodes head and tail of a row. Amount in USD cents, time in UTC ms; null: unknown, or a row without a quote. */
export function encodeHourlyTexts(
  row: Pick<HourlyPrice, "provider" | "side" | "amount" | "quantity" | "availability"> & { observedAt: number | null },
  timestamps: TimestampTexts,
): HourlyTexts {
  const provider = row.provider === null ? "null" : `"${row.provider}"`;
  const observed = row.observedAt === null ? "null" : `"${timestamps.of(row.observedAt)}"`;
  return {
    head:
      `"provider":${provider},"side":"${row.side}","amount":${row.amount},"quantity":${row.quantity},"currency":"USD",` +
      `"minor_units":2,"kind":"${kind}","availability":"${row.availability}",`,
    tail: `,"source_observed_at":${observed}}`,
  };
}

/** Encodes when a frame was ingested and checked, both in UTC ms. */
export function encodeFrameTimes(ingestedAt: number, checkedAt: number, timestamps: TimestampTexts): string {
  return `"ingested_at":"${timestamps.of(ingestedAt)}","checked_at":"${timestamps.of(checkedAt)}"`;
}
