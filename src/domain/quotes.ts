import type { Params, ReadMeta, Schema } from "../contract/types.ts";
import type { ProviderCheck, ProvidersStore } from "../store/providers.ts";
import type { BatchRow, QuotesStore } from "../store/quotes.ts";
import { minuteMs } from "../values/calendar.ts";
import { type Encoded, encoded } from "../values/encoded.ts";
import { Failure } from "../values/failure.ts";
import {
  decodeQuotes,
  encodeFoundEntry,
  encodeMarketPrices,
  encodeQuotes,
  encodeUnknownEntry,
  observedAtOf,
  type Quote,
  type QuotedItem,
  type QuoteSides,
} from "../wire/quotes.ts";
import { itemNotFound } from "./catalog.ts";
import { ObservationTimes } from "./observation-times.ts";
import type { Reference } from "./reference.ts";

export type PricesQuery = { itemId: number; provider: string | null };
export type BatchQuery = { itemIds: readonly number[]; provider: string | null; side: Schema<"QuoteSide"> | null };

type QuoteMeta = ReadMeta<"getMarketPrices">;

/** Largest age of the oldest observation at which quotes are fresh. */
export const quotesFreshMs = 30 * minuteMs;
const recentMs = 15 * minuteMs;

/** Reads the current cached quotes of single items. */
export class Quotes {
  readonly #store: QuotesStore;
  readonly #providers: ProvidersStore;

  constructor(parts: { store: QuotesStore; providers: ProvidersStore }) {
    this.#store = parts.store;
    this.#providers = parts.providers;
  }

  /**
   * Resolves the parameters of a request.
   *
   * @throws {Failure} `unknown_provider`.
   */
  prepareItem({ item_id, provider }: Params<"getMarketPrices">, reference: Reference): PricesQuery {
    return { itemId: item_id, provider: reference.askedProvider(provider, "query parameter") };
  }

  /**
   * Returns the quotes of one item.
   *
   * @throws {Failure} `item_not_found`, or `data_unavailable` when nothing is published.
   */
  item({ itemId, provider }: PricesQuery, at: number): { data: Encoded; meta: QuoteMeta } {
    // Before the quotes: what was checked then is at most as new as the quotes that follow.
    const checks = this.#providers.checks();
    const row = this.#store.ofItem(itemId);
    if (row === null) throw itemNotFound(itemId);
    const sides = sidesOf(row.quotes, provider, null);
    const quotes = provider === null && row.quotes !== null ? row.quotes : encodeQuotes(sides);
    const json = encodeMarketPrices(quotedItem(row.marketHashName, row, quotes));
    return { data: encoded(json), meta: quoteMeta([...sides.asks, ...sides.bids], provider, checks, at) };
  }

  /**
   * Resolves the providers. The contract has bounded the ids already.
   *
   * @throws {Failure} `unknown_provider`.
   */
  prepareBatch({ body }: Params<"getMarketPricesBatch">, reference: Reference): BatchQuery {
    const provider = reference.askedProvider(body.provider, "request body");
    return { itemIds: body.item_ids, provider, side: body.side ?? null };
  }

  /**
   * Returns one entry per id, in their order.
   *
   * @throws {Failure} `data_unavailable` when nothing is published.
   */
  batch({ itemIds, provider, side }: BatchQuery, at: number): { data: Encoded; meta: QuoteMeta } {
    const checks = this.#providers.checks();
    const returned: Quote[] = [];
    const entries = this.#store.ofItems(itemIds).map((row) => {
      const sides = sidesOf(row.quotes, provider, side);
      returned.push(...sides.asks, ...sides.bids);
      return entryText(row, provider === null && side === null ? row.quotes : null, sides);
    });
    return { data: encoded(`[${entries.join(",")}]`), meta: quoteMeta(returned, provider, checks, at) };
  }
}

function entryText(row: BatchRow, stored: string | null, sides: QuoteSides): string {
  const item = quotedItem(row.marketHashName ?? "", row, stored ?? encodeQuotes(sides));
  return row.marketHashName === null ? encodeUnknownEntry(row.itemId) : encodeFoundEntry(item);
}

/**
 * Returns an item as it is sent, with `quotes` as its quotes.
 *
 * @throws {Failure} `data_unavailable` when nothing is published.
 */
function quotedItem(marketHashName: string, row: BatchRow, quotes: string): QuotedItem {
  const { itemId, phase, generationId, ingestedAt } = row;
  if (generationId === null || ingestedAt === null) {
    throw new Failure("data_unavailable", { detail: "no generation of quotes is published" });
  }
  return { itemId, marketHashName, phase, isAvailable: row.quotes !== null, generationId, ingestedAt, quotes };
}

/** Decodes the stored quotes that pass the filters. */
function sidesOf(quotes: string | null, provider: string | null, side: Schema<"QuoteSide"> | null): QuoteSides {
  if (quotes === null) return { asks: [], bids: [] };
  const { asks, bids } = decodeQuotes(quotes);
  const wanted = (quote: Quote) => provider === null || quote.provider === provider;
  return { asks: side === "bid" ? [] : asks.filter(wanted), bids: side === "ask" ? [] : bids.filter(wanted) };
}

function quoteMeta(
  returned: readonly Quote[],
  provider: string | null,
  checks: readonly ProviderCheck[],
  at: number,
): QuoteMeta {
  const times = new ObservationTimes();
  for (const quote of returned) times.add(observedAtOf(quote));
  return {
    ...times.meta(quotesFreshMs, at),
    cache_recently_checked: recentlyChecked(returned, provider, checks, at),
  };
}

/**
 * Returns whether the sources of all returned quotes were verified lately. Where no quote is returned, the provider that was
 * asked for counts, or every one that is still read.
 */
function recentlyChecked(
  returned: readonly Quote[],
  provider: string | null,
  checks: readonly ProviderCheck[],
  at: number,
): boolean {
  const quoted = new Set(returned.map((quote) => quote.provider));
  const concerns = (check: ProviderCheck) =>
    quoted.size > 0 ? quoted.has(check.provider) : provider === null ? check.active : check.provider === provider;
  const concerned = checks.filter(concerns);
  return concerned.length > 0 && concerned.every(({ checkedAt }) => checkedAt !== null && at - checkedAt <= recentMs);
}
