/**
 * Returns text in the form of the literal search: NFC and case-insensitive. Upper case makes `ß` equal `SS`; the lower case before it does
 * so for `ẞ`. A final sigma is replaced, because it would hide a match in a longer text.
 */
export function foldText(text: string): string {
  return foldCase(text.normalize("NFC")).normalize("NFC");
}

/** Returns the search text of an item: one folded line per name. */
export function searchTextOf(marketHashName: string, nameRu: string | null): string {
  return (nameRu === null ? [marketHashName] : [marketHashName, nameRu]).map(foldText).join("\n");
}

function foldCase(text: string): string {
  return text.toLowerCase().toUpperCase().toLowerCase().replaceAll("ς", "σ");
}
