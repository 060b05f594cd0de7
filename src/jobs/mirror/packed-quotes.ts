import type { QuotesInOrder } from "../../import/quotes/collected-quotes.ts";
import type { ItemQuotes } from "../../import/quotes/merge-quotes.ts";
import { type PlainQuote, packRows, plainQuote, quoteOf, unpackRows } from "./packed-rows.ts";

type PlainItem = readonly [itemId: number, asks: readonly PlainQuote[], bids: readonly PlainQuote[]];

/** Quotes of a block, unless one item has more: some hundred kilobytes unpacked. */
const blockQuotes = 1024;
const idBytes = 8;

/**
 * The quotes of a feed by item, packed in blocks of ascending item ids. One block is unpacked at a time, so to ask for items in another
 * order takes long.
 */
export class PackedQuotes implements QuotesInOrder {
  readonly #ids: number[] = [];
  readonly #blocks: Buffer[] = [];
  /** Index of the first item of each block, also of the one that is not packed yet. */
  readonly #starts: number[] = [];
  #begun: PlainItem[] = [];
  #begunQuotes = 0;
  #blockBytes = 0;
  #unpacked: { block: number; items: ReadonlyMap<number, ItemQuotes> } | null = null;

  /** Packs quotes; those that are packed stay as they are. */
  static of(items: ReadonlyMap<number, ItemQuotes>): PackedQuotes {
    return items instanceof PackedQuotes ? items : new PackedQuotes(items);
  }

  constructor(items: ReadonlyMap<number, ItemQuotes> = new Map()) {
    for (const itemId of Uint32Array.from(items.keys()).sort()) this.append(itemId, items.get(itemId)!);
    this.#pack();
  }

  append(itemId: number, { asks, bids }: ItemQuotes): void {
    if (this.#begun.length === 0) this.#starts.push(this.#ids.length);
    this.#ids.push(itemId);
    this.#begun.push([itemId, asks.map(plainQuote), bids.map(plainQuote)]);
    this.#begunQuotes += asks.length + bids.length;
    if (this.#begunQuotes >= blockQuotes) this.#pack();
  }

  /** Packs all of them, and returns the bytes that they take then. */
  packedBytes(): number {
    this.#pack();
    return this.#blockBytes + idBytes * this.#ids.length;
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
    this.#pack();
    for (const block of this.#blocks.keys()) yield* this.#block(block);
  }

  #pack(): void {
    if (this.#begun.length === 0) return;
    const packed = packRows(this.#begun);
    this.#blocks.push(packed);
    this.#blockBytes += packed.length;
    this.#begun = [];
    this.#begunQuotes = 0;
  }

  #block(block: number): ReadonlyMap<number, ItemQuotes> {
    this.#pack();
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
