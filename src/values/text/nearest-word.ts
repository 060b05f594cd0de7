/** A search for all but one word, or for a part of the only one. */
type Attempt = { before: readonly string[]; after: readonly string[]; word: string; isPart: boolean };

/** Shorter words are as good as none to search by. */
const lettersMin = 3;

/**
 * Returns the words of a search without its quotes. Where they come in pairs they surround a literal part; an odd one within a word is a slip
 * of the finger, and the word goes on behind it: `karamb"it` is one.
 */
export function wordsOfSearch(q: string): string[] {
  const isSlip = q.split('"').length % 2 === 0;
  const text = isSlip ? q.replaceAll(/(?<=[^\s"])"(?=[^\s"])/g, "") : q;
  return text
    .replaceAll('"', " ")
    .split(/\s+/)
    .filter((word) => word !== "");
}

/** Returns what to search for in the place of words that found nothing. The longest word, which is the likeliest to be mistyped, is left out first. */
export function attemptsOf(words: readonly string[]): Attempt[] {
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

/** Returns the words of names that can be searched by, each once, lower case. */
export function wordsOfNames(names: readonly string[]): string[] {
  const words = names.flatMap((name) => name.toLowerCase().split(/[^\p{L}\p{N}]+/u));
  return [...new Set(words)].filter((word) => word.length >= lettersMin);
}
