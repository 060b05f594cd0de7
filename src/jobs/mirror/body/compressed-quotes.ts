import type { QuoteCollector, QuotesInOrder } from "../../../import/quotes/join.ts";
import type { Side } from "../../../import/quotes/observation.ts";
import type { Book, BookQuote } from "../../../wire/quotes.ts";
import { compressRows, decompressRows, type PlainQuote, plainQuote, quoteOf } from "./compressed-rows.ts";

type PlainItem = readonly [itemId: number, asks: readonly PlainQuote[], bids: readonly PlainQuote[]];

/** Minimum quotes per block: some hundred kilobytes uncompressed. */
const blockQuotes = 1024;
const idBytes = 8;

/**
 * The quotes of a feed by item, in compressed blocks of ascending item ids. Only one block is decompressed at a time, so random access is
 * slow.
 */
export class CompressedQuotes implements QuotesInOrder {
  readonly #ids: number[] = [];
  readonly #blocks: Buffer[] = [];
  /** Index of the first item of each block, including the open block. */
  readonly #starts: number[] = [];
  #begun: PlainItem[] = [];
  #begunQuotes = 0;
  #blockBytes = 0;
  #decompressed: { block: number; items: ReadonlyMap<number, Book> } | null = null;

  /** Compresses quotes. Returns `items` itself if it is already compressed. */
  static of(items: ReadonlyMap<number, Book>): CompressedQuotes {
    return items instanceof CompressedQuotes ? items : new CompressedQuotes(items);
  }

  constructor(items: ReadonlyMap<number, Book> = new Map()) {
    for (const itemId of Uint32Array.from(items.keys()).sort()) this.append(itemId, items.get(itemId)!);
    this.#pack();
  }

  append(itemId: number, { asks, bids }: Book): void {
    if (this.#begun.length === 0) this.#starts.push(this.#ids.length);
    this.#ids.push(itemId);
    this.#begun.push([itemId, asks.map(plainQuote), bids.map(plainQuote)]);
    this.#begunQuotes += asks.length + bids.length;
    if (this.#begunQuotes >= blockQuotes) this.#pack();
  }

  /** Compresses the open block and returns the total size in bytes. */
  compressedBytes(): number {
    this.#pack();
    return this.#blockBytes + idBytes * this.#ids.length;
  }

  get size(): number {
    return this.#ids.length;
  }

  has(itemId: number): boolean {
    return this.#ids[lastAtMost(this.#ids, itemId)] === itemId;
  }

  get(itemId: number): Book | undefined {
    const index = lastAtMost(this.#ids, itemId);
    return this.#ids[index] === itemId ? this.#block(lastAtMost(this.#starts, index)).get(itemId) : undefined;
  }

  keys(): MapIterator<number> {
    return this.#ids.values();
  }

  *values(): MapIterator<Book> {
    for (const [, quotes] of this) yield quotes;
  }

  entries(): MapIterator<[number, Book]> {
    return this[Symbol.iterator]();
  }

  forEach(look: (quotes: Book, itemId: number, all: ReadonlyMap<number, Book>) => void): void {
    for (const [itemId, quotes] of this) look(quotes, itemId, this);
  }

  *[Symbol.iterator](): MapIterator<[number, Book]> {
    this.#pack();
    for (const block of this.#blocks.keys()) yield* this.#block(block);
  }

  #pack(): void {
    if (this.#begun.length === 0) return;
    const compressed = compressRows(this.#begun);
    this.#blocks.push(compressed);
    this.#blockBytes += compressed.length;
    this.#begun = [];
    this.#begunQuotes = 0;
  }

  #block(block: number): ReadonlyMap<number, Book> {
    this.#pack();
    if (this.#decompressed?.block !== block) this.#decompressed = { block, items: decompressed(this.#blocks[block]!) };
    return this.#decompressed.items;
  }
}

/** Returns the index of the last number that is at most `value`, or -1. The numbers must be ascending. */
function lastAtMost(ascending: ArrayLike<number>, value: number): number {
  let [below, above] = [-1, ascending.length];
  while (above - below > 1) {
    const middle = (below + above) >> 1;
    if (ascending[middle]! <= value) below = middle;
    else above = middle;
  }
  return below;
}

function decompressed(block: Buffer): ReadonlyMap<number, Book> {
  const items = decompressRows<PlainItem>(block);
  return new Map(
    items.map(([itemId, asks, bids]) => [itemId, { asks: asks.map(quoteOf), bids: bids.map(quoteOf) }] as const),
  );
}

type Row = readonly [itemId: number, isAsk: 0 | 1, quote: PlainQuote];

/** Maximum quotes, and characters of their addresses, per sorted run: some megabytes uncompressed. */
const runRows = 8192;
const runAddressChars = 2 * 1024 * 1024;
/** Small, because merging decompresses one chunk of each run at a time. */
const chunkRows = 256;

/**
 * Collects quotes in any order as compressed sorted runs, which `end` merges. Of a large body at most one run, or one chunk of each run, is
 * decompressed at a time.
 */
export class PackingCollector implements QuoteCollector {
  readonly #runs: Buffer[][] = [];
  #rows: Row[] = [];
  #addressChars = 0;

  add(itemId: number, side: Side, quote: BookQuote): void {
    this.#rows.push([itemId, side === "ask" ? 1 : 0, plainQuote(quote)]);
    this.#addressChars += quote.url?.length ?? 0;
    if (this.#rows.length === runRows || this.#addressChars >= runAddressChars) this.#packRun();
  }

  end(settle: Parameters<QuoteCollector["end"]>[0]): CompressedQuotes {
    const last = this.#sorted();
    const compressed = new CompressedQuotes();
    for (const [itemId, quotes] of merged([...this.#runs.map(rowsOf), last.values()]))
      compressed.append(itemId, settle(itemId, quotes));
    return compressed;
  }

  #packRun(): void {
    const rows = this.#sorted();
    const chunks: Buffer[] = [];
    for (let first = 0; first < rows.length; first += chunkRows)
      chunks.push(compressRows(rows.slice(first, first + chunkRows)));
    this.#runs.push(chunks);
  }

  #sorted(): Row[] {
    const rows = this.#rows.sort(([one], [other]) => one - other);
    this.#rows = [];
    this.#addressChars = 0;
    return rows;
  }
}

function* rowsOf(run: readonly Buffer[]): Generator<Row> {
  for (const chunk of run) yield* decompressRows<Row>(chunk);
}

/** Yields the quotes of each item. Quotes of earlier runs precede. */
function* merged(runs: readonly Iterator<Row>[]): Generator<[itemId: number, quotes: Book]> {
  const heads = runs.map((run) => ({ run, next: run.next() }));
  for (;;) {
    let itemId = Number.POSITIVE_INFINITY;
    for (const { next } of heads) if (next.done !== true) itemId = Math.min(itemId, next.value[0]);
    if (itemId === Number.POSITIVE_INFINITY) return;
    const quotes: Book = { asks: [], bids: [] };
    for (const head of heads) {
      for (; head.next.done !== true && head.next.value[0] === itemId; head.next = head.run.next()) {
        const [, isAsk, quote] = head.next.value;
        (isAsk === 1 ? quotes.asks : quotes.bids).push(quoteOf(quote));
      }
    }
    yield [itemId, quotes];
  }
}
