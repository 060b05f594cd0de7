import type { Params, ReadMeta, Schema } from "../contract/types.ts";
import { type CatalogStore, itemIdMax, type NamedItemRow } from "../store/catalog.ts";
import { type ItemFilter, type ItemRow, noFilter, type PricedItemRow } from "../store/item-list.ts";
import type { MarketStateStore } from "../store/market-state.ts";
import { toTimestampOrNull } from "../values/clock.ts";
import { type Encoded, encoded } from "../values/encoded.ts";
import { Failure } from "../values/failure.ts";
import type { SearchIndex } from "./search-index.ts";
import { type SearchQuery, searchQuery } from "./search-query.ts";

/** `search` is null without one. */
type ItemsQuery = { cursor: number; limit: number; search: SearchQuery | null };

type Listed = PricedItemRow | ItemRow;

const limitDefault = 50;
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

  prepareList({ cursor, limit, q }: Params<"listItems">): ItemsQuery {
    return { cursor: cursor ?? 0, limit: limit ?? limitDefault, search: q === undefined ? null : searchQuery(q) };
  }

  /** Lists items of the catalog after `cursor`. The price fields are null unless `priced`: the Free plan has no current quotes. */
  list(
    { cursor, limit, search }: ItemsQuery,
    priced: boolean,
  ): { data: Schema<"CatalogItem">[]; meta: ReadMeta<"listItems"> } {
    const found = this.#find({ cursor, search, limit: limit + 1 }, priced);
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
  item(itemId: number): { data: Encoded } {
    const json = this.#store.detail(itemId);
    if (json === null) throw itemNotFound(itemId);
    return { data: encoded(json) };
  }

  /** Returns all items of each name, in the order of `names`. Compared in NFC and exactly; a name that no item has resolves to none. */
  resolve(names: readonly string[]): { data: Schema<"ResolvedName">[] } {
    const data = names.map((name) => {
      const candidates = this.#store.named(name.normalize("NFC"), candidatesMax).map(candidateOf);
      return { name, ambiguous: candidates.length > 1, candidates };
    });
    return { data };
  }

  #find({ cursor, search, limit }: ItemsQuery, priced: boolean): Listed[] {
    const filter = search === null ? noFilter : filterOf(search);
    const read = (after: number, upTo: number, left: number): Listed[] => {
      const range = { after, upTo, filter, limit: left };
      return priced ? this.#store.pricedItems(range) : this.#store.items(range);
    };
    const ranges = search === null ? null : this.#index.ranges(search, cursor, this.#state.catalogVersion());
    if (ranges === null) return read(cursor, itemIdMax, limit);
    const found: Listed[] = [];
    for (const { after, upTo } of ranges) {
      found.push(...read(after, upTo, limit - found.length));
      if (found.length === limit) break;
    }
    return found;
  }
}

/** Makes the refusal of an item id that no item ever had. */
export function itemNotFound(itemId: number): Failure {
  return new Failure("item_not_found", { detail: `path parameter \`item_id\`: there is no item ${itemId}` });
}

function filterOf({ words, literals, wears, isCounter }: SearchQuery): ItemFilter {
  return {
    words,
    literals,
    equals: [
      ...wears.map((value) => ({ column: "wear" as const, value })),
      ...(isCounter ? [{ column: "statCounter" as const, value: 1 }] : []),
    ],
  };
}

function candidateOf({ itemId, phase, identity, inCatalog }: NamedItemRow): Schema<"ItemCandidate"> {
  return { item_id: itemId, phase, identity, in_catalog: inCatalog };
}

function catalogItem(row: Listed): Schema<"CatalogItem"> {
  return {
    item_id: row.itemId,
    market_hash_name: row.marketHashName,
    slug: row.slug,
    type: row.type,
    rarity: row.rarity,
    collection: row.collection,
    phase: row.phase,
    name_ru: row.nameRu,
    image_url: row.imageUrl,
    wear: row.wear,
    stat_counter: row.statCounter,
    souvenir: row.souvenir,
    best_ask_cents: "bestAskCents" in row ? row.bestAskCents : null,
    best_ask_provider: "bestAskCents" in row ? row.bestAskProvider : null,
    price_updated_at: "bestAskCents" in row ? toTimestampOrNull(row.priceUpdatedAt) : null,
  };
}
