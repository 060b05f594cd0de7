import { spawnSync } from "node:child_process";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect } from "chai";
import { readDocumentText, repositoryRoot } from "../../scripts/contract/document.ts";
import { temporaryFolder } from "../support/files.ts";

/** Breaches of one line each, by the rule that finds them: one of the linter, one of its settings, and some of the plugin. */
const breaches: readonly [rule: string, line: RegExp, breach: string][] = [
  ["no-unresolved-refs", /(?<=code: \{ \$ref: ")[^"]+ErrorCode(?=" \}$)/m, "#/components/schemas/Absent"],
  ["rule/operation-id", /(?<=^ +operationId: )getUsage$/m, "fetchUsage"],
  ["itemtape/extensions", /(?<=^ {6}x-itemtape-)plan(?=: paid$)/m, "plans"],
  ["itemtape/extensions", /(?<=^ {6}x-itemtape-plan: )free$/m, "gratis"],
  ["itemtape/bounds", /(?<=^ {4}Cents:\n {6}type: )integer$/m, "number"],
  ["itemtape/open-lists", /(?<=^ {4}PoolFlag:\n {6}type: )string$/m, "[ string, integer ]"],
  ["itemtape/changelog", /(?<=^ {2}- change_id: )2$/m, "3"],
  ["itemtape/changelog", /(?<=^ {2}x-itemtape-revision: )"[^"]+"$/m, '"2026-11-01"'],
  ["itemtape/yaml", /(?<=^ +date: )"2026-11-22"$/m, "2026-11-22"],
];

describe("npm run contract:lint", () => {
  it("names file, line and rule of each violation and exits with 1", () => {
    const file = join(temporaryFolder(), "breaches.yaml");
    const expected: string[] = [];
    let text = readDocumentText();
    for (const [rule, line, breach] of breaches) {
      const at = text.search(line);
      expect(at, rule).to.be.greaterThan(0);
      expected.push(`${text.slice(0, at).split("\n").length} ${rule}`);
      text = text.replace(line, breach);
    }
    const wrapped = text.indexOf("      summary: ");
    text = text.replace("      summary: ", "      summary:  ");
    writeFileSync(file, text);
    const { status, stdout, stderr } = spawnSync(process.execPath, ["scripts/contract-lint.ts", file], {
      cwd: repositoryRoot,
      encoding: "utf8",
      env: { ...process.env, NO_COLOR: "1" },
    });
    const found = [...stdout.matchAll(/^ +(\d+):\d+ +error +(\S+) +\S/gm)].map(([, line, rule]) => `${line} ${rule}`);
    expect(found).to.include.members(expected);
    expect(stdout).to.contain("breaches.yaml:");
    expect(stderr).to.match(new RegExp(`breaches.yaml:${text.slice(0, wrapped).split("\n").length}: .* differently`));
    expect(status).to.equal(1);
  });
});
