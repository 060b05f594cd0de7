import type { Schema } from "../contract/types.ts";
import { TimestampTexts } from "../values/timestamp-texts.ts";
import { digitsOf, RowBytes, timestampLength } from "./row-bytes.ts";

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

/** `form` tells the lengths of all that differs between rows of a provider. */
type RowPlace = { at: number; length: number; form: number; amountAt: number };

const dateAt = ',{"date":"'.length;
const amountName = '"amount":';
/** Lengths of what stands between two numbers. */
const betweenLow = ',"low_amount":'.length;
const betweenHigh = ',"high_amount":'.length;
const betweenObservations = ',"observations":'.length;
const betweenQuantity = ',"quantity":'.length;
/** From the end of a row back to its times. */
const recordedBack = timestampLength + '"}'.length;
const observedBack = recordedBack + timestampLength + '","recorded_at":"'.length;
/** More than a whole number up to 2^53 has digits. */
const digitsMax = 17;

/** Encodes pages of rows of `getDailyPriceHistory`, one at a time. */
export class DailyPriceEncoder {
  readonly #rows = new RowBytes();
  readonly #timestamps = new TimestampTexts();

  /** Returns the rows as a JSON array in UTF-8. Days before `today` are complete. */
  encode(rows: readonly DailyPriceFacts[], { side, today }: { side: DailyPrice["side"]; today: number }): Buffer {
    this.#rows.clear();
    const places = new Map<string, RowPlace>();
    for (const row of rows) {
      const form = formOf(row, today);
      const place = places.get(row.provider);
      if (place?.form === form) this.#repeat(place, row);
      else places.set(row.provider, this.#add(row, form, { side, today }));
    }
    return this.#rows.list();
  }

  #add(row: DailyPriceFacts, form: number, { side, today }: { side: DailyPrice["side"]; today: number }): RowPlace {
    const times = this.#timestamps;
    // The order of the keys is what `#repeat` relies on.
    const record: DailyPrice = {
      date: times.date(row.day),
      provider: row.provider,
      side,
      amount: row.amount,
      low_amount: row.lowAmount,
      high_amount: row.highAmount,
      observations: row.observations,
      quantity: row.quantity,
      currency: "USD",
      minor_units: 2,
      kind: "daily_cached_quote",
      complete: row.day < today,
      source_observed_at: row.sourceObservedAt === null ? null : times.of(row.sourceObservedAt),
      recorded_at: times.of(row.recordedAt),
    };
    const text = `,${JSON.stringify(record)}`;
    return {
      at: this.#rows.add(text),
      length: text.length,
      form,
      amountAt: text.indexOf(amountName) + amountName.length,
    };
  }

  /** Adds a row as a copy of one of the same form, and makes it the one to copy next. */
  #repeat(place: RowPlace, row: DailyPriceFacts): void {
    const { amount, lowAmount, highAmount, observations, quantity, sourceObservedAt } = row;
    const rows = this.#rows;
    const at = rows.repeat(place.at, place.length);
    const end = at + place.length;
    rows.setDate(at + dateAt, row.day, this.#timestamps);
    let next = this.#put(at + place.amountAt, amount) + betweenLow;
    next = this.#put(next, lowAmount) + betweenHigh;
    next = this.#put(next, highAmount) + betweenObservations;
    next = this.#put(next, observations) + betweenQuantity;
    if (quantity !== null) this.#put(next, quantity);
    if (sourceObservedAt !== null) rows.setTimestamp(end - observedBack, sourceObservedAt, this.#timestamps);
    rows.setTimestamp(end - recordedBack, row.recordedAt, this.#timestamps);
    place.at = at;
  }

  /** Writes a number and returns where it ends. */
  #put(at: number, value: number): number {
    const digits = digitsOf(value);
    this.#rows.setDigits(at, value, digits);
    return at + digits;
  }
}

function formOf(
  { day, amount, lowAmount, highAmount, observations, quantity, sourceObservedAt }: DailyPriceFacts,
  today: number,
): number {
  let form = digitsOf(amount) * digitsMax + digitsOf(lowAmount);
  form = (form * digitsMax + digitsOf(highAmount)) * digitsMax + digitsOf(observations);
  form = form * digitsMax + (quantity === null ? 0 : digitsOf(quantity));
  return form * 4 + (sourceObservedAt === null ? 0 : 2) + (day < today ? 1 : 0);
}
