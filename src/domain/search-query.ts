import { unitsOf } from "../values/search/name-words.ts";
import { foldText } from "../values/text/search-text.ts";

/** Words of a search, and case-folded texts that a name must contain literally. */
export type SearchQuery = { readonly words: string; readonly literals: readonly string[] };

const quote = '"';
const letterOrDigit = /[\p{L}\p{N}]/u;

/** Parses `q` into words and literal parts in quotes. All of it is literal if it has no letter or digit, or an unclosed quote. */
export function searchQuery(q: string): SearchQuery {
  const parts = q.split(quote);
  const words = parts.filter((_, index) => index % 2 === 0).join(" ");
  const literals = parts.filter((part, index) => index % 2 === 1 && part !== "").map(foldText);
  const isLiteral = parts.length % 2 === 0 || !letterOrDigit.test(q) || literals.length + unitsOf(words).length === 0;
  return isLiteral ? { words: "", literals: [foldText(q)] } : { words, literals: [...new Set(literals)] };
}
