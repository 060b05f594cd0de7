import type { Schema } from "../contract/types.ts";
import type { TimestampTexts } from "../values/time/timestamp-texts.ts";
import type { DailyPriceFacts } from "./daily-price.ts";

/** A `daily` row of a day's export: the prices of one side of an item. */
export type DayRow = Omit<DailyPriceFacts, "day"> & { readonly itemId: number; readonly side: "ask" | "bid" };

/** Inclusive range of hours of a UTC day, 0 to 23. */
type HourRange = readonly [first: number, last: number];

/** Quotes of one item, provider and side, as parallel arrays over ranges of hours without a change. */
export type DayQuotes = {
  readonly provider: string;
  readonly feed: string;
  readonly hours: HourRange[];
  readonly amounts: number[];
  readonly quantities: (number | null)[];
  readonly sourceObservedAt: (number | null)[];
};

/**
 * Ranges of hours in which a side of an item had no quote, as parallel arrays. An entry of `feeds` is null if it means all feeds with a
 * frame in these hours.
 */
export type DayMarkers = {
  readonly hours: HourRange[];
  readonly availability: ("item_missing" | "no_quote")[];
  readonly feeds: (readonly string[] | null)[];
};

type DayRowTexts = Record<Exclude<keyof DayRow, "sourceObservedAt" | "recordedAt">, string | number | null>;

const dayRowHead = (row: DayRowTexts) =>
  `{"type":"daily","data":{"item_id":${row.itemId},"side":"${row.side}","provider":"${row.provider}","amount":${row.amount},` +
  `"low_amount":${row.lowAmount},"high_amount":${row.highAmount},"observations":${row.observations},"quantity":${row.quantity},`;

/** SQL expression over the columns of `daily_prices` that makes a `daily` record up to its times. `encodeDayTimes` makes the rest. */
export const dayRowHeadSql = `'${dayRowHead({
  itemId: "' || item_id || '",
  side: "' || side || '",
  provider: "' || provider || '",
  amount: "' || amount || '",
  lowAmount: "' || low_amount || '",
  highAmount: "' || high_amount || '",
  observations: "' || observations || '",
  quantity: "' || ifnull(quantity, 'null') || '",
})}'`;

/** Encodes the times of a `daily` record with its line end. */
export function encodeDayTimes(
  sourceObservedAt: number | null,
  recordedAt: number,
  timestamps: TimestampTexts,
): string {
  const observed = sourceObservedAt === null ? "null" : `"${timestamps.of(sourceObservedAt)}"`;
  return `"source_observed_at":${observed},"recorded_at":"${timestamps.of(recordedAt)}"}}\n`;
}

/** Encodes a `daily` record with its line end. */
export function encodeDayRow(row: DayRow, timestamps: TimestampTexts): string {
  return dayRowHead(row) + encodeDayTimes(row.sourceObservedAt, row.recordedAt, timestamps);
}

/** Encodes a `quotes` record with its line end. */
export function encodeDayQuotes(itemId: number, side: string, quotes: DayQuotes, timestamps: TimestampTexts): string {
  const { provider, feed, hours, amounts, quantities, sourceObservedAt } = quotes;
  const observed = sourceObservedAt.map((at) => (at === null ? "null" : `"${timestamps.of(at)}"`));
  return (
    `{"type":"quotes","data":{"item_id":${itemId},"side":"${side}","provider":"${provider}","feed":"${feed}",` +
    `"hours":[${rangesText(hours)}],"amounts":[${amounts.join(",")}],"quantities":[${quantities.map(String).join(",")}],` +
    `"source_observed_at":[${observed.join(",")}]}}\n`
  );
}

/** Encodes a `markers` record with its line end. */
export function encodeDayMarkers(itemId: number, side: string, { hours, availability, feeds }: DayMarkers): string {
  return (
    `{"type":"markers","data":{"item_id":${itemId},"side":"${side}","hours":[${rangesText(hours)}],` +
    `"availability":["${availability.join('","')}"],"feeds":${JSON.stringify(feeds)}}}\n`
  );
}

/** Encodes the first or last record of a day's export with its line end. These records are not part of the content. */
export function encodeDayRecord(record: Schema<"DayExportStart"> | Schema<"DayExportEnd">): Buffer {
  return Buffer.from(`${JSON.stringify(record)}\n`);
}

function rangesText(hours: readonly HourRange[]): string {
  return hours.map(([first, last]) => `[${first},${last}]`).join(",");
}
