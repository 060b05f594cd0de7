import { dayMs, hourMs } from "../../src/values/time/calendar.ts";
import { toTimestamp, toTimestampOrNull } from "../../src/values/time/clock.ts";
import type { GivenFrame, Quote } from "./market.ts";

/** Everything that was given to the recorder. `seenAt` is the instant at which the catalog first had an item, by item id. */
export type Given = {
  frames: readonly GivenFrame[];
  drops: readonly { feed: string; at: number }[];
  seenAt: ReadonlyMap<number, number>;
};
export type Wanted = { at: number; itemIds: readonly number[]; provider?: string; side?: "ask" | "bid" };

const silentMs = 30 * dayMs;

/** Returns the frames and quotes known at an instant, straight from the list of frames, by the words of the contract: slow and plain. */
export function knownPrices(given: Given, wanted: Wanted) {
  const frames = [...Map.groupBy(given.frames, ({ feed }) => feed)]
    .map(([feed, all]) => latestOf(feed, all, given, wanted.at))
    .filter((frame) => frame !== null)
    .filter(({ feed }) => wanted.provider === undefined || feed === feedOf(wanted.provider))
    .sort((one, other) => (one.feed < other.feed ? -1 : 1));
  const items = wanted.itemIds.map((itemId) => {
    const quotes = frames
      .flatMap((frame) => frame.quotes.get(itemId) ?? [])
      .filter(({ provider }) => provider === (wanted.provider ?? provider))
      .filter(({ side }) => side === (wanted.side ?? side))
      .sort((one, other) => (one.provider < other.provider ? -1 : 1));
    const of = (side: Quote["side"]) => quotes.filter((quote) => quote.side === side);
    const isSeen = (given.seenAt.get(itemId) ?? Number.POSITIVE_INFINITY) <= wanted.at;
    return {
      item_id: itemId,
      status: isSeen ? "found" : "not_found",
      asks: of("ask")
        .sort((one, other) => one.amount - other.amount)
        .map(shown),
      bids: of("bid")
        .sort((one, other) => other.amount - one.amount)
        .map(shown),
    };
  });
  return { currency: "USD", minor_units: 2, frames: frames.map(frameShown), items };
}

/** Returns the frame of the feed's latest hour that counts at an instant. Null if it is too old, or if the feed was dropped since. */
function latestOf(feed: string, all: readonly GivenFrame[], { drops }: Given, at: number): GivenFrame | null {
  const counting = all.filter((frame) => frame.recordedAt <= at && !((frame.retractedAt ?? at + 1) <= at));
  const [latest] = counting.sort((one, other) => other.hour - one.hour);
  if (latest === undefined || at - latest.checkedAt > silentMs) return null;
  const isDropped = drops.some((drop) => drop.feed === feed && drop.at <= at && drop.at >= latest.recordedAt);
  return isDropped ? null : latest;
}

function frameShown({ feed, hour, checkedAt, recordedAt }: GivenFrame) {
  return {
    feed,
    providers: feed === "beta" ? ["b1", "b2"] : [feed],
    ts: toTimestamp(hour * hourMs),
    checked_at: toTimestamp(checkedAt),
    recorded_at: toTimestamp(recordedAt),
  };
}

function shown({ provider, amount, quantity, observedAt }: Quote) {
  return { provider, amount, quantity, as_of: toTimestampOrNull(observedAt) };
}

function feedOf(provider: string): string {
  return provider.startsWith("b") ? "beta" : provider;
}
