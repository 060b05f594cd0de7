import { wears } from "../text/item-names.ts";
import { partsOf, type Unit, unitsOf } from "./name-words.ts";
import { readTerms, type Term } from "./read-words.ts";
import type { NamedItem } from "./word-index.ts";

/** An item with its lowest ask in cents and its number of providers with a quote, if known. */
type RankedItem = NamedItem & { readonly best_ask_cents?: number | null; readonly providers?: number };

/** `left` weighs the words of a name that the search lacks. `isPlain` is false if the name has an edition that the search lacks. */
type Rest = { left: number; isPlain: boolean };

/** Weight of a word of which the search contains only the beginning. */
const partlyLeft = 0.5;
const editions = new Set(["StatTrak", "Souvenir", "Сувенирный"].map((word) => unitsOf(word)[0]!.whole));
/** Indexes into the sort keys of an item. */
const leftKey = 1;
const priceKey = 4;
const smallWords = new Set(["the", "of", "and"]);
/** Types ranked before (negative) or after (positive) all others. */
const typeOrder: Readonly<Record<string, number>> = {
  Weapon: -1,
  Knife: -1,
  Gloves: -1,
  Sticker: 1,
  Patch: 1,
  Charm: 1,
  Key: 1,
  Graffiti: 2,
  "Sticker Slab": 2,
};
/** Endings of names by wear, best first. */
const wearEnds = wears.map(({ name, nameRu }) => [`${name})`, `${nameRu})`]);

/**
 * Sorts found items, best match first. The criteria are, in order:
 * - the exact name
 * - the fewest words that the search lacks
 * - no StatTrak or Souvenir unless searched for
 * - weapons, knives and gloves before other types; stickers, patches, charms and graffiti last
 * - a known price, then the most providers
 *
 * Exteriors of one name stay together, best wear first.
 */
export function ranked<Item extends RankedItem>(items: readonly Item[], text: string | null): Item[] {
  const ranking = new Ranking(text ?? "");
  const rows = items.map((item) => ({ item, ...ranking.keysOf(item) }));
  const groups = new Map<string, readonly number[]>();
  for (const { item, base, keys } of rows) {
    const own = [...keys, -(item.providers ?? 0), item.item_id];
    const known = groups.get(base);
    if (known === undefined || compared(own, known) < 0) groups.set(base, own);
  }
  const all = rows.map(({ item, base, keys, wear }) => ({
    item,
    keys: [...keys, ...groups.get(base)!, wear, item.item_id],
  }));
  return all.sort((a, b) => compared(a.keys, b.keys)).map(({ item }) => item);
}

/**
 * Returns the item that a search means: the first ranked item, if it matches better than the second. Returns null if several match equally.
 * With `hasMore` (unloaded items), also returns null if the search lacks words of the first item.
 */
export function meant<Item extends RankedItem>(sorted: readonly Item[], text: string, hasMore: boolean): Item | null {
  const [first, second] = sorted;
  if (first === undefined) return null;
  const ranking = new Ranking(text);
  const [own, next] = [first, second].map((item) => item && ranking.keysOf(item).keys.slice(0, priceKey));
  if (hasMore && own![leftKey]! > 0) return null;
  return next === undefined || compared(own!, next) < 0 ? first : null;
}

/** Computes the sort keys of items for one search. */
class Ranking {
  readonly #exact: string;
  readonly #terms: readonly Term[];
  readonly #rests = new Map<string, Rest>();

  constructor(text: string) {
    this.#exact = text.trim().toLowerCase();
    this.#terms = readTerms(text);
  }

  keysOf(item: RankedItem): { base: string; keys: number[]; wear: number } {
    const { market_hash_name: name, name_ru: nameRu, type } = item;
    const parts = partsOf(name);
    const wear = wearEnds.findIndex((ends) => ends.includes(parts.at(-1)!));
    const order = typeOrder[type ?? ""] ?? 0;
    const rest = this.#restOf(name, order < 0);
    const restRu = nameRu === null ? rest : this.#restOf(nameRu, order < 0);
    const keys = [
      name.toLowerCase() === this.#exact ? 0 : 1,
      Math.min(rest.left, restRu.left),
      rest.isPlain || restRu.isPlain ? 0 : 1,
      order,
      (item.best_ask_cents ?? null) === null ? 1 : 0,
    ];
    return { base: wear < 0 ? name : parts.slice(0, -1).join(" | "), keys, wear };
  }

  #restOf(name: string, hasWeapon: boolean): Rest {
    const parts = partsOf(name);
    let left = 0;
    let isPlain = true;
    for (const [index, part] of parts.entries()) {
      const own = this.#rests.get(part) ?? this.#restOfPart(part);
      this.#rests.set(part, own);
      // A weapon counts as one word, so that `Desert Eagle` ranks no lower than `Glock-18`.
      left += index === 0 && hasWeapon ? Math.min(own.left, 1) : own.left;
      isPlain &&= own.isPlain;
    }
    return { left, isPlain };
  }

  #restOfPart(part: string): Rest {
    if (wearEnds.some((ends) => ends.includes(part))) return { left: 0, isPlain: true };
    let left = 0;
    let isPlain = true;
    for (const unit of unitsOf(part)) {
      const own = leftOf(unit, this.#terms);
      if (editions.has(unit.whole)) isPlain &&= own < 1;
      else if (!smallWords.has(unit.whole)) left += own;
    }
    return { left, isPlain };
  }
}

/** Returns 0 if the search has the word, `partlyLeft` if it has its beginning, else 1. */
function leftOf({ forms }: Unit, terms: readonly Term[]): number {
  let left = 1;
  for (const { options } of terms)
    for (const { word, isPrefix } of options.flat()) {
      if (forms.includes(word)) return 0;
      if (isPrefix && forms.some((form) => form.startsWith(word))) left = partlyLeft;
    }
  return left;
}

/** Compares two lists by the first key that differs. */
export function compared(a: readonly number[], b: readonly number[]): number {
  for (const [index, key] of a.entries()) if (key !== b[index]) return key - b[index]!;
  return 0;
}
