import type { QuoteRow } from "../../store/write/generations.ts";
import {
  decodeQuotes,
  encodeQuotes,
  makeQuote,
  type Quote,
  type QuoteSides,
  quoteFacts,
  withoutTimes,
} from "../../wire/quotes.ts";

/** Offer or buy order of a feed. `observedAt` is the source's own time in UTC ms; null: it gave none. */
export type FeedQuote = {
  provider: string;
  amountCents: number;
  quantity: number | null;
  url: string | null;
  observedAt: number | null;
};

/** All quotes of one feed for one item. */
export type ItemQuotes = { asks: FeedQuote[]; bids: FeedQuote[] };

/** What the fresh quotes of a publication are asked for: the items, and then the quotes of each in ascending order. */
export type QuotesByItem = Pick<ReadonlyMap<number, ItemQuotes>, "keys" | "get">;

/** Keeps an export record, its identity part included, within 256 KiB. */
const quotesBytesMax = 250_000;

/** Rows of the published generation and one feed's new body, merged. */
export type Merged = {
  rows: QuoteRow[];
  /** False: every row equals the published one. */
  changed: boolean;
  /** Items of the feed that the rows hold, and those whose record would have been too large. */
  feedItems: number;
  tooLarge: number[];
};

/**
 * Replaces the quotes of `providers` in the published rows by `fresh`, in ascending item id. `published` is ascending too,
 * `publishedAt` the publication time of those rows, which dates a best ask that they were the last to change.
 */
export function mergeQuotes(
  published: Iterable<QuoteRow>,
  publishedAt: number | null,
  fresh: QuotesByItem,
  providers: ReadonlySet<string>,
): Merged {
  const merged: Merged = { rows: [], changed: false, feedItems: 0, tooLarge: [] };
  const freshIds = Array.from(fresh.keys()).sort((a, b) => a - b);
  let next = 0;
  const take = (itemId: number, before: QuoteRow | null) => {
    const quotes = fresh.get(itemId);
    const row = mergeItem(itemId, before, publishedAt, quotes, providers, merged);
    if (row !== null) merged.rows.push(row);
    merged.changed ||= row?.quotes !== before?.quotes || (row?.observed ?? null) !== (before?.observed ?? null);
  };
  for (const before of published) {
    for (; next < freshIds.length && freshIds[next]! < before.itemId; next += 1) take(freshIds[next]!, null);
    if (freshIds[next] === before.itemId) next += 1;
    take(before.itemId, before);
  }
  for (; next < freshIds.length; next += 1) take(freshIds[next]!, null);
  return merged;
}

function mergeItem(
  itemId: number,
  before: QuoteRow | null,
  publishedAt: number | null,
  fresh: ItemQuotes | undefined,
  providers: ReadonlySet<string>,
  merged: Merged,
): QuoteRow | null {
  const kept = before === null ? { asks: [], bids: [] } : keptQuotes(before, providers);
  if (fresh !== undefined) {
    const row = encodeRow(itemId, {
      asks: [...kept.asks, ...fresh.asks.map(makeQuote)],
      bids: [...kept.bids, ...fresh.bids.map(makeQuote)],
    });
    if (row !== null && Buffer.byteLength(row.quotes) <= quotesBytesMax) {
      merged.feedItems += 1;
      return datedBestAsk(row, before, publishedAt);
    }
    merged.tooLarge.push(itemId);
  }
  const row = encodeRow(itemId, kept);
  return row === null ? null : datedBestAsk(row, before, publishedAt);
}

/** Dates the best ask: null where this generation changed it, else the time of the generation that did. */
function datedBestAsk(row: QuoteRow, before: QuoteRow | null, publishedAt: number | null): QuoteRow {
  const same =
    before !== null &&
    row.bestAskCents !== null &&
    row.bestAskCents === before.bestAskCents &&
    row.bestAskProvider === before.bestAskProvider;
  return { ...row, bestAskChangedAt: same ? (before.bestAskChangedAt ?? publishedAt) : null };
}

function encodeRow(itemId: number, { asks, bids }: QuoteSides): QuoteRow | null {
  if (asks.length === 0 && bids.length === 0) return null;
  asks.sort((a, b) => a.amount - b.amount || byProvider(a, b));
  bids.sort((a, b) => b.amount - a.amount || byProvider(a, b));
  const isObserved = [...asks, ...bids].some((quote) => quote.as_of !== null);
  const [best] = asks;
  const text = encodeQuotes({ asks, bids });
  return {
    itemId,
    quotes: isObserved ? encodeQuotes(withoutTimes({ asks, bids })) : text,
    observed: isObserved ? text : null,
    bestAskCents: best?.amount ?? null,
    bestAskProvider: best?.provider ?? null,
    bestAskChangedAt: null,
    ...quoteFacts([...asks, ...bids]),
  };
}

function byProvider(a: Quote, b: Quote): number {
  return a.provider < b.provider ? -1 : 1;
}

/** Returns the quotes of a stored row without those of `except`. */
function keptQuotes(row: QuoteRow, except: ReadonlySet<string>): QuoteSides {
  const { asks, bids } = decodeQuotes(row.observed ?? row.quotes);
  const isKept = ({ provider }: Quote) => !except.has(provider);
  return { asks: asks.filter(isKept), bids: bids.filter(isKept) };
}
