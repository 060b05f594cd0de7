import { importDailyInBatches } from "../import/daily/daily-import.ts";
import { acceptFeedInBatches } from "../import/quotes/accept-feed.ts";
import type { FeedQuote, ItemQuotes } from "../import/quotes/merge-quotes.ts";
import { type FrameContent, frameContentOf, recordFrameInBatches } from "../import/quotes/record-frame.ts";
import { importRatesAtOnce } from "../import/rates/rate-import.ts";
import { calculateIndexInBatches } from "../jobs/indexes/calculate.ts";
import { defineIndexInBatches } from "../jobs/indexes/define.ts";
import { definitionLookup, readDefinition } from "../jobs/indexes/definition.ts";
import { itemsOfType } from "../store/catalog.ts";
import type { Database } from "../store/database.ts";
import { runAtOnce } from "../store/write/batches.ts";
import { finalizeDaysInBatches } from "../store/write/finalize-days.ts";
import { dayMs, dayOf, dayText, hourMs, hourOf, minuteMs } from "../values/calendar.ts";
import { type DemoBody, demoChance } from "./feeds.ts";

/** The quotes of one feed of the demo world at its anchor, by item. */
type Offers = ReadonlyMap<number, ItemQuotes>;
type DemoIndex = { id: string; name: string; type: string; weighting: string; description: string };

const dailyDays = 40;
const rateDays = 60;
/** Days before the first recorded one: without any frame, and with many knives not offered. */
const daysWithoutRows = [7, 8, 20];
const thinDay = 12;
/** Between these two some weapons were offered on the main platform that are not offered there any more. */
const soldOut = { firstAgo: 20, lastAgo: 11 };
/** Hours of the first recorded day in which no feed was verified; one in which the main platform alone was not. */
const hoursWithoutFrame = [5, 6];
const hourWithoutSteam = 18;
/** In these hours of the first recorded day some items are missing from the main platform's feed. */
const hoursOfVanishing = { first: 9, last: 12 };

const demoRates = { source: "demo", methodologyVersion: "demo-1" };
const ratesPerUsd = [
  ["CNY", 2, 69_800],
  ["EUR", 2, 8_600],
  ["GBP", 2, 7_450],
  ["JPY", 0, 1_570_000],
] as const;

const demoIndexes: readonly DemoIndex[] = [
  {
    id: "cases-capitalization",
    name: "Cases",
    type: "Container",
    weighting: "capitalization",
    description: "Containers of the demo world, weighted by made-up numbers of units.",
  },
  {
    id: "knives-equal",
    name: "Knives",
    type: "Knife",
    weighting: "equal",
    description: "Knives of the demo world, each with the same weight.",
  },
];

/**
 * Records what the demo world has behind it: frames of each feed since the beginning of the day before, daily asks of the main
 * platform before that, rates and indexes. `bodies` are those of the anchor; the feeds and their providers are known.
 */
export function createDemoHistory(database: Database, anchorAt: number, bodies: readonly DemoBody[]): void {
  const contents = bodies.map((body) => contentOf(database, body));
  const offers = new Map(contents.map(({ feed, items }) => [feed, items]));
  const lastAt = bodies.at(-1)!.at;
  const firstHour = (dayOf(lastAt) - 1) * 24;
  for (let hour = firstHour; hour < hourOf(lastAt); hour += 1)
    recordHour(database, contents, hour, hour - firstHour, lastAt);
  importDailyAsks(database, offers.get("steam")!, anchorAt, dayOf(lastAt) - 1);
  const clock = clockAt(anchorAt);
  runAtOnce(finalizeDaysInBatches(database, dayOf(anchorAt), clock));
  importRatesAtOnce(database, demoRates, ratesBefore(dayOf(anchorAt)), anchorAt);
  for (const index of demoIndexes) defineAndCalculate(database, index, offers.get("steam")!, dayOf(anchorAt));
}

