import { type DailyFigures, deriveDaily } from "../store/codec/daily-derivation.ts";
import { decodeSegment } from "../store/codec/frame-segment.ts";
import type { DailyPriceRow, DailySelection } from "../store/read/daily-prices.ts";
import type { FeedDay, FramesStore } from "../store/read/frames.ts";
import { hoursOfDay } from "../values/time/calendar.ts";
import type { DayWindow } from "../values/time/window.ts";
import type { FrameProviderNames } from "./frame-provider-names.ts";

type DayFrames = Pick<FramesStore, "segments" | "frames">;

/**
 * Derives the daily rows of a window's days that are not stored yet: the current day, and completed days that are not finalized. It reads
 * the current frames and returns rows in ascending day and provider.
 */
export function unfinalizedRows(
  frames: FramesStore,
  names: FrameProviderNames,
  selection: DailySelection,
  window: DayWindow,
): DailyPriceRow[] {
  return derivedRows(frames, names, selection, frames.unfinalized(window.from, window.to));
}

/** Derives the daily rows of feed days from these frames, in ascending day and provider. Pass feed days in ascending day. */
export function derivedRows(
  frames: DayFrames,
  names: FrameProviderNames,
  selection: DailySelection,
  feedDays: readonly FeedDay[],
): DailyPriceRow[] {
  const rows: DailyPriceRow[] = [];
  for (const [day, ofFeeds] of Map.groupBy(feedDays, ({ day }) => day)) {
    const feeds = new Set(ofFeeds.map(({ feed }) => feed));
    const ofDay = rowsOfDay(frames, day, feeds, selection.itemId)
      .filter(({ side, observations }) => side === selection.side && observations > 0)
      .map(({ provider, side: _, ...figures }) => ({ ...figures, day, provider: names.of(provider), importId: null }))
      .filter(({ provider }) => selection.provider === null || provider === selection.provider);
    rows.push(...ofDay.sort((a, b) => (a.provider < b.provider ? -1 : 1)));
  }
  return rows;
}

function rowsOfDay(frames: DayFrames, day: number, feeds: ReadonlySet<string>, itemId: number): DailyFigures[] {
  const segments = frames.segments(day, itemId).filter(({ feed }) => feeds.has(feed));
  if (segments.length === 0) return [];
  const ofDay = frames.frames(day * hoursOfDay, day * hoursOfDay + hoursOfDay - 1);
  const framesOf = Map.groupBy(ofDay, ({ feed }) => feed);
  return segments.flatMap(({ feed, changes }) => deriveDaily(framesOf.get(feed) ?? [], decodeSegment(changes)));
}
