import type { Distances } from "../../../values/text/nearest-word.ts";
import type { Api } from "../../browser/api.ts";
import type { Item } from "./types.ts";
export type Named = Pick<Item, "market_hash_name"> & { name_ru: string | null };

import { attemptsOf, nearestAmong, wordsOfNames, wordsOfSearch } from "../../../values/text/nearest-word.ts";
import { loadedMax } from "./search.ts";

/** The library that tells how far two words are apart: asked for only where a search finds nothing. */
const library = "../../browser/levenshtein.js";
/** Most requests for a hint. */
const requestsMax = 2;

/**
 * Returns what to search for: all words but one, or the beginning or end of the only one. The longest word, which is the likeliest to be
 * mistyped, comes first.
 */
export function attemptsFor(q: string): { q: string; word: string }[] {
  return attemptsOf(wordsOfSearch(q))
    .slice(0, requestsMax)
    .map(({ before, after, word }) => ({ q: [...before, ...after].join(" "), word }));
}

/**
 * Finds what a search without rows most likely means: its words without the quotes, which make a part of it literal, or the word that is
 * nearest to a mistyped one among the names that the other words find. Makes at most two requests.
 * @returns The search to make instead; null where nothing else is near.
 * @throws {ItemtapeError | TransportError} when the API does not answer.
 */
export async function nearestSearch(api: Api, q: string, signal: AbortSignal): Promise<string | null> {
  const find = async (words: string) => (await api.call("listItems", { q: words, limit: loadedMax }, { signal })).data;
  const isQuoted = q.includes('"');
  const plain = isQuoted ? wordsOfSearch(q).join(" ") : q;
  if (isQuoted && plain !== "" && (await find(plain)).length > 0) return plain;
  const distances: Distances = await import(library);
  for (const attempt of attemptsFor(plain).slice(0, isQuoted ? requestsMax - 1 : requestsMax)) {
    const meant = searchMeant(plain, attempt.word, await find(attempt.q), distances);
    if (meant !== null) return meant;
  }
  return null;
}

/**
 * Returns a search with the word of these items' names that is nearest to `word` in its place; null where none is near, or the word is
 * among them: then filters or the other words leave no item.
 * @param word One that `attemptsFor` left out.
 */
export function searchMeant(q: string, word: string, items: readonly Named[], distances: Distances) {
  const names = items.flatMap(({ market_hash_name, name_ru }) => [market_hash_name, name_ru ?? ""]);
  const near = nearestAmong(word, wordsOfNames(names), distances);
  if (near === null || near === word.toLowerCase()) return null;
  const parts = q.split(/([\s"]+)/);
  return parts.map((part) => (part === word ? near : part)).join("");
}
