import { createRequire } from "node:module";
import { nearestAmong } from "./nearest-word.ts";

/** Returns the known word that a mistyped one most likely means, whatever its upper and lower case; null: none is near. */
export function nearestOf(word: string, known: readonly string[]): string | null {
  return known.length === 0 ? null : nearestAmong(word, known, distances());
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
