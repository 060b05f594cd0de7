import { closest, distance } from "fastest-levenshtein";

/** A word of so many letters may have one mistake more than a shorter one. Letters in the wrong order are two, which a short word may have, too. */
const lettersPerMistake = 3;
const shortLetters = 4;
const lettersMax = 60;

/** Returns the known word that a mistyped one most likely means, whatever its upper and lower case; null: none is near. */
export function nearestOf(word: string, known: readonly string[]): string | null {
  if (known.length === 0 || word.length > lettersMax) return null;
  const typed = word.toLowerCase();
  const lower = known.map((name) => name.toLowerCase());
  const nearest = closest(typed, lower);
  const isShort = word.length <= shortLetters && inOrder(typed) !== inOrder(nearest);
  const mistakes = isShort ? 1 : Math.max(2, Math.floor(word.length / lettersPerMistake));
  return distance(typed, nearest) <= mistakes ? (known[lower.indexOf(nearest)] ?? null) : null;
}

/** Returns the part of a message that names the known word that is meant, such as ", perhaps `search`"; empty if no word is near. */
export function perhaps(word: string, known: readonly string[]): string {
  const nearest = nearestOf(word, known);
  return nearest === null ? "" : `, perhaps \`${nearest}\``;
}

/** Returns the letters of a word in their own order. */
function inOrder(word: string) {
  return [...word].sort().join("");
}
