import type { Params, ReadMeta, Schema } from "../contract/types.ts";
import { type CatalogStore, type ItemRow, itemIdMax, type NamedItemRow, type PricedItemRow } from "../store/catalog.ts";
import type { MarketStateStore } from "../store/market-state.ts";
import { toTimestampOrNull } from "../values/clock.ts";
import { type Encoded, encoded } from "../values/encoded.ts";
import { Failure } from "../values/failure.ts";
import { foldText } from "../values/search-text.ts";
import type { SearchIndex } from "./search-index.ts";

/** `q` is folded; null: no search. */
export type ItemsQuery = { cursor: number; limit: number; q: string | null };

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
    return { cursor: cursor ?? 0, limit: limit ?? limitDefault, q: q === undefined ? null : foldText(q) };
  }

  /** Lists items of the catalog after `cursor`. The price fields are null unless `priced`: the Free plan has no current quotes. */
  list(
    { cursor, limit, q }: ItemsQuery,
    priced: boolean,
  ): { data: Schema<"CatalogItem">[]; meta: ReadMeta<"listItems"> } {
    const found = this.#find({ cursor, q, limit: limit + 1 }, priced);
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

  #find({ cursor, q, limit }: ItemsQuery, priced: boolean): Listed[] {
    const read = (after: number, upTo: number, left: number): Listed[] => {
      const range = { after, upTo, q, limit: left };
      return priced ? this.#store.pricedItems(range) : this.#store.items(range);
    };
    const ranges = q === null ? null : this.#index.ranges(q, cursor, this.#state.catalogVersion());
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
