import type { Caller } from "../access/credentials.ts";
import type { Params, ReadMeta, Schema } from "../contract/types.ts";
import type { CatalogStore, NamedItemRow } from "../store/read/catalog.ts";
import { type ItemFilter, noFilter, type PricedItemRow, type QuoteFilter } from "../store/read/item-list.ts";
import type { MarketStateStore } from "../store/read/market-state.ts";
import { Failure } from "../values/failure/failure.ts";
import { ranked } from "../values/search/rank.ts";
import { catalogItem, type ItemRow, itemDetail } from "../wire/item-detail.ts";
import type { Reference } from "./reference.ts";
import type { Bound, SearchIndex } from "./search-index.ts";
import { type SearchQuery, searchQuery } from "./search-query.ts";

/** `itemIds` are ascending, null for the whole catalog. */
type ItemsQuery = {
  cursor: number;
  limit: number;
  searched: SearchQuery;
  facts: readonly Bound[];
  filter: ItemFilter;
  itemIds: readonly number[] | null;
};

type ListParams = Params<"listItems">;
type Asked = { readonly caller: Pick<Caller, "plan">; readonly reference: Reference };

type Listed = PricedItemRow | ItemRow;

const limitDefault = 50;
const noSearch: SearchQuery = { words: "", literals: [] };
/** Items of a search that are read at once. With a filter by literals or quotes, few of them may match. */
const chunkItems = 500;
/** Maximum items of a name in the contract. No name of the catalog has more than a dozen. */
const candidatesMax = 1000;
/** Maximum searched characters of a text that is being typed, and maximum items that are ranked for it. */
const typedMax = 100;
const rankedMax = 1000;

/** Reads the item catalog: lists, search and the metadata of single items. */
export class Catalog {
  readonly #store: CatalogStore;
  readonly #state: MarketStateStore;
  readonly #index: SearchIndex;

  constructor(parts: { store: CatalogStore; state: MarketStateStore; index: SearchIndex }) {
    this.#store = parts.store;
    this.#state = parts.state;
    this.#index = parts.index;
  }

  /**
   * Resolves the parameters of a list.
   *
   * @throws {Failure} `unknown_provider`, `invalid_parameter` if `ask_min` is above `ask_max`, or `plan_upgrade_required` for filters
   * beyond a Free plan.
   */
  prepareList(params: ListParams, { caller, reference }: Asked): ItemsQuery {
    const { cursor, limit, q, item_ids } = params;
    const searched = q === undefined ? noSearch : searchQuery(q);
    const quoted = quoteFilter(params, reference);
    if (quoted !== null && caller.plan === "free")
      throw new Failure("plan_upgrade_required", { detail: "the Free plan lists no items by prices or providers" });
    return {
      cursor: cursor ?? 0,
      limit: limit ?? limitDefault,
      searched,
      facts: factsOf(params),
      filter: { literals: searched.literals, quoted },
      itemIds: item_ids === undefined ? null : [...new Set(item_ids)].sort((a, b) => a - b),
    };
  }

  /** Lists items of the catalog after `cursor`. The price fields are null unless `priced`: the Free plan has no current quotes. */
  list(
    { limit, ...query }: ItemsQuery,
    priced: boolean,
  ): { data: Schema<"CatalogItem">[]; meta: ReadMeta<"listItems"> } {
    const { found, readAs } = this.#find({ ...query, limit: limit + 1 }, priced);
    const page = found.slice(0, limit);
    return {
      data: page.map(catalogItem),
      meta: { next_cursor: found.length > limit ? (page.at(-1)?.itemId ?? null) : null, read_as: readAs },
    };
  }

  /**
   * Returns an item, even if it has left the catalog.
   *
   * @throws {Failure} `item_not_found`.
   */
  item(itemId: number): { data: Schema<"ItemDetail"> } {
    const row = this.#store.detail(itemId);
    if (row === null) throw itemNotFound(itemId);
    return { data: itemDetail(row) };
  }

