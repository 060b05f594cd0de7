import type { CatalogStore, SearchedItem } from "../store/read/catalog.ts";
import type { MarketStateStore } from "../store/read/market-state.ts";
import { search } from "../values/search/mend.ts";
import { WordIndex } from "../values/search/word-index.ts";
import { weaponOf } from "../values/text/item-names.ts";
import type { SearchQuery } from "./search-query.ts";

/** Facts of an item by which a list can be filtered. `weapon` is the part of the market name before the finish. Booleans are 0 and 1. */
type ItemFact = "type" | "rarity" | "weapon" | "wear" | "phase" | "statCounter" | "souvenir";
export type Bound = { readonly fact: ItemFact; readonly value: string | number };

/** Ids, ascending. `readAs`: the corrected search after a typing error, else null. */
type FoundIds = { ids: Uint32Array; readAs: string | null };

const sliceItems = 256;

/**
 * Finds items by words and facts. For literal texts it returns candidates, which must still be compared. The first search builds it, and so
 * does a search in another version of the catalog.
 */
export class SearchIndex {
  readonly #stores: { catalog: () => CatalogStore; state: MarketStateStore };
  #built: { version: number; names: WordIndex } | null = null;
  #building: Promise<void> | null = null;
  #closed = false;

  /** `catalog` is called for each build of the index. */
  constructor(stores: { catalog: () => CatalogStore; state: MarketStateStore }) {
    this.#stores = stores;
  }

  /** Size of the index in bytes. */
  get bytes(): number {
    return this.#built?.names.bytes ?? 0;
  }

  /** Searches the catalog of this version and corrects mistyped words. The facts do not affect corrections. */
  find({ words, literals }: SearchQuery, facts: readonly Bound[], version: number): FoundIds {
    const names = this.#namesOf(version);
    const { positions, terms, readAs } = search(names, words);
    const isFound = literals.length + facts.length === 0;
    const found = isFound ? positions : names.find(terms, facts.map(textOf), literals);
    const quoted = literals.map((literal) => ` "${literal}"`).join("");
    return {
      ids: found.map((position) => names.itemIds[position]!),
      readAs: readAs === null ? null : `${readAs}${quoted}`,
    };
  }

  /** Searches the catalog of this version for a text of which the last word is being typed. Finds nothing without a word. */
  suggest(text: string, version: number): FoundIds {
    const names = this.#namesOf(version);
    const { positions, readAs } = search(names, text, true);
    return { ids: positions.map((position) => names.itemIds[position]!), readAs };
  }

  /** Builds the index in slices between other work. Resolves at its end; the catalog may have changed meanwhile. */
  refresh(): Promise<void> {
    this.#building ??= this.#build().finally(() => {
      this.#building = null;
    });
    return this.#building;
  }

  /** Stops reading the file. */
  close(): void {
    this.#closed = true;
  }

  async #build(): Promise<void> {
    const version = this.#stores.state.catalogVersion();
    if (this.#built?.version === version) return;
    const names = new WordIndex();
    for (const _ of this.#slices(names)) {
      await new Promise(setImmediate);
      if (this.#closed) return;
    }
    if (this.#stores.state.catalogVersion() === version) this.#built = { version, names };
  }

  #namesOf(version: number): WordIndex {
    if (this.#built?.version !== version) {
      const names = new WordIndex();
      for (const _ of this.#slices(names));
      this.#built = { version, names };
    }
    return this.#built.names;
  }

  /** Yields after each slice of the catalog. The index is ready at the end. */
  *#slices(names: WordIndex): Generator<void> {
    for (let after = 0; ; ) {
      const items = this.#stores.catalog().searched(after, sliceItems);
      for (const item of items) names.add(item, factsOf(item));
      const last = items.at(-1);
      if (last === undefined) break;
      after = last.item_id;
      yield;
    }
    names.finish();
  }
}

function factsOf({ market_hash_name, name_ru: _, item_id: __, ...facts }: SearchedItem): string[] {
  const all: Record<ItemFact, string | number | null> = { ...facts, weapon: weaponOf(market_hash_name, facts.type) };
  return (Object.keys(all) as ItemFact[]).flatMap((fact) => {
    const value = all[fact];
    return value === null ? [] : [textOf({ fact, value })];
  });
}

function textOf({ fact, value }: Bound): string {
  return `${fact}=${value}`;
}
