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

/** What a generation is merged of. `publishedAt`, UTC ms, dates a best ask that the published rows were the last to change. */
type MergeParts = {
  /** Returns the published rows in ascending item id, each time anew. */
  published: () => Iterable<QuoteRow>;
  publishedAt: number | null;
  fresh: QuotesByItem;
  /** Providers whose published quotes `fresh` replaces. */
  providers: ReadonlySet<string>;
};

/** The published generation with fresh quotes in the place of some providers'. Its rows are made as they are asked for: all together they are large. */
export class MergedQuotes {
  readonly #parts: MergeParts;
  /** True as soon as a row is not the published one. */
  isChanged = false;
  /** Items of the fresh quotes in the rows, and those whose record would have been too large. */
  feedItems = 0;
  tooLarge: number[] = [];

  constructor(parts: MergeParts) {
    this.#parts = parts;
  }

  /** Yields the rows in ascending item id. The fields are those of the rows that were last asked for, once they have ended. */
  *rows(): Generator<QuoteRow> {
    this.isChanged = false;
    this.feedItems = 0;
    this.tooLarge = [];
    const { published, fresh } = this.#parts;
    const freshIds = Array.from(fresh.keys()).sort((a, b) => a - b);
    let next = 0;
    for (const before of published()) {
      for (; next < freshIds.length && freshIds[next]! < before.itemId; next += 1)
        yield* this.#row(freshIds[next]!, null);
      if (freshIds[next] === before.itemId) next += 1;
      yield* this.#row(before.itemId, before);
    }
    for (; next < freshIds.length; next += 1) yield* this.#row(freshIds[next]!, null);
  }

  /** Yields the rows up to the first one that is not published as it is. */
  *rowsUntilChanged(): Generator<QuoteRow> {
    for (const row of this.rows()) {
      if (this.isChanged) return;
      yield row;
    }
  }

  *#row(itemId: number, before: QuoteRow | null): Generator<QuoteRow> {
    const row = this.#merge(itemId, before);
    this.isChanged ||= row?.quotes !== before?.quotes || (row?.observed ?? null) !== (before?.observed ?? null);
    if (row !== null) yield row;
  }

  #merge(itemId: number, before: QuoteRow | null): QuoteRow | null {
    const { fresh, providers, publishedAt } = this.#parts;
    const kept = before === null ? { asks: [], bids: [] } : keptQuotes(before, providers);
    const quotes = fresh.get(itemId);
    if (quotes !== undefined) {
      const row = encodeRow(itemId, {
        asks: [...kept.asks, ...quotes.asks.map(makeQuote)],
        bids: [...kept.bids, ...quotes.bids.map(makeQuote)],
      });
      if (row !== null && Buffer.byteLength(row.quotes) <= quotesBytesMax) {
        this.feedItems += 1;
        return datedBestAsk(row, before, publishedAt);
      }
      this.tooLarge.push(itemId);
    }
    const row = encodeRow(itemId, kept);
    return row === null ? null : datedBestAsk(row, before, publishedAt);
  }
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
