/**
 * Text as the search compares it: NFC, without regard to case. Going through upper case first is what makes `ß` equal `SS`
 * and the three sigmas one; the final sigma that lower-casing puts at a word's end would hide a match inside a longer text.
 */
export function foldText(text: string): string {
  return text.normalize("NFC").toUpperCase().toLowerCase().replaceAll("ς", "σ").normalize("NFC");
}

/** What `q` looks into. The names stand on lines of their own, so that no `q` matches across both. */
export function searchText(marketHashName: string, nameRu: string | null): string {
  return nameRu === null ? foldText(marketHashName) : `${foldText(marketHashName)}\n${foldText(nameRu)}`;
}
