import { expect } from "chai";
import { displayText } from "../../src/values/text/display-text.ts";

describe("displayText", () => {
  it("replaces control, direction, invisible and lone surrogate characters by question marks", () => {
    expect(displayText("a\u001b[2J\u009b\n\u202e\u2028\ud800\ufe0f\u3164\u{e0041}z")).to.equal("a?[2J????????z");
  });

  it("keeps letters of every script, symbols and one-character emoji", () => {
    expect(displayText("★ Zeus x27 | 龍王 (Дракон) ™ 🔥")).to.equal("★ Zeus x27 | 龍王 (Дракон) ™ 🔥");
  });

  it("truncates after the given number of characters, with a mark", () => {
    expect(displayText("abcdef", 5)).to.equal("abcde…");
    expect(displayText("abcde", 5)).to.equal("abcde");
    expect(displayText("x".repeat(500))).to.equal(`${"x".repeat(120)}…`);
  });
});
