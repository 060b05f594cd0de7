import type { FeedQuote, ItemQuotes } from "../../import/quotes/merge-quotes.ts";
import { packRows, unpackRows } from "./packed-rows.ts";

type PlainQuote = readonly [
  provider: string,
  amountCents: number,
  quantity: number | null,
  url: string | null,
  observedAt: number | null,
];
type PlainItem = readonly [itemId: number, asks: readonly PlainQuote[], bids: readonly PlainQuote[]];

/** Quotes of a block, unless one item has more: some hundred kilobytes unpacked. */
const blockQuotes = 1024;

/**
 * The quotes of a feed by item, packed in blocks of ascending item ids. One block is unpacked at a time, so to ask for items in another
 * order takes long.
 */
export class PackedQuotes implements ReadonlyMap<number, ItemQuotes> {
  readonly #ids: Uint32Array;
  readonly #blocks: Buffer[] = [];
  /** Index of the first item of each block. */
  readonly #starts: number[] = [];
  #unpacked: { block: number; items: ReadonlyMap<number, ItemQuotes> } | null = null;
  /** Bytes that they take, packed. */
  readonly bytes: number;

  constructor(items: ReadonlyMap<number, ItemQuotes>) {
    this.#ids = Uint32Array.from(items.keys()).sort();
    let block: PlainItem[] = [];
    let quotes = 0;
    const pack = () => {
      if (block.length > 0) this.#blocks.push(packRows(block));
      block = [];
      quotes = 0;
    };
    for (const [index, itemId] of this.#ids.entries()) {
      const { asks, bids } = items.get(itemId)!;
      if (block.length === 0) this.#starts.push(index);
      block.push([itemId, asks.map(plainQuote), bids.map(plainQuote)]);
      quotes += asks.length + bids.length;
      if (quotes >= blockQuotes) pack();
    }
    pack();
    this.bytes = this.#blocks.reduce((sum, { length }) => sum + length, this.#ids.byteLength);
  }

  get size(): number {
    return this.#ids.length;
  }

  has(itemId: number): boolean {
    return this.#ids[lastAtMost(this.#ids, itemId)] === itemId;
  }

  get(itemId: number): ItemQuotes | undefined {
    const index = lastAtMost(this.#ids, itemId);
    return this.#ids[index] === itemId ? this.#block(lastAtMost(this.#starts, index)).get(itemId) : undefined;
  }

  keys(): MapIterator<number> {
    return this.#ids.values();
  }

  *values(): MapIterator<ItemQuotes> {
    for (const [, quotes] of this) yield quotes;
  }

  entries(): MapIterator<[number, ItemQuotes]> {
    return this[Symbol.iterator]();
  }

  forEach(look: (quotes: ItemQuotes, itemId: number, all: ReadonlyMap<number, ItemQuotes>) => void): void {
    for (const [itemId, quotes] of this) look(quotes, itemId, this);
  }

  *[Symbol.iterator](): MapIterator<[number, ItemQuotes]> {
    for (const block of this.#blocks.keys()) yield* this.#block(block);
  }

  #block(block: number): ReadonlyMap<number, ItemQuotes> {
    if (this.#unpacked?.block !== block) this.#unpacked = { block, items: unpacked(this.#blocks[block]!) };
    return this.#unpacked.items;
  }
}

/** Returns the index of the last of ascending numbers that is at most `value`; -1: none is. */
function lastAtMost(ascending: ArrayLike<number>, value: number): number {
  let [below, above] = [-1, ascending.length];
  while (above - below > 1) {
    const middle = (below + above) >> 1;
    if (ascending[middle]! <= value) below = middle;
    else above = middle;
  }
  return below;
}

function unpacked(block: Buffer): ReadonlyMap<number, ItemQuotes> {
  const items = unpackRows<PlainItem>(block);
  return new Map(
    items.map(([itemId, asks, bids]) => [itemId, { asks: asks.map(quoteOf), bids: bids.map(quoteOf) }] as const),
  );
}

function plainQuote({ provider, amountCents, quantity, url, observedAt }: FeedQuote): PlainQuote {
  return [provider, amountCents, quantity, url, observedAt];
}

function quoteOf([provider, amountCents, quantity, url, observedAt]: PlainQuote): FeedQuote {
  return { provider, amountCents, quantity, url, observedAt };
}
