/** A word between spaces. `forms` are the whole word, its parts and all runs of parts, such as `m4a1s`, `m4`, `a1s`. */
export type Unit = { readonly whole: string; readonly forms: readonly string[] };

const tradeMarks = /[™℠]/g;
const marks = /\p{M}+/gu;
const borders = /[\s|()[\]{}]+/u;
const parts = /\p{L}+|\p{N}+/gu;
/** Words with more parts have no runs, because there would be too many. */
const joinedPartsMax = 6;
const partBorder = / \| | \(/;
/** Cyrillic letters that look like Latin letters; players type them in `м4а4`. */
const lookalikes: Readonly<Record<string, string>> = Object.fromEntries(
  [..."авекмнорстух"].map((letter, index) => [letter, "abekmhopctyx"[index]!]),
);
const and: Unit = { whole: "and", forms: ["and"] };
const onlyLookalikes = /^[авекмнорстух\d]+$/;

/** Normalises a word: removes case, accents, full-width forms and trade marks. */
function bare(text: string): string {
  // Removed before NFKD, which would turn a trade mark into two letters.
  return text.replace(tradeMarks, "").normalize("NFKD").replace(marks, "").toLowerCase().toUpperCase().toLowerCase();
}

/** Returns the words of a text. Punctuation alone makes no word. */
export function unitsOf(text: string): Unit[] {
  return bare(text).split(borders).flatMap(unitOf);
}

function unitOf(word: string): Unit | [] {
  if (word === "&") return and;
  const pieces = word.match(parts);
  if (pieces === null) return [];
  const whole = pieces.join("");
  if (pieces.length === 1) return { whole, forms: [whole] };
  const latin = pieces.map(latinOf);
  return { whole, forms: [...new Set([...runsOf(pieces), ...runsOf(latin)])] };
}

/** Returns the pieces and all runs of adjacent pieces, joined. */
function runsOf(pieces: readonly string[]): string[] {
  if (pieces.length > joinedPartsMax) return [pieces.join(""), ...pieces];
  return pieces.flatMap((_, from) => pieces.slice(from).map((_, more) => pieces.slice(from, from + more + 1).join("")));
}

/** Returns Cyrillic letters as the Latin letters that they resemble, if all letters resemble one. */
export function latinOf(word: string): string {
  return onlyLookalikes.test(word) ? word.replace(/\D/g, (letter) => lookalikes[letter]!) : word;
}

/** Splits a name into its parts at ` | ` and ` (`. Names share many parts. */
export function partsOf(name: string): string[] {
  return name.split(partBorder);
}
