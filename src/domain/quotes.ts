import type { Params, ReadMeta, Schema } from "../contract/types.ts";
import type { ProviderCheck, ProvidersStore } from "../store/read/providers.ts";
import type { BatchRow, ItemQuotesRow, Published, QuotesStore, StoredQuotes } from "../store/read/quotes.ts";
import { type Encoded, encoded } from "../values/encoded.ts";
import { Failure } from "../values/failure/failure.ts";
import { minuteMs } from "../values/time/calendar.ts";
import {
  decodeQuotes,
  encodeFoundEntry,
  encodeMarketPrices,
  encodePublication,
  encodeQuotes,
  encodeUnknownEntry,
  observedAtOf,
  type Quote,
  type QuoteSides,
  quoteFacts,
} from "../wire/quotes.ts";
import { itemNotFound } from "./catalog.ts";
import { AnswerCache, KeptAnswers } from "./kept-answers.ts";
import { ObservationTimes, timeliness } from "./observation-times.ts";
import type { Reference } from "./reference.ts";

type PricesQuery = { itemId: number; provider: string | null };
type BatchQuery = { itemIds: readonly number[]; provider: string | null; side: Schema<"QuoteSide"> | null };

/** A published generation and how answers tell of it; `state` differs with the generation and with the catalog. */
type Publication = { readonly generationId: number; readonly state: string; readonly text: string };

/** What `meta` tells of quotes, whenever it is asked for. `asOf` in UTC ms; `providers` are slugs with commas between, "" of no quote. */
type Facts = {
  readonly quality: Schema<"TimestampQuality">;
  readonly asOf: number | null;
  readonly providers: string;
};

type QuoteMeta = ReadMeta<"getMarketPrices">;

/** Largest age of the oldest observation at which quotes are fresh. */
export const quotesFreshMs = 30 * minuteMs;
const recentMs = 15 * minuteMs;
/** About 18,000 items of nine quotes. */
const cacheBytesMax = 40 * 1024 * 1024;
/** About 90 batches of 100 items. */
const batchBytesMax = 16 * 1024 * 1024;

