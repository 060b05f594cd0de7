import { createHash } from "node:crypto";
import { importDailyInBatches } from "../import/daily/daily-import.ts";
import { importRatesAtOnce } from "../import/rates/rate-import.ts";
import { calculateIndexInBatches } from "../jobs/indexes/calculate.ts";
import { defineIndexInBatches } from "../jobs/indexes/define.ts";
import { definitionLookup, readDefinition } from "../jobs/indexes/definition.ts";
import type { DailyWithoutChecksum } from "../store/codec/daily-checksum.ts";
import type { Database } from "../store/database.ts";
import { itemsOfType } from "../store/read/catalog.ts";
import { runAtOnce } from "../store/write/batches.ts";
import { DailyPriceWriter, markingDaysOnce } from "../store/write/daily-prices.ts";
import { finalizeDaysInBatches } from "../store/write/finalize-days.ts";
import { sealDaysInBatches, WrittenDailyRows } from "../store/write/seal-days.ts";
import type { Progress } from "../values/progress.ts";
import { dayMs, dayOf, dayText, minuteMs } from "../values/time/calendar.ts";
import { clockAt } from "../values/time/clock.ts";
import { createDemoFrames, type DerivedRows, daysWithoutSteam, recordLateFrame } from "./frames.ts";
import { correctedDay, instantsOf, recordedDays } from "./instants.ts";
import { type DemoMarket, demoFeeds, providerFacts, type Slug } from "./market.ts";
import { demoChance, demoDraw } from "./prices.ts";

/** Parameters of the history. `dailyDays` is the number of completed days with daily asks of known items. */
type HistoryParts = { anchorAt: number; dailyDays: number; progress: Progress };

/** Asks of one provider at the anchor: USD cents by item id. */
type Asks = ReadonlyMap<number, number>;
type DemoIndex = { id: string; name: string; type: string; weighting: string; description: string };

/** Completed days with a price of known items at each provider. */
export const knownDailyDays = 365;
/** Days with prices of other items before the first recorded day with all items. */
const otherDailyDays = 40;
const rateDays = 60;
/** Daily rows per write. */
const rowsPerBatch = 2000;
/** On this day, counted back from the first recorded day with all items, many knives were not offered. */
const thinDay = 12;
/**
 * First and last day on which the main platform offered some weapons that it no longer offers. Days are counted back from the first
 * recorded day with all items.
 */
const soldOut = { firstAgo: 20, lastAgo: 11 };

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
 * Records the history of the demo world: frames of each feed, earlier daily asks, exchange rates and indexes. The feeds and their providers
 * must exist. A frame is late, and a day is corrected after it was sealed.
 */
export function createDemoHistory(
  database: Database,
  market: DemoMarket,
  { anchorAt, dailyDays, progress }: HistoryParts,
): void {
  const { sealedAt, lastSealedAt, ratesOf } = instantsOf(anchorAt);
  const derived = createDemoFrames(database, market, { anchorAt, progress });
  const written = createDailyRows(database, market, derived, { anchorAt, dailyDays, progress });
  const sealed = (at: number, by?: WrittenDailyRows) =>
    runAtOnce(sealDaysInBatches(database, dayOf(at), clockAt(at), { progress, ...(by && { written: by }) }));
  recordLateFrame(database, market, anchorAt);
  // Its day is open now, and is sealed after the others.
  sealed(sealedAt, written);
  sealed(lastSealedAt, written);
  runAtOnce(finalizeDaysInBatches(database, dayOf(anchorAt), clockAt(sealedAt), { progress }));
  sealed(sealedAt);
  correctDay(database, market, anchorAt);
  progress.phase("calculating indexes");
  for (const [day, rates] of Map.groupBy(ratesBefore(dayOf(anchorAt)), (rate) => rate.day))
    importRatesAtOnce(database, demoRates, rates, ratesOf(day));
  const asks = asksOf(market, "steam");
  const lookup = definitionLookup(database);
  for (const index of demoIndexes) defineAndCalculate(database, index, { asks, lookup, today: dayOf(anchorAt) });
}

