import { recordFrameInBatches } from "../import/quotes/record-frame.ts";
import type { DailyWithoutChecksum } from "../store/codec/daily-checksum.ts";
import { type DailyFigures, deriveDaily } from "../store/codec/daily-derivation.ts";
import { encodeFrameNames } from "../store/codec/frame-names.ts";
import {
  type Change,
  encodeSegment,
  type FrameQuote,
  type ItemState,
  isSameState,
} from "../store/codec/frame-segment.ts";
import type { Database } from "../store/database.ts";
import { runAtOnce } from "../store/write/batches.ts";
import { FrameWriter } from "../store/write/frames.ts";
import type { Progress } from "../values/progress.ts";
import { dayOf, hourMs, hoursOfDay } from "../values/time/calendar.ts";
import { clockAt } from "../values/time/clock.ts";
import type { Book, BookQuote } from "../wire/quotes.ts";
import { instantsOf, lateFrame, recordedDays } from "./instants.ts";
import { type DemoFeed, type DemoMarket, demoFeeds, factsOf } from "./market.ts";
import { demoChance } from "./prices.ts";

/** Hours with gaps on the first day with all items. All feeds have a gap in the first, the main platform in the second. */
const hoursWithoutFrame = [5, 6];
const hourWithoutSteam = 18;
/** Gaps of the main platform on the same day. Some items are missing in the first range of hours, some prices in the second. */
const hoursOfVanishing = { first: 9, last: 12 };
const hoursWithoutPrice = { first: 14, last: 15 };

/** Gaps in days before the first day with all items: a day without any frame, and days without the main platform. */
export const dayWithoutFrame = 4;
export const daysWithoutSteam = [7, 8, 20];
/** On this day before, a feed did not cover its second provider. */
const dayWithoutSecond = 12;
/** Share of earlier hours in which a feed was not verified. */
const missedHours = 0.012;

type Frame = { hour: number; recordedAt: number; slugs: readonly string[]; items: number; quotes: number };

/** Daily rows derived from frames, by item id, in ascending day order. */
export type DerivedRows = Map<number, DailyWithoutChecksum[]>;

/**
 * Writes the frames of each feed day by day. The result equals recording the frames one by one and finalizing the days. Returns the daily
 * rows of the completed days, which the caller must write.
 */
export function createDemoFrames(
  database: Database,
  market: DemoMarket,
  { anchorAt, progress }: { anchorAt: number; progress: Progress },
): DerivedRows {
  const rows = new FrameWriter(database);
  const numbers = rows.numbers();
  const first = market.lastDay - recordedDays.known + 1;
  const derived: DerivedRows = new Map();
  progress.phase("recording frames", recordedDays.known);
  for (let day = first; day <= market.lastDay; day += 1) {
    for (const feed of demoFeeds) {
      const isOver = day < dayOf(anchorAt);
      recordDay(rows, isOver ? derived : null, market, { day, feed, numbers });
      if (isOver) rows.markFinalized({ day, feed: feed.feed }, anchorAt);
    }
    progress.advance(1);
  }
  return derived;
}

/** Records the late frame. Its day must be finalized again. The rows of `createDemoFrames` must be written. */
export function recordLateFrame(database: Database, market: DemoMarket, anchorAt: number): void {
  const feed = demoFeeds.find((one) => one.feed === lateFrame.feed)!;
  const hour = (market.lastDay - lateFrame.daysAgo) * hoursOfDay + lateFrame.hour;
  const { lateFrameAt: recordedAt } = instantsOf(anchorAt);
  const checkedAt = hour * hourMs + feed.intoMs;
  const items = new Map<number, Book>();
  for (const [itemId, quotes] of market.quotes(feed)) {
    const step = market.step(itemId, feed, market.lastHour - hour);
    if (market.isKnown(itemId)) items.set(itemId, market.quotesSince(itemId, quotes, step, feed));
  }
  const content = { facts: factsOf(feed, false), items, itemsWithoutQuote: new Set<number>(), refusedNames: null };
  const times = { verifiedBy: "body" as const, ingestedAt: checkedAt, checkedAt, recordedAt };
  runAtOnce(recordFrameInBatches(database, content, times, { clock: clockAt(recordedAt) }));
}

type DayOfFeed = { day: number; feed: DemoFeed; numbers: ReadonlyMap<string, number> };

/** Adds the daily rows of the day to `derived`. Pass null for a day that has not ended. */
function recordDay(
  rows: FrameWriter,
  derived: DerivedRows | null,
  market: DemoMarket,
  { day, feed, numbers }: DayOfFeed,
): void {
  const key = { day, feed: feed.feed };
  const frames = framesOf(market, day, feed);
  if (frames.length === 0) return;
  const slugs = new Map(feed.slugs.map((slug) => [numbers.get(slug), slug]));
  const isOfAll = day > market.lastDay - recordedDays.all;
  for (const [itemId, quotes] of market.quotes(feed)) {
    if (!isOfAll && !market.isKnown(itemId)) continue;
    const changes = changesOf(market, { day, feed, numbers }, frames, itemId, quotes);
    if (changes.length === 0) continue;
    rows.putSegment(key, { itemId, changes: encodeSegment({ ...key, itemId }, changes) });
    if (derived === null) continue;
    let ofItem = derived.get(itemId);
    if (ofItem === undefined) {
      ofItem = [];
      derived.set(itemId, ofItem);
    }
    for (const figures of deriveDaily(frames, changes))
      ofItem.push(dailyRow(itemId, day, slugs.get(figures.provider)!, figures));
  }
  if (isOfAll) {
    const names = frames.map(({ hour }) => ({ hour: hour % hoursOfDay, nameIds: [] }));
    rows.putNames(key, encodeFrameNames(key, names));
  }
  for (const { hour, recordedAt: at, slugs: covered, items, quotes } of frames) {
    const times = { verifiedBy: "body" as const, ingestedAt: at, checkedAt: at, recordedAt: at };
    const providers = JSON.stringify([...covered].sort());
    rows.addFrame(day, { hour, feed: feed.feed, ...times, items, quotes, providers, refusedNames: isOfAll ? 0 : null });
  }
}

