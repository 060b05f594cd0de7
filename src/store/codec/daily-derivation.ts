import { hoursOfDay } from "../../values/calendar.ts";
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
  for (const { hour, recordedAt } of frames) {
    for (; next < entries.length && entries[next]!.hour <= hour % hoursOfDay; next += 1) state = entries[next]!.state;
    for (const quote of state ?? []) observe(figures, quote, recordedAt);
  }
  return Array.from(figures.values()).sort((a, b) => keyOf(a) - keyOf(b));
}

function observe(figures: Map<number, DailyFigures>, quote: FrameQuote, recordedAt: number): void {
  const { provider, side, amount, quantity, observedAt: sourceObservedAt } = quote;
  const last = { amount, quantity, sourceObservedAt, recordedAt };
  const known = figures.get(keyOf(quote));
  if (known === undefined) {
    figures.set(keyOf(quote), { provider, side, lowAmount: amount, highAmount: amount, observations: 1, ...last });
    return;
  }
  Object.assign(known, last);
  known.lowAmount = Math.min(known.lowAmount, amount);
  known.highAmount = Math.max(known.highAmount, amount);
  known.observations += 1;
}

function keyOf({ provider, side }: Pick<FrameQuote, "provider" | "side">): number {
  return provider * 2 + (side === "ask" ? 0 : 1);
}