/** Imports some asks of a day again, at other prices, which seals the day again. */
function correctDay(database: Database, market: DemoMarket, anchorAt: number): void {
  const { provider, daysAgo, items, factor } = correctedDay;
  const { correctedAt } = instantsOf(anchorAt);
  const day = market.lastDay - daysAgo;
  const rows = new DailyPriceWriter(database, dayOf(correctedAt));
  const stored = market.itemIds.flatMap((itemId) => rows.within({ itemId, side: "ask", provider, from: day, to: day }));
  const lines = stored.slice(0, items).map(({ itemId, amount, observations }) => {
    return { item_id: itemId, date: dayText(day), side: "ask", amount: Math.ceil(amount * factor), observations };
  });
  if (lines.length === 0) return;
  const header = {
    format: "itemtape-daily",
    version: 1,
    feed: provider,
    currency: "USD",
    provider: providerFacts(provider),
  };
  const text = [header, ...lines, { end: true, rows: lines.length }]
    .map((line) => `${JSON.stringify(line)}\n`)
    .join("");
  const body = { name: "corrected asks of the demo", bytes: Buffer.from(text) };
  const options = { adapter: "canonical", replace: true } as const;
  runAtOnce(importDailyInBatches(database, body, options, { clock: clockAt(correctedAt) }));
}

function startImport(rows: DailyPriceWriter, provider: string, importedAt: number): number {
  const bodyDigest = createHash("sha256").update(`daily asks of the demo's ${provider}`).digest();
  return rows.startImport({ adapter: "canonical", provider, bodyDigest, importedAt, replaces: false });
}

function asksOf(market: DemoMarket, slug: Slug): Asks {
  const feed = demoFeeds.find(({ slugs }) => slugs.includes(slug))!;
  const asks = new Map<number, number>();
  for (const [itemId, quotes] of market.quotes(feed)) {
    const ask = quotes.asks.find(({ provider }) => provider === slug);
    if (ask !== undefined) asks.set(itemId, ask.amountCents);
  }
  return asks;
}

/**
 * Asks of a provider for an item on the days without frames: USD cents at the anchor, days counted back from the last day, and the imports
 * of which the first after a day has its row.
 */
type DailyAsks = { slug: Slug; imports: readonly Import[]; cents: number; daysAgo: readonly number[] };
type Import = { importId: number; at: number };

/** Writes imports of daily asks for each provider, and the rows derived from frames. Writing in key order is cheapest. */
function createDailyRows(
  database: Database,
  market: DemoMarket,
  derived: DerivedRows,
  { anchorAt, dailyDays, progress }: HistoryParts,
): WrittenDailyRows {
  const rows = new DailyPriceWriter(database, dayOf(anchorAt));
  const written = new WrittenDailyRows();
  const slugs = demoFeeds.flatMap((feed) => feed.slugs).sort();
  const ofSlugs = slugs.map((slug) => {
    const imports = instantsOf(anchorAt).imports.map((at) => ({ importId: startImport(rows, slug, at), at }));
    return { slug, imports, asks: asksOf(market, slug) };
  });
  const knives = new Set(itemsOfType(database, "Knife"));
  const gone = itemsSoldOut(database, market);
  const { itemIds } = market;
  const pending: DailyWithoutChecksum[] = [];
  progress.phase("writing daily prices", itemIds.length);
  const addOf = (itemId: number) => {
    const ofItem: DailyAsks[] = ofSlugs.flatMap(({ slug, imports, asks }) => {
      const cents = asks.get(itemId) ?? (slug === "steam" && gone.has(itemId) ? market.centsAt(itemId, slug) : null);
      if (cents === null) return [];
      if (market.isKnown(itemId)) return [{ slug, imports, cents, daysAgo: knownDays(itemId, slug, dailyDays) }];
      if (slug !== "steam") return [];
      const daysAgo = gone.has(itemId) ? soldOutDays : otherDays(itemId, knives.has(itemId));
      return [{ slug, imports, cents, daysAgo }];
    });
    const ofFrames = (derived.get(itemId) ?? []).sort(byKey);
    for (const row of inOrder(asksRows(market, itemId, ofItem), ofFrames)) {
      written.add(row);
      pending.push(row);
    }
    if (pending.length >= rowsPerBatch) rows.addAll(pending.splice(0));
    progress.advance(1);
  };
  markingDaysOnce(database, () => {
    for (const itemId of itemIds) addOf(itemId);
    rows.addAll(pending);
    return written.days();
  });
  return written;
}

