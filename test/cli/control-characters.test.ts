import { join } from "node:path";
import { expect } from "chai";
import { displayLines } from "../../src/cli/print.ts";
import { runHere } from "../support/cli.ts";
import { temporaryFolder } from "../support/files.ts";

/** Clears a terminal, begins a control sequence in one character, and turns the direction of a line. */
const unsafe = "\u001b[2J\u009b31m\u202e";

describe("control characters in arguments", () => {
  const folder = temporaryFolder();
  const path = join(folder, unsafe);
  for (const words of [
    [unsafe],
    ["help", unsafe],
    [`--${unsafe}`],
    ["serve", "--db", path],
    ["serve", "--port", unsafe],
    ["serve", `--${unsafe}`],
    ["get", unsafe],
    ["get", "getItem", unsafe],
    ["get", "getItem", `${unsafe}=1`],
    ["search", "ak", "--url", unsafe],
    ["export", join(path, "none.csv")],
    ["export", `none.${unsafe}`],
    ["import", "quotes", path, "--adapter", "steam"],
    ["import", "quotes", path, "--adapter", unsafe],
    ["accounts", "show", unsafe, "--db", path],
    ["accounts", "create", "Ann", unsafe, "--db", path],
    ["accounts", "usage", "--month", unsafe],
    ["db", "check", path, "--db", path],
    ["completion", unsafe],
    ["releases", "check", path],
    ["doctor", "--url", unsafe],
  ])
    it(`are not repeated raw by ${words.join(" ").replaceAll(path, "PATH").replaceAll(unsafe, "TEXT")}`, async () => {
      const { code, lines, notes } = await runHere(words);
      expect(code).to.not.equal(0);
      expect([...lines, ...notes].join("\n"))
        .to.match(/./)
        .and.not.match(/[\u001b\u009b\u202e]/);
    });

  it("are the only characters replaced, however long the message is", () => {
    const rest = "x".repeat(200);
    expect(displayLines(`a\tb\n\u001b[2J\r\u202e★ 🔥${rest}`)).to.equal(`a\tb\n?[2J??★ 🔥${rest}`);
  });
});
