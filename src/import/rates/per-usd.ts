import { type Decimal, decimalText } from "../../values/money/decimal.ts";
import { displayText } from "../../values/text/display-text.ts";
import { isObject, NumberText } from "../../values/text/strict-json.ts";
import { type FeedFile, fileJson, refusedFile } from "../feed-file.ts";
import { dayIn, type RateAdapter, type RateFact, type RateSkips, rateIn, takenMinorUnits } from "./rate-reading.ts";

/**
 * `{"date": "2026-06-08", "usd": {"eur": 0.86, …}}`: units per US dollar, currencies, metals and tokens mixed. Methodology
 * `per-usd-1`: the number's own digits; only an exponent is written out. Codes are matched without regard to case, and only
 * those of ISO 4217 are taken. A file of its own, as each adapter has one.
 */
export const perUsdAdapter: RateAdapter = { source: "currency-api", methodologyVersion: "per-usd-1", read: readPerUsd };

function readPerUsd(body: FeedFile, today: number, skips: RateSkips): RateFact[] {
  const root = fileJson(body);
  const date = isObject(root) ? root.get("date") : undefined;
  const rates = isObject(root) ? root.get("usd") : undefined;
  if (typeof date !== "string" || !isObject(rates)) {
    throw refusedFile(body.name, "not the per-USD shape: `date` must be a text and `usd` an object of numbers");
  }
  const day = dayIn(body, "`date`", date, today);
  const names = new Map<string, string>();
  return Array.from(rates).flatMap(([name, value]) => {
    const place = `\`usd.${displayText(name)}\``;
    const currency = name.toUpperCase();
    const before = names.get(currency);
    if (before !== undefined) throw refusedFile(body.name, `${place}: the same code as \`usd.${displayText(before)}\``);
    names.set(currency, name);
    if (!(value instanceof NumberText)) throw refusedFile(body.name, `${place}: not a number`);
    const minorUnits = takenMinorUnits(currency, day, skips);
    if (currency === "USD" && !isOne(rateIn(body, place, value.text)))
      throw refusedFile(
        body.name,
        `${place}: ${value.text}, where a dollar is 1 dollar; these rates have another base`,
      );
    if (minorUnits === null) return [];
    const rate = rateIn(body, place, value.text);
    const ratePerUsd = /[eE]/.test(value.text) ? decimalText(rate) : value.text;
    return [{ currency, minorUnits, day, ratePerUsd, place: `${body.name} ${place}` }];
  });
}

function isOne({ units, scale }: Decimal): boolean {
  return units === 10n ** BigInt(scale);
}