/** Merges the rows of an item in key order. Most asks are older than the frames, and all asks have the first side. */
function inOrder(asks: DailyWithoutChecksum[], ofFrames: DailyWithoutChecksum[]): DailyWithoutChecksum[] {
  const [last, next] = [asks.at(-1), ofFrames[0]];
  if (last === undefined || next === undefined) return last === undefined ? ofFrames : asks;
  const all = [...asks, ...ofFrames];
  return byKey(last, next) < 0 ? all : all.sort(byKey);
}

/** Compares rows of an item by key. */
function byKey(a: DailyWithoutChecksum, b: DailyWithoutChecksum): number {
  if (a.side !== b.side) return a.side < b.side ? -1 : 1;
  return a.day - b.day || (a.provider < b.provider ? -1 : 1);
}

function asksRows(market: DemoMarket, itemId: number, ofItem: readonly DailyAsks[]): DailyWithoutChecksum[] {
  const added: DailyWithoutChecksum[] = [];
  const next = ofItem.map(() => 0);
  const first = Math.max(0, ...ofItem.map(({ daysAgo }) => daysAgo[0] ?? 0));
  for (let ago = first; ago > 0; ago -= 1) {
    const day = market.lastDay - ago;
    for (const [index, { slug, imports, cents, daysAgo }] of ofItem.entries()) {
      if (daysAgo[next[index]!] !== ago) continue;
      next[index]! += 1;
      const { importId, at: recordedAt } = imports.find(({ at }) => at >= (day + 1) * dayMs)!;
      const amount = Math.max(3, Math.round(cents * market.factorOfDay(itemId, slug, ago)));
      added.push({
        itemId,
        side: "ask",
        day,
        provider: slug,
        amount,
        lowAmount: Math.max(1, Math.floor(amount * 0.98)),
        highAmount: Math.ceil(amount * 1.02),
        observations: 20 + Math.floor(demoDraw(itemId, ago) * 5),
        quantity: null,
        sourceObservedAt: null,
        recordedAt,
        importId,
      });
    }
  }
  return added;
}

/** Each provider lacks a few days. */
function knownDays(itemId: number, slug: Slug, dailyDays: number): number[] {
  const seed = itemId * 64 + slug.length;
  return daysBack(dailyDays, recordedDays.known).filter((ago) => demoDraw(seed, ago) > 0.01);
}

function otherDays(itemId: number, isKnife: boolean): number[] {
  const isThere = (before: number) => {
    const absent = before === thinDay && isKnife ? 0.5 : 0.01;
    return !daysWithoutSteam.includes(before) && demoChance(`${itemId} absent ${before}`) >= absent;
  };
  return daysBack(otherDailyDays, 1).filter(isThere).map(beforeAll);
}

const soldOutDays = daysBack(soldOut.firstAgo, soldOut.lastAgo).map(beforeAll);

/** Converts days before the first recorded day with all items to days before the last day. */
function beforeAll(before: number): number {
  return before + recordedDays.all - 1;
}

function daysBack(first: number, last: number): number[] {
  return Array.from({ length: first - last + 1 }, (_, index) => first - index);
}

/** Returns weapons that the main platform does not offer now but offered some days ago. */
function itemsSoldOut(database: Database, market: DemoMarket): Set<number> {
  const asks = asksOf(market, "steam");
  const isSoldOut = (itemId: number) => !asks.has(itemId) && demoChance(`${itemId} sold out`) <= 0.5;
  const weapons = itemsOfType(database, "Weapon").filter((itemId) => !market.isKnown(itemId) && isSoldOut(itemId));
  return new Set(weapons);
}

/** Rates exist only for weekdays, as banks fix them. */
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

/** Defines an index with its first members and levels. Then replaces members ten days ago and calculates the later levels. */
function defineAndCalculate(
  database: Database,
  index: DemoIndex,
  { asks, lookup, today }: { asks: Asks; lookup: ReturnType<typeof definitionLookup>; today: number },
): void {
  const { id, name, type, weighting, description } = index;
  const candidates = itemsOfType(database, type).filter((itemId) => asks.has(itemId));
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
    runAtOnce(defineIndexInBatches(database, readDefinition(body, lookup), { clock }));
    runAtOnce(calculateIndexInBatches(database, calculateTo, { clock }, { only: [id] }));
  };
  define(candidates.slice(0, 10), today - 31, today - 10);
  define(candidates.slice(1, 12), today - 10, today);
}

function unitsOf(itemId: number, weighting: string): number {
  return weighting === "equal" ? 1 : 1000 + Math.floor(demoChance(`${itemId} units`) * 9000);
}
