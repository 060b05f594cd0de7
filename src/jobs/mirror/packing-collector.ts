import type { QuoteCollector } from "../../import/quotes/collected-quotes.ts";
import type { FeedQuote, ItemQuotes } from "../../import/quotes/merge-quotes.ts";
import type { Side } from "../../import/quotes/observation.ts";
import { PackedQuotes } from "./packed-quotes.ts";
import { type PlainQuote, packRows, plainQuote, quoteOf, unpackRows } from "./packed-rows.ts";

type Row = readonly [itemId: number, isAsk: 0 | 1, quote: PlainQuote];

/** Quotes, and characters of their addresses, that are sorted and packed together: some megabytes unpacked. */
const runRows = 8192;
const runAddressChars = 2 * 1024 * 1024;
/** Few, because of each run one piece is unpacked while runs are merged. */
const pieceRows = 256;

/**
 * Collects quotes in whatever order they come, packed: sorted runs of some thousands, which `end` merges. Of a large body no more than
 * one run, or one piece of each run, is unpacked at a time.
 */
export class PackingCollector implements QuoteCollector {
  readonly #runs: Buffer[][] = [];
  #rows: Row[] = [];
  #addressChars = 0;

  add(itemId: number, side: Side, quote: FeedQuote): void {
    this.#rows.push([itemId, side === "ask" ? 1 : 0, plainQuote(quote)]);
    this.#addressChars += quote.url?.length ?? 0;
    if (this.#rows.length === runRows || this.#addressChars >= runAddressChars) this.#packRun();
  }

  end(): PackedQuotes {
    const last = this.#sorted();
    const packed = new PackedQuotes();
    for (const [itemId, quotes] of merged([...this.#runs.map(rowsOf), last.values()])) packed.append(itemId, quotes);
    return packed;
  }

  #packRun(): void {
    const rows = this.#sorted();
    const pieces: Buffer[] = [];
    for (let first = 0; first < rows.length; first += pieceRows)
      pieces.push(packRows(rows.slice(first, first + pieceRows)));
    this.#runs.push(pieces);
  }

  #sorted(): Row[] {
    const rows = this.#rows.sort(([one], [other]) => one - other);
    this.#rows = [];
    this.#addressChars = 0;
    return rows;
  }
}

function* rowsOf(run: readonly Buffer[]): Generator<Row> {
  for (const piece of run) yield* unpackRows<Row>(piece);
}

/** Yields the quotes of each item, those of earlier runs first. */
function* merged(runs: readonly Iterator<Row>[]): Generator<[itemId: number, quotes: ItemQuotes]> {
  const heads = runs.map((run) => ({ run, next: run.next() }));
  for (;;) {
    let itemId = Number.POSITIVE_INFINITY;
    for (const { next } of heads) if (next.done !== true) itemId = Math.min(itemId, next.value[0]);
    if (itemId === Number.POSITIVE_INFINITY) return;
    const quotes: ItemQuotes = { asks: [], bids: [] };
    for (const head of heads) {
      for (; head.next.done !== true && head.next.value[0] === itemId; head.next = head.run.next()) {
        const [, isAsk, quote] = head.next.value;
        (isAsk === 1 ? quotes.asks : quotes.bids).push(quoteOf(quote));
      }
    }
    yield [itemId, quotes];
  }
}
