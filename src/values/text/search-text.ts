/** Search columns of an item: both folded names, and the words of each name. `wordsRu` is null without a Russian name. */
type SearchTexts = { searchText: string; words: string; wordsRu: string | null };

const tradeMarks = /[™℠]/g;
const marks = /\p{M}+/gu;
const borders = /[\s|()[\]{}]+/gu;
const withoutWeight = /[\p{P}\p{S}\p{Cf}]+/gu;

/** Printable ASCII, Russian letters, and the symbols of knives and StatTrak. */
const commonLetter = /^[ -~а-яё★™]$/;
const commonCodeMax = "★".charCodeAt(0);
/** Word form of each common letter by character code; undefined for other letters. Most names need only this table instead of Unicode's. */
let commonLetters: readonly (string | undefined)[] | undefined;

/**
 * Returns text in the form of the literal search: NFC and case-insensitive. Upper case makes `ß` equal `SS`; the lower case before it does
 * so for `ẞ`. A final sigma is replaced, because it would hide a match in a longer text.
 */
export function foldText(text: string): string {
  return foldCase(text.normalize("NFC")).normalize("NFC");
}

/** Returns the search columns of an item. `searchText` has one line per name. */
export function searchTexts(marketHashName: string, nameRu: string | null): SearchTexts {
  const folded = foldText(marketHashName);
  if (nameRu === null) return { searchText: folded, words: wordsOf(folded), wordsRu: null };
  const foldedRu = foldText(nameRu);
  return { searchText: `${folded}\n${foldedRu}`, words: wordsOf(folded), wordsRu: wordsOf(foldedRu) };
}

/**
 * Returns folded text as words: without accents, full-width forms and punctuation, and with single spaces. Spaces, `|` and brackets separate
 * words; other punctuation joins its neighbours: `AK-47` becomes `ak47`. Each character is converted separately, so the words of a substring
 * are substrings of the words.
 */
function wordsOf(folded: string): string {
  commonLetters ??= lettersUpTo(commonCodeMax);
  let words = "";
  for (let index = 0; index < folded.length; index += 1) {
    const letter = commonLetters[folded.charCodeAt(index)];
    if (letter === undefined) return spaced(withoutPunctuation(folded));
    words += letter;
  }
  return spaced(words);
}

function lettersUpTo(codeMax: number): (string | undefined)[] {
  return Array.from({ length: codeMax + 1 }, (_, code) => {
    const letter = String.fromCharCode(code);
    return commonLetter.test(letter) ? withoutPunctuation(letter) : undefined;
  });
}

function foldCase(text: string): string {
  return text.toLowerCase().toUpperCase().toLowerCase().replaceAll("ς", "σ");
}

/** Converts folded text to its word form, and keeps all spaces. */
function withoutPunctuation(folded: string): string {
  // Removed before NFKD, which would turn a trade mark into two letters.
  const bare = foldCase(folded.replace(tradeMarks, "").normalize("NFKD").replace(marks, ""));
  return bare.replace(borders, " ").replace(withoutWeight, "");
}

function spaced(words: string): string {
  return (words.includes("  ") ? words.replace(/ {2,}/g, " ") : words).trim();
}
