/** @typedef {Pick<typeof import("fastest-levenshtein"), "closest" | "distance">} Distances */
/**
 * A search for all but one word, or for a part of the only one.
 * @typedef {{ before: readonly string[], after: readonly string[], word: string, isPart: boolean }} Attempt
 */

/** A word of so many letters may have one mistake more than a shorter one. Letters in the wrong order are two, which a short word may have, too. */
const lettersPerMistake = 3;
const shortLetters = 4;
const lettersMax = 60;
/** Shorter words are as good as none to search by. */
const lettersMin = 3;

/**
 * Returns the known word that a mistyped one most likely means, whatever its upper and lower case; null: none is near.
 * @param {string} word
 * @param {readonly string[]} known
 * @param {Distances} distances
 * @returns {string | null}
 */
export function nearestAmong(word, known, { closest, distance }) {
  if (known.length === 0 || word.length > lettersMax) return null;
  const typed = word.toLowerCase();
  const lower = known.map((name) => name.toLowerCase());
  const nearest = closest(typed, lower);
  const isShort = word.length <= shortLetters && inOrder(typed) !== inOrder(nearest);
  const mistakes = isShort ? 1 : Math.max(2, Math.floor(word.length / lettersPerMistake));
  return distance(typed, nearest) <= mistakes ? (known[lower.indexOf(nearest)] ?? null) : null;
}

/**
 * Returns the words of a search without its quotes. Where they come in pairs they surround a literal part; an odd one within a word is a slip
 * of the finger, and the word goes on behind it: `karamb"it` is one.
 * @param {string} q
 * @returns {string[]}
 */
export function wordsOfSearch(q) {
  const isSlip = q.split('"').length % 2 === 0;
  const text = isSlip ? q.replaceAll(/(?<=[^\s"])"(?=[^\s"])/g, "") : q;
  return text
    .replaceAll('"', " ")
    .split(/\s+/)
    .filter((word) => word !== "");
}

/**
 * Returns what to search for in the place of words that found nothing. The longest word, which is the likeliest to be mistyped, is left out first.
 * @param {readonly string[]} words
 * @returns {Attempt[]}
 */
export function attemptsOf(words) {
  const [word = ""] = words;
  if (words.length <= 1) {
    const half = Math.ceil(word.length / 2);
    if (half < lettersMin) return [];
    const parts = [word.slice(0, half), word.slice(-half), word.slice(0, lettersMin)];
    return [...new Set(parts)].map((part) => ({ before: [part], after: [], word, isPart: true }));
  }
  const attempts = words.map((left, index) => {
    return { before: words.slice(0, index), after: words.slice(index + 1), word: left, isPart: false };
  });
  return attempts.sort((a, b) => b.word.length - a.word.length);
}

/**
 * Returns the words of names that can be searched by, each once, lower case.
 * @param {readonly string[]} names
 * @returns {string[]}
 */
export function wordsOfNames(names) {
  const words = names.flatMap((name) => name.toLowerCase().split(/[^\p{L}\p{N}]+/u));
  return [...new Set(words)].filter((word) => word.length >= lettersMin);
}

/** Returns the letters of a word in their own order. @param {string} word */
function inOrder(word) {
  return [...word].sort().join("");
}
