import { createHash } from "node:crypto";
import {
  type ExportedItem,
  encodeExportHead,
  encodeIdentityLine,
  encodePriceLine,
  itemRecordBytes,
  priceLineBytes,
} from "../../wire/export-record.ts";
import { type Book, encodeUntimedBook } from "../../wire/quotes.ts";

/**
 * The contents of a generation. `items`, `bytes` and `digest` describe the canonical price part of complete exports. It has one JSON line
 * {item_id, asks, bids} per quoted item of the catalog in ascending id. `delistedDigest` is the same digest over quotes of items that left
 * the catalog. `quotes` counts both.
 */
export type Totals = { items: number; bytes: number; digest: Buffer; delistedDigest: Buffer; quotes: number };

/** The identity part of exports: the SHA-256 over one line per catalog item, and the bytes of all `item` records. */
export type IdentityTotals = { identityDigest: Buffer; exportBytes: number };

/** Bytes of an item's quotes (null without quotes) and of its export record. */
type CountedItem = { quoteBytes: number | null; recordBytes: number };

/** The quotes of an item and their text in exports, from `encodeUntimedBook`. */
export type EncodedBook = { book: Book; text: string };

/** Encodes the quotes of an item. Returns null for an item without quotes. */
export function encodedBook(book: Book | null): EncodedBook | null {
  return book === null ? null : { book, text: encodeUntimedBook(book) };
}

/** Lines per call of the hash, because a call costs as much as hashing one line. */
const hashedLines = 64;

class LineHash {
  readonly #hash = createHash("sha256");
  #lines: string[] = [];

  add(line: string): void {
    if (this.#lines.push(line) === hashedLines) this.#hashLines();
  }

  digest(): Buffer {
    this.#hashLines();
    return this.#hash.digest();
  }

  #hashLines(): void {
    this.#hash.update(this.#lines.join(""));
    this.#lines = [];
  }
}

/** Counts and hashes all items of the market. Add them in ascending id. */
export class MarketCount {
  readonly #prices = new LineHash();
  readonly #delisted = new LineHash();
  readonly #identity = new LineHash();
  #items = 0;
  #bytes = 0;
  #quotes = 0;
  #exportBytes = 0;

  /** Adds an item with its ordered quotes. Pass null as `quoted` for an item without quotes. Returns the encoded sizes. */
  add(item: ExportedItem, isExported: boolean, quoted: EncodedBook | null): CountedItem {
    const quoteBytes = quoted === null ? null : Buffer.byteLength(quoted.text);
    const head = encodeExportHead(item);
    const recordBytes = itemRecordBytes(head, quoteBytes);
    if (isExported) {
      this.#identity.add(encodeIdentityLine(head, quoted !== null));
      this.#exportBytes += recordBytes;
    }
    if (quoted !== null && quoteBytes !== null) {
      this.#quotes += quoted.book.asks.length + quoted.book.bids.length;
      (isExported ? this.#prices : this.#delisted).add(encodePriceLine(item.itemId, quoted.text));
      this.#items += Number(isExported);
      this.#bytes += isExported ? priceLineBytes(item.itemId, quoteBytes) : 0;
    }
    return { quoteBytes, recordBytes };
  }

  /** Returns the totals of all items. Call it once. */
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