  /** Returns all items of each name, in the order of `names`. Names are compared exactly, in NFC. An unknown name has an empty list. */
  resolve(names: readonly string[]): { data: Schema<"ResolvedName">[] } {
    const data = names.map((name) => {
      const candidates = this.#store.named(name.normalize("NFC"), candidatesMax).map(candidateOf);
      return { name, ambiguous: candidates.length > 1, candidates };
    });
    return { data };
  }

  /** Returns at most `limit` items that a text may mean while its last word is being typed, best first. */
  suggest(text: string, limit: number): Schema<"CatalogItem">[] {
    const found = this.#index.suggest(text.slice(0, typedMax), this.#state.catalogVersion());
    const ids = [...found.ids.subarray(0, rankedMax)];
    const rows = this.#store.items({ ids, after: 0, filter: noFilter, limit: rankedMax });
    return ranked(rows.map(catalogItem), found.readAs ?? text).slice(0, limit);
  }

  #find(query: ItemsQuery, priced: boolean): { found: Listed[]; readAs: string | null } {
    const { cursor, filter, itemIds, limit } = query;
    const read = (ids: Uint32Array | null, left: number): Listed[] => {
      const range = { ids: ids && [...ids], after: cursor, filter, limit: left };
      return priced ? this.#store.pricedItems(range) : this.#store.items(range);
    };
    const { ids, readAs } = this.#idsOf(query);
    if (ids === null) return { found: read(null, limit), readAs };
    const from = ids.findIndex((id) => id > cursor);
    const after = from < 0 ? ids.subarray(0, 0) : ids.subarray(from);
    const left = itemIds === null ? after : after.filter((id) => itemIds.includes(id));
    const isSure = filter.literals.length === 0 && filter.quoted === null;
    const found: Listed[] = [];
    for (let from = 0; from < left.length && found.length < limit; from += chunkItems)
      found.push(...read(left.slice(from, from + (isSure ? limit : chunkItems)), limit - found.length));
    return { found, readAs };
  }

  /** Returns the ids that a search can find, ascending. `ids` is null if any item matches. */
  #idsOf({ searched, facts, itemIds }: ItemsQuery): { ids: Uint32Array | null; readAs: string | null } {
    if (searched.words === "" && searched.literals.length + facts.length === 0)
      return { ids: itemIds && Uint32Array.from(itemIds), readAs: null };
    return this.#index.find(searched, facts, this.#state.catalogVersion());
  }
}

/** Builds the refusal of an unknown item id. */
export function itemNotFound(itemId: number): Failure {
  return new Failure("item_not_found", { detail: `path parameter \`item_id\`: item ${itemId} does not exist` });
}

/** Returns the item facts that the request filters by. */
function factsOf({ item_type: type, rarity, weapon, wear, phase, stat_counter, souvenir }: ListParams): Bound[] {
  const flag = (value: boolean | undefined) => (value === undefined ? undefined : Number(value));
  const asked = { type, rarity, weapon, wear, phase, statCounter: flag(stat_counter), souvenir: flag(souvenir) };
  return (Object.keys(asked) as (keyof typeof asked)[]).flatMap((fact) => {
    const value = asked[fact];
    return value === undefined ? [] : [{ fact, value }];
  });
}

/** Returns the filter by quotes, null if the request has none. */
function quoteFilter({ provider, ask_min, ask_max }: ListParams, reference: Reference): QuoteFilter | null {
  const slug = reference.askedProvider(provider, "query parameter");
  const hasAsk = ask_min !== undefined || ask_max !== undefined;
  const ask = hasAsk ? { min: ask_min ?? 1, max: ask_max ?? Number.MAX_SAFE_INTEGER } : null;
  if (ask !== null && ask.min > ask.max)
    throw new Failure("invalid_parameter", { detail: "query parameter `ask_min`: must be <= `ask_max`" });
  return slug === null && ask === null ? null : { provider: slug, ask };
}

function candidateOf({ itemId, phase, identity, inCatalog }: NamedItemRow): Schema<"ItemCandidate"> {
  return { item_id: itemId, phase, identity, in_catalog: inCatalog };
}