/** Reads the current cached quotes of single items. */
export class Quotes {
  readonly #store: QuotesStore;
  readonly #providers: ProvidersStore;
  /** All quotes of an item, as they are sent. */
  readonly #answers = new AnswerCache<Facts>(cacheBytesMax);
  /** Batches without filters, by their ids. */
  readonly #batches = new KeptAnswers<Facts>(batchBytesMax);
  /** Of the generation that was read last. */
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
   * @throws {Failure} `item_not_found`, or `data_unavailable` when nothing is published.
   */
  item({ itemId, provider }: PricesQuery, at: number): { data: Encoded; meta: QuoteMeta } {
    const published = this.#store.published();
    const kept = provider === null && published !== null ? this.#kept(itemId, published) : undefined;
    if (kept !== undefined) return { data: kept.data, meta: this.#meta(kept.facts, null, at) };
    const row = this.#store.ofItem(itemId, published?.generationId ?? null);
    if (row === null) throw itemNotFound(itemId);
    const { text } = this.#publicationOf(published);
    if (provider === null) {
      const content = encodeMarketPrices(row.exportHead, text, row.quotes?.text ?? null);
      const { data, facts } = this.#answers.add(itemId, content, factsOfRow(row.quotes));
      return { data, meta: this.#meta(facts, null, at) };
    }
    const sides = sidesOf(row, provider, null);
    const quotes = row.quotes === null ? null : Buffer.from(encodeQuotes(sides));
    const data = encoded(encodeMarketPrices(row.exportHead, text, quotes));
    return { data, meta: this.#meta(factsOf([...sides.asks, ...sides.bids]), provider, at) };
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
  batch(query: BatchQuery, at: number): { data: Encoded; meta: QuoteMeta } {
    const { generationId, text, state } = this.#publicationOf(this.#store.published());
    if (query.provider === null && query.side === null) {
      const asked = query.itemIds.join();
      const kept = this.#batches.get(asked, state);
      if (kept !== undefined) return { data: kept.data, meta: this.#meta(kept.facts, null, at) };
      const row = this.#store.batch(query.itemIds, generationId, text);
      if (row.without === 0) {
        const { data, facts } = this.#batches.add(asked, row.entries, factsOfBatch(row));
        return { data, meta: this.#meta(facts, null, at) };
      }
    }
    return this.#filteredBatch(query, { generationId, text }, at);
  }

  /** Decodes the quotes: those that pass the filters, or all of them where an older release published some. */
  #filteredBatch(
    { itemIds, provider, side }: BatchQuery,
    { generationId, text }: Pick<Publication, "generationId" | "text">,
    at: number,
  ): { data: Encoded; meta: QuoteMeta } {
    const returned: Quote[] = [];
    const entries = itemIds.map((itemId) => {
      const row = this.#store.ofItem(itemId, generationId);
      if (row === null) return encodeUnknownEntry(itemId);
      const sides = sidesOf(row, provider, side);
      returned.push(...sides.asks, ...sides.bids);
      return encodeFoundEntry(itemId, row.exportHead, text, row.quotes === null ? null : encodeQuotes(sides));
    });
    const data = encoded(Buffer.from(`[${entries.join(",")}]`));
    return { data, meta: this.#meta(factsOf(returned), provider, at) };
  }

  #kept(itemId: number, published: Published) {
    return this.#answers.get(itemId, this.#publicationOf(published).state);
  }

  /** @throws {Failure} `data_unavailable` when nothing is published. */
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

  /** Makes `meta` of the returned quotes. Where there is none, the provider that was asked for counts, or every one that is still read. */
  #meta({ quality, asOf, providers }: Facts, provider: string | null, at: number): QuoteMeta {
    const checks = this.#providers.checks();
    if (this.#checks.checks !== checks) this.#checks = new CheckAges(checks);
    const checkedAt =
      providers === "" && provider === null ? this.#checks.oldestActive() : this.#checks.oldest(providers || provider!);
    // Named one by one: V8 takes a microsecond to add to an object that was spread.
    const { as_of, freshness, timestamp_quality } = timeliness(quality, asOf, quotesFreshMs, at);
    const cache_recently_checked = checkedAt !== null && at - checkedAt <= recentMs;
    return { as_of, freshness, timestamp_quality, cache_recently_checked };
  }
}

/** When the sources of quotes were verified, by lists of providers: items share few lists. */
class CheckAges {
  readonly checks: readonly ProviderCheck[];
  readonly #oldest = new Map<string, number | null>();

  constructor(checks: readonly ProviderCheck[]) {
    this.checks = checks;
  }

  /** Returns when the one of these providers (slugs with commas between) was verified that was longest ago; null: one never was. */
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

  /** Returns the same of all providers that are still read. */
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

/** Decodes the stored quotes that pass the filters. */
function sidesOf({ quotes }: ItemQuotesRow, provider: string | null, side: Schema<"QuoteSide"> | null): QuoteSides {
  if (quotes === null) return { asks: [], bids: [] };
  const { asks, bids } = decodeQuotes(quotes.text.toString());
  const wanted = (quote: Quote) => provider === null || quote.provider === provider;
  return { asks: side === "bid" ? [] : asks.filter(wanted), bids: side === "ask" ? [] : bids.filter(wanted) };
}

const noFacts: Facts = { quality: "unknown", asOf: null, providers: "" };

function factsOf(returned: readonly Quote[]): Facts {
  const times = new ObservationTimes();
  for (const quote of returned) times.add(observedAtOf(quote));
  return { quality: times.quality, asOf: times.asOf, providers: quoteFacts(returned).providers };
}

function factsOfRow(quotes: StoredQuotes | null): Facts {
  if (quotes === null) return noFacts;
  const { text, isObserved, observedAt, providers } = quotes;
  if (providers === null) {
    const { asks, bids } = decodeQuotes(text.toString());
    return factsOf([...asks, ...bids]);
  }
  const quality = !isObserved ? "ingest_only" : observedAt === null ? "partial" : "source_observed";
  return { quality, asOf: observedAt, providers };
}

function factsOfBatch({ quoted, observed, timed, observedAt, providers }: BatchRow): Facts {
  if (quoted === 0) return noFacts;
  if (timed === quoted) return { quality: "source_observed", asOf: observedAt, providers: providers ?? "" };
  return { quality: observed === 0 ? "ingest_only" : "partial", asOf: null, providers: providers ?? "" };
}
