import { createHash } from "node:crypto";
import {
  type ExportedItem,
  encodeExportHead,
  encodeIdentityLine,
  encodePriceLine,
  itemRecordBytes,
} from "../../wire/export-record.ts";
import { type Book, encodeUntimedBook } from "../../wire/quotes.ts";

/**
 * The contents of a generation. `items`, `bytes` and `digest` are of its canonical price part, which is that of every
 * complete export: one JSON line {item_id, asks, bids} per quoted item of the catalog in ascending id. `delistedDigest`
 * is the same digest over the quotes that exports leave out, those of items that left the catalog. `quotes` counts both.
 */
export type Totals = { items: number; bytes: number; digest: Buffer; delistedDigest: Buffer; quotes: number };

/** The identity part of exports: SHA-256 over a line for each item of the catalog, and the bytes of all `item` records. */
export type IdentityTotals = { identityDigest: Buffer; exportBytes: number };

/** Bytes of the quotes of an item and of its record in an export, and its line of the price part; null: it has no quotes. */
type CountedItem = { quoteBytes: number | null; recordBytes: number; line: string | null };

/** The quotes of an item and what exports show of them: text of `encodeUntimedBook`. */
type EncodedBook = { book: Book; text: string };

/** Encodes the quotes of an item; null: it has none. */
export function encodedBook(book: Book | null): EncodedBook | null {
  return book === null ? null : { book, text: encodeUntimedBook(book) };
}

/** Counts and hashes all items of the market, which come in ascending id. */
export class MarketCount {
  readonly #prices = createHash("sha256");
  readonly #delisted = createHash("sha256");
  readonly #identity = createHash("sha256");
  #items = 0;
  #bytes = 0;
  #quotes = 0;
  #exportBytes = 0;

  /** Adds an item with its quotes in order; null: it has none. Returns what was made of it. */
  add(item: ExportedItem, isExported: boolean, quoted: EncodedBook | null): CountedItem {
    const text = quoted?.text ?? null;
    if (quoted !== null) this.#quotes += quoted.book.asks.length + quoted.book.bids.length;
    const quoteBytes = text === null ? null : Buffer.byteLength(text);
    const head = encodeExportHead(item);
    const recordBytes = itemRecordBytes(head, quoteBytes);
    const line = text === null ? null : encodePriceLine(item.itemId, text);
    if (!isExported) {
      if (line !== null) this.#delisted.update(line);
      return { quoteBytes, recordBytes, line };
    }
    this.#identity.update(encodeIdentityLine(head, text !== null));
    this.#exportBytes += recordBytes;
    if (line !== null) {
      this.#prices.update(line);
      this.#items += 1;
      this.#bytes += Buffer.byteLength(line);
    }
    return { quoteBytes, recordBytes, line };
  }

  /** Returns the totals of all items, once. */
  end(): Totals & IdentityTotals {
    return {
      items: this.#items,
      bytes: this.#bytes,
      digest: this.#prices.digest(),
      delistedDigest: this.#delisted.digest(),
      quotes: this.#quotes,
      identityDigest: this.#identity.digest(),
      exportBytes: this.#exportBytes,
    };
  }
}
