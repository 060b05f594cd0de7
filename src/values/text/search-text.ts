/** What a name is searched by: both names folded, and the words of each; null: there is no Russian name. */
type SearchTexts = { searchText: string; words: string; wordsRu: string | null };

const tradeMarks = /[™℠]/g;
const marks = /\p{M}+/gu;
const borders = /[\s|()[\]{}]+/gu;
const withoutWeight = /[\p{P}\p{S}\p{Cf}]+/gu;

/** Printable ASCII, Russian letters, and the signs of knives and counters. */
const commonLetter = /^[ -~а-яё★™]$/;
const commonCodeMax = "★".charCodeAt(0);
/** What each common letter of a folded name becomes; undefined: it is not common. Most names need no look into Unicode's tables. */
let commonLetters: readonly (string | undefined)[] | undefined;

/**
 * Returns text as the literal search compares it: NFC, without regard to case. The way over upper case is what makes `ß` equal `SS` (and
 * the lower case before it, `ẞ` too); the final sigma that lower-casing puts at a word's end would hide a match in a longer text.
 */
export function foldText(text: string): string {
  return foldCase(text.normalize("NFC")).normalize("NFC");
}

/**
 * Returns text as the search by words compares it: no case, accents, full-width forms, punctuation or signs, and one space between
 * words. Spaces, `|` and brackets end a word; what else has no weight joins what stands around it: `AK-47` is `ak47`. But for the
 * spaces each character has its own form, so the words of a part of a text are parts of the words of the text.
 */
export function wordsText(text: string): string {
  return wordsOf(foldText(text));
}

/** Returns the columns of an item that `q` is looked for in. In `searchText` each name stands on a line of its own. */
export function searchTexts(marketHashName: string, nameRu: string | null): SearchTexts {
  const folded = foldText(marketHashName);
  if (nameRu === null) return { searchText: folded, words: wordsOf(folded), wordsRu: null };
  const foldedRu = foldText(nameRu);
  return { searchText: `${folded}\n${foldedRu}`, words: wordsOf(folded), wordsRu: wordsOf(foldedRu) };
}

function wordsOf(folded: string): string {
  commonLetters ??= lettersUpTo(commonCodeMax);
  let words = "";
  for (let index = 0; index < folded.length; index += 1) {
    const letter = commonLetters[folded.charCodeAt(index)];
    if (letter === undefined) return spaced(withoutSigns(folded));
    words += letter;
  }
  return spaced(words);
}

function lettersUpTo(codeMax: number): (string | undefined)[] {
  return Array.from({ length: codeMax + 1 }, (_, code) => {
    const letter = String.fromCharCode(code);
    return commonLetter.test(letter) ? withoutSigns(letter) : undefined;
  });
}

function foldCase(text: string): string {
  return text.toLowerCase().toUpperCase().toLowerCase().replaceAll("ς", "σ");
}

/** Returns folded text as words have it, letter by letter: with all spaces. */
function withoutSigns(folded: string): string {
  // Before NFKD, which would make two letters of a trade mark.
  const bare = foldCase(folded.replace(tradeMarks, "").normalize("NFKD").replace(marks, ""));
  return bare.replace(borders, " ").replace(withoutWeight, "");
}

function spaced(words: string): string {
  return (words.includes("  ") ? words.replace(/ {2,}/g, " ") : words).trim();
}
