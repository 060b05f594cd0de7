import type { Schema } from "../contract/types.ts";
import { toTimestamp, toTimestampOrNull } from "../values/clock.ts";

/** An offer or a buy order as it is stored and sent. */
export type Quote = Schema<"Quote">;

/** The quotes of one item: asks by ascending amount, bids by descending amount, equal amounts by provider. */
export type QuoteSides = { asks: Quote[]; bids: Quote[] };

/** An item whose quotes are sent. `exportHead` is the head of its `item` record, `quotes` text of `encodeQuotes`; null: it has none. */
export type QuotedItem = { readonly exportHead: string; readonly quotes: string | null };

/** What stands before an item in the head of its `item` record. */
export const recordStart = '{"type":"item","data":';

/** The quotes of an item that has none. */
export const noQuotes = '"asks":[],"bids":[]';

const asksHead = '"asks":';
/** Cannot be inside of a string of the asks: its quotation marks would be escaped there. */
const bidsHead = ',"bids":';

/** Makes a quote of an amount in USD cents; `observedAt` is the source's own time in UTC ms, null when it gave none. */
export function makeQuote(facts: {
  provider: string;
  amountCents: number;
  quantity: number | null;
  url: string | null;
  observedAt: number | null;
}): Quote {
  return {
    provider: facts.provider,
    amount: facts.amountCents,
    currency: "USD",
    minor_units: 2,
    quantity: facts.quantity,
    url: facts.url,
    as_of: toTimestampOrNull(facts.observedAt),
  };
}

/** Returns when the source observed a quote, UTC ms; null: it gave no time. */
export function observedAtOf({ as_of }: Quote): number | null {
  return as_of === null ? null : Date.parse(as_of);
}

/** Encodes quotes as the members `"asks":[…],"bids":[…]` of a JSON object, without its braces. */
export function encodeQuotes({ asks, bids }: QuoteSides): string {
  return `${asksHead}${JSON.stringify(asks)}${bidsHead}${JSON.stringify(bids)}`;
}

/** Decodes text of `encodeQuotes`. */
export function decodeQuotes(text: string): QuoteSides {
  return JSON.parse(`{${text}}`) as QuoteSides;
}

/** Decodes the asks alone of text of `encodeQuotes`. */
export function decodeAsks(text: string): Quote[] {
  return JSON.parse(text.slice(asksHead.length, text.indexOf(bidsHead))) as Quote[];
}

/** Returns the quotes with unknown source times. */
export function withoutTimes({ asks, bids }: QuoteSides): QuoteSides {
  const strip = (quotes: readonly Quote[]) => quotes.map((quote) => ({ ...quote, as_of: null }));
  return { asks: strip(asks), bids: strip(bids) };
}

/** Encodes the members that tell of which generation quotes are, between the availability and the quotes of an item. */
export function encodePublication(generationId: number, ingestedAt: number): string {
  return `","generation":"g${generationId}","ingested_at":"${toTimestamp(ingestedAt)}",`;
}

/** Encodes the data of `getMarketPrices`. `publication` is text of `encodePublication`. */
export function encodeMarketPrices({ exportHead, quotes }: QuotedItem, publication: string): string {
  return `${exportHead.slice(recordStart.length)}${availabilityOf(quotes)}${publication}${quotes ?? noQuotes}}`;
}

/** Encodes an entry of `getMarketPricesBatch` whose item exists. */
export function encodeFoundEntry(itemId: number, item: QuotedItem, publication: string): string {
  const afterId = `{"item_id":${itemId},`;
  return `${afterId}"status":"found",${encodeMarketPrices(item, publication).slice(afterId.length)}`;
}

/** Encodes an entry of `getMarketPricesBatch` of an id that no item has. */
export function encodeUnknownEntry(itemId: number): string {
  return `{"item_id":${itemId},"status":"not_found","market_hash_name":null,"phase":null,"availability":null,"generation":null,"ingested_at":null,${noQuotes}}`;
}

function availabilityOf(quotes: string | null): Schema<"MarketPrices">["availability"] {
  return quotes === null ? "missing" : "available";
}
