import { cpSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { expect } from "chai";
import { findDerivedDrift } from "../../scripts/contract/derived-drift.ts";
import { exitCodeMeanings } from "../../scripts/guides/exit-codes.ts";
import { deriveGuides } from "../../scripts/guides/tables.ts";
import { kitResultsFile } from "../../scripts/sdk/kit-results.ts";
import { plans } from "../../src/access/plans.ts";
import { exitCodes } from "../../src/values/failure/operator-error.ts";
import { temporaryFolder } from "../support/files.ts";
import { guideFolder, readGuides, repository } from "../support/guides.ts";

const guide = (name: string) => readFileSync(`${repository}${guideFolder}/${name}.md`, "utf8");
/** Rows of the generated table of a guide, without marks, as cells. */
const rowsOf = (name: string, table: string) => {
  const [, , text = ""] = guide(name).split(new RegExp(`<!-- generated: (${table}) -->`));
  const [block = ""] = text.split("<!-- /generated -->");
  const lines = block.split("\n").filter((line) => line.startsWith("|"));
  const cells = (line: string) => line.slice(2, -2).replaceAll("\\|", "\u0000").split(" | ");
  return lines.slice(2).map((line) => cells(line).map((cell) => cell.replaceAll("\u0000", "|").replaceAll("`", "")));
};

describe("generated tables of README and guides", () => {
  it("list every plan and every exit code with a meaning", () => {
    const shown = rowsOf("command-line", "exit codes");
    expect(shown.map(([code]) => Number(code))).to.deep.equal([...exitCodeMeanings().keys()]);
    expect(shown.map(([code]) => Number(code))).to.include.members(Object.values(exitCodes));
    const ofWrongNode = /process\.exit\((\d+)\)/.exec(readFileSync(`${repository}src/cli/itemtape.mjs`, "utf8"))?.[1];
    expect(shown.map(([code]) => code)).to.include(ofWrongNode);
    for (const [code, meaning] of shown) expect(meaning, code).to.match(/\w{2}/);
    expect(rowsOf("operating", "plans").map(([plan]) => plan)).to.deep.equal(Object.keys(plans));
  });

  it("fail `generate:check` after an edit, unlike the text around them", () => {
    const folder = temporaryFolder();
    try {
      for (const { path } of [...readGuides(), { path: "scripts/sdk/package.json" }, { path: kitResultsFile }]) {
        mkdirSync(dirname(join(folder, path)), { recursive: true });
        cpSync(repository + path, join(folder, path));
      }
      const path = `${guideFolder}/command-line.md`;
      const file = join(folder, path);
      const edit = (from: string, to: string) => writeFileSync(file, readFileSync(file, "utf8").replace(from, to));
      const drift = () => findDerivedDrift(folder, deriveGuides(folder)).join("\n");
      expect(drift()).to.equal("");
      edit("# The command line", "# Another title");
      expect(drift()).to.equal("");
      edit("export: wrong digest", "export: right digest");
      expect(drift()).to.contain(path).and.contain("npm run generate");
      edit("<!-- generated: exit codes -->", "<!-- generated: exit code -->");
      expect(drift).to.throw("unknown generated table `exit code`");
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  });
});
