import { unitsOf } from "./name-words.ts";
import { nicknames } from "./nicknames.ts";
import { compared } from "./rank.ts";
import { readTerms, type Term } from "./read-words.ts";
import { consonantsOf, soundOf } from "./sounds.ts";
import type { WordIndex } from "./word-index.ts";

/** Positions of the items found, and the corrected words if one was mistyped, else null. */
type Searched = {
  readonly positions: Uint32Array;
  readonly terms: readonly Term[];
  readonly readAs: string | null;
};

const lettersMin = 3;
const lettersMax = 30;
const candidatesMax = 12;
/** Letters per permitted mistake. */
const lettersPerMistake = 3;
const mistakesMax = 2;
/** Distances of a word that sounds the same, and of a word with the same consonants. */
const soundDistance = 0.5;
const consonantsDistance = 1.5;
const consonantsMin = 2;
/** Longest search in words that is corrected, and most unknown words in it. */
const termsMax = 8;
const mendedMax = 3;
const partLettersMin = 2;

/** Searches by words. If no item has all words, corrects mistyped words: first the unknown words, then also one known word. */
export function search(index: WordIndex, text: string, isSuggesting = false): Searched {
  const terms = readTerms(text, isSuggesting);
  const positions = terms.length === 0 ? new Uint32Array() : index.find(terms);
  if (positions.length > 0 || terms.length === 0) return { positions, terms, readAs: null };
  const next = mended(index, terms);
  if (next === null) return { positions, terms, readAs: null };
  return { positions: index.find(next), terms: next, readAs: textOf(next, text) };
}

/** Returns corrected terms that match an item; null if no correction is near. */
function mended(index: WordIndex, terms: readonly Term[]): readonly Term[] | null {
  const isKnown = ({ options }: Term) => options.some((option) => option.every((wanted) => index.has(wanted)));
  const unknown = terms.filter((term) => !isKnown(term));
  const known = terms.filter((term) => !unknown.includes(term)).sort((a, b) => b.text.length - a.text.length);
  if (unknown.length > mendedMax || terms.length > termsMax) return null;
  const asked = known.map((term) => [...unknown, term]);
  for (const wrong of unknown.length === 0 ? asked : [unknown, ...asked]) {
    const next = replacedAll(index, terms, wrong);
    if (next !== null) return next;
  }
  return null;
}

/** Replaces all `wrong` terms so that the terms match an item. Returns null if no word is near. */
function replacedAll(index: WordIndex, terms: readonly Term[], wrong: readonly Term[]): readonly Term[] | null {
  let next = terms;
  for (const term of wrong) {
    // The term was joined to the previous one.
    if (!next.includes(term)) continue;
    const others = wrong.filter((other) => other !== term && next.includes(other));
    const replacedOne = replaced(index, next, term, others);
    if (replacedOne === null) return null;
    next = replacedOne;
  }
  return next;
}

/** Replaces `term` so that an item matches all terms except `unknown`. Returns null if no word is near. */
function replaced(
  index: WordIndex,
  terms: readonly Term[],
  term: Term,
  unknown: readonly Term[],
): readonly Term[] | null {
  const at = terms.indexOf(term);
  const finds = (next: readonly Term[]) => index.find(next.filter((one) => !unknown.includes(one))).length > 0;
  for (const next of joinedOrSplit(index, terms, at)) if (finds(next)) return next;
  const others = new Set(terms.map(({ text }) => text));
  for (const word of candidatesOf(index, term.text)) {
    if (others.has(word)) continue;
    const next = terms.flatMap((one) => (one === term ? readTerms(word) : [one]));
    if (finds(next)) return next;
  }
  return null;
}

/** Returns terms as a search text. Words that occur in `typed` keep their spelling. */
function textOf(terms: readonly Term[], typed: string): string {
  const written = new Map(typed.split(/\s+/).map((word) => [unitsOf(word)[0]?.whole, word]));
  return terms.flatMap(({ text }) => text.split(" ").map((word) => written.get(word) ?? word)).join(" ");
}

/** Yields the terms with term `at` joined to a neighbour, or split into two known words. */
function* joinedOrSplit(index: WordIndex, terms: readonly Term[], at: number): Generator<readonly Term[]> {
  const isWord = (word: string) => index.frequencyOf(word) > 0 || nicknames.has(word);
  for (const from of [at - 1, at]) {
    const pair = terms.slice(Math.max(0, from), from + 2);
    const joined = pair.map(({ text }) => text).join("");
    if (pair.length === 2 && isWord(joined)) yield terms.toSpliced(from, 2, ...readTerms(joined));
  }
  const { text } = terms[at]!;
  for (let end = text.length - partLettersMin; end >= partLettersMin; end -= 1) {
    const [start, rest] = [text.slice(0, end), text.slice(end)];
    if (isWord(start) && isWord(rest)) yield terms.toSpliced(at, 1, ...readTerms(`${start} ${rest}`));
  }
}

/** Returns the words that a typed word may mean, likeliest first. */
function candidatesOf(index: WordIndex, typed: string): string[] {
  if (typed.length < lettersMin || typed.length > lettersMax) return [];
  const distances = new Map<string, number>();
  const add = (word: string, distance: number) => {
    if (word !== typed && distance < (distances.get(word) ?? Number.POSITIVE_INFINITY)) distances.set(word, distance);
  };
  const sound = soundOf(typed);
  if (sound.length >= lettersMin) for (const word of index.sounding(sound)) add(word, soundDistance);
  const consonants = consonantsOf(sound);
  if (consonants.length >= consonantsMin) for (const word of index.sounding(consonants)) add(word, consonantsDistance);
  const mistakes = Math.min(mistakesMax, Math.floor(typed.length / lettersPerMistake));
  const half = typed.slice(-Math.floor(typed.length / 2));
  const [least, most] = [Math.max(lettersMin, typed.length - mistakes), typed.length + mistakes];
  for (const words of [index.words, nicknames.keys()])
    for (const word of words)
      if (word.length >= least && word.length <= most && (word[0] === typed[0] || word.endsWith(half)))
        add(word, mistakesBetween(typed, word, mistakes));
  const keysOf = (word: string) => [distances.get(word)!, word[0] === typed[0] ? 0 : 1, -index.frequencyOf(word)];
  return [...distances.keys()]
    .map((word) => ({ word, keys: keysOf(word) }))
    .sort((a, b) => compared(a.keys, b.keys))
    .slice(0, candidatesMax)
    .map(({ word }) => word);
}

/** Returns the number of wrong, missing, extra and swapped letters between two words. Returns infinity above `most`. */
function mistakesBetween(one: string, other: string, most: number): number {
  let before: number[] = [];
  let last = Array.from({ length: other.length + 1 }, (_, column) => column);
  for (let row = 1; row <= one.length; row += 1) {
    const next = [row];
    for (let column = 1; column <= other.length; column += 1) {
      const isSame = one[row - 1] === other[column - 1];
      let least = Math.min(last[column]! + 1, next[column - 1]! + 1, last[column - 1]! + (isSame ? 0 : 1));
      if (row > 1 && column > 1 && one[row - 1] === other[column - 2] && one[row - 2] === other[column - 1])
        least = Math.min(least, before[column - 2]! + 1);
      next.push(least);
    }
    if (Math.min(...next) > most) return Number.POSITIVE_INFINITY;
    [before, last] = [last, next];
  }
  return last[other.length]! <= most ? last[other.length]! : Number.POSITIVE_INFINITY;
}
