import { readdirSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { expect } from "chai";
import { expectShownAnswer, shownAnswers } from "./support/shown-answers.ts";
import { World } from "./support/world.ts";

const root = fileURLToPath(new URL("..", import.meta.url));
const readme = readFileSync(`${root}README.md`, "utf8");

describe("the README", () => {
  it("the README has at most 13,000 bytes", () => {
    expect(Buffer.byteLength(readme)).to.be.at.most(13_000);
  });

  it("the README lists the operations of the contract with request, plan and cost", () => {
    const rows = readFileSync(`${root}generated/operations.txt`, "utf8").trimEnd().split("\n");
    const expected = rows.map((line) => {
      const [id, method, path, , plan, units] = line.split(/\s+/);
      return `| \`${id}\` | \`${method} ${path}\` | ${plan} | ${units} |`;
    });
    expect(rowsUnder("| operation | request |")).to.deep.equal(expected);
  });

  it("the README explains ten terms", () => {
    expect(rowsUnder("| term | meaning |")).to.have.length(10);
  });

  it("the README names every folder and file of src in its layout, and no other", () => {
    const named = rowsUnder("| folder | content |").flatMap((row) =>
      Array.from(row.matchAll(/`src\/([\w.]+)`/g), ([, name]) => name),
    );
    expect(named).to.have.members(readdirSync(`${root}src`));
  });

  it("the README shows shortened answers of the demo world", async function () {
    this.timeout(180_000);
    const world = await World.start();
    try {
      const steps = shownAnswers(readme);
      expect(steps).to.have.length(5);
      for (const step of steps) await expectShownAnswer(world, step);
    } finally {
      await world.stop();
    }
  });
});

/** The rows of the table whose header line begins with `header`. */
function rowsUnder(header: string): string[] {
  const lines = readme.split("\n");
  const start = lines.findIndex((line) => line.startsWith(header));
  expect(start, header).to.be.at.least(0);
  const end = lines.findIndex((line, index) => index > start && !line.startsWith("|"));
  return lines.slice(start + 2, end);
}
