import { wordsText } from "../../values/text/search-text.ts";
import type { Database } from "../database.ts";

/** Maximum searched characters of a text, and maximum returned items. */
const textMax = 100;
const itemsMax = 10;

// Not built by Drizzle: the number of conditions depends on the number of words.
/** Returns catalog items that have, for each word of a text, a name with a word beginning with it. Shorter names are first. */
export function suggestedItems({ $client: client }: Database, text: string): { name: string; phase: string | null }[] {
  const words = wordsText(text.slice(0, textMax))
    .split(" ")
    .filter((word) => word !== "");
  if (words.length === 0) return [];
  const conditions = words.map(() => "instr(' ' || words || ' ' || coalesce(words_ru, ''), ' ' || ?) > 0");
  const rows = client.prepare<string[], { name: string; phase: string | null }>(
    `SELECT market_hash_name AS name, phase FROM items WHERE in_catalog = 1 AND ${conditions.join(" AND ")}
     ORDER BY length(market_hash_name), market_hash_name, phase LIMIT ${itemsMax}`,
  );
  return rows.all(...words);
}
