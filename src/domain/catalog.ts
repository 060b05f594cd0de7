import type { Caller } from "../access/credentials.ts";
import type { Params, ReadMeta, Schema } from "../contract/types.ts";
import { type CatalogStore, itemIdMax, type NamedItemRow } from "../store/read/catalog.ts";
import type { ItemFilter, NameFilter, PricedItemRow, QuoteFilter } from "../store/read/item-list.ts";
import type { MarketStateStore } from "../store/read/market-state.ts";
import { Failure } from "../values/failure/failure.ts";
import { catalogItem, type ItemRow, itemDetail } from "../wire/item-detail.ts";
import type { Reference } from "./reference.ts";
import type { IdRange, SearchIndex } from "./search-index.ts";
import { searchQuery } from "./search-query.ts";

/** `itemIds` are ascending; null: all of the catalog. */
type ItemsQuery = { cursor: number; limit: number; filter: ItemFilter; itemIds: readonly number[] | null };

type ListParams = Params<"listItems">;
type Asked = { readonly caller: Pick<Caller, "plan">; readonly reference: Reference };

type Listed = PricedItemRow | ItemRow;

const limitDefault = 50;
const noNameFilter: NameFilter = { words: [], literals: [], equals: [] };
/** As many as the contract lets an entry hold; the catalog knows no name of more than a dozen items. */
const candidatesMax = 1000;

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
   * @throws {Failure} `unknown_provider`, `invalid_parameter` if an id is too high or the asks are the wrong way round, or
   * `plan_upgrade_required` for what a Free plan does not show.
   */
  prepareList(params: ListParams, { caller, reference }: Asked): ItemsQuery {
    const { cursor, limit, q, item_ids } = params;
    const searched = q === undefined ? noNameFilter : searchQuery(q);
    const quoted = quoteFilter(params, reference);
    if (quoted !== null && caller.plan === "free")
      throw new Failure("plan_upgrade_required", { detail: "the Free plan lists no items by prices or providers" });
    return {
      cursor: cursor ?? 0,
      limit: limit ?? limitDefault,
      filter: { ...searched, equals: [...searched.equals, ...factsOf(params)], quoted },
      itemIds: item_ids === undefined ? null : idsOf(item_ids),
    };
  }

  /** Lists items of the catalog after `cursor`. The price fields are null unless `priced`: the Free plan has no current quotes. */
  list(
    { limit, ...query }: ItemsQuery,
    priced: boolean,
  ): { data: Schema<"CatalogItem">[]; meta: ReadMeta<"listItems"> } {
    const found = this.#find({ ...query, limit: limit + 1 }, priced);
    const page = found.slice(0, limit);
    return {
      data: page.map(catalogItem),
      meta: { next_cursor: found.length > limit ? (page.at(-1)?.itemId ?? null) : null },
    };
  }

  /**
   * Returns an item, also one that left the catalog.
   *
   * @throws {Failure} `item_not_found`.
   */
  item(itemId: number): { data: Schema<"ItemDetail"> } {
    const row = this.#store.detail(itemId);
    if (row === null) throw itemNotFound(itemId);
    return { data: itemDetail(row) };
  }

  /** Returns all items of each name, in the order of `names`. Compared in NFC and exactly; a name that no item has resolves to none. */
  resolve(names: readonly string[]): { data: Schema<"ResolvedName">[] } {
    const data = names.map((name) => {
      const candidates = this.#store.named(name.normalize("NFC"), candidatesMax).map(candidateOf);
      return { name, ambiguous: candidates.length > 1, candidates };
    });
    return { data };
  }

  #find({ cursor, filter, itemIds, limit }: ItemsQuery, priced: boolean): Listed[] {
    const read = (after: number, upTo: number, left: number): Listed[] => {
      const range = { after, upTo, filter, limit: left };
      return priced ? this.#store.pricedItems(range) : this.#store.items(range);
    };
    const ranges = itemIds === null ? this.#ranges(filter, cursor) : rangesOfIds(itemIds, cursor);
    if (ranges === null) return read(cursor, itemIdMax, limit);
    const found: Listed[] = [];
    for (const { after, upTo } of ranges) {
      found.push(...read(after, upTo, limit - found.length));
      if (found.length === limit) break;
    }
    return found;
  }

  /** Returns where the items of a filter can be; null: anywhere. */
  #ranges(filter: ItemFilter, cursor: number): Iterable<IdRange> | null {
    const { words, literals, equals } = filter;
    if (words.length + literals.length + equals.length === 0) return null;
    return this.#index.ranges(filter, cursor, this.#state.catalogVersion());
  }
}

/** Makes the refusal of an item id that no item ever had. */
export function itemNotFound(itemId: number): Failure {
  return new Failure("item_not_found", { detail: `path parameter \`item_id\`: there is no item ${itemId}` });
}

/** Returns the ids of a list in ascending order. */
function idsOf(list: string): number[] {
  const ids = [...new Set(list.split(",").map(Number))].sort((a, b) => a - b);
  if (ids.at(-1)! > itemIdMax)
    throw new Failure("invalid_parameter", { detail: `query parameter \`item_ids\`: ids must be <= ${itemIdMax}` });
  return ids;
}

function* rangesOfIds(itemIds: readonly number[], cursor: number): Generator<IdRange> {
  for (const itemId of itemIds) if (itemId > cursor) yield { after: itemId - 1, upTo: itemId };
}

/** Returns what the request binds facts of an item to. */
function factsOf({
  item_type: type,
  rarity,
  weapon,
  wear,
  phase,
  stat_counter,
  souvenir,
}: ListParams): NameFilter["equals"] {
  const flag = (text: string | undefined) => (text === undefined ? undefined : Number(text === "true"));
  const asked = { type, rarity, weapon, wear, phase, statCounter: flag(stat_counter), souvenir: flag(souvenir) };
  return (Object.keys(asked) as (keyof typeof asked)[]).flatMap((fact) => {
    const value = asked[fact];
    return value === undefined ? [] : [{ fact, value }];
  });
}

/** Returns null where the request asks for nothing of the quotes. */
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
