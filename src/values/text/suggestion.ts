import { closest, distance } from "fastest-levenshtein";

/** Letters per permitted mistake. Swapped letters count as two mistakes, and short words may have them. */
const lettersPerMistake = 3;
const shortLetters = 4;
const lettersMax = 60;

/** Returns the known word nearest to a mistyped word, without regard to case. Returns null if none is near. */
export function nearestOf(word: string, known: readonly string[]): string | null {
  if (known.length === 0 || word.length > lettersMax) return null;
  const typed = word.toLowerCase();
  const lower = known.map((name) => name.toLowerCase());
  const nearest = closest(typed, lower);
  const isShort = word.length <= shortLetters && inOrder(typed) !== inOrder(nearest);
  const mistakes = isShort ? 1 : Math.max(2, Math.floor(word.length / lettersPerMistake));
  return distance(typed, nearest) <= mistakes ? (known[lower.indexOf(nearest)] ?? null) : null;
}

/** Returns a suggestion to append to a message, such as ", perhaps `search`". Returns "" if no word is near. */
export function perhaps(word: string, known: readonly string[]): string {
  const nearest = nearestOf(word, known);
  return nearest === null ? "" : `, perhaps \`${nearest}\``;
}

/** Returns the letters of a word, sorted. */
function inOrder(word: string) {
  return [...word].sort().join("");
}
