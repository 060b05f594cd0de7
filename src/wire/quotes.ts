import type { Schema } from "../contract/types.ts";
import { toTimestamp } from "../values/time/clock.ts";

/** An offer or a buy order of one provider. `observedAt`: the source's own time in UTC ms; null: it gave none. */
export type BookQuote = {
  provider: string;
  amountCents: number;
  quantity: number | null;
  url: string | null;
  observedAt: number | null;
};

/** The quotes of one item; in order: asks by ascending amount, bids by descending amount, equal amounts by provider. */
export type Book = { asks: BookQuote[]; bids: BookQuote[] };

/** What stands before an item in the head of its `item` record. */
export const recordStart = '{"type":"item","data":';

/** The quotes of an item that has none. */
export const noQuotes = '"asks":[],"bids":[]';

/** Returns the slugs of the providers of quotes, ascending, with commas between; empty: there is no quote. */
export function providersOf(quotes: readonly BookQuote[]): string {
  return [...new Set(quotes.map(({ provider }) => provider))].sort().join();
}

/** Puts quotes into the order in which they are sent. */
export function inOrder({ asks, bids }: Book): Book {
  asks.sort((a, b) => a.amountCents - b.amountCents || byProvider(a, b));
  bids.sort((a, b) => b.amountCents - a.amountCents || byProvider(a, b));
  return { asks, bids };
}

function byProvider(a: BookQuote, b: BookQuote): number {
  return a.provider < b.provider ? -1 : 1;
}

/** Encodes quotes in order as the members `"asks":[…],"bids":[…]` of a JSON object, without its braces. */
export function encodeBook({ asks, bids }: Book): string {
  return `"asks":[${encodeList(asks, true)}],"bids":[${encodeList(bids, true)}]`;
}

/** Encodes the same as exports send it: every `as_of` is null. */
export function encodeUntimedBook({ asks, bids }: Book): string {
  return `"asks":[${encodeList(asks, false)}],"bids":[${encodeList(bids, false)}]`;
}

/** By hand, and without a list of texts: publications and exports encode hundreds of thousands. */
function encodeList(quotes: readonly BookQuote[], isTimed: boolean): string {
  let text = "";
  for (const quote of quotes) text += text === "" ? encodeQuote(quote, isTimed) : `,${encodeQuote(quote, isTimed)}`;
  return text;
}

/** A slug needs no escape. */
function encodeQuote({ provider, amountCents, quantity, url, observedAt }: BookQuote, isTimed: boolean): string {
  const page = url === null ? null : JSON.stringify(url);
  const asOf = isTimed && observedAt !== null ? `"${toTimestamp(observedAt)}"` : null;
  return `{"provider":"${provider}","amount":${amountCents},"currency":"USD","minor_units":2,"quantity":${quantity},"url":${page},"as_of":${asOf}}`;
}

/** Encodes the members that tell of which generation quotes are, between the availability and the quotes of an item. */
export function encodePublication(generationId: number, ingestedAt: number): string {
  return `","generation":"g${generationId}","ingested_at":"${toTimestamp(ingestedAt)}",`;
}

const available: Schema<"MarketPrices">["availability"] = "available";
const missing: Schema<"MarketPrices">["availability"] = "missing";
const tail = "}";
const unknownTail = `,"status":"not_found","market_hash_name":null,"phase":null,"availability":null,"generation":null,"ingested_at":null,${noQuotes}}`;

/**
 * Encodes the data of `getMarketPrices`. `exportHead` is the head of the item's `item` record, `publication` text of
 * `encodePublication`, `quotes` text of `encodeBook`; null: the item has none.
 */
export function encodeMarketPrices(exportHead: string, publication: string, quotes: string | null): string {
  const availability = quotes === null ? missing : available;
  return `${exportHead.slice(recordStart.length)}${availability}${publication}${quotes ?? noQuotes}${tail}`;
}

/** Encodes an entry of `getMarketPricesBatch` whose item exists, text of `encodeBook`; null: it has no quotes. */
export function encodeFoundEntry(
  itemId: number,
  exportHead: string,
  publication: string,
  quotes: string | null,
): string {
  const beforeId = '{"item_id":';
  const afterId = exportHead.slice(recordStart.length + beforeId.length + String(itemId).length);
  const availability = quotes === null ? missing : available;
  return `${beforeId}${itemId},"status":"found"${afterId}${availability}${publication}${quotes ?? noQuotes}${tail}`;
}

/** Encodes an entry of `getMarketPricesBatch` of an id that no item has. */
export function encodeUnknownEntry(itemId: number): string {
  return `{"item_id":${itemId}${unknownTail}`;
}
