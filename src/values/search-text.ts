/**
 * Returns text as the search compares it: NFC, without regard to case. The way over upper case is what makes `ß` equal `SS` (and the
 * lower case before it, `ẞ` too); the final sigma that lower-casing puts at a word's end would hide a match in a longer text.
 */
export function foldText(text: string): string {
  return text.normalize("NFC").toLowerCase().toUpperCase().toLowerCase().replaceAll("ς", "σ").normalize("NFC");
}

/** Returns the text that `q` is looked for in. The names stand on lines of their own, so that no `q` matches across both. */
export function searchText(marketHashName: string, nameRu: string | null): string {
  return nameRu === null ? foldText(marketHashName) : `${foldText(marketHashName)}\n${foldText(nameRu)}`;
}
