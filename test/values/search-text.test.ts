import { expect } from "chai";
import { foldText, searchText } from "../../src/values/search-text.ts";

describe("search text", () => {
  it("letters fold to one text whether composed or decomposed, of either case, and for each sigma", () => {
    expect(foldText("É")).to.equal(foldText("e\u0301"));
    expect(foldText("СЕРФ")).to.equal(foldText("серф"));
    expect(foldText("ΟΔΟΣ ΟΔΟΣ")).to.equal(foldText("οδος οδοσ"));
    expect(new Set(["Straße", "STRAẞE", "STRASSE"].map(foldText)).size).to.equal(1);
  });

  it("folding a text twice equals folding it once, for every character of the basic plane", () => {
    const unstable: string[] = [];
    for (let code = 0; code < 0xffff; code += 1) {
      const text = String.fromCharCode(code);
      if (foldText(foldText(text)) !== foldText(text)) unstable.push(code.toString(16));
    }
    expect(unstable).to.deep.equal([]);
  });

  it("the search text has each of the two names on a line of its own", () => {
    expect(searchText("AK-47", "АК")).to.equal("ak-47\nак");
    expect(searchText("AK-47", null)).to.equal("ak-47");
  });
});
