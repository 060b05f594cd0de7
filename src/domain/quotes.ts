import type { Params, ReadMeta, Schema } from "../contract/types.ts";
import type { ProviderCheck, ProvidersStore } from "../store/read/providers.ts";
import type { Published, QuotesStore } from "../store/read/quotes.ts";
import { type Encoded, encoded } from "../values/encoded.ts";
import { Failure } from "../values/failure/failure.ts";
import { minuteMs } from "../values/time/calendar.ts";
import {
  type Book,
  type BookQuote,
  encodeBook,
  encodeFoundEntry,
  encodeMarketPrices,
  encodePublication,
  encodeUnknownEntry,
  providersOf,
} from "../wire/quotes.ts";
import { itemNotFound } from "./catalog.ts";
import { ObservationTimes, timeliness } from "./observation-times.ts";
import type { Reference } from "./reference.ts";
import { AnswerCache, ResponseCache } from "./response-cache.ts";

type PricesQuery = { itemId: number; provider: string | null };
type BatchQuery = { itemIds: readonly number[]; provider: string | null; side: Schema<"QuoteSide"> | null };

/** A published generation and its text in responses. `state` changes with the generation and with the catalog. */
type Publication = { readonly generationId: number; readonly state: string; readonly text: string };

/**
 * Facts of quotes for `meta`, independent of the time of the request. `asOf` is in UTC ms. `providers` are slugs separated by commas, ""
 * without quotes.
 */
type Facts = {
  readonly quality: Schema<"TimestampQuality">;
  readonly asOf: number | null;
  readonly providers: string;
};

type QuoteMeta = ReadMeta<"getMarketPrices">;

/** Maximum age of the oldest observation of fresh quotes. */
export const quotesFreshMs = 30 * minuteMs;
const recentMs = 15 * minuteMs;
/** Enough for about 18,000 items with nine quotes. */
const cacheBytesMax = 40 * 1024 * 1024;
/** Enough for about 90 batches of 100 items. */
const batchBytesMax = 16 * 1024 * 1024;

