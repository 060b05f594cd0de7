import type { Database } from "../../store/database.ts";
import { BookReader, bookOf } from "../../store/read/books.ts";
import { MarketItems } from "../../store/read/market-items.ts";
import type { FeedWriter } from "../../store/write/feeds.ts";
import type { Book } from "../../wire/quotes.ts";
import { examplesMax } from "../guards/findings.ts";
import { largestOf } from "../guards/largest.ts";
import { type PriceMove, PriceRatios } from "../guards/price-ratios.ts";

/** The prices of one item, either in a body or published. */
export type PricedBook = Record<Side, readonly { provider: string; amountCents: number }[]>;

export const sides = ["asks", "bids"] as const;
export type Side = (typeof sides)[number];

/** The state of a feed before a body: its prices in ascending item id, and its item count. Null if unknown. */
export type FeedBefore = {
  items: Iterable<readonly [itemId: number, book: PricedBook]> | null;
  itemCount: number | null;
};

/** A crossed book: the buy order is above the offer of the same provider. */
type Crossing = { itemId: number; bid: number; ask: number };

/** Counts of one provider's two-sided books and crossed books, and the first few crossings. */
type ProviderCrossings = { twoSided: number; crossed: number; examples: Crossing[] };

/** The books of a body, and the feed's prices before it. Both are in ascending item id. `before` is null if unknown. */
type BooksBeside = {
  items: Iterable<readonly [itemId: number, quotes: Book]>;
  /** Books of feed-derived items. */
  derived: Iterable<Book>;
  before: FeedBefore["items"];
};

/** Numbers of new, changed and removed quotes, and the moves with the largest difference in money. */
export type BookMoves = { came: number; changed: number; went: number; largest: readonly QuoteMove[] };

/** Figures for the guards. They are collected in a single pass over old and new books, because all books together are large. */
export class ComparedBooks {
  readonly before = new BookCounts();
  readonly now = new BookCounts();
  readonly changes = new PriceChanges();
  /** Crossings of catalog items, and of feed-derived items. */
  readonly crossings = new Crossings();
  readonly derivedCrossings = new Crossings();

  constructor({ items, derived, before }: BooksBeside) {
    for (const { itemId, old, book } of mergeByItem(before ?? [], items)) {
      if (old !== null) this.before.add(old);
      if (book === null) continue;
      this.now.add(book);
      this.crossings.add(itemId, book);
      if (old !== null) this.changes.add(itemId, old, book);
    }
    for (const book of derived) {
      this.now.add(book);
      this.derivedCrossings.add(0, book);
    }
  }

  /** Returns the numbers of new, changed and removed quotes, and the largest moves. */
  moves(max: number): BookMoves {
    const [before, now] = [this.before, this.now].map(({ quotes }) => quotes) as [number, number];
    let [common, changed] = [0, 0];
    for (const { prices } of this.changes.bySide()) {
      common += prices.count;
      changed += prices.changed;
    }
    return { came: now - common, changed, went: before - common, largest: this.changes.largest(max) };
  }

  /** Number of crossed books. */
  get crossed(): number {
    return this.crossings.total + this.derivedCrossings.total;
  }
}

/** Counts crossed books, which are stored unchanged. */
class Crossings {
  readonly #counts = new Map<string, ProviderCrossings>();

  add(itemId: number, { asks, bids }: PricedBook): void {
    for (const { provider, amountCents: bid } of bids) {
      const ask = asks.find((quote) => quote.provider === provider)?.amountCents;
      if (ask !== undefined) this.#count(provider, { itemId, bid, ask });
    }
  }

  of(provider: string): ProviderCrossings {
    return this.#counts.get(provider) ?? { twoSided: 0, crossed: 0, examples: [] };
  }

  /** Number of crossed books of all providers. */
  get total(): number {
    let total = 0;
    for (const { crossed } of this.#counts.values()) total += crossed;
    return total;
  }

  #count(provider: string, crossing: Crossing): void {
    const counts = this.of(provider);
    this.#counts.set(provider, counts);
    counts.twoSided += 1;
    if (crossing.bid <= crossing.ask) return;
    counts.crossed += 1;
    if (counts.examples.length < examplesMax) counts.examples.push(crossing);
  }
}

