import { dayText } from "../../values/time/calendar.ts";
import type { CatalogVariant } from "../catalog/variants.ts";
import type { ItemLookup } from "../quotes/name-index.ts";
import type { Side } from "../quotes/observation.ts";
import { type DailyPoint, type DailyReading, type ItemNamed, labelOf } from "./reading.ts";

/** The days of one item and side in ascending order, one point each. `label` is the source's name of the item. */
export type DailyBook = { label: string; side: Side; points: DailyPoint[] };

export type DailyJoined = {
  items: (DailyBook & { itemId: number })[];
  /** Books of variants that the file proves to exist, by identity key. */
  feedDerivable: Map<string, { variant: CatalogVariant; books: DailyBook[] }>;
};

type Found = { itemId: number } | { variant: CatalogVariant };

/**
 * Assigns every series to its item, by the same rules as quotes. A series with a phase belongs to exactly that phase. A series without one
 * belongs to an item without phases or to the unphased identity. Of several rows per item, side and day the first stays; later rows are
 * refused.
 */
export function joinDaily({ series, refusals }: DailyReading, lookup: ItemLookup): DailyJoined {
  const joined: DailyJoined = { items: [], feedDerivable: new Map() };
  const books = new Map<string, { book: DailyBook; days: Set<number> }>();
  for (const { side, points, ...named } of series) {
    const label = labelOf(named);
    const found = find(named, lookup);
    if (typeof found === "string") {
      refusals.add(found, label, points.length);
      continue;
    }
    const key = `${side} ${"itemId" in found ? found.itemId : found.variant.identityKey}`;
    let known = books.get(key);
    if (known === undefined) {
      known = { book: { label, side, points: [] }, days: new Set() };
      books.set(key, known);
      place(joined, found, known.book);
    }
    for (const point of points) {
      if (known.days.has(point.day)) refusals.add("duplicate", `${label} ${dayText(point.day)}`);
      else {
        known.days.add(point.day);
        known.book.points.push(point);
      }
    }
  }
  for (const { book } of books.values()) book.points.sort((a, b) => a.day - b.day);
  return joined;
}

function place(joined: DailyJoined, found: Found, book: DailyBook): void {
  if ("itemId" in found) {
    joined.items.push(Object.assign(book, { itemId: found.itemId }));
    return;
  }
  const { variant } = found;
  const known = joined.feedDerivable.get(variant.identityKey);
  if (known === undefined) joined.feedDerivable.set(variant.identityKey, { variant, books: [book] });
  else known.books.push(book);
}

function find({ itemId, name, phase }: ItemNamed, lookup: ItemLookup) {
  if (itemId !== null) return lookup.has(itemId) ? { itemId } : "unknown_item";
  const found = lookup.resolve(name, phase);
  if (found.kind === "ambiguous_name" || found.kind === "unknown_name") return found.kind;
  if (phase !== null && found.kind !== "exact") return "unknown_name";
  return found.kind === "feedDerivable" ? { variant: found.variant } : { itemId: found.itemId };
}
