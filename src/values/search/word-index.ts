import { foldText } from "../text/search-text.ts";
import { partsOf, unitsOf } from "./name-words.ts";
import type { Term, Wanted } from "./read-words.ts";
import { consonantsOf, soundOf } from "./sounds.ts";

/** An item as indexed for search. Its names, phase and type are searchable words. */
export type NamedItem = {
  readonly item_id: number;
  readonly market_hash_name: string;
  readonly name_ru: string | null;
  readonly phase: string | null;
  readonly type: string | null;
};

/** Lists of numbers by key, concatenated: key k has `values` from `start[k]` to `start[k + 1]`. */
type Lists = { start: Uint32Array; values: Uint32Array };

/** For each word of an option, the parts that contain it. */
type Option = readonly Uint32Array[];

const noLists: Lists = { start: new Uint32Array(1), values: new Uint32Array() };
/** Prefix of facts, which are stored as parts of names. No name contains it. */
const factSign = "\n";
/** Search word for a knife without a finish. */
const vanilla = "Vanilla";
const lastLetter = "\uffff";

/**
 * Finds items by the beginnings of words. Names share parts, such as `AK-47` and `Field-Tested)`: words lead to parts, and parts to items.
 * Add all items in ascending id, then call `finish`.
 */
export class WordIndex {
  /** All words, sorted. */
  words: readonly string[] = [];
  itemIds: Uint32Array = new Uint32Array();
  readonly #numbers = new Map<string, number>();
  /** Folded texts of the parts, for literals; empty for facts. */
  readonly #folded: string[] = [];
  #text = "";
  #textEnds = new Uint32Array();
  readonly #partsByWord = new Map<string, number[]>();
  readonly #ids: number[] = [];
  readonly #itemParts: number[] = [];
  readonly #itemEnds: number[] = [0];
  #partsOfItem = noLists;
  #itemsOfPart = noLists;
  #partsOfWord = noLists;
  #isFound = new Uint8Array();
  /** Built for the first search with a mistyped word. */
  #wordsOfSound: ReadonlyMap<string, readonly string[]> | null = null;

  /** Adds an item. `facts` are texts that `find` can match as a whole. */
  add(item: NamedItem, facts: readonly string[] = []): void {
    this.#ids.push(item.item_id);
    const names = [item.market_hash_name, ...(item.name_ru === null ? [] : [item.name_ru])];
    for (const text of [...names.flatMap(partsOf), ...extraWords(item)]) this.#itemParts.push(this.#numberOf(text));
    for (const fact of facts) this.#itemParts.push(this.#numberOf(factSign + fact));
    this.#itemEnds.push(this.#itemParts.length);
  }

