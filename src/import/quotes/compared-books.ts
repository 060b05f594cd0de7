import type { ItemQuotes } from "./merge-quotes.ts";
import { PriceChanges } from "./price-changes.ts";
import { BookCounts, type PricedBook } from "./priced-books.ts";

/** A book in which a buy order is above the offer of the same provider. */
type Crossing = { itemId: number; bid: number; ask: number };

/** The books of one provider: those with both sides, those that cross, and the first few of these. */
type ProviderCrossings = { twoSided: number; crossed: number; examples: Crossing[] };

const examplesMax = 3;

/** The books of a body and what the feed had before it, both in ascending item id; null: that is not known. */
type BooksBeside = {
  items: Iterable<readonly [itemId: number, quotes: ItemQuotes]>;
  /** Books of items that the body derives. */
  derived: Iterable<ItemQuotes>;
  before: Iterable<readonly [itemId: number, book: PricedBook]> | null;
};

/** What guards look at, counted while the books of a body pass once beside those before it: together they are large. */
export class ComparedBooks {
  readonly before = new BookCounts();
  readonly now = new BookCounts();
  readonly changes = new PriceChanges();
  /** Of the items of the catalog, and of those that the body derives. */
  readonly crossings = new Crossings();
  readonly derivedCrossings = new Crossings();

  constructor({ items, derived, before }: BooksBeside) {
    for (const { itemId, old, book } of besideEachOther(before ?? [], items)) {
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

  /** Number of books in which one provider's buy order is above its own offer. */
  get crossed(): number {
    return this.crossings.total + this.derivedCrossings.total;
  }
}

/** Counts the books in which one provider's buy order is above its own offer. They are kept as they are. */
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

  /** Crossed books of all providers. */
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

/** Yields every item of two lists in ascending item id with what each has of it. */
export function* besideEachOther<Old, Book>(
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
