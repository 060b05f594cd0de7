import type { ItemQuotes } from "../../src/ingest/merge-quotes.ts";
import { type FrameContent, recordFrameSteps } from "../../src/ingest/record-frame.ts";
import type { Database } from "../../src/store/database.ts";
import { decodeSegment, type ItemState } from "../../src/store/frame-segment.ts";
import { FramesStore } from "../../src/store/frames.ts";
import { hourMs } from "../../src/values/calendar.ts";
import { systemClock } from "../../src/values/clock.ts";
import type { Layout, WindowRow } from "./layout.ts";
import { firstHour, type Market, slots } from "./market.ts";

const feed = "market";
const name = "a segment per item and day";

/** The segments that the service stores, written and read by its own code. */
export function daySegments(writer: Database, reader: Database): Layout {
  addFeed(writer);
  const store = new FramesStore(reader);
  const writeFrame: Layout["writeFrame"] = (market, hour) => {
    const checkedAt = (firstHour + hour) * hourMs;
    const times = { verifiedBy: "body" as const, ingestedAt: checkedAt, checkedAt, recordedAt: checkedAt };
    return recordFrameSteps(writer, { ...contentOf(market, hour), feed }, times, { clock: systemClock });
  };
  return {
    ...{ name, writeFrame },
    *build(market, hours, progress) {
      progress.phase(`${name}: frames`, hours);
      for (let hour = 0; hour < hours; hour += 1) {
        for (const _ of writeFrame(market, hour));
        progress.advance(1);
        yield;
      }
    },
    window: (item, from, to) => windowOf(store, item, firstHour + from, firstHour + to),
  };
}

/** What the market's feed says in an hour, counted from the market's first. */
export function contentOf(market: Market, hour: number): Pick<FrameContent, "items" | "named"> {
  const items = new Map<number, ItemQuotes>();
  for (let item = 0; item < market.items; item += 1) {
    const quotes: ItemQuotes = { asks: [], bids: [] };
    for (const { slot, amount, quantity, observedAt } of market.quotes(item, hour)) {
      const { provider, side } = slots[slot]!;
      const quote = { provider: slugOf(provider), amountCents: amount, quantity, url: null, observedAt };
      (side === "ask" ? quotes.asks : quotes.bids).push(quote);
    }
    items.set(item, quotes);
  }
  return { items, named: new Set() };
}

function windowOf(store: FramesStore, item: number, from: number, to: number): WindowRow[] {
  const providers = new Map(store.providers().map(({ provider, number }) => [number, numberOf(provider)]));
  const rows: WindowRow[] = [];
  for (const { day, hours } of store.feedDays(Math.floor(from / 24), Math.floor(to / 24))) {
    const [segment] = store.segments(day, item);
    const changes = segment === undefined ? [] : decodeSegment(segment.changes);
    let state: ItemState = null;
    for (let ofDay = 0, next = 0; ofDay < 24; ofDay += 1) {
      if (((hours >> ofDay) & 1) === 0) continue;
      while (next < changes.length && changes[next]!.hour <= ofDay) state = changes[next++]!.state;
      const hour = day * 24 + ofDay;
      if (hour < from || hour > to || state === null) continue;
      for (const { provider, side, amount, quantity, observedAt } of state) {
        if (side === "bid") continue;
        rows.push({ hour: hour - firstHour, provider: providers.get(provider)!, amount, quantity, observedAt });
      }
    }
  }
  return rows;
}

function addFeed({ $client: client }: Database): void {
  client.prepare("INSERT INTO feeds(feed, adapter) VALUES (?, 'canonical')").run(feed);
  const insert = client.prepare("INSERT INTO providers VALUES (?, ?, 'cash', ?, 1, 1, 1)");
  for (const provider of new Set(slots.map(({ provider }) => provider))) {
    insert.run(slugOf(provider), `Provider ${provider}`, feed);
  }
}

export function slugOf(provider: number): string {
  return `provider-${provider}`;
}

function numberOf(slug: string): number {
  return Number(slug.slice("provider-".length));
}
