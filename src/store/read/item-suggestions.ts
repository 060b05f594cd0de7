import { wordsText } from "../../values/text/search-text.ts";
import type { Database } from "../database.ts";

/** Characters of a text that are looked for, and items that are returned. */
const textMax = 100;
const itemsMax = 10;

// Not built by Drizzle: as many conditions as words.
/** Returns items of the catalog with a name in which a word begins with each word of a text, shorter names first. */
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