  /** Builds the index of the added items. */
  finish(): void {
    this.itemIds = Uint32Array.from(this.#ids);
    this.#isFound = new Uint8Array(this.#ids.length);
    this.#partsOfItem = { start: Uint32Array.from(this.#itemEnds), values: Uint32Array.from(this.#itemParts) };
    this.#itemsOfPart = inverted(this.#partsOfItem, this.#folded.length);
    this.#text = this.#folded.join("\n");
    let end = 0;
    this.#textEnds = Uint32Array.from(this.#folded, (text) => (end += text.length + 1));
    this.words = [...this.#partsByWord.keys()].sort();
    this.#partsOfWord = listsOf(this.words.map((word) => this.#partsByWord.get(word)!));
    this.#partsByWord.clear();
    for (const list of [this.#ids, this.#itemParts, this.#itemEnds, this.#folded]) list.length = 0;
  }

  /** Memory of the lists in bytes. */
  get bytes(): number {
    const lists = [this.#partsOfItem, this.#itemsOfPart, this.#partsOfWord];
    return lists.reduce((sum, { start, values }) => sum + start.byteLength + values.byteLength, 0);
  }

  /**
   * Returns the ascending positions of the items that match all terms, facts and literals; all items if none are given. A literal matches
   * if the item has all its pieces, which may be in another order.
   */
  find(terms: readonly Term[], facts: readonly string[] = [], literals: readonly string[] = []): Uint32Array {
    const wanted: Option[][] = [
      ...terms.map(({ options }) => options.map((option) => option.map((one) => this.#partsOf(one)))),
      ...facts.map((fact) => [[this.#factPart(fact)]]),
      ...literals.flatMap(piecesOf).map((piece) => [[this.#partsWith(piece)]]),
    ];
    if (wanted.length === 0) return this.itemIds.map((_, position) => position);
    const sizes = wanted.map((options) =>
      options.reduce((sum, option) => sum + this.#size(rarest(option, this.#size)), 0),
    );
    const [first, ...others] = [...wanted.keys()].sort((one, other) => sizes[one]! - sizes[other]!);
    const isSure = wanted[first!]!.every((option) => option.length === 1);
    const checks = (isSure ? others : [first!, ...others]).map((term) =>
      wanted[term]!.map((option) => option.map((numbers) => new Set(numbers))),
    );
    const found = this.#candidates(wanted[first!]!);
    return checks.length === 0 ? found : found.filter((item) => this.#hasAll(item, checks));
  }

  /** Returns whether any word matches `wanted`. */
  has(wanted: Wanted): boolean {
    const [from, to] = this.#wordRange(wanted);
    return from < to;
  }

  /** Returns the words with this phonetic form, or with these consonants. */
  sounding(sound: string): readonly string[] {
    this.#wordsOfSound ??= wordsBySound(this.words);
    return this.#wordsOfSound.get(sound) ?? [];
  }

  /** Returns the number of parts that contain a word. */
  frequencyOf(word: string): number {
    const [from, to] = this.#wordRange({ word, isPrefix: false });
    return from === to ? 0 : this.#partsOfWord.start[to]! - this.#partsOfWord.start[from]!;
  }

  /** Returns the ascending positions of items that have the rarest word of any option. */
  #candidates(options: readonly Option[]): Uint32Array {
    const { start, values } = this.#itemsOfPart;
    const isFound = this.#isFound.fill(0);
    let count = 0;
    for (const option of options)
      for (const number of rarest(option, this.#size))
        for (let at = start[number]!, end = start[number + 1]!; at < end; at += 1) {
          count += 1 - isFound[values[at]!]!;
          isFound[values[at]!] = 1;
        }
    const found = new Uint32Array(count);
    for (let item = isFound.indexOf(1), at = 0; at < count; item = isFound.indexOf(1, item + 1), at += 1)
      found[at] = item;
    return found;
  }

  #hasAll(item: number, checks: readonly (readonly (readonly ReadonlySet<number>[])[])[]): boolean {
    const { start, values } = this.#partsOfItem;
    const parts = values.subarray(start[item], start[item + 1]);
    return checks.every((options) =>
      options.some((option) => option.every((numbers) => parts.some((part) => numbers.has(part)))),
    );
  }

  /** Counts the items of the given parts. An item with several parts is counted several times. */
  readonly #size = (numbers: Uint32Array): number => {
    const { start } = this.#itemsOfPart;
    let size = 0;
    for (const number of numbers) size += start[number + 1]! - start[number]!;
    return size;
  };

  #partsOf(wanted: Wanted): Uint32Array {
    const [from, to] = this.#wordRange(wanted);
    const { start, values } = this.#partsOfWord;
    return values.subarray(start[from], start[to]);
  }

  #wordRange({ word, isPrefix }: Wanted): [from: number, to: number] {
    const from = firstFrom(this.words, word);
    if (isPrefix) return [from, firstFrom(this.words, word + lastLetter)];
    return [from, this.words[from] === word ? from + 1 : from];
  }

  #factPart(fact: string): Uint32Array {
    const number = this.#numbers.get(factSign + fact);
    return Uint32Array.from(number === undefined ? [] : [number]);
  }

  #partsWith(piece: string): Uint32Array {
    const numbers: number[] = [];
    for (let at = this.#text.indexOf(piece); at >= 0; at = this.#text.indexOf(piece, at + 1)) {
      const number = firstFrom(this.#textEnds, at + 1);
      if (numbers.at(-1) !== number) numbers.push(number);
    }
    return Uint32Array.from(numbers);
  }

  #numberOf(text: string): number {
    const known = this.#numbers.get(text);
    if (known !== undefined) return known;
    const number = this.#folded.length;
    this.#numbers.set(text, number);
    const isFact = text.startsWith(factSign);
    this.#folded.push(isFact ? "" : foldText(text));
    for (const form of new Set(isFact ? [] : unitsOf(text).flatMap(({ forms }) => forms))) {
      const known = this.#partsByWord.get(form);
      if (known === undefined) this.#partsByWord.set(form, [number]);
      else known.push(number);
    }
    return number;
  }
}

/** Returns the searchable words of an item that are not in its names. */
function extraWords({ market_hash_name, phase, type }: NamedItem): string[] {
  const isVanilla = type === "Knife" && !market_hash_name.includes(" | ");
  return [
    ...(phase === null ? [] : [phase, phase.replace("Phase ", "P")]),
    ...(type === null ? [] : [type]),
    ...(isVanilla ? [vanilla] : []),
  ];
}

/** Splits a literal at `|` and `(`. Each piece is within one part of every name that contains the literal. */
function piecesOf(literal: string): string[] {
  return literal.split(/[|(]/).flatMap((piece) => piece.trim() || []);
}

function inverted({ start, values }: Lists, keys: number): Lists {
  const ends = new Uint32Array(keys + 1);
  for (const key of values) ends[key + 1]! += 1;
  for (let key = 0; key < keys; key += 1) ends[key + 1]! += ends[key]!;
  const next = ends.slice();
  const items = new Uint32Array(values.length);
  for (let item = 0; item + 1 < start.length; item += 1)
    for (let at = start[item]!; at < start[item + 1]!; at += 1) items[next[values[at]!]!++] = item;
  return { start: ends, values: items };
}

function listsOf(lists: readonly (readonly number[])[]): Lists {
  const start = new Uint32Array(lists.length + 1);
  for (const [key, list] of lists.entries()) start[key + 1] = start[key]! + list.length;
  return { start, values: Uint32Array.from(lists.flat()) };
}

/** Returns the index of the first sorted element that is not less than `least`. */
function firstFrom<Value extends string | number>(words: ArrayLike<Value>, least: Value): number {
  let low = 0;
  let high = words.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (words[middle]! < least) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** Returns the parts of the word in the option with the fewest items. */
function rarest(option: Option, size: (numbers: Uint32Array) => number): Uint32Array {
  return option.length === 1 ? option[0]! : option.reduce((one, other) => (size(other) < size(one) ? other : one));
}

function wordsBySound(words: readonly string[]): Map<string, string[]> {
  const found = new Map<string, string[]>();
  for (const word of words) {
    const sound = soundOf(word);
    for (const key of new Set([sound, consonantsOf(sound)])) {
      const known = found.get(key);
      if (known === undefined) found.set(key, [word]);
      else known.push(word);
    }
  }
  return found;
}
