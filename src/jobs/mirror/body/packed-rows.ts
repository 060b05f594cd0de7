import { deflateRawSync, inflateRawSync } from "node:zlib";
import type { BookQuote } from "../../../wire/quotes.ts";
import { giveBack } from "../give-back.ts";

export type PlainQuote = readonly [
  provider: string,
  amountCents: number,
  quantity: number | null,
  url: string | null,
  observedAt: number | null,
];

/** Packs rows of texts and numbers. Equal rows take the same bytes: in what V8 serializes, a text or number also shows how it is held. */
export function packRows(rows: readonly unknown[]): Buffer {
  return deflateRawSync(JSON.stringify(rows), { level: 1 });
}

/** Unpacks rows, and gives back what is left of those before. */
export function unpackRows<Row>(packed: Buffer): Row[] {
  giveBack();
  return JSON.parse(inflateRawSync(packed).toString()) as Row[];
}

/** Returns a quote as a row has it. */
export function plainQuote({ provider, amountCents, quantity, url, observedAt }: BookQuote): PlainQuote {
  return [provider, amountCents, quantity, url, observedAt];
}

/** Returns the quote of a row. */
export function quoteOf([provider, amountCents, quantity, url, observedAt]: PlainQuote): BookQuote {
  return { provider, amountCents, quantity, url, observedAt };
}
