import type { RateSeries } from "../../store/read/exchange-rates.ts";
import type { NewRate } from "../../store/write/exchange-rates.ts";
import { type Decimal, parseDecimal } from "../../values/money/decimal.ts";
import { displayText } from "../../values/text/display-text.ts";
import { dayText, parseDay } from "../../values/time/calendar.ts";
import { type FeedFile, refusedFile } from "../feed-file.ts";
import { type RefusalCount, Refusals } from "../quotes/observation.ts";
import { type CodeRefusal, minorUnitsOn } from "./iso-currencies.ts";

/** A rate of a source; `place` is where in the file. */
export type RateFact = NewRate & { place: string };

export type SkipReason = CodeRefusal | "definition" | "no_usd" | "no_rate";
export type SkipCount = RefusalCount<SkipReason>;

/** Reads one shape of file. One that is broken anywhere throws `OperatorError`; `today` (UTC) bounds the days that it may name. */
export type RateAdapter = RateSeries & { read(body: FeedFile, today: number, skips: RateSkips): RateFact[] };

const rateCharactersMax = 40;

/** Counts the entries of a source that are not taken, by reason, with the first names of each. */
export class RateSkips extends Refusals<SkipReason> {
  constructor() {
    super(8);
  }
}

/** Returns the currency's minor units; null, and counted, where it is no currency on `day` or is the dollar. */
export function takenMinorUnits(code: string, day: number, skips: RateSkips): number | null {
  const found = code === "USD" ? "definition" : minorUnitsOn(code, day);
  if (typeof found === "number") return found;
  skips.add(found, code);
  return null;
}

/** Reads the day that `text` names. Refuses the file where it names none, or one that has not begun. */
export function dayIn(body: FeedFile, place: string, text: string, today: number): number {
  const day = parseDay(text);
  if (day === null) throw refusedFile(body.name, `${place}: \`${displayText(text)}\` is not a date (YYYY-MM-DD)`);
  if (day > today)
    throw refusedFile(body.name, `${place}: ${text} lies in the future; today is ${dayText(today)} in UTC`);
  return day;
}

/** Reads the exact number that `text` writes. Refuses the file where that is no rate: zero, negative, not finite, too long. */
export function rateIn(body: FeedFile, place: string, text: string): Decimal {
  const value = parseDecimal(text);
  if (value === null || text.length > rateCharactersMax)
    throw refusedFile(
      body.name,
      `${place}: \`${displayText(text)}\` is no decimal number of at most ${rateCharactersMax} characters`,
    );
  if (value.units <= 0n)
    throw refusedFile(body.name, `${place}: ${text} is no rate; a rate is above zero, and a missing one is left out`);
  return value;
}
