import { latinOf, type Unit, unitsOf } from "./name-words.ts";
import { isCode, nicknames, nicknameWordsMax } from "./nicknames.ts";
import { romanized } from "./sounds.ts";

/** A word to match. A prefix matches beginnings of words; other words match as a whole. */
export type Wanted = { readonly word: string; readonly isPrefix: boolean };
/** Possible meanings of a search word. A term matches if all words of one option match. `text` is the typed text. */
export type Term = { readonly text: string; readonly options: readonly (readonly Wanted[])[] };

/** Shorter words only match whole words. */
const prefixLettersMin = 3;
/** Words with more parts than `m4a4` only match as a whole. */
const partsMax = 3;
const yearFrom = 13;
const yearTo = 29;

/**
 * Splits a search into terms. Each term is a word, or a nickname of several words.
 * @param isSuggesting Whether the last word is still being typed, and so may be the beginning of any word.
 */
export function readTerms(text: string, isSuggesting = false): Term[] {
  const units = unitsOf(text);
  const terms: Term[] = [];
  for (let index = 0; index < units.length; ) {
    const count = nicknameLength(units, index);
    const isLast = isSuggesting && index + Math.max(1, count) === units.length && !/\s$/.test(text);
    const words = units.slice(index, index + Math.max(1, count));
    terms.push(termOf(words, count > 0, isLast));
    index += words.length;
  }
  return terms;
}

/** Returns the number of words of the nickname at `index`; 0 without a nickname. */
function nicknameLength(units: readonly Unit[], index: number): number {
  for (let count = nicknameWordsMax; count > 0; count -= 1)
    if (index + count <= units.length && nicknames.has(nameOf(units.slice(index, index + count)))) return count;
  return 0;
}

function nameOf(units: readonly Unit[]): string {
  return units.map(({ whole }) => whole).join(" ");
}

function termOf(units: readonly Unit[], isNickname: boolean, isLast: boolean): Term {
  const text = nameOf(units);
  const options = isNickname ? nicknames.get(text)!.map((words) => words.map((word) => wanted(word, false))) : [];
  if (!isNickname || !isCode(text)) options.push(...ownOptions(units, isLast));
  return { text, options };
}

/** Returns the meanings of words that are not a nickname: joined, in parts, in Latin letters, and two digits as a year. */
function ownOptions(units: readonly Unit[], isLast: boolean): Wanted[][] {
  const options = [units.map(({ whole }) => wanted(whole, isLast))];
  const [unit] = units;
  if (units.length > 1 || unit === undefined) return options;
  const { whole, forms } = unit;
  const parts = piecesOf(whole, forms);
  if (parts.length > 1 && parts.length <= partsMax) options.push(parts.map((part) => wanted(part, false)));
  const latin = [latinOf(whole), ...(/\d/.test(whole) ? [romanized(whole)] : [])];
  for (const word of latin) if (word !== whole) options.push([wanted(word, isLast)]);
  if (/^\d\d$/.test(whole) && Number(whole) >= yearFrom && Number(whole) <= yearTo)
    options.push([wanted(`20${whole}`, false)]);
  return options;
}

/** Returns the smallest parts of a word, in order. */
function piecesOf(whole: string, forms: readonly string[]): string[] {
  return forms.length === 1 ? [whole] : (whole.match(/\p{L}+|\p{N}+/gu) ?? []);
}

function wanted(word: string, isLast: boolean): Wanted {
  return { word, isPrefix: isLast || word.length >= prefixLettersMin };
}
