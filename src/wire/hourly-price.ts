import type { Schema } from "../contract/types.ts";
import { TimestampTexts } from "../values/time/timestamp-texts.ts";
import { digitsOf, type EncodedPage, RowBytes, timestampLength } from "./row-bytes.ts";

type HourlyPrice = Schema<"HourlyPrice">;

/**
 * Values of an hourly row except its hour and the times of its frame. The amount is USD cents, the time UTC ms. Values are null if unknown,
 * or if the row has no quote.
 */
export type HourlyFacts = Pick<HourlyPrice, "provider" | "side" | "amount" | "quantity" | "availability"> & {
  readonly observedAt: number | null;
};

/** Hour of a row. `times` is a result of `encodeFrameTimes`: the frame's ingestion, check and recording. */
export type RowHour = { readonly day: number; readonly ofDay: number; readonly times: Buffer };

/**
 * Properties that determine the lengths of the parts of a row: the digits of its numbers (0 for null) and its optional values. Rows of one
 * provider, side and form have equal lengths.
 */
type RowForm = {
  readonly amount: number;
  readonly quantity: number;
  readonly availability: HourlyPrice["availability"];
  readonly hasSourceTime: boolean;
};

/** A row of the current page. */
export type RowPlace = {
  readonly at: number;
  readonly length: number;
  readonly form: RowForm;
  readonly amountAt: number;
};

const dateAt = ',{"ts":"'.length;
const hourAt = ',{"ts":"2026-01-31T'.length;
const amountName = '"amount":';
const quantityName = ',"quantity":';
/** Placeholder for a time of the frame, which is written over it. */
const anyTime = "0".repeat(timestampLength);
const timesLength = `"ingested_at":"","checked_at":"","recorded_at":""`.length + 3 * timestampLength;
const noTimeTail = ',"source_observed_at":null}';
/** Distances from the end of a row: to the source's own time, and to the frame's times with and without a source time. */
const observedBack = timestampLength + '"}'.length;
const timesBack = observedBack + ',"source_observed_at":"'.length + timesLength;
const timesBackWithout = noTimeTail.length + timesLength;

/** Encodes pages of rows of `getHourlyPriceHistory`, one page at a time. */
export class HourlyPriceEncoder {
  readonly #rows = new RowBytes();
  readonly #timestamps = new TimestampTexts();

  /** Starts a page. */
  clear(): void {
    this.#rows.clear();
  }

  /** Adds a row and returns its place. Pass any row of the same provider and side on the page as `like`, else undefined. */
  add(row: HourlyFacts, hour: RowHour, like: RowPlace | undefined): RowPlace {
    const form = formOf(row);
    if (like === undefined || !isSameForm(like.form, form)) return this.#addText(row, hour, form);
    const { amount, quantity, observedAt } = row;
    const { length, amountAt } = like;
    const at = this.#repeat(like, hour);
    this.#rows.setDate(at + dateAt, hour.day, this.#timestamps);
    const amountEnd = this.#rows.setDigits(at + amountAt, amount, form.amount);
    this.#rows.setDigits(amountEnd + quantityName.length, quantity, form.quantity);
    if (observedAt !== null) this.#rows.setTimestamp(at + length - observedBack, observedAt, this.#timestamps);
    return { at, length, form, amountAt };
  }

  /** Adds a copy of a row for another hour of the same day, with the times of another frame. */
  repeat(place: RowPlace, hour: RowHour): void {
    this.#repeat(place, hour);
  }

  /** Ends the page and returns it. */
  take(): EncodedPage {
    return this.#rows.take();
  }

  #repeat({ at: from, length, form }: RowPlace, { ofDay, times }: RowHour): number {
    const rows = this.#rows;
    const at = rows.repeat(from, length);
    rows.setDigits(at + hourAt, ofDay, 2);
    rows.set(at + length - (form.hasSourceTime ? timesBack : timesBackWithout), times);
    return at;
  }

  #addText(row: HourlyFacts, { day, ofDay, times }: RowHour, form: RowForm): RowPlace {
    const { provider, side, amount, quantity, availability, observedAt } = row;
    // `add` and `#repeat` rely on the order of the keys.
    const record: HourlyPrice = {
      ts: `${this.#timestamps.date(day)}T${ofDay < 10 ? "0" : ""}${ofDay}:00:00.000Z`,
      provider,
      side,
      amount,
      quantity,
      currency: "USD",
      minor_units: 2,
      kind: "hourly_cached_quote",
      availability,
      ingested_at: anyTime,
      checked_at: anyTime,
      recorded_at: anyTime,
      source_observed_at: observedAt === null ? null : this.#timestamps.of(observedAt),
    };
    const text = `,${JSON.stringify(record)}`;
    const at = this.#rows.add(text);
    this.#rows.set(at + text.length - (form.hasSourceTime ? timesBack : timesBackWithout), times);
    return { at, length: text.length, form, amountAt: text.indexOf(amountName) + amountName.length };
  }
}

/** Encodes the times at which a frame was ingested, checked and recorded, UTC ms. */
export function encodeFrameTimes(
  [ingestedAt, checkedAt, recordedAt]: readonly [number, number, number],
  timestamps: TimestampTexts,
): string {
  const [ingested, checked] = [timestamps.of(ingestedAt), timestamps.of(checkedAt)];
  return `"ingested_at":"${ingested}","checked_at":"${checked}","recorded_at":"${timestamps.of(recordedAt)}"`;
}

function formOf({ amount, quantity, availability, observedAt }: HourlyFacts): RowForm {
  return {
    amount: digitsOf(amount),
    quantity: digitsOf(quantity),
    availability,
    hasSourceTime: observedAt !== null,
  };
}

function isSameForm(one: RowForm, other: RowForm): boolean {
  return (
    one.amount === other.amount &&
    one.quantity === other.quantity &&
    one.availability === other.availability &&
    one.hasSourceTime === other.hasSourceTime
  );
}
