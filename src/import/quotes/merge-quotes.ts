import { toTimestampOrNull } from "../../values/clock.ts";

/** An offer or a buy order of one provider. `observedAt` is the source's own time, null when it told none. */
export type Quote = {
  provider: string;
  amountCents: number;
  quantity: number | null;
  url: string | null;
  observedAt: number | null;
};

/** All that one feed says of one item. */
export type ItemQuotes = { asks: Quote[]; bids: Quote[] };

/** One item of a generation as it is stored (`generation_quotes`). */
export type QuoteRow = {
  itemId: number;
  quotes: string;
  observed: string | null;
  bestAskCents: number | null;
  bestAskProvider: string | null;
  bestAskChangedAt: number | null;
};

/** Keeps an export record, its identity part included, within 256 KiB. */
export const quotesBytesMax = 250_000;

/** What the published generation and one feed's new body make together. */
export type Merged = {
  rows: QuoteRow[];
  /** False: every row says what the published one said. */
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
  fresh: ReadonlyMap<number, ItemQuotes>,
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
  const kept = before === null ? { asks: [], bids: [] } : decodeQuotes(before, providers);
  if (fresh !== undefined) {
    const row = encodeRow(itemId, { asks: [...kept.asks, ...fresh.asks], bids: [...kept.bids, ...fresh.bids] });
    if (row !== null && Buffer.byteLength(row.quotes) <= quotesBytesMax) {
      merged.feedItems += 1;
      return datedBestAsk(row, before, publishedAt);
    }
    merged.tooLarge.push(itemId);
  }
  const row = encodeRow(itemId, kept);
  return row === null ? null : datedBestAsk(row, before, publishedAt);
}

/** Null says that this generation changed the best ask; an unchanged one keeps the time of the generation that did. */
function datedBestAsk(row: QuoteRow, before: QuoteRow | null, publishedAt: number | null): QuoteRow {
  const same =
    before !== null &&
    row.bestAskCents !== null &&
    row.bestAskCents === before.bestAskCents &&
    row.bestAskProvider === before.bestAskProvider;
  return { ...row, bestAskChangedAt: same ? (before.bestAskChangedAt ?? publishedAt) : null };
}

function encodeRow(itemId: number, { asks, bids }: ItemQuotes): QuoteRow | null {
  if (asks.length === 0 && bids.length === 0) return null;
  asks.sort((a, b) => a.amountCents - b.amountCents || byProvider(a, b));
  bids.sort((a, b) => b.amountCents - a.amountCents || byProvider(a, b));
  const isObserved = [...asks, ...bids].some((quote) => quote.observedAt !== null);
  const [best] = asks;
  return {
    itemId,
    quotes: encodeQuotes(asks, bids, false),
    observed: isObserved ? encodeQuotes(asks, bids, true) : null,
    bestAskCents: best?.amountCents ?? null,
    bestAskProvider: best?.provider ?? null,
    bestAskChangedAt: null,
  };
}

function byProvider(a: Quote, b: Quote): number {
  return a.provider < b.provider ? -1 : 1;
}

function encodeQuotes(asks: readonly Quote[], bids: readonly Quote[], withTimes: boolean): string {
  const encode = (quote: Quote) => encodeQuote(quote, withTimes);
  return `"asks":[${asks.map(encode).join(",")}],"bids":[${bids.map(encode).join(",")}]`;
}

function encodeQuote(quote: Quote, withTimes: boolean): string {
  return JSON.stringify({
    provider: quote.provider,
    amount: quote.amountCents,
    currency: "USD",
    minor_units: 2,
    quantity: quote.quantity,
    url: quote.url,
    as_of: withTimes ? toTimestampOrNull(quote.observedAt) : null,
  });
}

type EncodedQuote = {
  provider: string;
  amount: number;
  quantity: number | null;
  url: string | null;
  as_of: string | null;
};

/** The quotes of a stored row without those of `except`. */
function decodeQuotes(row: QuoteRow, except: ReadonlySet<string>): ItemQuotes {
  const { asks, bids } = JSON.parse(`{${row.observed ?? row.quotes}}`) as Record<"asks" | "bids", EncodedQuote[]>;
  const decode = (quotes: EncodedQuote[]) =>
    quotes
      .filter((quote) => !except.has(quote.provider))
      .map((quote) => ({
        provider: quote.provider,
        amountCents: quote.amount,
        quantity: quote.quantity,
        url: quote.url,
        observedAt: quote.as_of === null ? null : Date.parse(quote.as_of),
      }));
  return { asks: decode(asks), bids: decode(bids) };
}
