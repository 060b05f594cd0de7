import { expect } from "chai";
import { foldText, searchTextOf } from "../../src/values/text/search-text.ts";

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
    expect(searchTextOf("AK-47", "АК")).to.equal("ak-47\nак");
    expect(searchTextOf("AK-47", null)).to.equal("ak-47");
  });
});
