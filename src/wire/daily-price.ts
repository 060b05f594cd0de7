import type { Schema } from "../contract/types.ts";
import { TimestampTexts } from "../values/time/timestamp-texts.ts";
import { digitsOf, RowBytes, timestampLength } from "./row-bytes.ts";

type DailyPrice = Schema<"DailyPrice">;

/** Prices of one provider on one UTC day. Amounts are USD cents, `day` is days since 1970, times are UTC ms; null if unknown. */
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

/**
 * Properties that determine the lengths of the parts of a row: the digits of its numbers (0 for null) and its optional values. Rows of one
 * provider and form have equal lengths.
 */
type RowForm = {
  readonly amount: number;
  readonly lowAmount: number;
  readonly highAmount: number;
  readonly observations: number;
  readonly quantity: number;
  readonly hasSourceTime: boolean;
  readonly isComplete: boolean;
};
type RowPlace = { readonly at: number; readonly length: number; readonly form: RowForm; readonly amountAt: number };

const dateAt = ',{"date":"'.length;
const amountName = '"amount":';
/** Lengths of the text between two numbers. */
const betweenLow = ',"low_amount":'.length;
const betweenHigh = ',"high_amount":'.length;
const betweenObservations = ',"observations":'.length;
const betweenQuantity = ',"quantity":'.length;
/** Distances from the end of a row to its times. */
const recordedBack = timestampLength + '"}'.length;
const observedBack = recordedBack + timestampLength + '","recorded_at":"'.length;

/** Encodes pages of rows of `getDailyPriceHistory`, one page at a time. */
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
      if (place !== undefined && isSameForm(place.form, form)) this.#repeat(place, row);
      else places.set(row.provider, this.#add(row, form, side));
    }
    return this.#rows.list();
  }

  #add(row: DailyPriceFacts, form: RowForm, side: DailyPrice["side"]): RowPlace {
    const times = this.#timestamps;
    // `#repeat` relies on the order of the keys.
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
      complete: form.isComplete,
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

  /** Adds a row as a modified copy of a row with the same form. */
  #repeat({ at: from, length, form, amountAt }: RowPlace, row: DailyPriceFacts): void {
    const { sourceObservedAt } = row;
    const rows = this.#rows;
    const at = rows.repeat(from, length);
    const end = at + length;
    rows.setDate(at + dateAt, row.day, this.#timestamps);
    const lowAt = rows.setDigits(at + amountAt, row.amount, form.amount) + betweenLow;
    const highAt = rows.setDigits(lowAt, row.lowAmount, form.lowAmount) + betweenHigh;
    const observationsAt = rows.setDigits(highAt, row.highAmount, form.highAmount) + betweenObservations;
    const quantityAt = rows.setDigits(observationsAt, row.observations, form.observations) + betweenQuantity;
    rows.setDigits(quantityAt, row.quantity, form.quantity);
    if (sourceObservedAt !== null) rows.setTimestamp(end - observedBack, sourceObservedAt, this.#timestamps);
    rows.setTimestamp(end - recordedBack, row.recordedAt, this.#timestamps);
  }
}

function formOf(row: DailyPriceFacts, today: number): RowForm {
  return {
    amount: digitsOf(row.amount),
    lowAmount: digitsOf(row.lowAmount),
    highAmount: digitsOf(row.highAmount),
    observations: digitsOf(row.observations),
    quantity: digitsOf(row.quantity),
    hasSourceTime: row.sourceObservedAt !== null,
    isComplete: row.day < today,
  };
}

function isSameForm(one: RowForm, other: RowForm): boolean {
  return (
    one.amount === other.amount &&
    one.lowAmount === other.lowAmount &&
    one.highAmount === other.highAmount &&
    one.observations === other.observations &&
    one.quantity === other.quantity &&
    one.hasSourceTime === other.hasSourceTime &&
    one.isComplete === other.isComplete
  );
}