type Pair<Old, Book> = { itemId: number; old: Old | null; book: Book | null };

/** Merges two lists in ascending item id. Yields each item with its value in either list. */
export function* mergeByItem<Old, Book>(
  before: Iterable<readonly [number, Old]>,
  now: Iterable<readonly [number, Book]>,
): Generator<Pair<Old, Book>> {
  const books = now[Symbol.iterator]();
  let next = books.next();
  for (const [itemId, old] of before) {
    for (; next.done !== true && next.value[0] < itemId; next = books.next())
      yield { itemId: next.value[0], old: null, book: next.value[1] };
    const isSame = next.done !== true && next.value[0] === itemId;
    yield { itemId, old, book: isSame ? (next.value as readonly [number, Book])[1] : null };
    if (isSame) next = books.next();
  }
  for (; next.done !== true; next = books.next()) yield { itemId: next.value[0], old: null, book: next.value[1] };
}

/** Returns the published state of a feed's providers. */
export function publishedBefore(database: Database, feeds: FeedWriter, feed: string): FeedBefore {
  const itemCount = feeds.itemCount(feed);
  if (itemCount === null) return { items: null, itemCount };
  const own = new Set(feeds.providersOf(feed));
  return { items: { [Symbol.iterator]: () => booksOf(database, own) }, itemCount };
}

/** Yields the published prices of these providers. They are read lazily, because all prices together are large. */
export function* booksOf(
  database: Database,
  own: ReadonlySet<string>,
): Generator<readonly [itemId: number, book: PricedBook]> {
  const upTo = new MarketItems(database).maxItemId();
  for (const [itemId, rows] of new BookReader(database).within({ after: 0, upTo }, own)) yield [itemId, bookOf(rows)!];
}

/**
 * More lost quotes than a threshold allows. `itemCount` is the number of items that had them. `provider` is null for all providers
 * together.
 */
export type Loss = { figure: string; itemCount: number; provider: string | null; sides: readonly Side[] };

/** Numbers of items with any quote, with offers and with buy orders: of one provider or of all. */
type Counts = { items: number } & Record<Side, number>;
type Change = { from: Counts; to: Counts };

const noCounts: Counts = { items: 0, asks: 0, bids: 0 };

/** Counts the items of books, which are added one by one. */
class BookCounts {
  readonly providers = new Map<string, Counts>();
  readonly whole = { ...noCounts };

  get quotes(): number {
    let quotes = 0;
    for (const counts of this.providers.values()) quotes += quotesOf(counts);
    return quotes;
  }

  add(book: PricedBook): void {
    const met = new Set<Counts>();
    for (const side of sides) {
      if (book[side].length > 0) this.whole[side] += 1;
      for (const { provider } of book[side]) {
        const counts = this.providers.get(provider) ?? { ...noCounts };
        counts[side] += 1;
        met.add(counts);
        this.providers.set(provider, counts);
      }
    }
    for (const counts of met) counts.items += 1;
    if (met.size > 0) this.whole.items += 1;
  }
}

const sidePairs = [
  ["asks", "bids"],
  ["bids", "asks"],
] as const;

/**
 * Returns the losses of single providers and of single sides. A provider counts only while others stay, and a side only while the other
 * side stays. Losses of one side of the whole feed follow. A uniform loss of all quotes is not reported here.
 */