/** Reads the current quotes of items. */
export class Quotes {
  readonly #store: QuotesStore;
  readonly #providers: ProvidersStore;
  /** Encoded responses with all quotes of an item. */
  readonly #answers = new AnswerCache<Facts>(cacheBytesMax);
  /** Batches without filters, by their ids. */
  readonly #batches = new ResponseCache<Facts>(batchBytesMax);
  /** The generation of the last read. */
  #published: Published | null = null;
  #publication: Publication | null = null;
  #checks: CheckAges = new CheckAges([]);

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
   * @throws {Failure} `item_not_found`, or `data_unavailable` before the first publication.
   */
  item({ itemId, provider }: PricesQuery, at: number): { data: Encoded; meta: QuoteMeta } {
    const published = this.#store.published();
    const kept = provider === null && published !== null ? this.#kept(itemId, published) : undefined;
    if (kept !== undefined) return { data: kept.data, meta: this.#meta(kept.facts, null, at) };
    const row = this.#store.ofItem(itemId);
    if (row === null) throw itemNotFound(itemId);
    const { text } = this.#publicationOf(published);
    const book = filtered(row.book, provider, null);
    const content = encodeMarketPrices(row.exportHead, text, book === null ? null : encodeBook(book));
    if (provider !== null) return { data: encoded(content), meta: this.#meta(factsOf(quotesOf(book)), provider, at) };
    const { data, facts } = this.#answers.add(itemId, Buffer.from(content), factsOf(quotesOf(book)));
    return { data, meta: this.#meta(facts, null, at) };
  }

  /**
   * Resolves the providers. The contract has already limited the ids.
   *
   * @throws {Failure} `unknown_provider`.
   */
  prepareBatch({ body }: Params<"getMarketPricesBatch">, reference: Reference): BatchQuery {
    const provider = reference.askedProvider(body.provider, "request body");
    return { itemIds: body.item_ids, provider, side: body.side ?? null };
  }

  /**
   * Returns one entry per id, in the order of the ids.
   *
   * @throws {Failure} `data_unavailable` before the first publication.
   */
  batch(query: BatchQuery, at: number): { data: Encoded; meta: QuoteMeta } {
    const { text, state } = this.#publicationOf(this.#store.published());
    const { itemIds, provider, side } = query;
    const isWhole = provider === null && side === null;
    const asked = itemIds.join();
    const kept = isWhole ? this.#batches.get(asked, state) : undefined;
    if (kept !== undefined) return { data: kept.data, meta: this.#meta(kept.facts, null, at) };
    const returned: BookQuote[] = [];
    const entries = itemIds.map((itemId) => {
      const row = this.#store.ofItem(itemId);
      if (row === null) return encodeUnknownEntry(itemId);
      const book = filtered(row.book, provider, side);
      returned.push(...quotesOf(book));
      return encodeFoundEntry(itemId, row.exportHead, text, book === null ? null : encodeBook(book));
    });
    const content = Buffer.from(`[${entries.join(",")}]`);
    if (!isWhole) return { data: encoded(content), meta: this.#meta(factsOf(returned), provider, at) };
    const { data, facts } = this.#batches.add(asked, content, factsOf(returned));
    return { data, meta: this.#meta(facts, null, at) };
  }

  #kept(itemId: number, published: Published) {
    return this.#answers.get(itemId, this.#publicationOf(published).state);
  }

  /** @throws {Failure} `data_unavailable` before the first publication. */
  #publicationOf(published: Published | null): Publication {
    if (published === null) throw new Failure("data_unavailable", { detail: "no generation of quotes is published" });
    if (this.#publication === null || this.#published !== published) {
      const { generationId, ingestedAt, catalogVersion } = published;
      const state = `${generationId} ${ingestedAt} ${catalogVersion}`;
      if (this.#publication?.state !== state) {
        this.#publication = { generationId, state, text: encodePublication(generationId, ingestedAt) };
      }
      this.#published = published;
    }
    return this.#publication;
  }

  /** Builds `meta` of the returned quotes. Without quotes, it uses the requested provider or all active ones. */
  #meta({ quality, asOf, providers }: Facts, provider: string | null, at: number): QuoteMeta {
    const checks = this.#providers.checks();
    if (this.#checks.checks !== checks) this.#checks = new CheckAges(checks);
    const checkedAt =
      providers === "" && provider === null ? this.#checks.oldestActive() : this.#checks.oldest(providers || provider!);
    // The fields are listed one by one, because V8 needs a microsecond to add to a spread object.
    const { as_of, freshness, timestamp_quality } = timeliness(quality, asOf, quotesFreshMs, at);
    const cache_recently_checked = checkedAt !== null && at - checkedAt <= recentMs;
    return { as_of, freshness, timestamp_quality, cache_recently_checked };
  }
}

/** Caches the last verification of sources by list of providers, because items share few lists. */
class CheckAges {
  readonly checks: readonly ProviderCheck[];
  readonly #oldest = new Map<string, number | null>();

  constructor(checks: readonly ProviderCheck[]) {
    this.checks = checks;
  }

  /** Returns the oldest verification among these providers (slugs separated by commas), null if one was never verified. */
  oldest(providers: string): number | null {
    let checkedAt = this.#oldest.get(providers);
    if (checkedAt === undefined) {
      const slugs = new Set(providers.split(","));
      checkedAt = oldestOf(this.checks.filter(({ provider }) => slugs.has(provider)));
      if (this.#oldest.size === checkListsMax) this.#oldest.clear();
      this.#oldest.set(providers, checkedAt);
    }
    return checkedAt;
  }

  /** Returns the oldest verification among all active providers. */
  oldestActive(): number | null {
    return oldestOf(this.checks.filter(({ active }) => active));
  }
}

const checkListsMax = 10_000;

function oldestOf(checks: readonly ProviderCheck[]): number | null {
  let oldest = checks.length === 0 ? null : Number.POSITIVE_INFINITY;
  for (const { checkedAt } of checks)
    oldest = checkedAt === null || oldest === null ? null : Math.min(oldest, checkedAt);
  return oldest;
}

/** Returns the quotes that pass the filters. Null if the item has no quotes at all. */
function filtered(book: Book | null, provider: string | null, side: Schema<"QuoteSide"> | null): Book | null {
  if (book === null) return null;
  const wanted = (quote: BookQuote) => provider === null || quote.provider === provider;
  return { asks: side === "bid" ? [] : book.asks.filter(wanted), bids: side === "ask" ? [] : book.bids.filter(wanted) };
}

function quotesOf(book: Book | null): BookQuote[] {
  return book === null ? [] : [...book.asks, ...book.bids];
}

function factsOf(returned: readonly BookQuote[]): Facts {
  const times = new ObservationTimes();
  for (const { observedAt } of returned) times.add(observedAt);
  return { quality: times.quality, asOf: times.asOf, providers: providersOf(returned) };
}
