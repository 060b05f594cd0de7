import type { Database } from "../../store/database.ts";
import { CatalogStore } from "../../store/read/catalog.ts";
import { MarketStateStore } from "../../store/read/market-state.ts";
import { itemReader, readNamedItems } from "../../store/write/catalog.ts";
import {
  comparableName,
  type Edition,
  type ItemType,
  inEdition,
  inRussianEdition,
  slugOf,
  withoutEdition,
} from "../../values/text/item-names.ts";
import { splitPhase } from "../../values/text/phase-names.ts";
import { type CatalogVariant, editionFlags, editionsOfType, identityKeyOfEdition } from "../catalog/variants.ts";

/** Item facts from which a variant is derived: a row of the items table, or a `CatalogVariant` with its id. */
export type ItemFacts = Omit<CatalogVariant, "sourceKeys" | "slug" | "type" | "phase"> & {
  itemId: number;
  type: string | null;
  phase: string | null;
};

/** An item in the index. `inCatalog` is false for an item kept only for its history; absent means true. */
type IndexedItem = Pick<ItemFacts, "itemId" | "marketHashName" | "phase" | "type" | "identity"> & {
  inCatalog?: boolean;
};

type Named = Omit<IndexedItem, "marketHashName">;

/**
 * Result of a name lookup. `exact` and `unphased` give the item. `feedDerivable` means a new variant of the known item `base`.
 * `ambiguous_name` means that several items (`itemIds`) share the name and no phase distinguishes them.
 */
export type Resolution =
  | { kind: "exact" | "unphased"; itemId: number }
  | { kind: "feedDerivable"; base: number; variant: CatalogVariant }
  | { kind: "ambiguous_name"; itemIds: readonly number[] }
  | { kind: "unknown_name" };

const unknown: Resolution = { kind: "unknown_name" };

/** Lookup for joining: the item of a name and phase, and whether an id exists. */
export type ItemLookup = {
  resolve(name: string, phase: string | null): Resolution;
  has(itemId: number): boolean;
};

/** Creates a lookup of a database file's items, by name and by id. */
export function itemLookup(database: Database, names: ItemNames = new ItemNames()): ItemLookup {
  const catalog = new CatalogStore(database);
  const index = names.of(database);
  return { resolve: index.resolve.bind(index), has: (itemId) => catalog.marketName(itemId) !== null };
}

/** Caches the name index of one file's items. Rebuilds it only after a catalog change. */
export class ItemNames {
  #kept: { version: number; index: NameIndex } | undefined;
  /** Uses the latest handle: a writer reopens the file for each round. */
  #rowOf: ReturnType<typeof itemReader> | undefined;

  /** Returns the index of the current catalog. */
  of(database: Database): NameIndex {
    const version = new MarketStateStore(database).catalogVersion();
    this.#rowOf = itemReader(database);
    if (this.#kept?.version !== version) {
      this.#kept = { version, index: new NameIndex(readNamedItems(database), (itemId) => this.#rowOf!(itemId)) };
    }
    return this.#kept.index;
  }
}

/**
 * Finds the item for a source's market name. Names must match as written, without fuzzy matching. The index stores as little as possible
 * per item, because a mirror keeps it in memory permanently.
 */
export class NameIndex {
  readonly #byName = new Map<string, readonly Named[]>();
  /** Items with a name that differs from its comparable form. */
  readonly #byComparableName = new Map<string, readonly Named[]>();
  readonly #factsOf: (itemId: number) => ItemFacts;

  constructor(items: Iterable<IndexedItem>, factsOf: (itemId: number) => ItemFacts) {
    this.#factsOf = factsOf;
    for (const item of items) this.add(item);
  }

  /** Items by original name. */
  get byName(): ReadonlyMap<string, readonly Named[]> {
    return this.#byName;
  }

