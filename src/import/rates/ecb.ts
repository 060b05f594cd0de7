import { type Decimal, decimalText, divideHalfEven } from "../../values/money/decimal.ts";
import { displayText } from "../../values/text/display-text.ts";
import { type FeedFile, fileText, refusedFile } from "../feed-file.ts";
import { acceptedMinorUnits, dayIn, type RateAdapter, type RateFact, type RateSkips, rateIn } from "./rate-reading.ts";

/**
 * Adapter for reference rates of the European Central Bank. `eurofxref-hist.csv` has units per euro, a row per working day, `N/A` for a
 * missing rate, and a comma at each line end. `eurofxref.csv` has one day, with spaces and a date like `27 November 2026`.
 *
 * Methodology `ecb-eur-cross-1`: a currency's rate per dollar is its column divided by the USD column. The euro's rate is 1 divided by that
 * column. Both use the file's exact digits, rounded once to 12 significant digits, halves to even. A day without USD gives no rate.
 */
export const ecbAdapter: RateAdapter = { source: "ecb", methodologyVersion: "ecb-eur-cross-1", read: readEcb };

const significantDigits = 12;
const one: Decimal = { units: 1n, scale: 0 };

function readEcb(body: FeedFile, today: number, skips: RateSkips): RateFact[] {
  const lines = fileText(body).split(/\r?\n/);
  if (lines.at(-1) === "") lines.pop();
  const [header = "", ...rows] = lines;
  const columns = columnsOf(body, header);
  const firstLines = new Map<number, number>();
  return rows.flatMap((row, index) => {
    const line = index + 2;
    if (row.trim() === "") throw refusedFile(body.name, `line ${line} is blank; remove it`);
    const cells = cellsOf(row);
    if (cells.length !== columns.length)
      throw refusedFile(body.name, `line ${line}: ${cells.length} cells, but the header has ${columns.length}`);
    const day = dayIn(body, `line ${line}`, isoDay(cells[0]!), today);
    const first = firstLines.get(day);
    if (first !== undefined) throw refusedFile(body.name, `line ${line}: ${cells[0]} is already in line ${first}`);
    firstLines.set(day, line);
    return dayRates({ body, columns, cells, line, day }, skips);
  });
}

type Row = { body: FeedFile; columns: readonly string[]; cells: readonly string[]; line: number; day: number };

function dayRates({ body, columns, cells, line, day }: Row, skips: RateSkips): RateFact[] {
  const perEuro = new Map<string, Decimal>([["EUR", one]]);
  for (const [index, code] of columns.entries()) {
    const cell = cells[index]!;
    if (index === 0 || cell === "N/A") continue;
    const place = `line ${line}, column ${code || index + 1}`;
    if (code !== "") perEuro.set(code, rateIn(body, place, cell));
    else if (cell !== "") throw refusedFile(body.name, `${place}: \`${displayText(cell)}\` has no column name`);
  }
  const usd = perEuro.get("USD");
  if (usd === undefined) {
    skips.add("no_usd", cells[0]!);
    return [];
  }
  perEuro.delete("USD");
  return Array.from(perEuro).flatMap(([currency, rate]) => {
    const minorUnits = acceptedMinorUnits(currency, day, skips);
    if (minorUnits === null) return [];
    const ratePerUsd = quotientText(rate, usd, significantDigits);
    return [{ currency, minorUnits, day, ratePerUsd, place: `${body.name} line ${line}` }];
  });
}

function cellsOf(row: string): string[] {
  return row.split(",").map((cell) => cell.trim());
}

const months = "January February March April May June July August September October November December".split(" ");

/** Converts the date in the bank's one-day file to YYYY-MM-DD. Other texts are returned unchanged. */
function isoDay(text: string): string {
  const [, day, month, year] = /^([0-9]{1,2}) ([A-Z][a-z]+) ([0-9]{4})$/.exec(text) ?? [];
  const number = months.indexOf(month ?? "") + 1;
  return number === 0 ? text : `${year}-${String(number).padStart(2, "0")}-${day!.padStart(2, "0")}`;
}

/** Returns the column names. The last column may be empty. */
function columnsOf(body: FeedFile, header: string): string[] {
  const columns = cellsOf(header);
  const codes = columns.slice(1, columns.at(-1) === "" ? -1 : undefined);
  const broken = (what: string) => refusedFile(body.name, `line 1: ${what}`);
  if (columns[0] !== "Date") throw broken("the first column must be Date, as in eurofxref-hist.csv");
  const odd = codes.find((code) => !/^[A-Z]{3}$/.test(code));
  if (odd !== undefined) throw broken(`\`${displayText(odd)}\` is not a currency code of three capital letters`);
  const twice = codes.find((code, index) => codes.indexOf(code) !== index);
  if (twice !== undefined) throw broken(`the column ${twice} appears twice`);
  if (!codes.includes("USD")) throw broken("the column USD is missing; rates per dollar need it");
  if (codes.includes("EUR")) throw broken("a column EUR has no place in a table of units per euro");
  return columns;
}

/** Returns the quotient of two positive numbers in plain notation, rounded once, half to even, to `digits` significant digits. */
export function quotientText(numerator: Decimal, denominator: Decimal, digits: number): string {
  const top = numerator.units * 10n ** BigInt(denominator.scale);
  const bottom = denominator.units * 10n ** BigInt(numerator.scale);
  const scale = digits - 1 - magnitudeOf(top, bottom);
  if (scale >= 0) return decimalText({ units: divideHalfEven(top * 10n ** BigInt(scale), bottom), scale });
  const unit = 10n ** BigInt(-scale);
  return decimalText({ units: divideHalfEven(top, bottom * unit) * unit, scale: 0 });
}

/** Returns the exponent e with 10^e <= top / bottom < 10^(e + 1). */
function magnitudeOf(top: bigint, bottom: bigint): number {
  const guess = top.toString().length - bottom.toString().length;
  const reached = guess >= 0 ? top >= bottom * 10n ** BigInt(guess) : top * 10n ** BigInt(-guess) >= bottom;
  return reached ? guess : guess - 1;
}
