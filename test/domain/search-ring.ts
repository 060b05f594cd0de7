import { existsSync } from "node:fs";
import { join } from "node:path";
import { readDemoList } from "../../src/demo/list.ts";
import { Catalog } from "../../src/domain/catalog.ts";
import { SearchIndex } from "../../src/domain/search-index.ts";
import { buildCatalog } from "../../src/import/catalog/build-catalog.ts";
import { importCatalog } from "../../src/import/catalog/catalog-import.ts";
import { readCatalogSources } from "../../src/import/catalog/read-source.ts";
import { documentsOf } from "../../src/import/catalog/shipped-catalog.ts";
import type { CatalogVariant } from "../../src/import/catalog/variants.ts";
import { closeDatabase, openReader, openWriter } from "../../src/store/database.ts";
import { CatalogStore } from "../../src/store/read/catalog.ts";
import { MarketStateStore } from "../../src/store/read/market-state.ts";
import { nicknames } from "../../src/values/search/nicknames.ts";
import { Random } from "../sim/random.ts";
import { newDatabase, temporaryFolder } from "../support/files.ts";
import { referenceOf } from "../support/reference.ts";
import { realDataFolder } from "../support/skip.ts";

/** An item as the oracle sees it: its names as they are, and all words that it is found by. */
type Item = { id: number; literals: string[]; words: ReadonlySet<string>; wear: string | null; isCounter: boolean };

const at = Date.UTC(2026, 0, 15, 12);
const queryCharsMax = 120;
const wearCodes: Readonly<Record<string, string>> = {
  fn: "Factory New",
  mw: "Minimal Wear",
  ft: "Field-Tested",
  ww: "Well-Worn",
  bs: "Battle-Scarred",
};

/** Returns every variant of the real catalog if it is beside the checkout, else of the demo. */
export async function catalogVariants(): Promise<CatalogVariant[]> {
  if (existsSync(realDataFolder))
    return buildCatalog(await readCatalogSources([join(realDataFolder, "catalog")], realDataFolder)).variants;
  return demoVariants();
}

/** Returns every variant of the demo's catalog. */
export function demoVariants(): CatalogVariant[] {
  return buildCatalog({ cs2Lib: documentsOf(readDemoList()), csgoApi: null }).variants;
}

/** Opens the catalog of a file as a server does. `asked` is a caller who may use every filter. */
export async function openCatalog(path: string) {
  const reader = openReader(path);
  const state = new MarketStateStore(reader);
  const store = new CatalogStore(reader);
  const index = new SearchIndex({ catalog: () => store, state });
  const catalog = new Catalog({ store, state, index });
  const reference = referenceOf(reader);
  await index.refresh();
  const close = () => {
    index.close();
    closeDatabase(reader);
  };
  return { catalog, asked: { caller: { plan: "trader" as const }, reference }, close };
}

/**
 * Imports the variants, renames some of them, and runs random searches. Compares their results with a scan of every name, letter by letter
 * and without the program's own comparison.
 */
export async function searchRing({
  queries,
  seed,
  variants,
}: {
  queries: number;
  seed: number;
  variants: CatalogVariant[];
}) {
  const random = new Random(seed);
  const path = join(temporaryFolder(), "market.db");
  newDatabase(path, (database) => void importCatalog(database, variants, at));
  const renamed = variants.map((one) =>
    random.chance(0.03) ? { ...one, marketHashName: `${one.marketHashName} ${strange(random)}` } : one,
  );
  const writer = openWriter(path, 0);
  importCatalog(writer, renamed, at + 1);
  closeDatabase(writer);
  const { catalog, asked, close } = await openCatalog(path);
  const items = itemsOf(renamed);
  const faults: string[] = [];
  let found = 0;
  for (let count = 0; count < queries; count += 1) {
    const q = randomQuery(random, random.pick(renamed));
    if (hasOtherMeaning(q)) continue;
    const cursor = random.chance(0.7) ? 0 : random.between(0, items.length);
    const limit = random.between(1, 100);
    const { data, meta } = catalog.list(catalog.prepareList({ q, cursor, limit }, asked), random.chance(0.5));
    const ids = data.map((item) => item.item_id);
    const all = matching(items, q);
    if (all.length === 0 && meta.read_as !== null) continue;
    const expected = all.filter((id) => id > cursor);
    const next = expected.length > limit ? expected[limit - 1]! : null;
    const isRight =
      ids.join() === expected.slice(0, limit).join() && meta.next_cursor === next && meta.read_as === null;
    if (!isRight)
      faults.push(`seed ${seed}: q=${JSON.stringify(q)} cursor=${cursor}: ${ids.join()} instead of ${expected.join()}`);
    if (ids.length > 0) found += 1;
  }
  close();
  return { queries, found, faults };
}

function itemsOf(variants: readonly CatalogVariant[]): Item[] {
  return variants.map(({ marketHashName, nameRu, phase, type, wear, statCounter }, position) => {
    const isVanilla = type === "Knife" && !marketHashName.includes(" | ");
    const texts = [marketHashName, nameRu, type, phase, phase?.replace("Phase ", "P"), isVanilla ? "vanilla" : null];
    return {
      id: position + 1,
      literals: [marketHashName, nameRu ?? ""].map((name) => lettersOf(name.normalize("NFC"))),
      words: new Set(texts.flatMap((text) => bareWords(text ?? "").flatMap(runsOf))),
      wear,
      isCounter: statCounter === true,
    };
  });
}

/** Returns all neighbouring pieces of letters or digits, joined. */
function runsOf(word: string): string[] {
  const pieces = word.match(piecesPattern) ?? [];
  const runs = pieces.flatMap((_, from) =>
    pieces.slice(from).map((_, more) => pieces.slice(from, from + more + 1).join("")),
  );
  return pieces.length > 6 ? [...pieces, pieces.join("")] : runs;
}

