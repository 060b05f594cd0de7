/** An entry of `/docs/search.json`: address, page title, part title, and the words of the text. */
export type Entry = readonly [path: string, title: string, part: string, words: string];

/** Weights of a word in the page title, the part title and the text. A match of a whole word counts twice. */
const weights = [8, 4, 1] as const;

/** Returns the entries with a match for the beginning of each query word, best first. */
export function foundIn(entries: readonly Entry[], query: string): Entry[] {
  const words = query.toLowerCase().split(/\s+/).filter(Boolean);
  const ranked = entries.flatMap((entry) => {
    const scores = words.map((word) => scoreOf(entry, word));
    return words.length === 0 || scores.includes(0) ? [] : [{ entry, score: scores.reduce((sum, one) => sum + one) }];
  });
  return ranked.sort((a, b) => b.score - a.score).map(({ entry }) => entry);
}

function scoreOf([, title, part, words]: Entry, word: string): number {
  return [title, part, words].reduce((sum, text, place) => {
    const own = partsOf(text).filter((one) => one.startsWith(word));
    return sum + (weights[place] ?? 0) * (own.includes(word) ? 2 : own.length === 0 ? 0 : 1);
  }, 0);
}

/** Returns the lower-case words of a text, and the parts of names such as `getIndexHistory` and `ask_max`. */
function partsOf(text: string): string[] {
  const whole = text.toLowerCase().split(/[^\p{L}\p{N}_.-]+/u);
  return [
    ...whole,
    ...text
      .replace(/([a-z])([A-Z])/g, "$1 $2")
      .toLowerCase()
      .split(/[^\p{L}\p{N}]+/u),
  ];
}