/** Copies each column by name: object rest is ten times slower. */
function dailyRow(itemId: number, day: number, provider: string, figures: DailyFigures): DailyWithoutChecksum {
  return {
    itemId,
    side: figures.side,
    day,
    provider,
    amount: figures.amount,
    lowAmount: figures.lowAmount,
    highAmount: figures.highAmount,
    observations: figures.observations,
    quantity: figures.quantity,
    sourceObservedAt: figures.sourceObservedAt,
    recordedAt: figures.recordedAt,
    importId: null,
  };
}

/** Returns the hours of a day in which the feed was verified, with zero counts. */
function framesOf(market: DemoMarket, day: number, { feed, slugs, intoMs }: DemoFeed): Frame[] {
  const firstOfAll = market.lastDay - recordedDays.all + 1;
  const daysBefore = firstOfAll - day;
  if (daysBefore === dayWithoutFrame || (feed === "steam" && daysWithoutSteam.includes(daysBefore))) return [];
  const frames: Frame[] = [];
  for (let ofDay = 0; ofDay < hoursOfDay && day * hoursOfDay + ofDay <= market.lastHour; ofDay += 1) {
    const isLate = feed === lateFrame.feed && day === market.lastDay - lateFrame.daysAgo && ofDay === lateFrame.hour;
    const isMissed =
      isLate ||
      (daysBefore === 0
        ? hoursWithoutFrame.includes(ofDay) || (feed === "steam" && ofDay === hourWithoutSteam)
        : daysBefore > 0 && demoChance(`${feed} missed ${daysBefore} ${ofDay}`) < missedHours);
    const covered = daysBefore === dayWithoutSecond ? slugs.slice(0, 1) : slugs;
    const hour = day * hoursOfDay + ofDay;
    const recordedAt = hour === market.lastHour ? market.lastAt : hour * hourMs + intoMs;
    if (!isMissed) frames.push({ hour, recordedAt, slugs: covered, items: 0, quotes: 0 });
  }
  return frames;
}

/** Returns the changes of an item in the frames of a day, and adds it to the counts of `frames`. */
function changesOf(
  market: DemoMarket,
  { day, feed, numbers }: DayOfFeed,
  frames: readonly Frame[],
  itemId: number,
  now: Book,
): Change[] {
  const isOddDay = feed.feed === "steam" && day === market.lastDay - recordedDays.all + 1;
  const vanishes = isOddDay && demoChance(`${itemId} vanishes`) < 0.02;
  const losesPrice = isOddDay && demoChance(`${itemId} loses its price`) < 0.02;
  const changes: Change[] = [];
  let state: ItemState = null;
  let movedAgo = -1;
  for (const frame of frames) {
    const ofDay = frame.hour % hoursOfDay;
    if (vanishes && isWithin(ofDay, hoursOfVanishing)) {
      if (state !== null) changes.push({ hour: ofDay, state: null });
      state = null;
      continue;
    }
    if (losesPrice && isWithin(ofDay, hoursWithoutPrice)) {
      if (state === null || state.length > 0) changes.push({ hour: ofDay, state: [] });
      state = [];
    } else {
      // Prices stay the same until the next move, so most hours skip the market.
      const step = market.step(itemId, feed, market.lastHour - frame.hour);
      if (state === null || state.length === 0 || step.movedAgo !== movedAgo) {
        movedAgo = step.movedAgo;
        const next = stateOf(market.quotesSince(itemId, now, step, feed), frame.slugs, numbers);
        if (state === null || !isSameState(state, next)) changes.push({ hour: ofDay, state: next });
        state = next;
      }
    }
    frame.items += 1;
    frame.quotes += state.length;
  }
  return changes;
}

function isWithin(hour: number, { first, last }: { first: number; last: number }): boolean {
  return hour >= first && hour <= last;
}

function stateOf({ asks, bids }: Book, slugs: readonly string[], numbers: ReadonlyMap<string, number>): FrameQuote[] {
  const state: FrameQuote[] = [];
  for (const quote of asks) if (slugs.includes(quote.provider)) state.push(frameQuoteOf(quote, "ask", numbers));
  for (const quote of bids) if (slugs.includes(quote.provider)) state.push(frameQuoteOf(quote, "bid", numbers));
  return state;
}

function frameQuoteOf(
  { provider, amountCents: amount, quantity, observedAt }: BookQuote,
  side: FrameQuote["side"],
  numbers: ReadonlyMap<string, number>,
): FrameQuote {
  return { provider: numbers.get(provider)!, side, amount, quantity, observedAt };
}
