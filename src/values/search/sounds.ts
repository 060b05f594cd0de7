/** Latin letters for Cyrillic letters, without accents. */
const latin: Readonly<Record<string, string>> = {
  а: "a",
  б: "b",
  в: "v",
  г: "g",
  д: "d",
  е: "e",
  ж: "zh",
  з: "z",
  и: "i",
  к: "k",
  л: "l",
  м: "m",
  н: "n",
  о: "o",
  п: "p",
  р: "r",
  с: "s",
  т: "t",
  у: "u",
  ф: "f",
  х: "h",
  ц: "c",
  ч: "ch",
  ш: "sh",
  щ: "sh",
  ъ: "",
  ы: "i",
  ь: "",
  э: "e",
  ю: "u",
  я: "a",
};
/** Letters that sound alike, in the order of their replacement. */
const alike: readonly (readonly [RegExp, string])[] = [
  [/ight/g, "it"],
  [/ow|ou/g, "au"],
  [/gh/g, ""],
  [/ph/g, "f"],
  [/ck|c(?=[^hiey])|c$|q/g, "k"],
  [/c(?=[iey])|z/g, "s"],
  [/x/g, "ks"],
  [/w/g, "v"],
  [/y|ee|ea/g, "i"],
  [/oo/g, "u"],
  [/(.)\1+/g, "$1"],
];
const cyrillic = /[а-я]/;
const vowels = /[aeiou]/g;

/** Returns the phonetic form of a word in Latin letters, so that `азимов` equals `asiimov`. */
export function soundOf(word: string): string {
  const text = romanized(word);
  return alike.reduce((sound, [letters, other]) => sound.replace(letters, other), text);
}

/** Transliterates a word into Latin letters. */
export function romanized(word: string): string {
  return cyrillic.test(word) ? [...word].map((letter) => latin[letter] ?? letter).join("") : word;
}

/** Returns the consonants of a phonetic form. A vowel at its start becomes `*`. */
export function consonantsOf(sound: string): string {
  return sound.replace(/^[aeiou]+/, "*").replace(vowels, "");
}
