import { deflateRawSync, inflateRawSync } from "node:zlib";
import type { BookQuote } from "../../../wire/quotes.ts";
import { collectGarbage } from "../collect-garbage.ts";

export type PlainQuote = readonly [
  provider: string,
  amountCents: number,
  quantity: number | null,
  url: string | null,
  observedAt: number | null,
];

/**
 * Compresses rows of texts and numbers as JSON. Equal rows give equal bytes; V8 serialization would also encode the internal
 * representation.
 */
export function compressRows(rows: readonly unknown[]): Buffer {
  return deflateRawSync(JSON.stringify(rows), { level: 1 });
}

/** Decompresses rows. First frees the memory of earlier rows. */
export function decompressRows<Row>(compressed: Buffer): Row[] {
  collectGarbage();
  return JSON.parse(inflateRawSync(compressed).toString()) as Row[];
}

/** Converts a quote to a compact row. */
export function plainQuote({ provider, amountCents, quantity, url, observedAt }: BookQuote): PlainQuote {
  return [provider, amountCents, quantity, url, observedAt];
}

/** Converts a compact row to a quote. */
export function quoteOf([provider, amountCents, quantity, url, observedAt]: PlainQuote): BookQuote {
  return { provider, amountCents, quantity, url, observedAt };
}
