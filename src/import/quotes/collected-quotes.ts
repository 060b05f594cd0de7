import type { FeedQuote, ItemQuotes } from "./merge-quotes.ts";
import type { Side } from "./observation.ts";

/** Quotes by item, in ascending order, to which those of later items can be added. */
export type QuotesInOrder = ReadonlyMap<number, ItemQuotes> & { append(itemId: number, quotes: ItemQuotes): void };

/** Collects quotes by item while they are joined. `end` returns them, once. */
export type QuoteCollector = {
  add(itemId: number, side: Side, quote: FeedQuote): void;
  end(): QuotesInOrder;
};

/** Collects quotes in memory as they are. */
export class PlainCollector implements QuoteCollector {
  readonly #items = new Map<number, ItemQuotes>();

  add(itemId: number, side: Side, quote: FeedQuote): void {
    let quotes = this.#items.get(itemId);
    if (quotes === undefined) {
      quotes = { asks: [], bids: [] };
      this.#items.set(itemId, quotes);
    }
    (side === "ask" ? quotes.asks : quotes.bids).push(quote);
  }

  end(): QuotesInOrder {
    return new PlainQuotes([...this.#items].sort(([one], [other]) => one - other));
  }
}

class PlainQuotes extends Map<number, ItemQuotes> implements QuotesInOrder {
  append(itemId: number, quotes: ItemQuotes): void {
    this.set(itemId, quotes);
  }
}

/** Tells whether an item had a quote of a provider and side before: a bit each, because a body may have hundreds of thousands. */
export class SeenQuotes {
  readonly #bits = new Map<string, Uint8Array>();

  /** Returns false when it was added before. */
  add(itemId: number, side: Side, provider: string): boolean {
    const key = `${side} ${provider}`;
    const byte = itemId >>> 3;
    let bits = this.#bits.get(key);
    if (bits === undefined || byte >= bits.length) {
      const more = new Uint8Array(2 * (byte + 1));
      if (bits !== undefined) more.set(bits);
      this.#bits.set(key, more);
      bits = more;
    }
    const bit = 1 << (itemId & 7);
    if ((bits[byte]! & bit) !== 0) return false;
    bits[byte]! |= bit;
    return true;
  }
}
