import { amountCentsMax, centsFrom } from "../../values/money/money.ts";
import { splitPhase } from "../../values/text/phase-names.ts";
import { isObject, type Json, NumberText } from "../../values/text/strict-json.ts";
import { dayOf, dayText, secondMs } from "../../values/time/calendar.ts";
import type { DayWindow } from "../../values/time/window.ts";
import { type FeedFile, fileJson, refusedFile } from "../feed-file.ts";
import { Refusals } from "../quotes/observation.ts";
import type { DailyAdapter, DailyContext, DailyPoint, DailyReading, DailyRefusal, DailySeries } from "./reading.ts";
import type { ReferenceRates } from "./reference-rates.ts";

/**
 * Adapter for `{name: [Unix seconds[], CNY x 100[], listings[]]}`: the lowest offer at points in time, with the number of listings. Price 0
 * means no listing and gives no row; 0 listings mean an unknown number. Timestamps only name days (thousands of names share one midnight),
 * so rows have no source time. Amounts are converted to USD cents by the stored reference rate of their day.
 */
export const buffHistoryAdapter: DailyAdapter = { name: "buff-history", read: readBuffHistory };

const currency = "CNY";
const facts = { feed: "buff163", feedAdapter: "buff", provider: "buff163", name: "BUFF163", kind: "cash" } as const;
const wholeNumber = /^(?:0|[1-9][0-9]{0,15})$/;

type Reading = { today: number; rates: ReferenceRates; refusals: Refusals<DailyRefusal>; absent: number };
type Point = { at: number; day: number; amount: number; quantity: number | null };

function readBuffHistory(body: FeedFile, { today, ratesOf }: DailyContext): DailyReading {
  const root = fileJson(body);
  if (!isObject(root)) throw refusedFile(body.name, "not the shape of a Buff history: it must be an object of names");
  const refusals = new Refusals<DailyRefusal>();
  const shaped: [label: string, columns: Columns][] = [];
  for (const [label, entry] of root) {
    const columns = columnsOf(entry);
    if (columns === null) refusals.add("malformed", label);
    else shaped.push([label, columns]);
  }
  if (shaped.length === 0) {
    throw refusedFile(body.name, "not the shape of a Buff history: no name has three lists of the same length");
  }
  const window = windowOf(shaped, today);
  if (window === null) throw refusedFile(body.name, `it has no price before ${dayText(today)}`);
  const rates = ratesOf(currency, window);
  if (rates === null) {
    const reason = `no rate is stored from ${dayText(window.from)} to ${dayText(window.to)}`;
    throw refusedFile(body.name, `its prices are in ${currency} and ${reason}; import exchange rates first`);
  }
  const reading: Reading = { today, rates, refusals, absent: 0 };
  const series: DailySeries[] = [];
  for (const [label, columns] of shaped) {
    const points = byDay(label, pointsOf(label, columns, reading), reading);
    if (points.length > 0) series.push({ itemId: null, ...splitPhase(label), side: "ask", points });
  }
  return { facts, series, refusals, absent: reading.absent, rates };
}

type Columns = readonly [readonly Json[], readonly Json[], readonly Json[]];

function columnsOf(entry: Json): Columns | null {
  if (!Array.isArray(entry) || entry.length !== 3 || !entry.every(Array.isArray)) return null;
  const [times, prices, listings] = entry as unknown as Columns;
  return times.length === prices.length && times.length === listings.length ? [times, prices, listings] : null;
}

/** Returns the first and last completed day in the file. Null if it has none. */
function windowOf(shaped: readonly [string, Columns][], today: number): DayWindow | null {
  let [from, to] = [today, -1];
  for (const [, [times]] of shaped) {
    for (const time of times) {
      const seconds = wholeOf(time);
      const day = seconds === null ? today : dayOf(seconds * secondMs);
      if (day >= today) continue;
      from = Math.min(from, day);
      to = Math.max(to, day);
    }
  }
  return to === -1 ? null : { from, to };
}

function pointsOf(label: string, [times, prices, listings]: Columns, reading: Reading): Point[] {
  const points: Point[] = [];
  for (const [index, time] of times.entries()) {
    const point = pointOf(time, prices[index]!, listings[index]!, reading);
    if (point === "zero") reading.absent += 1;
    else if (typeof point === "string") reading.refusals.add(point, exampleOf(point, label, time));
    else points.push(point);
  }
  return points;
}

function pointOf(time: Json, price: Json, listings: Json, { today, rates }: Reading): Point | DailyRefusal {
  const seconds = wholeOf(time);
  if (seconds === null) return "bad_time";
  const at = seconds * secondMs;
  const day = dayOf(at);
  const hundredths = price instanceof NumberText ? centsFrom(price.text, "cents") : "unparsable";
  if (typeof hundredths === "string") return hundredths;
  const quantity = wholeOf(listings);
  if (quantity === null) return "bad_quantity";
  if (day >= today) return "day_not_over";
  const amount = rates.toCents(hundredths, day);
  if (amount === null) return "no_reference_rate";
  if (amount === 0) return "rounds_to_zero";
  return amount > amountCentsMax ? "oversized" : { at, day, amount, quantity: quantity === 0 ? null : quantity };
}

/** Combines the points of one UTC day into one row: the last amount, and the lowest and highest of all. */
function byDay(label: string, points: readonly Point[], { refusals }: Reading): DailyPoint[] {
  const days = new Map<number, DailyPoint>();
  let before = -1;
  for (const { at, day, amount, quantity } of points.toSorted((a, b) => a.at - b.at)) {
    const known = days.get(day);
    if (at === before) refusals.add("duplicate", `${label} ${dayText(day)}`);
    else if (known === undefined) {
      const spread = { amount, lowAmount: amount, highAmount: amount };
      days.set(day, { day, ...spread, observations: 1, quantity, sourceObservedAt: null });
    } else {
      Object.assign(known, { amount, quantity });
      known.lowAmount = Math.min(known.lowAmount, amount);
      known.highAmount = Math.max(known.highAmount, amount);
      known.observations += 1;
    }
    before = at;
  }
  return [...days.values()];
}

function wholeOf(value: Json): number | null {
  if (!(value instanceof NumberText) || !wholeNumber.test(value.text)) return null;
  const number = Number(value.text);
  return Number.isSafeInteger(number) && number <= amountCentsMax / secondMs ? number : null;
}

/** A missing rate of a day affects all names, so the example is the day. Other reasons concern a single name. */
function exampleOf(reason: DailyRefusal, label: string, time: Json): string {
  return reason === "no_reference_rate" ? dayText(dayOf(wholeOf(time)! * secondMs)) : label;
}