const piecesPattern = /\p{L}+|\p{N}+/gu;

/** Returns whether words have a meaning that the oracle does not know: nicknames, years, letters that look alike. */
function hasOtherMeaning(q: string): boolean {
  const words = bareWords(q).map((word) => (word.match(piecesPattern) ?? []).join(""));
  return words.some((word, index) => {
    const pair = `${word} ${words[index + 1] ?? ""}`;
    const isNickname = (nicknames.has(word) && !(word in wearCodes) && word !== "st") || nicknames.has(pair);
    return isNickname || /^\d\d$/.test(word) || /^[авекмнорстух\d]+$/.test(word) || /[а-я].*\d|\d.*[а-я]|&/.test(word);
  });
}

function matching(items: readonly Item[], q: string): number[] {
  const wanted = readQuery(q);
  const hasWord = ({ words }: Item, word: string) =>
    word.length < 3 ? words.has(word) : [...words].some((own) => own.startsWith(word));
  return items
    .filter((item) => {
      if (!wanted.wears.every((one) => one === item.wear) || (wanted.isCounter && !item.isCounter)) return false;
      const hasAll = wanted.words.every((pieces) => {
        return hasWord(item, pieces.join("")) || (pieces.length <= 3 && pieces.every((piece) => hasWord(item, piece)));
      });
      return hasAll && wanted.literals.every((text) => item.literals.some((name) => name.includes(text)));
    })
    .map(({ id }) => id);
}

function readQuery(q: string) {
  const wanted = { words: [] as string[][], literals: [] as string[], wears: [] as string[], isCounter: false };
  const hasWeight = [...q].some((character) => /^[\p{L}\p{N}]$/u.test(character));
  const quotes = [...q].filter((character) => character === '"').length;
  if (!hasWeight || quotes % 2 === 1) return { ...wanted, literals: [lettersOf(q.normalize("NFC"))] };
  const parts = q.split('"');
  for (let index = 0; index < parts.length; index += 1) {
    const part = parts[index]!;
    if (index % 2 === 1) wanted.literals.push(lettersOf(part.normalize("NFC")));
    else
      for (const word of bareWords(part)) {
        const pieces = word.match(piecesPattern) ?? [];
        if (pieces.join("") in wearCodes) wanted.wears.push(wearCodes[pieces.join("")]!);
        else if (pieces.join("") === "st") wanted.isCounter = true;
        else if (pieces.length > 0) wanted.words.push(pieces);
      }
  }
  return wanted;
}

/** Returns text without case, letter by letter. */
function lettersOf(text: string): string {
  return Array.from(text, (letter) => letter.toLowerCase().toUpperCase().toLowerCase())
    .join("")
    .normalize("NFC");
}

function bareWords(text: string): string[] {
  let words = "";
  for (const letter of text.replace(/™|℠/g, "").normalize("NFKD")) {
    if (/\p{M}/u.test(letter)) continue;
    words += /[\s|()[\]{}]/u.test(letter) ? " " : lettersOf(letter);
  }
  return words.split(/\s+/).filter(Boolean);
}

/** Returns words of an item's name or parts of them, in any order and case, sometimes with unknown text. */
function randomQuery(random: Random, { marketHashName, nameRu, wear }: CatalogVariant): string {
  const name = nameRu !== null && random.chance(0.3) ? nameRu : marketHashName;
  const words = name.split(" ");
  const parts: string[] = [];
  for (let count = random.between(1, 5); count > 0; count -= 1) {
    const kind = random.weighted([
      ["word", 8],
      ["piece", 4],
      ["code", 2],
      ["quoted", 2],
      ["strange", 1],
      ["open", 0.2],
    ]);
    const word = random.pick(words);
    if (kind === "word") parts.push(dressed(random, word));
    if (kind === "piece") parts.push(dressed(random, pieceOf(random, word)));
    if (kind === "code") parts.push(codeOf(random, wear));
    if (kind === "quoted") parts.push(`"${pieceOf(random, name).replaceAll('"', "")}"`);
    if (kind === "strange") parts.push(strange(random));
    if (kind === "open") parts.push('"');
  }
  return [...parts.join(random.pick([" ", " ", "  ", " | ", "|", "\u3000"]))].slice(0, queryCharsMax).join("");
}

function pieceOf(random: Random, text: string): string {
  const letters = [...text];
  const from = random.between(0, letters.length - 1);
  return letters.slice(from, random.between(from + 1, letters.length)).join("");
}

function codeOf(random: Random, wear: string | null): string {
  const own = Object.keys(wearCodes).find((code) => wearCodes[code] === wear);
  const code = random.chance(0.6) && own !== undefined ? own : random.pick([...Object.keys(wearCodes), "st", "st"]);
  return random.chance(0.3) ? `(${code.toUpperCase()})` : code;
}

function dressed(random: Random, word: string): string {
  return random.pick([
    (text: string) => text,
    (text: string) => text.toUpperCase(),
    (text: string) => text.replaceAll("-", ""),
    (text: string) => text.normalize("NFD"),
    (text: string) => text.replace(/[!-~]/g, (one) => String.fromCharCode(one.charCodeAt(0) + 0xfee0)),
    (text: string) => `${text.slice(0, 1)}-${text.slice(1)}`,
    (text: string) => `★(${text})™`,
  ])(word);
}

function strange(random: Random): string {
  return random.pick([
    "Café",
    "STRASSE",
    "straße",
    "ΟΔΟΣ",
    "龍王",
    "ﬁne",
    "№ 5",
    "zz",
    "%",
    "_",
    "★",
    "|",
    "  ",
    "Й",
    "x²",
    "’",
  ]);
}
