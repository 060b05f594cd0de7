import {
  comparableName,
  type Edition,
  type ItemType,
  inEdition,
  inRussianEdition,
  slugOf,
  withoutEdition,
} from "../../values/item-names.ts";
import { type CatalogVariant, editionFlags, editionsOfType, identityKeyOfEdition } from "../catalog/variants.ts";

/** Item as the index uses it: a row of the items table, or a `CatalogVariant` with its id. */
export type IndexedItem = Omit<CatalogVariant, "sourceKeys" | "slug" | "type" | "phase"> & {
  itemId: number;
  type: string | null;
  phase: string | null;
  /** False: kept only for its history. Left out: in the catalog. */
  inCatalog?: boolean;
};

/**
 * `exact`, `unphased`: the item that the name means. `feedDerivable`: no item, but a variant of the known item `base` that comes into
 * being by being named. `ambiguous_name`: several items, `itemIds`, share the name and no phase tells them apart; it goes nowhere.
 */
export type Resolution =
  | { kind: "exact" | "unphased"; itemId: number }
  | { kind: "feedDerivable"; base: number; variant: CatalogVariant }
  | { kind: "ambiguous_name"; itemIds: readonly number[] }
  | { kind: "unknown_name" };

const unknown: Resolution = { kind: "unknown_name" };

/** Finds the item that a source means by a market name. Names are compared as they are written, never by likeness. */
export class NameIndex {
  readonly #byName = new Map<string, IndexedItem[]>();
  readonly #byComparableName = new Map<string, IndexedItem[]>();

  constructor(items: Iterable<IndexedItem>) {
    for (const item of items) this.add(item);
  }

  /** Takes in another item, such as one derived from a feed. */
  add(item: IndexedItem): void {
    push(this.#byName, item.marketHashName, item);
    push(this.#byComparableName, comparableName(item.marketHashName), item);
  }

  /**
   * Returns the item of a name. With `phase` (`Phase 2`, `Ruby`, …) only the item of that phase; without one a name that phases share
   * means the unphased identity and never a phase.
   */
  resolve(name: string, phase: string | null = null): Resolution {
    const found = choose(this.#named(name), phase);
    return found ?? this.#derive(name, phase);
  }

  #named(name: string): readonly IndexedItem[] {
    return this.#byName.get(name) ?? this.#byComparableName.get(comparableName(name)) ?? [];
  }

  /** Derives the variant of a counter or souvenir name that no item has, whose plain item is known and of a type that can be one. */
  #derive(name: string, phase: string | null): Resolution {
    const { plainName, edition } = withoutEdition(name);
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
    return { kind: "feedDerivable", base: base.itemId, variant: feedDerivedVariant(base, type, edition) };
  }
}

/**
 * Chooses the item of a phase (null: an item without one) among those of a name; null: there is none. An item that left the
 * catalog is meant only where none of the same name is still in it.
 */
function choose(named: readonly IndexedItem[], phase: string | null): Resolution | null {
  const all = named.filter((item) => item.phase === phase);
  const present = all.filter((item) => item.inCatalog !== false);
  const meant = present.length > 0 ? present : all;
  const [first, second] = meant;
  if (first === undefined) return null;
  if (second === undefined) return { kind: first.identity, itemId: first.itemId };
  return ambiguous(meant);
}

function ambiguous(sharers: readonly IndexedItem[]): Resolution {
  return { kind: "ambiguous_name", itemIds: sharers.map(({ itemId }) => itemId) };
}

function feedDerivedVariant(base: IndexedItem, type: ItemType, edition: Edition): CatalogVariant {
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

function push(map: Map<string, IndexedItem[]>, key: string, item: IndexedItem): void {
  const found = map.get(key);
  if (found === undefined) map.set(key, [item]);
  else found.push(item);
}
