import { expect } from "chai";
import { foldText, searchText } from "../../src/values/search-text.ts";

describe("search text", () => {
  it("composed and decomposed letters, cases and sigmas fold to one text", () => {
    expect(foldText("É")).to.equal(foldText("e\u0301"));
    expect(foldText("СЕРФ")).to.equal(foldText("серф"));
    expect(foldText("ΟΔΟΣ ΟΔΟΣ")).to.equal(foldText("οδος οδοσ"));
    expect(new Set(["Straße", "STRAẞE", "STRASSE"].map(foldText)).size).to.equal(1);
  });

  it("folding twice is folding once, for every character of the basic plane", () => {
    const unstable: string[] = [];
    for (let code = 0; code < 0xffff; code += 1) {
      const text = String.fromCharCode(code);
      if (foldText(foldText(text)) !== foldText(text)) unstable.push(code.toString(16));
    }
    expect(unstable).to.deep.equal([]);
  });

  it("the two names stand on lines of their own", () => {
    expect(searchText("AK-47", "АК")).to.equal("ak-47\nак");
    expect(searchText("AK-47", null)).to.equal("ak-47");
  });
});