function contentOf(database: Database, { adapter, feed, at, text }: DemoBody): FrameContent {
  const body = { name: `demo feed ${feed}`, bytes: Buffer.from(text) };
  return frameContentOf(runAtOnce(acceptFeedInBatches(database, body, { adapter }, { clock: clockAt(at) })));
}

function recordHour(
  database: Database,
  contents: readonly FrameContent[],
  hour: number,
  hourOfHistory: number,
  lastAt: number,
): void {
  if (hoursWithoutFrame.includes(hourOfHistory)) return;
  let minute = 4;
  for (const last of contents) {
    const isSteam = last.feed === "steam";
    minute += 3;
    if (isSteam && hourOfHistory === hourWithoutSteam) continue;
    const vanishing = isSteam && hourOfHistory >= hoursOfVanishing.first && hourOfHistory <= hoursOfVanishing.last;
    const intoMs = minute * minuteMs;
    const items = offersAt(last.items, { hoursAgo: hourOf(lastAt) - hour, vanishing, intoMs });
    const content = { ...last, items, itemsWithoutQuote: new Set<number>() };
    const at = hour * hourMs + intoMs;
    const times = { verifiedBy: "body" as const, ingestedAt: at, checkedAt: at, recordedAt: at };
    runAtOnce(recordFrameInBatches(database, content, times, { clock: clockAt(at) }));
  }
}

/**
 * Prices move at times, each item at hours of its own; an observation is as old as the last move. `intoMs`: how far into its hour
 * a frame is checked, after every observation in it.
 */
function offersAt(
  items: Offers,
  { hoursAgo, vanishing, intoMs }: { hoursAgo: number; vanishing: boolean; intoMs: number },
): Map<number, ItemQuotes> {
  const now = new Map<number, ItemQuotes>();
  for (const [itemId, { asks, bids }] of items) {
    if (vanishing && demoChance(`${itemId} vanishes`) < 0.02) continue;
    const { factor, movedAgo } = demoStep(itemId, hoursAgo);
    const observed = (at: number) => at - (movedAgo + (at % hourMs > intoMs ? 1 : 0)) * hourMs;
    const moved = (quote: FeedQuote): FeedQuote => ({
      ...quote,
      amountCents: Math.max(1, Math.round(quote.amountCents * factor)),
      observedAt: quote.observedAt === null ? null : observed(quote.observedAt),
    });
    now.set(itemId, { asks: asks.map(moved), bids: bids.map(moved) });
  }
  return now;
}

/** Returns the factor of an item's prices so many hours before the last one, and the hours since they last moved. */
export function demoStep(itemId: number, hoursAgo: number): { factor: number; movedAgo: number } {
  let movedAgo = hoursAgo;
  while (demoChance(`${itemId} moved ${movedAgo}`) > 0.15) movedAgo += 1;
  return { factor: 0.96 + demoChance(`${itemId} to ${movedAgo}`) * 0.08, movedAgo };
}

/** Returns the factor of an item's daily ask so many days before the first recorded one. */
export function demoTrend(itemId: number, daysAgo: number): number {
  const trend = 1 - 0.004 * daysAgo * demoChance(`${itemId} trend`);
  return trend * (0.97 + demoChance(`${itemId} day ${daysAgo}`) * 0.06);
}

