import type { RefusedName } from "../../store/write/refused-names.ts";
import { comparableName } from "../../values/item-names.ts";
import type { CatalogVariant } from "../catalog/variants.ts";
import type { ItemQuotes } from "./merge-quotes.ts";
import type { Resolution } from "./name-index.ts";
import type { ItemReference, Observation, RefusalReason, Refusals } from "./observation.ts";
import type { RowSample } from "./row-sample.ts";

/** Catalog as joining uses it: the item of a name and phase, and whether an id exists. */
export type ItemLookup = {
  resolve(name: string, phase: string | null): Resolution;
  has(itemId: number): boolean;
};

export type Joined = {
  items: Map<number, ItemQuotes>;
  feedDerivable: Map<string, { variant: CatalogVariant; quotes: ItemQuotes }>;
  /** Known items that are named and have no quote. */
  itemsWithoutQuote: Set<number>;
  /** Names that joined no item, each once; null: they are more than a frame remembers. */
  refusedNames: readonly RefusedName[] | null;
  asks: number;
  bids: number;
};

/** Maximum number of refused names that a frame remembers. */
export const refusedNamesMax = 50_000;

/**
 * Gives every observation to its item. A price with a phase goes to exactly that phase, one without to an item without
 * phases or to the unphased identity. One quote per item, provider and side: the first stays, later ones are refused.
 * A reference names an item by the same rule; what it does not find is not counted again. An ambiguous name is a reference to
 * each item that shares it. `rows` collects a few of the prices.
 */
export function joinObservations(
  observations: Iterable<Observation>,
  references: Iterable<ItemReference>,
  lookup: ItemLookup,
  refusals: Refusals,
  rows?: RowSample,
): Joined {
  const joined: Joined = {
    items: new Map(),
    feedDerivable: new Map(),
    itemsWithoutQuote: new Set(),
    refusedNames: null,
    asks: 0,
    bids: 0,
  };
  const names = new RefusedNames();
  for (const observation of observations) {
    const found = resolve(observation, lookup);
    if ("reason" in found) {
      refusals.add(found.reason, nameOf(observation));
      rows?.addUnjoined(observation, found.reason);
      refer(observation, found, joined, names);
      continue;
    }
    const quotes = quotesFor(found, joined);
    const side = observation.side === "ask" ? quotes.asks : quotes.bids;
    if (side.some(({ provider }) => provider === observation.provider)) {
      refusals.add("duplicate", nameOf(observation));
      rows?.addUnjoined(observation, "duplicate");
      continue;
    }
    const { provider, amountCents, quantity, url, observedAt } = observation;
    rows?.addJoined(observation, "itemId" in found ? found.itemId : null);
    side.push({ provider, amountCents, quantity, url, observedAt });
    joined[observation.side === "ask" ? "asks" : "bids"] += 1;
  }
  for (const reference of references) {
    const found = resolve(reference, lookup);
    if ("reason" in found) refer(reference, found, joined, names);
    else if (found.kind !== "feedDerivable") joined.itemsWithoutQuote.add(found.itemId);
    else if (!joined.feedDerivable.has(found.variant.identityKey)) names.add(reference);
  }
  for (const itemId of joined.items.keys()) joined.itemsWithoutQuote.delete(itemId);
  return { ...joined, refusedNames: names.list() };
}

/** Counts the books in which one provider's buy order is above its own offer. They are kept as they are. */
export function countCrossed(books: Iterable<ItemQuotes>): number {
  let crossed = 0;
  for (const { asks, bids } of books) {
    for (const bid of bids) {
      if (asks.some((ask) => ask.provider === bid.provider && ask.amountCents < bid.amountCents)) crossed += 1;
    }
  }
  return crossed;
}

function quotesFor(found: Found, { items, feedDerivable }: Joined): ItemQuotes {
  const known =
    found.kind === "feedDerivable" ? feedDerivable.get(found.variant.identityKey)?.quotes : items.get(found.itemId);
  if (known !== undefined) return known;
  const quotes = { asks: [], bids: [] };
  if (found.kind === "feedDerivable") {
    feedDerivable.set(found.variant.identityKey, { variant: found.variant, quotes });
  } else items.set(found.itemId, quotes);
  return quotes;
}

type Found = Exclude<Resolution, { kind: RefusalReason }>;
/** `itemIds`: items that share an ambiguous name. */
type NotFound = { reason: "unknown_item" | "unknown_name" | "ambiguous_name"; itemIds: readonly number[] };

function resolve({ itemId, name, phase }: ItemReference, lookup: ItemLookup): Found | NotFound {
  if (itemId !== null) return lookup.has(itemId) ? { kind: "exact", itemId } : { reason: "unknown_item", itemIds: [] };
  const found = lookup.resolve(name ?? "", phase);
  if (found.kind === "ambiguous_name") return { reason: found.kind, itemIds: found.itemIds };
  if (found.kind === "unknown_name" || (phase !== null && found.kind !== "exact"))
    return { reason: "unknown_name", itemIds: [] };
  return found;
}

/** Notes a reference that joins no item: its name, and the items that share it if it is ambiguous. */
function refer(reference: ItemReference, { itemIds }: NotFound, joined: Joined, names: RefusedNames): void {
  for (const itemId of itemIds) joined.itemsWithoutQuote.add(itemId);
  names.add(reference);
}

const nameCharsMax = 300;
/** Half a surrogate pair would not be stored as it is. */
const impossible = /[\u0000-\u001f\u007f\p{Cs}]/u;

/** Collects the names that joined no item, in the form in which names are compared. An id is not a name. */
class RefusedNames {
  /** By name, and where it has a phase by both. */
  readonly #names = new Map<string, RefusedName>();
  #areTooMany = false;

  /** Adds the name of a reference, but for one that no item can have. */
  add({ name: written, phase }: ItemReference): void {
    if (written === null || this.#areTooMany) return;
    const refused = { name: comparableName(written), phase: phase ?? "" };
    if (Object.values(refused).some((text) => text.length > nameCharsMax || impossible.test(text))) return;
    if (refused.name === "") return;
    // No name holds a line feed. The text itself as the key takes no room of its own.
    this.#names.set(refused.phase === "" ? refused.name : `${refused.name}\n${refused.phase}`, refused);
    this.#areTooMany = this.#names.size > refusedNamesMax;
    if (this.#areTooMany) this.#names.clear();
  }

  /** Returns the names; null: they are too many. */
  list(): RefusedName[] | null {
    return this.#areTooMany ? null : Array.from(this.#names.values());
  }
}

function nameOf({ itemId, name, phase }: Observation): string {
  if (name === null) return `item ${itemId}`;
  return phase === null ? name : `${name} ${phase}`;
}
