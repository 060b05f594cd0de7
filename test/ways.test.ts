import { existsSync, readFileSync } from "node:fs";
import { posix } from "node:path";
import { expect } from "chai";
import { guideFolder, repository } from "./support/guides.ts";

const ways = waysOf(readFileSync(`${repository}${guideFolder}/contributing.md`, "utf8"));

describe("The files on the way", () => {
  it("the guide lists the files of a request, a charge, an export's line, a price and a run of the returns", () => {
    const things = Array.from(ways.keys(), (way) => /^(?:an?|the) (?:same )?(\w+)/.exec(way)?.[1]);
    expect(things).to.deep.equal(["request", "charge", "line", "price", "price", "run"]);
  });

  it("each way of the guide passes files that exist, each once", () => {
    for (const [way, files] of ways) {
      expect(files.length, way).to.be.at.least(6);
      expect(new Set(files).size, way).to.equal(files.length);
      for (const file of files) expect(existsSync(repository + file), `${way}: ${file}`).to.equal(true);
    }
  });

  it("each file on a way of the guide imports or starts another one of it, or is imported or started by one", () => {
    for (const [way, files] of ways) {
      const links = files.flatMap((file) => namedIn(file).map((named) => [file, named]));
      const linked = new Set(links.filter(([, named]) => files.includes(named!)).flat());
      expect(
        files.filter((file) => !linked.has(file)),
        way,
      ).to.deep.equal([]);
    }
  });
});

/** Reads the table of ways: files in their order, from the root of the repository. A folder before a colon holds up to the semicolon. */
function waysOf(guide: string): Map<string, string[]> {
  const rows = guide.split("| way | files |\n|---|---|\n")[1]!.split("\n\n")[0]!.split("\n");
  return new Map(
    rows.map((row) => {
      const [, way = "", cell = ""] = row.split("|").map((text) => text.trim());
      const files = cell.split("; ").flatMap((part) => {
        const names = Array.from(part.matchAll(/`([^`]+)`/g), ([, name]) => name!);
        const folder = /^`[^`]+`: /.test(part) ? names.shift()! : "";
        return names.map((name) => posix.join("src", folder, `${name}.ts`));
      });
      return [way, files];
    }),
  );
}

/** Returns the files that a source file imports, and those of `src` whose paths it holds. */
function namedIn(file: string): string[] {
  const text = readFileSync(repository + file, "utf8");
  return Array.from(text.matchAll(/"(\.{1,2}\/[^"]+|src\/[^"]+)"/g), ([, name = ""]) =>
    name.startsWith(".") ? posix.join(posix.dirname(file), name) : name,
  );
}
