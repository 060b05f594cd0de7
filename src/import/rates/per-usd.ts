import { type Decimal, decimalText } from "../../values/money/decimal.ts";
import { displayText } from "../../values/text/display-text.ts";
import { isObject, type Json, type JsonObject, NumberText } from "../../values/text/strict-json.ts";
import { dayOf, dayText, secondMs } from "../../values/time/calendar.ts";
import { type FeedFile, fileJson, refusedFile } from "../feed-file.ts";
import { acceptedMinorUnits, dayIn, type RateAdapter, type RateFact, type RateSkips, rateIn } from "./rate-reading.ts";

/**
 * A format: the key of its rates, and the key and form of its day (a date, or Unix seconds). With `isBased` it names its base, which must
 * be USD.
 */
type Shape = { rates: string; day: "date" | "timestamp"; isBased: boolean };

/** Adapter for `{"date": "2026-06-08", "usd": {"eur": 0.86, …}}`, which mixes currencies, metals and tokens. */
export const perUsdAdapter = adapterOf("currency-api", { rates: "usd", day: "date", isBased: false });
/** Adapter for `{"base": "USD", "date": "2026-11-27", "rates": {"EUR": 0.86, …}}`. */
export const frankfurterAdapter = adapterOf("frankfurter", { rates: "rates", day: "date", isBased: true });
/** Adapter for `{"timestamp": 1795824000, "base": "USD", "rates": {"EUR": 0.86, …}}`. */
export const openExchangeAdapter = adapterOf("open-exchange", { rates: "rates", day: "timestamp", isBased: true });

/**
 * Creates an adapter for units per US dollar on one day. Methodology `per-usd-1` keeps the number's digits and only expands an exponent.
 * Codes match case-insensitively, and only ISO 4217 codes are used. A rate of null or zero is skipped and counted.
 */
function adapterOf(source: string, shape: Shape): RateAdapter {
  return {
    source,
    methodologyVersion: "per-usd-1",
    read: (body, today, skips) => readPerUsd(body, shape, today, skips),
  };
}

function readPerUsd(body: FeedFile, shape: Shape, today: number, skips: RateSkips): RateFact[] {
  const { date, rates } = contentOf(body, shape, fileJson(body));
  const day = dayIn(body, `\`${shape.day}\``, date, today);
  const names = new Map<string, string>();
  return Array.from(rates).flatMap(([name, value]) => {
    const place = `\`${shape.rates}.${displayText(name)}\``;
    const currency = name.toUpperCase();
    const before = names.get(currency);
    if (before !== undefined)
      throw refusedFile(body.name, `${place}: the same code as \`${shape.rates}.${displayText(before)}\``);
    names.set(currency, name);
    if (value !== null && !(value instanceof NumberText)) throw refusedFile(body.name, `${place}: not a number`);
    const minorUnits = acceptedMinorUnits(currency, day, skips);
    const isMissing = value === null || /^0(?:\.0*)?$/.test(value.text);
    if (currency === "USD" && (isMissing || !isOne(rateIn(body, place, value.text)))) {
      const base = isMissing ? "no rate" : value.text;
      throw refusedFile(body.name, `${place}: ${base}, but a dollar must be 1; these rates have another base`);
    }
    if (minorUnits === null) return [];
    if (isMissing) {
      skips.add("no_rate", currency);
      return [];
    }
    const rate = rateIn(body, place, value.text);
    const ratePerUsd = /[eE]/.test(value.text) ? decimalText(rate) : value.text;
    return [{ currency, minorUnits, day, ratePerUsd, place: `${body.name} ${place}` }];
  });
}

function contentOf({ name }: FeedFile, shape: Shape, root: Json): { date: string; rates: JsonObject } {
  const written = isObject(root) ? root : new Map<string, Json>();
  const rates = written.get(shape.rates);
  const date = dateOf(written.get(shape.day));
  const kind = shape.day === "date" ? "a text" : "Unix seconds";
  if (date === null || !isObject(rates)) {
    const must = `\`${shape.day}\` must be ${kind} and \`${shape.rates}\` an object of numbers`;
    throw refusedFile(name, `not the per-USD shape: ${must}`);
  }
  const [base, amount = null] = [written.get("base"), written.get("amount")];
  if (shape.isBased && base !== "USD")
    throw refusedFile(name, "`base`: must be USD; rates of another base are not read");
  if (shape.isBased && amount instanceof NumberText && Number(amount.text) !== 1)
    throw refusedFile(name, `\`amount\`: ${amount.text}, must be 1`);
  return { date, rates };
}

function dateOf(written: Json | undefined): string | null {
  if (typeof written === "string") return written;
  return written instanceof NumberText && /^[0-9]{1,11}$/.test(written.text)
    ? dayText(dayOf(Number(written.text) * secondMs))
    : null;
}

function isOne({ units, scale }: Decimal): boolean {
  return units === 10n ** BigInt(scale);
}
