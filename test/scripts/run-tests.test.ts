import { existsSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { expect } from "chai";
import { allTestFiles, longTestFiles } from "../../scripts/support/run-tests.ts";

const sizes = join("test", "support", "size.ts");

describe("The long run", () => {
  it("plays each test file whose sizes depend on the run, be it by a helper that it imports", () => {
    const sized = allTestFiles().filter((path) => reaches(path, new Set()));
    expect(longTestFiles()).to.deep.equal(sized);
  });
});

/** Returns whether a file imports the sizes, or a file of `test` that does. */
function reaches(path: string, passed: Set<string>): boolean {
  if (path === sizes) return true;
  if (passed.has(path) || !path.startsWith("test") || !existsSync(path)) return false;
  passed.add(path);
  const named = readFileSync(path, "utf8").matchAll(/from "(\.[^"]+)"/g);
  return Array.from(named, ([, name = ""]) => join(dirname(path), name)).some((file) => reaches(file, passed));
}
