import type { Params, ReadMeta, Schema } from "../contract/types.ts";
import type { ProviderCheck, ProvidersStore } from "../store/providers.ts";
import type { Published, QuotesStore } from "../store/quotes.ts";
import { minuteMs } from "../values/calendar.ts";
import { type Encoded, encoded } from "../values/encoded.ts";
import { Failure } from "../values/failure.ts";
import {
  decodeQuotes,
  encodeFoundEntry,
  encodeMarketPrices,
  encodePublication,
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

/** A published generation and how answers tell of it. */
type Publication = { readonly generationId: number; readonly text: string };

type QuoteMeta = ReadMeta<"getMarketPrices">;

/** Largest age of the oldest observation at which quotes are fresh. */
export const quotesFreshMs = 30 * minuteMs;
const recentMs = 15 * minuteMs;

/** Reads the current cached quotes of single items. */
export class Quotes {
  readonly #store: QuotesStore;
  readonly #providers: ProvidersStore;
  /** Of the generation that was read last. */
  #publication: Publication | null = null;

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
    const published = this.#store.published();
    const row = this.#store.ofItem(itemId, published?.generationId ?? null);
    if (row === null) throw itemNotFound(itemId);
    const { text } = this.#publicationOf(published);
    const sides = sidesOf(row.quotes, provider, null);
    const json = encodeMarketPrices(shownOf(row, provider === null ? null : sides), text);
    return { data: encoded(json), meta: this.#meta([...sides.asks, ...sides.bids], provider, at) };
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
    const { generationId, text } = this.#publicationOf(this.#store.published());
    const isWhole = provider === null && side === null;
    const returned: Quote[] = [];
    const rows = this.#store.ofItems(itemIds, generationId);
    const entries = itemIds.map((itemId, index) => {
      const row = rows[index]!;
      if (row === null) return encodeUnknownEntry(itemId);
      const sides = sidesOf(row.quotes, provider, side);
      returned.push(...sides.asks, ...sides.bids);
      return encodeFoundEntry(itemId, shownOf(row, isWhole ? null : sides), text);
    });
    return { data: encoded(`[${entries.join(",")}]`), meta: this.#meta(returned, provider, at) };
  }

  /** @throws {Failure} `data_unavailable` when nothing is published. */
  #publicationOf(published: Published | null): Publication {
    if (published === null) throw new Failure("data_unavailable", { detail: "no generation of quotes is published" });
    const { generationId, ingestedAt } = published;
    if (this.#publication?.generationId !== generationId) {
      this.#publication = { generationId, text: encodePublication(generationId, ingestedAt) };
    }
    return this.#publication;
  }

  #meta(returned: readonly Quote[], provider: string | null, at: number): QuoteMeta {
    return quoteMeta(returned, provider, this.#providers.checks(), at);
  }
}

/** Returns a row with the quotes that pass the filters; `filtered` null: all of them. An item stays available without one. */
function shownOf(row: QuotedItem, filtered: QuoteSides | null): QuotedItem {
  return filtered === null || row.quotes === null ? row : { ...row, quotes: encodeQuotes(filtered) };
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
