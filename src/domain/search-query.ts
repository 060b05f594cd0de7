import type { NameFilter } from "../store/read/item-list.ts";
import { wears } from "../values/text/item-names.ts";
import { foldText, wordsText } from "../values/text/search-text.ts";

const quote = '"';
const letterOrDigit = /[\p{L}\p{N}]/u;
const counterCode = "st";
const wearNames = new Map<string, string>(wears.map(({ code, name }) => [code.toLowerCase(), name]));

/**
 * Reads `q`: words, codes of wears and of the counter, literal parts in quotes. All of it is one literal where it has no letter or
 * digit, or a quote that is not closed.
 */
export function searchQuery(q: string): NameFilter {
  const parts = q.split(quote);
  const isLiteral = parts.length % 2 === 0 || !letterOrDigit.test(q);
  const read = isLiteral ? null : readParts(parts);
  return read ?? { words: [], literals: [foldText(q)], equals: [] };
}

/** Returns null where nothing of the parts has a weight. */
function readParts(parts: readonly string[]): NameFilter | null {
  const literals = parts.filter((part, index) => index % 2 === 1 && part !== "").map(foldText);
  const outside = parts.filter((_, index) => index % 2 === 0);
  const all = new Set(outside.flatMap((part) => wordsText(part).split(" ")).filter((word) => word !== ""));
  const codes = [...all].flatMap((word) => wearNames.get(word) ?? []);
  const words = [...all].filter((word) => word !== counterCode && !wearNames.has(word));
  if (literals.length + all.size === 0) return null;
  return {
    // A word within another one is asked for by that.
    words: words.filter((word) => !words.some((other) => other !== word && other.includes(word))),
    literals: [...new Set(literals)],
    equals: [
      ...codes.map((value) => ({ fact: "wear" as const, value })),
      ...(all.has(counterCode) ? [{ fact: "statCounter" as const, value: 1 }] : []),
    ],
  };
}
