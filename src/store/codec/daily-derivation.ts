import { hoursOfDay } from "../../values/time/calendar.ts";
import type { Change, FrameQuote, ItemState } from "./frame-segment.ts";

/** Daily figures of one item, provider and side from the stored frames of one UTC day. Amounts are USD cents, instants UTC ms. */
export type DailyFigures = {
  provider: number;
  side: "ask" | "bid";
  /** Last observation of the day, lowest and highest. */
  amount: number;
  lowAmount: number;
  highAmount: number;
  /** Number of stored frames with a price. 0 if all were retracted; the row is then absent. */
  observations: number;
  /** Quantity and source time of the last observation. */
  quantity: number | null;
  sourceObservedAt: number | null;
  /**
   * When the figures last changed: the latest recording or retraction of a frame that contains the price, or the latest replacement of a
   * retracted frame of the day.
   */
  recordedAt: number;
};

/** A stored frame: its hour since 1970, when its row was written, and when it was retracted or replaced, if ever. */
export type DayFrame = {
  readonly hour: number;
  readonly recordedAt: number;
  readonly retractedAt?: number | null;
  readonly replacedAt?: number | null;
};

/**
 * Returns the daily figures of one item, by ascending provider, asks first. `frames` are all stored frames of its feed on one UTC day.
 * `changes` is the item's segment of that day. Both are in ascending hour. A change in an hour without a stored frame is ignored.
 */
export function deriveDaily(frames: readonly DayFrame[], changes: readonly Change[]): DailyFigures[] {
  const stored = new Set(frames.map(({ hour }) => hour % hoursOfDay));
  const entries = changes.filter(({ hour }) => stored.has(hour));
  const figures = new Map<number, DailyFigures>();
  // A replacement may lack a price of the retracted frame.
  const replacedAt = Math.max(...frames.map((frame) => frame.replacedAt ?? 0));
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
      const recordedAt = Math.max(replacedAt, ...same.map((frame) => frame.retractedAt ?? frame.recordedAt));
      const observations = same.filter((frame) => (frame.retractedAt ?? null) === null).length;
      for (const quote of state) observe(figures, quote, recordedAt, observations);
    }
    first = after;
  }
  return Array.from(figures.values()).sort((a, b) => keyOf(a) - keyOf(b));
}

/** Adds a quote that is the same in several frames. `recordedAt` is their latest change; `observations` is how many are not retracted. */
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
