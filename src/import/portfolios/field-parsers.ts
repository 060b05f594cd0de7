import { amountCentsMax, centsFrom } from "../../values/money/money.ts";
import { displayText } from "../../values/text/display-text.ts";
import { dayMs, dayOf, dayText, parseDay } from "../../values/time/calendar.ts";
import { type AmountName, type ColumnName, columns } from "./columns.ts";
import type { Faults } from "./faults.ts";
import type { ParsedRow } from "./rows.ts";

const quantityMax = 1_000_000_000;

const plainNumber = /^-?[0-9]+(?:\.[0-9]+)?$/;
/** Spreadsheets write `3.0` for 3, and add a time to dates. */
const wholeNumber = /^-?[0-9]{1,16}(?:\.0{1,2})?$/;
export const timeOfDay = /[T ]\d{1,2}:\d{2}(?::\d{2}(?:\.\d+)?)?\s*Z?$/;
const instant = /^([0-9]{4}-[0-9]{2}-[0-9]{2})T(?:[01][0-9]|2[0-3])(?::[0-5][0-9]){2}(?:\.[0-9]{1,3})?Z$/;

/** Characters that stored text must not contain: NUL and unpaired surrogates. */
export const unstorable = /[\u0000\p{Cs}]/u;

/** Parses the fields of one row. An invalid value is added to the faults and returned as null, like a missing field. */
export class RowFields {
  readonly line: number;
  readonly #row: ParsedRow;
  readonly #faults: Faults;

  constructor(row: ParsedRow, faults: Faults) {
    this.line = row.line;
    this.#row = row;
    this.#faults = faults;
  }

  get place(): string {
    return this.#faults.place;
  }

  fault(column: ColumnName, why: string): null {
    this.#faults.add(this.#row.fields.get(column)?.line ?? this.line, column, why);
    return null;
  }

  has(column: ColumnName): boolean {
    return this.#row.fields.has(column);
  }

  /** Returns any text of at most `charactersMax` characters. Formulas are treated as text. */
  text(column: ColumnName, charactersMax: number): string | null {
    const text = this.#row.fields.get(column)?.text ?? null;
    if (text === null) return null;
    if (text.length > charactersMax) return this.fault(column, `longer than ${charactersMax} characters`);
    if (unstorable.test(text)) return this.fault(column, "contains a NUL or half a character");
    return text;
  }

  required(column: ColumnName, charactersMax: number): string | null {
    return this.has(column) ? this.text(column, charactersMax) : this.fault(column, "is missing");
  }

  oneOf<Choice extends string>(column: ColumnName, choices: readonly Choice[]): Choice | null {
    const text = this.#row.fields.get(column)?.text;
    if (text === undefined) return this.fault(column, `is missing; use one of ${choices.join(", ")}`);
    const found = choices.find((choice) => choice === text);
    return found ?? this.fault(column, `\`${displayText(text)}\` is not one of ${choices.join(", ")}`);
  }

  flag(column: ColumnName): boolean | null {
    return this.has(column) ? this.oneOf(column, ["true", "false"]) === "true" : false;
  }

  whole(column: ColumnName, min: number, max: number): number | null {
    const text = this.#row.fields.get(column)?.text;
    if (text === undefined) return null;
    if (!wholeNumber.test(text)) return this.fault(column, `\`${displayText(text)}\` is not a whole number, such as 3`);
    const value = Number(text);
    return value >= min && value <= max ? value : this.fault(column, `${text} is not between ${min} and ${max}`);
  }

  /** Returns the units, at least 1. With `isSigned` they may be negative, for a reduction. */
  quantity(isSigned: boolean): number | null {
    if (!this.has("quantity")) return this.fault("quantity", "is missing");
    const quantity = this.whole("quantity", isSigned ? -quantityMax : 1, quantityMax);
    return quantity === 0 ? this.fault("quantity", "must not be 0") : quantity;
  }

  /** Returns an exact amount in USD cents. Null if it is not given. Only a written 0 gives 0. */
  cents(amount: AmountName): number | null {
    const [inCents, inDollars] = [`${amount}_cents`, `${amount}_usd`] as const;
    if (this.has(inCents) && this.has(inDollars))
      return this.fault(inDollars, `a row has either ${inCents} or ${inDollars}, never both`);
    return this.#cents(inCents, "cents") ?? this.#cents(inDollars, "dollars");
  }

  /** Returns a UTC day since 1970 that is not in the future. A time of day is ignored. */
  day(column: ColumnName, now: number): number | null {
    const text = this.#row.fields.get(column)?.text;
    if (text === undefined) return null;
    const day = parseDay(text.trim().replace(timeOfDay, ""));
    if (day === null)
      return this.fault(
        column,
        `\`${displayText(text)}\` is not a date like 2026-03-01; dates like 01.03.2026 are read if the whole file has them`,
      );
    return day <= dayOf(now) ? day : this.#future(column, text, now);
  }

  /** Returns a UTC time in ms that is not in the future. */
  instant(column: ColumnName, now: number): number | null {
    const text = this.#row.fields.get(column)?.text;
    if (text === undefined) return null;
    const match = instant.exec(text);
    const day = match === null ? null : parseDay(match[1]!);
    if (day === null)
      return this.fault(column, `\`${displayText(text)}\` is not a valid UTC time, such as 2026-01-31T12:00:00Z`);
    const at = day * dayMs + (Date.parse(`1970-01-01${text.slice(10)}`) || 0);
    return at <= now ? at : this.#future(column, text, now);
  }

  /** Columns of the other kind of record must be empty. */
  refuseOthers(record: "lot" | "transaction"): void {
    for (const name of this.#row.fields.keys()) {
      const { of } = columns[name];
      if (of !== "both" && of !== record) this.fault(name, `a ${record} has no such value; leave it empty`);
    }
  }

  #cents(column: ColumnName, unit: "cents" | "dollars"): number | null {
    const text = this.#row.fields.get(column)?.text;
    if (text === undefined) return null;
    const cents = plainNumber.test(text) ? centsFrom(text, unit) : "unparsable";
    if (typeof cents === "number") return cents;
    if (cents === "zero") return 0;
    if (cents === "negative") return this.fault(column, "must not be negative");
    if (cents === "fractional_cents")
      return this.fault(column, `\`${displayText(text)}\` is not a whole number of cents; nothing is rounded`);
    if (cents === "oversized") return this.fault(column, `is above ${amountCentsMax} cents`);
    return this.fault(
      column,
      `\`${displayText(text)}\` is not a plain decimal number, such as ${unit === "cents" ? "1250" : "12.50"}`,
    );
  }

  #future(column: ColumnName, text: string, now: number): null {
    return this.fault(column, `${text} is in the future; today is ${dayText(dayOf(now))} in UTC`);
  }
}
