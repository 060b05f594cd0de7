import { expect } from "chai";
import fc from "fast-check";
import { foldText, searchTexts } from "../../src/values/text/search-text.ts";
import { anyText } from "../support/any-text.ts";
import { bySize } from "../support/size.ts";

const wordsText = (text: string) => searchTexts(text, null).words;

describe("search text", () => {
  it("folds composed and decomposed letters, case and each sigma to one text", () => {
    expect(foldText("É")).to.equal(foldText("e\u0301"));
    expect(foldText("СЕРФ")).to.equal(foldText("серф"));
    expect(foldText("ΟΔΟΣ ΟΔΟΣ")).to.equal(foldText("οδος οδοσ"));
    expect(new Set(["Straße", "STRAẞE", "STRASSE"].map(foldText)).size).to.equal(1);
  });

  it("folds every basic plane character to a fixed point", () => {
    const unstable: string[] = [];
    for (let code = 0; code < 0xffff; code += 1) {
      const text = String.fromCharCode(code);
      if (foldText(foldText(text)) !== foldText(text)) unstable.push(code.toString(16));
    }
    expect(unstable).to.deep.equal([]);
  });

  it("has each of two names on its own line", () => {
    expect(searchTexts("AK-47", "АК").searchText).to.equal("ak-47\nак");
    expect(searchTexts("AK-47", null)).to.deep.equal({ searchText: "ak-47", words: "ak47", wordsRu: null });
  });

  it("yields words without case, accents, punctuation or full-width forms", () => {
    expect(wordsText("★ StatTrak™ Karambit | Doppler (Factory New)")).to.equal("stattrak karambit doppler factory new");
    expect(wordsText("  ＡＫ－４７|Éßΐ…  (x)[y] ")).to.equal("ak47 essι x y");
    expect(wordsText("Ёлка й №2")).to.equal("елка и no2");
    expect(wordsText("★ | - ™")).to.equal("");
  });

  it("yields words unchanged, and parts of them for partial texts", () => {
    const letters = fc.oneof(anyText(), fc.constantFrom(" ", "|", "-", "ß", "Σ", "é", "е\u0308", "™"));
    fc.assert(
      fc.property(fc.array(letters), fc.nat(), fc.nat(), (parts, from, length) => {
        const text = Array.from(foldText(parts.join("")));
        const words = wordsText(text.join(""));
        const start = from % (text.length + 1);
        const part = text.slice(start, start + length).join("");
        for (const word of wordsText(part).split(" ")) expect(words).to.include(word);
        expect(wordsText(words)).to.equal(words);
      }),
      { numRuns: bySize({ short: 200, long: 1000 }) },
    );
  });
});
