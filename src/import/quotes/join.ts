import type { RefusedName } from "../../store/write/frames.ts";
import { comparableName, impossibleInName } from "../../values/text/item-names.ts";
import type { Book, BookQuote } from "../../wire/quotes.ts";
import type { CatalogVariant } from "../catalog/variants.ts";
import type { ItemLookup, Resolution } from "./name-index.ts";
import {
  bestRow,
  type ItemReference,
  type Observation,
  type RefusalReason,
  type Refusals,
  type Side,
} from "./observation.ts";
import type { RowSample } from "./row-sample.ts";

/** Quotes by item in ascending order. `append` adds a later item. */
export type QuotesInOrder = ReadonlyMap<number, Book> & { append(itemId: number, quotes: Book): void };

/** Collects quotes by item during joining. `end` returns them and may be called once. `settle` produces the final quotes of each item. */
export type QuoteCollector = {
  add(itemId: number, side: Side, quote: BookQuote): void;
  end(settle: (itemId: number, quotes: Book) => Book): QuotesInOrder;
};

export type Joined = {
  items: QuotesInOrder;
  /** Variants of known items that the body proves to exist, and the quotes of each by index. */
  derived: readonly CatalogVariant[];
  derivedQuotes: ReadonlyMap<number, Book>;
  /** Known items that are named without a quote. */
  itemsWithoutQuote: Set<number>;
  /** Distinct names that joined no item. Null if they are too many for a frame. */
  refusedNames: readonly RefusedName[] | null;
  asks: number;
  bids: number;
};

/** Maximum number of refused names in a frame. */
export const refusedNamesMax = 50_000;

/**
 * Assigns every observation to its item.
 *
 * A price with a phase belongs to exactly that phase. A price without one belongs to an item without phases or to the unphased identity. Of
 * several rows per item, provider and side the lowest ask or the highest bid counts, in any order of rows. The others are refused as
 * `duplicate`, or as `conflicting_rows` if their prices differ.
 *
 * A reference names an item by the same rule; an unresolved reference is not counted again. An ambiguous name refers to each item that
 * shares it. `collect` creates the quote collector. `rows` collects a few sample prices.
 */
export function joinObservations(
  observations: Iterable<Observation>,
  references: Iterable<ItemReference>,
  lookup: ItemLookup,
  refusals: Refusals,
  { collect, rows }: { collect: () => QuoteCollector; rows?: RowSample | undefined },
): Joined {
  const known = new OneOfEach(collect(), refusals);
  const derived = new OneOfEach(collect(), refusals);
  const variants = new Variants();
  const sums = { ask: 0, bid: 0 };
  const itemsWithoutQuote = new Set<number>();
  const names = new RefusedNames();
  for (const observation of observations) {
    const found = resolve(observation, lookup);
    if ("reason" in found) {
      refusals.add(found.reason, nameOf(observation));
      rows?.addUnjoined(observation, found.reason);
      refer(observation, found, itemsWithoutQuote, names);
      continue;
    }
    const isAdded =
      found.kind === "feedDerivable"
        ? derived.add(variants.indexOf(found.variant), observation)
        : known.add(found.itemId, observation);
    if (!isAdded) continue;
    rows?.addJoined(observation, "itemId" in found ? found.itemId : null);
    sums[observation.side] += 1;
  }
  for (const reference of references) {
    const found = resolve(reference, lookup);
    if ("reason" in found) refer(reference, found, itemsWithoutQuote, names);
    else if (found.kind !== "feedDerivable") itemsWithoutQuote.add(found.itemId);
    else if (!variants.has(found.variant)) names.add(reference);
  }
  const items = known.end();
  for (const itemId of itemsWithoutQuote) if (items.has(itemId)) itemsWithoutQuote.delete(itemId);
  const { ask: asks, bid: bids } = sums;
  const derivedQuotes = derived.end();
  return { items, derived: variants.list, derivedQuotes, itemsWithoutQuote, refusedNames: names.list(), asks, bids };
}

/** Collects one quote per item, provider and side. */
class OneOfEach {
  readonly #quotes: QuoteCollector;
  readonly #refusals: Refusals;
  readonly #seen = new SeenQuotes();
  /** Items with several rows, with the name in one of them. */
  readonly #repeated = new Map<number, string>();

  constructor(quotes: QuoteCollector, refusals: Refusals) {
    this.#quotes = quotes;
    this.#refusals = refusals;
  }

  /** Returns false if the item already has such a quote. */
  add(itemId: number, observation: Observation): boolean {
    const { provider, side, amountCents, quantity, url, observedAt } = observation;
    const isFirst = this.#seen.add(itemId, side, provider);
    if (!isFirst) this.#repeated.set(itemId, nameOf(observation));
    this.#quotes.add(itemId, side, { provider, amountCents, quantity, url, observedAt });
    return isFirst;
  }

