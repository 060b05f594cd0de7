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

/**
 * Returns the CRC-32 of all columns but the checksum's own. `db check` compares it, since a flipped bit of an amount is another valid
 * amount. The text of the columns is never made: that and a call of zlib for it take three times as long.
 */
export function dailyChecksum(row: DailyWithoutChecksum): number {
  let crc = ofNumber(afterBracket, row.itemId);
  crc = ofBytes(crc, sideTexts[row.side]);
  crc = ofNumber(crc, row.day);
  crc = ofBytes(crc, providerText(row.provider));
  crc = ofNumber(crc, row.amount);
  crc = ofNext(crc, row.lowAmount);
  crc = ofNext(crc, row.highAmount);
  crc = ofNext(crc, row.observations);
  crc = ofNext(crc, row.quantity);
  crc = ofNext(crc, row.sourceObservedAt);
  crc = ofNext(crc, row.recordedAt);
  crc = ofNext(crc, row.importId);
  return ~ofBytes(crc, closing) >>> 0;
}

const table = Int32Array.from({ length: 256 }, (_, byte) => {
  let crc = byte;
  for (let bit = 0; bit < 8; bit += 1) crc = crc & 1 ? 0xedb88320 ^ (crc >>> 1) : crc >>> 1;
  return crc;
});
const opening = Buffer.from("[");
const closing = Buffer.from("]");
const comma = Buffer.from(",");
const nullText = Buffer.from("null");
const sideTexts = { ask: Buffer.from(',"ask",'), bid: Buffer.from(',"bid",') };
const afterBracket = ofBytes(-1, opening);
/** Digits of a number, the last one first. */
const digits = new Uint8Array(10);
const digitZero = 0x30;
/** Numbers below this are divided as V8's small integers. Every whole number that is stored is below its product with `lowMax`. */
const smallMax = 2 ** 30;
const lowMax = 10_000_000;

const providerTexts = new Map<string, Buffer>();
const providersKept = 1000;

function providerText(provider: string): Buffer {
  let text = providerTexts.get(provider);
  if (text === undefined) {
    if (providerTexts.size === providersKept) providerTexts.clear();
    text = Buffer.from(`,${JSON.stringify(provider)},`);
    providerTexts.set(provider, text);
  }
  return text;
}

function ofNext(crc: number, value: number | null): number {
  const next = ofBytes(crc, comma);
  return value === null ? ofBytes(next, nullText) : ofNumber(next, value);
}

/** Continues with the digits of a whole number from 0 to 2^53 - 1. */
function ofNumber(crc: number, value: number): number {
  if (value < smallMax) return ofDigits(crc, value, 0);
  const high = Math.floor(value / lowMax);
  return ofDigits(ofDigits(crc, high, 0), value - high * lowMax, 7);
}

/** Continues with the digits of a small number, at least `least` of them. */
function ofDigits(crc: number, value: number, least: number): number {
  let count = 0;
  for (let rest = value | 0; rest > 0 || count < least || count === 0; count += 1) {
    const tenth = (rest / 10) | 0;
    digits[count] = digitZero + rest - tenth * 10;
    rest = tenth;
  }
  let next = crc;
  while (count > 0) {
    count -= 1;
    next = table[(next ^ digits[count]!) & 255]! ^ (next >>> 8);
  }
  return next;
}

function ofBytes(crc: number, bytes: Uint8Array): number {
  let next = crc;
  for (let index = 0; index < bytes.length; index += 1) next = table[(next ^ bytes[index]!) & 255]! ^ (next >>> 8);
  return next;
}
