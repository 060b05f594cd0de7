import { expect } from "chai";
import { Catalog } from "../../src/domain/catalog.ts";
import { SearchIndex } from "../../src/domain/search-index.ts";
import { CatalogStore } from "../../src/store/read/catalog.ts";
import { MarketStateStore } from "../../src/store/read/market-state.ts";
import { MarketFile } from "../support/market-file.ts";
import { referenceOf } from "../support/reference.ts";
import { bySize } from "../support/size.ts";
import { edit } from "../support/unguarded.ts";
import { demoVariants, searchRing } from "./search-ring.ts";

const names: Readonly<Record<string, string | null>> = {
  "AK-47 | Redline (Field-Tested)": "АК-47 | Красная линия (После полевых испытаний)",
  "AK-47 | Redline (Minimal Wear)": "АК-47 | Красная линия (Немного поношенное)",
  "StatTrak™ AK-47 | Redline (Field-Tested)": "StatTrak™ АК-47 | Красная линия (После полевых испытаний)",
  "★ Karambit | Doppler (Factory New)": "★ Керамбит | Волны (Прямо с завода)",
  "★ Butterfly Knife | Fade (Factory New)": "★ Нож-бабочка | Градиент (Прямо с завода)",
  "M4A1-S | Chantico's Fire (Well-Worn)": null,
  "Sticker | Gambit (Holo)": "Наклейка | Фнатик",
  "Sealed Graffiti | Café": "Граффити | Ёлка",
};
const wears = ["Factory New", "Minimal Wear", "Field-Tested", "Well-Worn"];

describe("search by words", () => {
  const file = new MarketFile();
  const state = new MarketStateStore(file.reader);
  const store = new CatalogStore(file.reader);
  const index = new SearchIndex({ catalog: () => store, state });
  const catalog = new Catalog({ store, state, index });
  const reference = referenceOf(file.reader);

  before(async () => {
    for (const [position, [name, nameRu]] of Object.entries(names).entries()) {
      file.item(position + 1, { name, nameRu });
      const wear = wears.find((one) => name.includes(one)) ?? null;
      const statCounter = Number(name.includes("StatTrak"));
      const sql = "UPDATE items SET wear = ?, stat_counter = ? WHERE item_id = ?";
      edit(file.writer.$client, sql, wear, statCounter, position + 1);
    }
    await index.refresh();
  });
  after(() => {
    index.close();
    file.remove();
  });

  function found(q: string): number[] {
    return catalog
      .list(catalog.prepareList({ q }, { caller: { plan: "trader" }, reference }), false)
      .data.map((item) => item.item_id);
  }

  const cases: [says: string, q: string, ids: number[]][] = [
    ["words in any order", "doppler karambit", [4]],
    ["parts of words at signs and digits", "ak redline", [1, 2, 3]],
    ["a wear by its code", "butterfly fade fn", [5]],
    ["a wear by its name", "redline field tested", [1, 3]],
    ["the counter by its code", "st ak", [3]],
    ["codes alone", "FT ST", [3]],
    ["two wears, which no item has", "redline fn mw", []],
    ["a name without its hyphen", "ak47", [1, 2, 3]],
    ["a hyphen as a space", "ak 47 redline mw", [2]],
    ["a name without its apostrophe", "chanticos", [6]],
    ["a whole name", "★ Karambit | Doppler (Factory New)", [4]],
    ["full-width letters", "ＡＫ－４７　ｒｅｄｌｉｎｅ　ｍｗ", [2]],
    ["no accents in the name", "cafe", [8]],
    ["accents that the name has not", "rédlíne mw", [2]],
    ["Russian words in any case", "ЛИНИЯ красная", [1, 2, 3]],
    ["a Russian letter without its dots", "елка", [8]],
    ["words of both names", "karambit волны", [4]],
    ["a beginning of a word", "gamb", [7]],
    ["no end of a word", "dline", []],
    ["two letters as a whole word", "fa", []],
    ["letters of another alphabet that look alike", "ак47 redline mw", [2]],
    ["a nickname", "kerambit", [4]],
    ["a mistyped word", "karambit dopplre", [4]],
    ["a word typed as it sounds", "редлайн mw", [2]],
    ["two words typed as one", "butterflyfade", [5]],
    ["a word typed as two", "stat trak redline", [3]],
    ["a quoted part, which is literal", '"ak-47 | r" mw', [2]],
    ["a quoted part of another spelling", '"ak47"', []],
    ["a quoted code, which is a part of a name", '"st"', [1, 3, 7]],
    ["a quoted part and a word of one name", '"Керамбит | " волны', [4]],
    ["a quoted part and a word of two names", '"Karambit | " волны', [4]],
    ["an unclosed quote", 'ak "47', []],
    ["no letter and no digit", "★", [4, 5]],
    ["no letter and no digit, twice", "| ", [1, 2, 3, 4, 5, 6, 7, 8]],
    ["empty quotes", '"" fade', [5]],
    ["an apostrophe of another kind", "chantico’s", [6]],
  ];
  for (const [says, q, ids] of cases)
    it(`understands ${says}: ${q}`, () => {
      expect(found(q)).to.deep.equal(ids);
    });

  const typed: [text: string, best: number][] = [
    ["ak redl", 2],
    ["stattrak ak", 3],
    ["калаш mw", 2],
    ["kerambit dop", 4],
    ["redlnie mw", 2],
    ["бабочка", 5],
  ];
  it("suggests the best items for a text that is being typed", () => {
    for (const [text, best] of typed) expect(catalog.suggest(text, 1)[0]?.item_id, text).to.equal(best);
    expect(catalog.suggest("redline", 2).map(({ item_id }) => item_id)).to.deep.equal([2, 1]);
    for (const text of ["", " ★ ", "xqzw"]) expect(catalog.suggest(text, 10), text).to.deep.equal([]);
  });

  it("requires all of many words", () => {
    const letters = "а б в г д е ж з и к л м н о п р с т у ф х ц ч ш щ ъ ы ь э ю я";
    expect(found(letters)).to.deep.equal([]);
    expect(found("a ak 47 redl mw redline")).to.deep.equal([]);
    expect(found("ak 47 redl mw redline")).to.deep.equal([2]);
  });

  it("finds the same as a look at every name for random searches", async () => {
    const queries = bySize({ short: 100, long: 5_000 });
    const variants = demoVariants().filter((_, position) => position % 4 === 0);
    const { faults, found: successes } = await searchRing({ queries, seed: 7, variants });
    expect(faults).to.deep.equal([]);
    expect(successes).to.be.above(queries / 3);
  });
});