  end(): QuotesInOrder {
    return this.#quotes.end((itemId, quotes) => {
      const name = this.#repeated.get(itemId);
      if (name === undefined) return quotes;
      return { asks: this.#bestOf(quotes.asks, "ask", name), bids: this.#bestOf(quotes.bids, "bid", name) };
    });
  }

  #bestOf(quotes: readonly BookQuote[], side: Side, name: string): BookQuote[] {
    const byProvider = Map.groupBy(quotes, ({ provider }) => provider);
    return Array.from(byProvider.values(), (rows) => {
      if (rows.length === 1) return rows[0]!;
      const best = bestRow(rows, side);
      const isConflict = rows.some(({ amountCents }) => amountCents !== best.amountCents);
      this.#refusals.add(isConflict ? "conflicting_rows" : "duplicate", name, rows.length - 1);
      return best;
    });
  }
}

/** Collects quotes in memory. */
export class PlainCollector implements QuoteCollector {
  readonly #items = new Map<number, Book>();

  add(itemId: number, side: Side, quote: BookQuote): void {
    let quotes = this.#items.get(itemId);
    if (quotes === undefined) {
      quotes = { asks: [], bids: [] };
      this.#items.set(itemId, quotes);
    }
    (side === "ask" ? quotes.asks : quotes.bids).push(quote);
  }

  end(settle: Parameters<QuoteCollector["end"]>[0]): QuotesInOrder {
    const items = Array.from(this.#items, ([itemId, quotes]) => [itemId, settle(itemId, quotes)] as const);
    return new PlainQuotes(items.sort(([one], [other]) => one - other));
  }
}

class PlainQuotes extends Map<number, Book> implements QuotesInOrder {
  append(itemId: number, quotes: Book): void {
    this.set(itemId, quotes);
  }
}

/** Records which items have a quote of a provider and side. It uses one bit each, because a body may have hundreds of thousands. */
class SeenQuotes {
  readonly #bits = new Map<string, Uint8Array>();

  /** Returns false if it was added before. */
  add(itemId: number, side: Side, provider: string): boolean {
    const key = `${side} ${provider}`;
    const byte = itemId >>> 3;
    let bits = this.#bits.get(key);
    if (bits === undefined || byte >= bits.length) {
      const more = new Uint8Array(2 * (byte + 1));
      if (bits !== undefined) more.set(bits);
      this.#bits.set(key, more);
      bits = more;
    }
    const bit = 1 << (itemId & 7);
    if ((bits[byte]! & bit) !== 0) return false;
    bits[byte]! |= bit;
    return true;
  }
}

/** Numbers variants by identity, in order of occurrence. */
class Variants {
  readonly list: CatalogVariant[] = [];
  readonly #indexes = new Map<string, number>();

  indexOf(variant: CatalogVariant): number {
    const known = this.#indexes.get(variant.identityKey);
    if (known !== undefined) return known;
    this.#indexes.set(variant.identityKey, this.list.length);
    return this.list.push(variant) - 1;
  }

  has({ identityKey }: CatalogVariant): boolean {
    return this.#indexes.has(identityKey);
  }
}

type Found = Exclude<Resolution, { kind: RefusalReason }>;
/** `itemIds` are the items that share an ambiguous name. */
type NotFound = { reason: "unknown_item" | "unknown_name" | "ambiguous_name"; itemIds: readonly number[] };

function resolve({ itemId, name, phase }: ItemReference, lookup: ItemLookup): Found | NotFound {
  if (itemId !== null) return lookup.has(itemId) ? { kind: "exact", itemId } : { reason: "unknown_item", itemIds: [] };
  const found = lookup.resolve(name ?? "", phase);
  if (found.kind === "ambiguous_name") return { reason: found.kind, itemIds: found.itemIds };
  if (found.kind === "unknown_name" || (phase !== null && found.kind !== "exact"))
    return { reason: "unknown_name", itemIds: [] };
  return found;
}

/** Records a reference that joins no item: its name, and the items that share an ambiguous name. */
function refer(reference: ItemReference, { itemIds }: NotFound, unquoted: Set<number>, names: RefusedNames): void {
  for (const itemId of itemIds) unquoted.add(itemId);
  names.add(reference);
}

const nameCharsMax = 300;

/** Collects names that joined no item, in comparable form. Ids are ignored. */
class RefusedNames {
  /** By name, or by name and phase. */
  readonly #names = new Map<string, RefusedName>();
  #areTooMany = false;

  /** Adds the name of a reference, unless no item can have such a name. */
  add({ name: written, phase }: ItemReference): void {
    if (written === null || this.#areTooMany) return;
    const refused = { name: comparableName(written), phase: phase ?? "" };
    if (Object.values(refused).some((text) => text.length > nameCharsMax || impossibleInName.test(text))) return;
    if (refused.name === "") return;
    // Names never contain a line feed. Using the text itself as the key saves memory.
    this.#names.set(refused.phase === "" ? refused.name : `${refused.name}\n${refused.phase}`, refused);
    this.#areTooMany = this.#names.size > refusedNamesMax;
    if (this.#areTooMany) this.#names.clear();
  }

  /** Returns the names. Null if they are too many. */
  list(): RefusedName[] | null {
    return this.#areTooMany ? null : Array.from(this.#names.values());
  }
}

function nameOf({ itemId, name, phase }: Observation): string {
  if (name === null) return `item ${itemId}`;
  return phase === null ? name : `${name} ${phase}`;
}
