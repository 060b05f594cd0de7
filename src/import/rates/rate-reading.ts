import type { RateSeries } from "../../store/read/exchange-rates.ts";
import type { NewRate } from "../../store/write/exchange-rates.ts";
import { type Decimal, parseDecimal } from "../../values/money/decimal.ts";
import { displayText } from "../../values/text/display-text.ts";
import { dayText, parseDay } from "../../values/time/calendar.ts";
import { type FeedFile, refusedFile } from "../feed-file.ts";
import { type RefusalCount, Refusals } from "../quotes/observation.ts";
import { type CodeRefusal, minorUnitsOn } from "./iso-currencies.ts";

/** A rate of a source. `place` is its position in the file. */
export type RateFact = NewRate & { place: string };

export type SkipReason = CodeRefusal | "definition" | "no_usd" | "no_rate";
export type SkipCount = RefusalCount<SkipReason>;

/** Reads one file format. Any error in the file throws `OperatorError`. `today` (UTC) is the last valid day. */
export type RateAdapter = RateSeries & { read(body: FeedFile, today: number, skips: RateSkips): RateFact[] };

const rateCharactersMax = 40;

/** Counts skipped entries of a source by reason, with the first names of each. */
export class RateSkips extends Refusals<SkipReason> {
  constructor() {
    super(8);
  }
}

/** Returns the currency's minor units. Returns null, and counts the code, if it is the dollar or not a currency on `day`. */
export function acceptedMinorUnits(code: string, day: number, skips: RateSkips): number | null {
  const found = code === "USD" ? "definition" : minorUnitsOn(code, day);
  if (typeof found === "number") return found;
  skips.add(found, code);
  return null;
}

/** Parses a date. Rejects the file if the date is invalid or in the future. */
export function dayIn(body: FeedFile, place: string, text: string, today: number): number {
  const day = parseDay(text);
  if (day === null) throw refusedFile(body.name, `${place}: \`${displayText(text)}\` is not a date (YYYY-MM-DD)`);
  if (day > today)
    throw refusedFile(body.name, `${place}: ${text} is in the future; today is ${dayText(today)} in UTC`);
  return day;
}

/** Parses an exact rate. Rejects the file if the number is zero, negative, not finite or too long. */
export function rateIn(body: FeedFile, place: string, text: string): Decimal {
  const value = parseDecimal(text);
  if (value === null || text.length > rateCharactersMax)
    throw refusedFile(
      body.name,
      `${place}: \`${displayText(text)}\` is not a decimal number of at most ${rateCharactersMax} characters`,
    );
  if (value.units <= 0n)
    throw refusedFile(body.name, `${place}: ${text} is not a rate; a rate is above zero, and a missing one is omitted`);
  return value;
}
