import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { gunzipSync } from "node:zlib";
import { expect } from "chai";
import { search } from "../../../src/values/search/mend.ts";
import { nicknames } from "../../../src/values/search/nicknames.ts";
import { meant, ranked } from "../../../src/values/search/rank.ts";
import { WordIndex } from "../../../src/values/search/word-index.ts";
import { catalogVariants } from "../../domain/search-ring.ts";
import { itLong } from "../../support/size.ts";
import { needRealData, realDataFolder } from "../../support/skip.ts";

type Item = Parameters<WordIndex["add"]>[0] & { best_ask_cents: number | null };

const nicknamesMax = 80;
const rightShareMin = 0.97;
const queriesFile = join(realDataFolder, "search/queries.tsv");
const newestPrices = "latest-20260808T064627146Z.json.gz";
const wear = / \((?:Factory New|Minimal Wear|Field-Tested|Well-Worn|Battle-Scarred)\)$/;

/** Names, some with the type of an item that is neither a weapon nor a sticker, a phase, or a Russian name. */
const rows: readonly (readonly [name: string, facts?: Partial<Item>])[] = [
  ["StatTrak™ AK-47 | Redline (Field-Tested)"],
  ["AK-47 | Redline (Field-Tested)", { name_ru: "AK-47 | Красная линия (После полевых испытаний)" }],
  ["AK-47 | Redline (Minimal Wear)", { best_ask_cents: 100 }],
  ["AWP | Redline (Field-Tested)"],
  ["Sticker | Dragon Lore", { type: "Sticker" }],
  ["Souvenir AWP | Dragon Lore (Factory New)"],
  ["AWP | Dragon Lore (Minimal Wear)", { name_ru: "AWP | История о драконе (Немного поношенное)" }],
  ["AWP | Dragon Lore (Factory New)"],
  ["★ Bowie Knife | Marble Fade (Factory New)", { type: "Knife" }],
  ["★ Bowie Knife | Fade (Factory New)", { type: "Knife" }],
  ["★ Bowie Knife", { type: "Knife" }],
  ["★ Talon Knife | Doppler (Factory New)", { type: "Knife", phase: "Phase 2" }],
  ["★ Talon Knife | Doppler (Factory New)", { type: "Knife", phase: "Sapphire" }],
  ["Glock-18 | Oxide Blaze (Factory New)"],
  ["Desert Eagle | Blaze (Factory New)"],
  ["Chroma 2 Case", { type: "Container" }],
  ["Chroma Case", { type: "Container" }],
  ["Chroma Case Key", { type: "Key" }],
  ["M4A4 | Asiimov (Field-Tested)", { name_ru: "M4A4 | Азимов (После полевых испытаний)" }],
  ["M4A1-S | Golden Coil (Field-Tested)"],
  ["SSG 08 | Blood in the Water (Factory New)"],
  ["Sticker | Well Worn (Foil)", { type: "Sticker" }],
  ["Sticker | Titan (Holo) | Katowice 2014", { type: "Sticker" }],
  ["Sticker | Titan (Holo) | Katowice 2015", { type: "Sticker" }],
  ["Charm | Pocket AWP", { type: "Charm" }],
];
const items: readonly Item[] = rows.map(([market_hash_name, facts], position) => ({
  item_id: position + 1,
  market_hash_name,
  name_ru: null,
  phase: null,
  type: "Weapon",
  best_ask_cents: null,
  ...facts,
}));