  /** Adds an item, such as one derived from a feed. */
  add({ itemId, marketHashName, phase, type, identity, inCatalog = true }: IndexedItem): void {
    const item = { itemId, phase, type, identity, inCatalog };
    push(this.#byName, marketHashName, item);
    const comparable = comparableName(marketHashName);
    if (comparable !== marketHashName) push(this.#byComparableName, comparable, item);
  }

  /**
   * Returns the item of a name. With `phase` (`Phase 2`, `Ruby`, …) only the item of that phase matches. Without one, a name shared by
   * phases means the unphased identity, never a phase. An unknown name may contain a phase.
   */
  resolve(name: string, phase: string | null = null): Resolution {
    const found = choose(this.#named(name), phase) ?? this.#derive(name, phase);
    if (found.kind !== "unknown_name" || phase !== null) return found;
    const split = splitPhase(name);
    return split.phase === null ? found : (choose(this.#named(split.name), split.phase) ?? found);
  }

  #named(name: string): readonly Named[] {
    const found = this.#byName.get(name);
    if (found !== undefined) return found;
    const comparable = comparableName(name);
    return [...(this.#byName.get(comparable) ?? []), ...(this.#byComparableName.get(comparable) ?? [])];
  }

  /** Derives a variant from an unknown counter or souvenir name. Its plain item must be known and have a type with this edition. */
  #derive(name: string, phase: string | null): Resolution {
    const { plainName, edition } = withoutEdition(comparableName(name));
    const sharers = this.#named(name);
    if (edition === "plain") return sharers.length === 0 || phase !== null ? unknown : ambiguous(sharers);
    const candidates = this.#named(plainName);
    const found = choose(candidates, phase);
    if (found === null) return unknown;
    if (found.kind !== "exact" && found.kind !== "unphased") return ambiguous([]);
    const base = candidates.find(({ itemId }) => itemId === found.itemId);
    const type = base?.type as ItemType | null | undefined;
    if (base === undefined || type === null || type === undefined || !editionsOfType[type]?.includes(edition))
      return unknown;
    const variant = feedDerivedVariant(this.#factsOf(base.itemId), type, edition);
    const known = choose(this.#named(variant.marketHashName), phase);
    // The name has the same words as the item in another order.
    if (known !== null) return known;
    return { kind: "feedDerivable", base: base.itemId, variant };
  }
}

/**
 * Chooses the item of a phase among the items of a name. Pass null for the item without a phase. Returns null if no item matches. An item
 * outside the catalog matches only if no catalog item has the same name.
 */
function choose(named: readonly Named[], phase: string | null): Resolution | null {
  const all = named.filter((item) => item.phase === phase);
  const present = all.filter(({ inCatalog }) => inCatalog);
  const meant = present.length > 0 ? present : all;
  const [first, second] = meant;
  if (first === undefined) return null;
  if (second === undefined) return { kind: first.identity, itemId: first.itemId };
  return ambiguous(meant);
}

function ambiguous(sharers: readonly Named[]): Resolution {
  return { kind: "ambiguous_name", itemIds: sharers.map(({ itemId }) => itemId) };
}

function feedDerivedVariant(base: ItemFacts, type: ItemType, edition: Edition): CatalogVariant {
  const { itemId: _itemId, ...facts } = base;
  const marketHashName = inEdition(base.marketHashName, edition);
  const phase = base.phase as CatalogVariant["phase"];
  return {
    ...facts,
    ...editionFlags(type, edition),
    identityKey: identityKeyOfEdition(base.identityKey, edition),
    sourceKeys: [],
    marketHashName,
    slug: slugOf(marketHashName, phase),
    type,
    phase,
    nameRu: base.nameRu === null ? null : inRussianEdition(base.nameRu, edition),
  };
}

function push(map: Map<string, readonly Named[]>, key: string, item: Named): void {
  const known = map.get(key);
  // Copied to the exact size: most names have one item, and a growing array reserves more memory.
  map.set(key, known === undefined ? [item] : [...known, item]);
}
