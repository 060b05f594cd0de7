import type { Schema } from "../contract/types.ts";
import { toTimestamp } from "../values/time/clock.ts";

/** An ask or a bid of one provider. `observedAt` is the source's own time in UTC ms, null if the source gives none. */
export type BookQuote = {
  provider: string;
  amountCents: number;
  quantity: number | null;
  url: string | null;
  observedAt: number | null;
};

/** Quotes of one item. In order, asks ascend by amount, bids descend, and equal amounts sort by provider. */
export type Book = { asks: BookQuote[]; bids: BookQuote[] };

/** Text before the data of an `item` record. */
export const recordStart = '{"type":"item","data":';

/** Quotes of an item without quotes. */
export const noQuotes = '"asks":[],"bids":[]';

/** Returns the slugs of all providers in `quotes`, ascending and joined by commas. Returns "" without quotes. */
export function providersOf(quotes: readonly BookQuote[]): string {
  return [...new Set(quotes.map(({ provider }) => provider))].sort().join();
}

/** Sorts quotes into the order of responses. */
export function inOrder({ asks, bids }: Book): Book {
  asks.sort((a, b) => a.amountCents - b.amountCents || byProvider(a, b));
  bids.sort((a, b) => b.amountCents - a.amountCents || byProvider(a, b));
  return { asks, bids };
}

function byProvider(a: BookQuote, b: BookQuote): number {
  return a.provider < b.provider ? -1 : 1;
}

/** Encodes sorted quotes as the members `"asks":[…],"bids":[…]` of a JSON object, without its braces. */
export function encodeBook({ asks, bids }: Book): string {
  return `"asks":[${encodeList(asks, true)}],"bids":[${encodeList(bids, true)}]`;
}

/** Encodes sorted quotes as `encodeBook`, but with null in each `as_of`, as exports do. */
export function encodeUntimedBook({ asks, bids }: Book): string {
  return `"asks":[${encodeList(asks, false)}],"bids":[${encodeList(bids, false)}]`;
}

/** Written by hand and without an array, because publications and exports encode hundreds of thousands of quotes. */
function encodeList(quotes: readonly BookQuote[], isTimed: boolean): string {
  let text = "";
  for (const quote of quotes) text += text === "" ? encodeQuote(quote, isTimed) : `,${encodeQuote(quote, isTimed)}`;
  return text;
}

/** Slugs need no escaping. */
function encodeQuote({ provider, amountCents, quantity, url, observedAt }: BookQuote, isTimed: boolean): string {
  const page = url === null ? null : JSON.stringify(url);
  const asOf = isTimed && observedAt !== null ? `"${toTimestamp(observedAt)}"` : null;
  return `{"provider":"${provider}","amount":${amountCents},"currency":"USD","minor_units":2,"quantity":${quantity},"url":${page},"as_of":${asOf}}`;
}

/** Encodes the members about the generation, which are between the availability and the quotes of an item. */
export function encodePublication(generationId: number, ingestedAt: number): string {
  return `","generation":"g${generationId}","ingested_at":"${toTimestamp(ingestedAt)}",`;
}

const available: Schema<"MarketPrices">["availability"] = "available";
const missing: Schema<"MarketPrices">["availability"] = "missing";
const tail = "}";
const unknownTail = `,"status":"not_found","market_hash_name":null,"phase":null,"availability":null,"generation":null,"ingested_at":null,${noQuotes}}`;

/**
 * Encodes the data of `getMarketPrices`. `exportHead` is the head of the item's `item` record, `publication` a result of
 * `encodePublication`. `quotes` is a result of `encodeBook`, null if the item has no quotes.
 */
export function encodeMarketPrices(exportHead: string, publication: string, quotes: string | null): string {
  const availability = quotes === null ? missing : available;
  return `${exportHead.slice(recordStart.length)}${availability}${publication}${quotes ?? noQuotes}${tail}`;
}

/**
 * Encodes an entry of `getMarketPricesBatch` for an existing item. `quotes` is a result of `encodeBook`, null if the item has no quotes.
 */
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

/** Encodes an entry of `getMarketPricesBatch` for an unknown id. */
export function encodeUnknownEntry(itemId: number): string {
  return `{"item_id":${itemId}${unknownTail}`;
}