function importDailyAsks(database: Database, offers: Offers, anchorAt: number, firstRecordedDay: number): void {
  const provider = { provider: "steam", name: "Steam Community Market", kind: "main_platform" };
  const lines: unknown[] = [{ format: "itemtape-daily", version: 1, feed: "steam", provider }];
  const knives = new Set(itemsOfType(database, "Knife"));
  for (const [itemId, { asks }] of offers) {
    for (let daysAgo = dailyDays; daysAgo >= 1; daysAgo -= 1) {
      const absent = daysAgo === thinDay && knives.has(itemId) ? 0.5 : 0.01;
      if (daysWithoutRows.includes(daysAgo) || demoChance(`${itemId} absent ${daysAgo}`) < absent) continue;
      lines.push(dailyAsk(itemId, asks[0]!.amountCents, firstRecordedDay - daysAgo, daysAgo));
    }
  }
  for (const itemId of itemsOfType(database, "Weapon")) {
    if (offers.has(itemId) || demoChance(`${itemId} sold out`) > 0.5) continue;
    const cents = 20 + Math.floor(demoChance(`${itemId} worth`) * 900);
    for (let daysAgo = soldOut.firstAgo; daysAgo >= soldOut.lastAgo; daysAgo -= 1)
      lines.push(dailyAsk(itemId, cents, firstRecordedDay - daysAgo, daysAgo));
  }
  lines.push({ end: true, rows: lines.length - 1 });
  const text = lines.map((line) => `${JSON.stringify(line)}\n`).join("");
  const body = { name: "demo history", bytes: Buffer.from(text) };
  runAtOnce(importDailyInBatches(database, body, { adapter: "canonical" }, { clock: clockAt(anchorAt) }));
}

function dailyAsk(itemId: number, cents: number, day: number, daysAgo: number): Record<string, unknown> {
  const amount = Math.max(3, Math.round(cents * demoTrend(itemId, daysAgo)));
  return {
    item_id: itemId,
    date: dayText(day),
    side: "ask",
    amount,
    low_amount: Math.max(1, Math.floor(amount * 0.98)),
    high_amount: Math.ceil(amount * 1.02),
    observations: 20 + Math.floor(demoChance(`${itemId} seen ${daysAgo}`) * 5),
  };
}

/** Weekdays only, as banks fix them. */
function ratesBefore(today: number) {
  const days = Array.from({ length: rateDays }, (_, index) => today - rateDays + index);
  const weekdays = days.filter((day) => ![0, 6].includes(new Date(day * dayMs).getUTCDay()));
  return weekdays.flatMap((day) =>
    ratesPerUsd.map(([currency, minorUnits, base]) => {
      const units = Math.round(base * (0.99 + demoChance(`${currency} ${today - day}`) * 0.02));
      const digits = String(units).padStart(5, "0");
      return { currency, minorUnits, day, ratePerUsd: `${digits.slice(0, -4)}.${digits.slice(-4)}` };
    }),
  );
}

/** Defines an index with its first members and levels, then other members ten days ago and the later levels. */
function defineAndCalculate(database: Database, index: DemoIndex, offers: Offers, today: number): void {
  const { id, name, type, weighting, description } = index;
  const candidates = itemsOfType(database, type).filter((itemId) => (offers.get(itemId)?.asks.length ?? 0) > 0);
  const basics = {
    index_id: id,
    name,
    description,
    provider: "steam",
    weighting,
    base_date: dayText(today - 31),
    base_value: "1000",
  };
  const define = (members: readonly number[], effectiveDay: number, calculateTo: number) => {
    const definition = {
      ...basics,
      effective_on: dayText(effectiveDay),
      members: members.map((itemId) => ({ item_id: itemId, units: unitsOf(itemId, weighting) })),
    };
    const body = { name: `demo index ${id}`, bytes: Buffer.from(JSON.stringify(definition)) };
    const clock = clockAt(calculateTo * dayMs + 10 * minuteMs);
    runAtOnce(defineIndexInBatches(database, readDefinition(body, definitionLookup(database)), { clock }));
    runAtOnce(calculateIndexInBatches(database, calculateTo, { clock }, [id]));
  };
  define(candidates.slice(0, 10), today - 31, today - 10);
  define(candidates.slice(1, 12), today - 10, today);
}

function unitsOf(itemId: number, weighting: string): number {
  return weighting === "equal" ? 1 : 1000 + Math.floor(demoChance(`${itemId} units`) * 9000);
}

function clockAt(at: number) {
  return { now: () => at, monotonicMs: () => 0 };
}
