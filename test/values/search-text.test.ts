import { expect } from "chai";
import fc from "fast-check";
import { foldText, searchText } from "../../src/values/search-text.ts";

describe("search text", () => {
  it("composed and decomposed letters, cases and sigmas fold to one text", () => {
    expect(foldText("É")).to.equal(foldText("e\u0301"));
    expect(foldText("СЕРФ")).to.equal(foldText("серф"));
    expect(foldText("ΟΔΟΣ ΟΔΟΣ")).to.equal(foldText("οδος οδοσ"));
    expect(foldText("Straße")).to.equal(foldText("STRASSE"));
  });

  it("folding twice is folding once", () => {
    fc.assert(fc.property(fc.string({ unit: "binary" }), (text) => foldText(foldText(text)) === foldText(text)));
  });

  it("the two names stand on lines of their own", () => {
    expect(searchText("AK-47", "АК")).to.equal("ak-47\nак");
    expect(searchText("AK-47", null)).to.equal("ak-47");
  });
});
