/** A word between spaces: as a whole, then its parts and all runs of them, such as `m4a1s`, `m4`, `a1s`. */
export type Unit = { readonly whole: string; readonly forms: readonly string[] };

const tradeMarks = /[™℠]/g;
const marks = /\p{M}+/gu;
const borders = /[\s|()[\]{}]+/u;
const parts = /\p{L}+|\p{N}+/gu;
/** More parts have no runs, which would be many. */
const joinedPartsMax = 6;
const partBorder = / \| | \(/;
/** Cyrillic letters that look like Latin ones, as players type them in `м4а4`. */
const lookalikes: Readonly<Record<string, string>> = Object.fromEntries(
  [..."авекмнорстух"].map((letter, index) => [letter, "abekmhopctyx"[index]!]),
);
const and: Unit = { whole: "and", forms: ["and"] };
const onlyLookalikes = /^[авекмнорстух\d]+$/;

/** Returns a word without case, accents, full-width forms and trade marks. */
function bare(text: string): string {
  // Before NFKD, which would make two letters of a trade mark.
  return text.replace(tradeMarks, "").normalize("NFKD").replace(marks, "").toLowerCase().toUpperCase().toLowerCase();
}

/** Returns the words of a text; signs alone make none. */
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

/** Returns the pieces, and neighbouring ones joined. */
function runsOf(pieces: readonly string[]): string[] {
  if (pieces.length > joinedPartsMax) return [pieces.join(""), ...pieces];
  return pieces.flatMap((_, from) => pieces.slice(from).map((_, more) => pieces.slice(from, from + more + 1).join("")));
}

/** Returns Cyrillic letters as the Latin ones that they look like, if all of them do. */
export function latinOf(word: string): string {
  return onlyLookalikes.test(word) ? word.replace(/\D/g, (letter) => lookalikes[letter]!) : word;
}

/** Returns the parts of a name between its signs; two names have many in common. */
export function partsOf(name: string): string[] {
  return name.split(partBorder);
}