/** Best matches by the numbers of the rows above, from 1. */
const cases: readonly (readonly [rule: string, q: string, first: number])[] = [
  ["a part of a name, the plain item and the exterior", "ak redline ft", 2],
  ["the exterior with a price", "redline", 3],
  ["the edition that is asked for", "st ak redline", 1],
  ["the exact name", "sticker | dragon lore", 5],
  ["weapons before stickers, the best exterior", "dragon lore", 8],
  ["a nickname", "dlore mw", 7],
  ["the name with the fewest words left over", "bowie fade", 10],
  ["a finish of one word before one of two", "blaze", 15],
  ["the name without a number", "chroma case", 17],
  ["a container before its key", "chroma 2", 16],
  ["a knife without a finish", "vanilla bowie", 11],
  ["a phase", "talon p2", 12],
  ["a phase by its name", "talon sapphire", 13],
  ["joined words of a name", "m4a1s", 20],
  ["a short name of a weapon", "m4", 19],
  ["a nickname of two words", "scout blood", 21],
  ["a year of two digits", "titan holo kato 14", 23],
  ["words of an exterior in a name", "well worn foil", 22],
  ["swapped letters", "ak redlien ft", 2],
  ["a missing letter", "asimov", 19],
  ["a word that no name has before others", "ak redlin minmal", 3],
  ["a Russian name", "история о драконе", 7],
  ["an English name as it sounds in Russian", "драгон лор", 8],
  ["Russian letters that look like Latin ones", "м4а4 азимов", 19],
];

describe("ranked search", () => {
  const index = indexOf(items);
  const best = (q: string, isSuggesting = false) => bestOf(index, items, q, isSuggesting);

  for (const [rule, q, first] of cases)
    it(`ranks first ${rule}: ${q}`, () => {
      expect(best(q)[0]?.item_id).to.equal(first);
    });

  it("finds an unfinished last word while it is typed", () => {
    expect(best("dragon l").length).to.equal(0);
    expect(best("dragon l", true)[0]?.item_id).to.equal(8);
    expect(best("d l", true)).to.have.length(0);
  });

  it("returns the intended item, and none if several match alike", () => {
    const one = (q: string) => meant(best(q), q, false)?.item_id ?? null;
    expect([one("ak redline ft"), one("talon doppler"), one("redline")]).to.deep.equal([2, null, null]);
    expect(meant(best("blaze"), "blaze", true)).to.equal(null);
  });

  it(`has at most ${nicknamesMax} nicknames`, () => {
    expect(nicknames.size).to.be.at.most(nicknamesMax);
  });

  itLong("ranks the intended item first for traders' queries on the whole catalog", async function () {
    needRealData(this);
    const variants = await catalogVariants();
    const all = variants.map((variant, position) => ({
      item_id: position + 1,
      market_hash_name: variant.marketHashName,
      name_ru: variant.nameRu,
      phase: variant.phase,
      type: variant.type,
      best_ask_cents: null,
    }));
    const large = indexOf(all);
    const steam = JSON.parse(gunzipSync(readFileSync(join(realDataFolder, "steam/full", newestPrices))).toString());
    const own = new URL("queries.tsv", import.meta.url);
    const files = [own, ...(existsSync(queriesFile) ? [queriesFile] : [])];
    if (files.length === 1) process.stdout.write(`without ${queriesFile}: it is not there\n`);
    for (const file of files)
      for (const prices of [steam.prices, {}]) {
        const priced = all.map((item) => ({ ...item, best_ask_cents: prices[item.market_hash_name] ?? null }));
        const queries = readFileSync(file, "utf8").trim().split("\n").slice(1);
        const wrong = queries.flatMap((line) => {
          const [q = "", expected = ""] = line.split("\t");
          const first = bestOf(large, priced, q)[0]?.market_hash_name;
          return isExpected(first, expected) ? [] : [`${q}: ${first}`];
        });
        expect(1 - wrong.length / queries.length, wrong.join("; ")).to.be.at.least(rightShareMin);
      }
  });
});

function indexOf(items: readonly Item[]): WordIndex {
  const index = new WordIndex();
  for (const item of items) index.add(item);
  index.finish();
  return index;
}

function bestOf(index: WordIndex, items: readonly Item[], q: string, isSuggesting = false): Item[] {
  const { positions, readAs } = search(index, q, isSuggesting);
  const found = Array.from(positions, (position) => items[position]!);
  return ranked(found, readAs ?? q);
}

/** Returns whether a name is expected, with any exterior if the expected name has none. A leading `~` marks a pattern. */
function isExpected(name: string | undefined, expected: string): boolean {
  if (name === undefined) return false;
  return expected.split(" || ").some((one) => {
    return one.startsWith("~") ? new RegExp(one.slice(1)).test(name) : one === name || one === name.replace(wear, "");
  });
}
