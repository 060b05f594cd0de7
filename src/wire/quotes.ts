import type { Schema } from "../contract/types.ts";
import { toTimestamp, toTimestampOrNull } from "../values/time/clock.ts";

/** An offer or a buy order as it is stored and sent. */
export type Quote = Schema<"Quote">;

/** The quotes of one item: asks by ascending amount, bids by descending amount, equal amounts by provider. */
export type QuoteSides = { asks: Quote[]; bids: Quote[] };

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

/** What the quotes of a row tell together: the oldest source time (UTC ms; null: not each has one), and their providers' slugs. */
export type QuoteFacts = { observedAt: number | null; providers: string };

/** Returns what quotes tell together. The slugs are ascending, with commas between; empty: there is no quote. */
export function quoteFacts(quotes: readonly Quote[]): QuoteFacts {
  const providers = new Set<string>();
  let observedAt = quotes.length === 0 ? null : Number.POSITIVE_INFINITY;
  for (const quote of quotes) {
    providers.add(quote.provider);
    const time = observedAtOf(quote);
    observedAt = time === null || observedAt === null ? null : Math.min(observedAt, time);
  }
  return { observedAt, providers: [...providers].sort().join() };
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

const available: Schema<"MarketPrices">["availability"] = "available";
const missing: Schema<"MarketPrices">["availability"] = "missing";
const tail = "}";
const tailBytes = Buffer.from(tail);
const noQuotesBytes = Buffer.from(noQuotes);
const unknownTail = `,"status":"not_found","market_hash_name":null,"phase":null,"availability":null,"generation":null,"ingested_at":null,${noQuotes}}`;

/**
 * Encodes the data of `getMarketPrices` in UTF-8. `exportHead` is the head of the item's `item` record, `publication` text of
 * `encodePublication`, `quotes` bytes of `encodeQuotes`; null: the item has none.
 */
export function encodeMarketPrices(exportHead: string, publication: string, quotes: Buffer | null): Buffer {
  const head = `${exportHead.slice(recordStart.length)}${quotes === null ? missing : available}${publication}`;
  return Buffer.concat([Buffer.from(head), quotes ?? noQuotesBytes, tailBytes]);
}

/**
 * Returns the SQL expression of an entry of `getMarketPricesBatch`. `exportHead` is null where there is no item, and `quotes` where the
 * item has none; `isQuoted` tells that without a look at them.
 */
export function batchEntrySql(entry: {
  itemId: string;
  exportHead: string;
  quotes: string;
  isQuoted: string;
  publication: string;
}): string {
  const { itemId, exportHead, quotes, isQuoted, publication } = entry;
  const beforeId = '{"item_id":';
  // SQL counts from 1, and a comma stands behind the id.
  const afterId = `substr(${exportHead}, ${recordStart.length + beforeId.length + 1} + length(${itemId}))`;
  const availability = `CASE WHEN ${isQuoted} THEN '${available}' ELSE '${missing}' END`;
  const found = `',"status":"found"', ${afterId}, ${availability}, ${publication}, coalesce(${quotes}, '${noQuotes}'), '${tail}'`;
  return `CASE WHEN ${exportHead} IS NULL THEN concat('${beforeId}', ${itemId}, '${unknownTail}')
      ELSE concat('${beforeId}', ${itemId}, ${found}) END`;
}

/** Encodes an entry of `getMarketPricesBatch` whose item exists, with other quotes: text of `encodeQuotes`; null: it has none. */
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
