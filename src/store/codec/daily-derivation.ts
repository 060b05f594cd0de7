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
  /** Stored frames that hold a price. */
  observations: number;
  /** Those of the last observation. */
  quantity: number | null;
  sourceObservedAt: number | null;
  /** When the figures last changed: the latest recording of a frame that holds the price. */
  recordedAt: number;
};

/** A stored frame: hour since 1970, and when its row was written. */
export type DayFrame = { readonly hour: number; readonly recordedAt: number };

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
      const recordedAt = Math.max(...frames.slice(first, after).map((frame) => frame.recordedAt));
      for (const quote of state) observe(figures, quote, recordedAt, after - first);
    }
    first = after;
  }
  return Array.from(figures.values()).sort((a, b) => keyOf(a) - keyOf(b));
}

/** Counts a quote that stayed the same in a number of frames, the latest of which was recorded at `recordedAt`. */
function observe(
  figures: Map<number, DailyFigures>,
  quote: FrameQuote,
  recordedAt: number,
  observations: number,
): void {
  const { provider, side, amount, quantity, observedAt: sourceObservedAt } = quote;
  const key = keyOf(quote);
  const known = figures.get(key);
  if (known === undefined) {
    const range = { lowAmount: amount, highAmount: amount };
    figures.set(key, { provider, side, amount, ...range, observations, quantity, sourceObservedAt, recordedAt });
    return;
  }
  known.amount = amount;
  known.lowAmount = Math.min(known.lowAmount, amount);
  known.highAmount = Math.max(known.highAmount, amount);
  known.observations += observations;
  known.quantity = quantity;
  known.sourceObservedAt = sourceObservedAt;
  known.recordedAt = Math.max(known.recordedAt, recordedAt);
}

function keyOf({ provider, side }: Pick<FrameQuote, "provider" | "side">): number {
  return provider * 2 + (side === "ask" ? 0 : 1);
}
