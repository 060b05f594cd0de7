import { readdirSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { expect } from "chai";
import { expectShownAnswer, shownAnswers } from "./support/shown-answers.ts";
import { World } from "./support/world.ts";

const root = fileURLToPath(new URL("..", import.meta.url));
const readme = readFileSync(`${root}README.md`, "utf8");
const guide = (name: string) => readFileSync(`${root}src/web/docs/guides/${name}.md`, "utf8");

describe("README", () => {
  it("has at most 12,000 bytes and begins with the game", () => {
    expect(Buffer.byteLength(readme)).to.be.at.most(12_000);
    expect(readme).to.match(/^# Itemtape\n\n[^.:]*Counter-Strike 2/);
  });

  it("explains ten terms", () => {
    expect(rowsUnder("| term | meaning |", readme)).to.have.length(10);
  });

  it("has every folder and file of src in contributing's layout", () => {
    const named = rowsUnder("| folder | content |", guide("contributing")).flatMap((row) =>
      Array.from(row.matchAll(/`src\/([\w.]+)`/g), ([, name]) => name),
    );
    expect(named).to.have.members(readdirSync(`${root}src`));
  });

  it("shows shortened responses of the demo world", async function () {
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

/** The rows of the table with a header line that begins with `header`. */
function rowsUnder(header: string, text: string): string[] {
  const lines = text.split("\n");
  const start = lines.findIndex((line) => line.startsWith(header));
  expect(start, header).to.be.at.least(0);
  const end = lines.findIndex((line, index) => index > start && !line.startsWith("|"));
  return lines.slice(start + 2, end);
}