export function lossesOf(old: BookCounts, fresh: BookCounts, percent: number): Loss[] {
  const changes = [...old.providers].map(([provider, from]) => ({
    provider,
    from,
    to: fresh.providers.get(provider) ?? noCounts,
  }));
  const stays = ({ from, to }: Change) => !isLost(quotesOf(from), quotesOf(to), percent);
  const ofProviders = changes.flatMap((change): Loss[] => {
    const { provider, from, to } = change;
    if (stays(change) || !changes.some((other) => other !== change && stays(other))) {
      return sideLosses(change, percent).map(([side, stay]) => ({
        figure: `${provider} goes from ${from[side]} ${side} to ${to[side]} and its ${stay} stay`,
        itemCount: from[side],
        provider,
        sides: [side],
      }));
    }
    const figure = `${provider} goes from ${quotesOf(from)} quotes to ${quotesOf(to)} and other providers stay`;
    return [{ figure, itemCount: from.items, provider, sides }];
  });
  const whole = { from: old.whole, to: fresh.whole };
  const ofAll = sideLosses(whole, percent).map(
    ([side, stay]): Loss => ({
      figure: `it goes from ${old.whole[side]} items with ${side} to ${fresh.whole[side]} and items with ${stay} stay`,
      itemCount: old.whole[side],
      provider: null,
      sides: [side],
    }),
  );
  return [...ofProviders, ...ofAll];
}

/** Returns whether a number fell by more than `percent` %. */
export function isLost(from: number, to: number, percent: number): boolean {
  return from > 0 && to * 100 < from * (100 - percent);
}

/** Returns each lost side together with the side that stays. */
function sideLosses({ from, to }: Change, percent: number) {
  return sidePairs.filter(
    ([side, other]) =>
      isLost(from[side], to[side], percent) && from[other] > 0 && !isLost(from[other], to[other], percent),
  );
}

function quotesOf({ asks, bids }: Counts): number {
  return asks + bids;
}

/** A move of a price, with its provider and side. */
type QuoteMove = PriceMove & { provider: string; side: Side };

type ProviderRatios = Record<Side, PriceRatios> & { items: number };

/** All prices of a body with an earlier price of the same item, provider and side. */
class PriceChanges {
  readonly #providers = new Map<string, ProviderRatios>();
  /** Number of items with a change at any provider. */
  #items = 0;

  /** Adds all prices of one item. */
  add(itemId: number, before: PricedBook, now: PricedBook): void {
    const met = new Set<ProviderRatios>();
    for (const side of sides) {
      for (const { provider, amountCents } of now[side]) {
        const from = before[side].find((quote) => quote.provider === provider)?.amountCents;
        if (from === undefined) continue;
        let ratios = this.#providers.get(provider);
        if (ratios === undefined) {
          ratios = { asks: new PriceRatios(), bids: new PriceRatios(), items: 0 };
          this.#providers.set(provider, ratios);
        }
        ratios[side].add(itemId, from, amountCents);
        met.add(ratios);
      }
    }
    for (const ratios of met) ratios.items += 1;
    if (met.size > 0) this.#items += 1;
  }

  /** Returns the number of items with a change at a provider. Pass null for any provider. */
  itemsOf(provider: string | null): number {
    return provider === null ? this.#items : (this.#providers.get(provider)?.items ?? 0);
  }

  /** Returns the changes of a provider and side. Pass null for all providers or both sides. */
  of(provider: string | null, side: Side | null): PriceRatios {
    const all =
      provider === null
        ? [...this.#providers.values()]
        : [this.#providers.get(provider)].filter((known) => known !== undefined);
    return PriceRatios.together(all.flatMap((ratios) => (side === null ? [ratios.asks, ratios.bids] : [ratios[side]])));
  }

  /** Yields the changes of each provider and side. */
  *bySide(): Generator<{ provider: string; side: Side; prices: PriceRatios }> {
    for (const [provider, ratios] of this.#providers)
      for (const side of sides) if (ratios[side].count > 0) yield { provider, side, prices: ratios[side] };
  }

  /** Returns the moves with the largest difference in money. */
  largest(max: number): readonly QuoteMove[] {
    const moves = [...this.bySide()].flatMap(({ provider, side, prices }) =>
      prices.largest(max).map((move) => ({ ...move, provider, side })),
    );
    return largestOf(moves, max, ({ from, to }) => Math.abs(to - from));
  }
}
