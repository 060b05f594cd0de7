import type { CatalogVariant } from "../catalog/variants.ts";
import type { ItemQuotes } from "./merge-quotes.ts";
import type { Resolution } from "./name-index.ts";
import type { ItemReference, Observation, RefusalReason, Refusals } from "./observation.ts";

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
  asks: number;
  bids: number;
};

/**
 * Gives every observation to its item. A price with a phase goes to exactly that phase, one without to an item without
 * phases or to the unphased identity. One quote per item, provider and side: the first stays, later ones are refused.
 * A reference names an item by the same rule; what it does not find is not counted again.
 */
export function joinObservations(
  observations: readonly Observation[],
  references: readonly ItemReference[],
  lookup: ItemLookup,
  refusals: Refusals,
): Joined {
  const joined: Joined = { items: new Map(), feedDerivable: new Map(), itemsWithoutQuote: new Set(), asks: 0, bids: 0 };
  for (const observation of observations) {
    const quotes = quotesFor(observation, lookup, refusals, joined);
    if (quotes === null) continue;
    const side = observation.side === "ask" ? quotes.asks : quotes.bids;
    if (side.some(({ provider }) => provider === observation.provider)) {
      refusals.add("duplicate", nameOf(observation));
      continue;
    }
    const { provider, amountCents, quantity, url, observedAt } = observation;
    side.push({ provider, amountCents, quantity, url, observedAt });
    joined[observation.side === "ask" ? "asks" : "bids"] += 1;
  }
  for (const reference of references) {
    const found = resolve(reference, lookup);
    if (typeof found === "string" || found.kind === "feedDerivable" || joined.items.has(found.itemId)) continue;
    joined.itemsWithoutQuote.add(found.itemId);
  }
  return joined;
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

function quotesFor(
  observation: Observation,
  lookup: ItemLookup,
  refusals: Refusals,
  joined: Joined,
): ItemQuotes | null {
  const found = resolve(observation, lookup);
  if (typeof found === "string") {
    refusals.add(found, nameOf(observation));
    return null;
  }
  if (found.kind === "feedDerivable") {
    const known = joined.feedDerivable.get(found.variant.identityKey);
    if (known !== undefined) return known.quotes;
    const quotes = { asks: [], bids: [] };
    joined.feedDerivable.set(found.variant.identityKey, { variant: found.variant, quotes });
    return quotes;
  }
  const known = joined.items.get(found.itemId);
  if (known !== undefined) return known;
  const quotes = { asks: [], bids: [] };
  joined.items.set(found.itemId, quotes);
  return quotes;
}

type Found = Exclude<Resolution, { kind: RefusalReason }>;

function resolve({ itemId, name, phase }: ItemReference, lookup: ItemLookup): Found | RefusalReason {
  if (itemId !== null) return lookup.has(itemId) ? { kind: "exact", itemId } : "unknown_item";
  const found = lookup.resolve(name ?? "", phase);
  if (found.kind === "ambiguous_name" || found.kind === "unknown_name") return found.kind;
  return phase !== null && found.kind !== "exact" ? "unknown_name" : found;
}

function nameOf({ itemId, name, phase }: Observation): string {
  if (name === null) return `item ${itemId}`;
  return phase === null ? name : `${name} ${phase}`;
}
