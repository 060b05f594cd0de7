import { hoursOfDay } from "../../values/time/calendar.ts";
import type { Change, FrameQuote, ItemState } from "./frame-segment.ts";

/** One provider and side of an item over the stored frames of one UTC day. Amounts in USD cents, instants in UTC ms. */
export type DailyFigures = {
  provider: number;
  side: "ask" | "bid";
  /** The last observation of the day, the lowest and the highest. */
  amount: number;
  lowAmount: number;
  highAmount: number;
  /** Number of stored frames with a price; 0 if all were retracted and the row is absent. */
  observations: number;
  /** Those of the last observation. */
  quantity: number | null;
  sourceObservedAt: number | null;
  /** When the figures last changed: the latest recording of a frame that holds the price. */
  recordedAt: number;
};

/** A stored frame: hour since 1970, when its row was written, and since when it counts for nothing. */
export type DayFrame = { readonly hour: number; readonly recordedAt: number; readonly retractedAt?: number | null };

/**
 * Returns the daily figures of one item. `frames` are all stored frames of its feed on one UTC day, `changes` its segment of that day, both
 * in ascending hour. A change in an hour without a stored frame counts for nothing. Ascending provider, asks first.
 */
export function deriveDaily(frames: readonly DayFrame[], changes: readonly Change[]): DailyFigures[] {
  const stored = new Set(frames.map(({ hour }) => hour % hoursOfDay));
  const entries = changes.filter(({ hour }) => stored.has(hour));
  const figures = new Map<number, DailyFigures>();
  let state: ItemState = null;
  let next = 0;
  for (let first = 0; first < frames.length; ) {
    const ofDay = frames[first]!.hour % hoursOfDay;
    for (; next < entries.length && entries[next]!.hour <= ofDay; next += 1) state = entries[next]!.state;
    const until = entries[next]?.hour ?? hoursOfDay;
    let after = first + 1;
    while (after < frames.length && frames[after]!.hour % hoursOfDay < until) after += 1;
    if (state !== null && state.length > 0) {
      const same = frames.slice(first, after);
      const recordedAt = Math.max(...same.map((frame) => frame.retractedAt ?? frame.recordedAt));
      const observations = same.filter((frame) => (frame.retractedAt ?? null) === null).length;
      for (const quote of state) observe(figures, quote, recordedAt, observations);
    }
    first = after;
  }
  return Array.from(figures.values()).sort((a, b) => keyOf(a) - keyOf(b));
}

/** Counts a quote that stayed the same in some frames, the latest of which changed at `recordedAt`. `observations` of them count. */
function observe(
  figures: Map<number, DailyFigures>,
  quote: FrameQuote,
  recordedAt: number,
  observations: number,
): void {
  const { provider, side, amount, quantity, observedAt: sourceObservedAt } = quote;
  const key = keyOf(quote);
  const seen = { amount, quantity, sourceObservedAt };
  const range = { lowAmount: amount, highAmount: amount };
  const known = figures.get(key);
  if (known === undefined) {
    figures.set(key, { provider, side, ...seen, ...range, observations, recordedAt });
    return;
  }
  known.recordedAt = Math.max(known.recordedAt, recordedAt);
  if (observations === 0) return;
  if (known.observations === 0) Object.assign(known, range);
  Object.assign(known, seen);
  known.lowAmount = Math.min(known.lowAmount, amount);
  known.highAmount = Math.max(known.highAmount, amount);
  known.observations += observations;
}

function keyOf({ provider, side }: Pick<FrameQuote, "provider" | "side">): number {
  return provider * 2 + (side === "ask" ? 0 : 1);
}
