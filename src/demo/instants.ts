import { dayMs, dayOf, hourMs, minuteMs } from "../values/time/calendar.ts";

/** Number of recorded days up to the last one: days with known items, and days with all items. */
export const recordedDays = { known: 31, all: 2 };

/** Days before the anchor whose state can be read back. */
const knownDays = 60;
const weekMs = 7 * dayMs;

/** An item that the catalog first had under another name. */
export const renamedItem = {
  before: "AWP | Asimov (Field-Tested)",
  after: "AWP | Asiimov (Field-Tested)",
} as const;

/**
 * A frame of the main platform that was recorded late. `daysAgo` counts back from the last day. The other days were finalized before.
 */
export const lateFrame = { feed: "steam", daysAgo: 3, hour: 14 } as const;

/** A day of imported asks that a later import corrected for some items. `daysAgo` counts back from the last day. */
export const correctedDay = { provider: "northgate", daysAgo: 40, items: 20, factor: 0.9 } as const;

/** When the rows of the demo became known, UTC ms. */
export function instantsOf(anchorAt: number) {
  const knownSince = anchorAt - knownDays * dayMs;
  /** Start of the first day with frames of all items. */
  const allFramedAt = (dayOf(anchorAt) - recordedDays.all + 1) * dayMs;
  const imports: number[] = [];
  for (let at = knownSince; at < allFramedAt; at += weekMs) imports.push(at);
  imports.push(allFramedAt + 20 * minuteMs);
  return {
    knownSince,
    allFramedAt,
    /** Weekly imports of earlier asks. */
    imports,
    sealedAt: allFramedAt + 40 * minuteMs,
    lateFrameAt: allFramedAt - 4 * hourMs + 5 * minuteMs,
    correctedAt: allFramedAt + 16 * hourMs,
    renamedAt: allFramedAt + 18 * hourMs + 30 * minuteMs,
    /** When the rates of a day became known. */
    ratesOf: (day: number) => Math.max(knownSince, day * dayMs + 16 * hourMs),
    /** When the last completed day was sealed. */
    lastSealedAt: dayOf(anchorAt) * dayMs + 20 * minuteMs,
  };
}
