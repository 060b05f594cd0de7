import { createRequire } from "node:module";

/** A word of so many letters may have one mistake more than a shorter one; two letters in the wrong order are two. */
const lettersPerMistake = 3;
const shortLetters = 4;
const lettersMax = 60;

/** Returns the known word that a mistyped one most likely means, whatever its upper and lower case; null: none is near. */
export function nearestOf(word: string, known: readonly string[]): string | null {
  if (known.length === 0 || word.length > lettersMax) return null;
  const { closest, distance } = distances();
  const typed = word.toLowerCase();
  const lower = known.map((name) => name.toLowerCase());
  const nearest = closest(typed, lower);
  const mistakes = word.length <= shortLetters ? 1 : Math.max(2, Math.floor(word.length / lettersPerMistake));
  return distance(typed, nearest) <= mistakes ? known[lower.indexOf(nearest)]! : null;
}

/** Returns the part of a message that names the known word that is meant, such as ", perhaps `search`"; empty: none is near. */
export function perhaps(word: string, known: readonly string[]): string {
  const nearest = nearestOf(word, known);
  return nearest === null ? "" : `, perhaps \`${nearest}\``;
}

/** Loads the distance of words. Every start of a command comes by here, and few have a mistyped word. */
function distances(): typeof import("fastest-levenshtein") {
  return createRequire(import.meta.url)("fastest-levenshtein") as typeof import("fastest-levenshtein");
}
