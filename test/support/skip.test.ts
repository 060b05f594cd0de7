import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect } from "chai";
import type { Context } from "mocha";
import { needPath, needTool } from "./skip.ts";

const tests = fileURLToPath(new URL("../", import.meta.url));

describe("Tests that need something of the system", () => {
  const { ITEMTAPE_FORBID_SKIPS: before } = process.env;
  let skipped: number;
  const skip = () => {
    skipped += 1;
  };
  const test = { skip, test: { fullTitle: () => "a test" } } as unknown as Context;

  beforeEach(() => {
    skipped = 0;
    delete process.env.ITEMTAPE_FORBID_SKIPS;
  });
  afterEach(() => {
    if (before === undefined) delete process.env.ITEMTAPE_FORBID_SKIPS;
    else process.env.ITEMTAPE_FORBID_SKIPS = before;
  });

  for (const [what, need] of [
    ["tool", () => needTool(test, "no-such-tool-of-any-system")],
    ["path", () => needPath(test, "/no/such/path")],
  ] as const) {
    it(`tests are skipped without the ${what}, and fail without it where skips are forbidden`, () => {
      need();
      expect(skipped).to.equal(1);
      process.env.ITEMTAPE_FORBID_SKIPS = "1";
      expect(need).to.throw(/, and skips are forbidden$/);
      expect(skipped).to.equal(1);
    });
  }

  it("tests skip themselves only by the helpers, which know whether skips are forbidden", () => {
    const own = /\b(?:this|test)\.skip\(|\b(?:it|describe)\.skip\b/;
    const files = readdirSync(tests, { recursive: true, encoding: "utf8" }).filter((name) => name.endsWith(".ts"));
    const breaches = files.filter((name) => own.test(readFileSync(join(tests, name), "utf8")));
    expect(breaches).to.deep.equal([join("support", "skip.ts")]);
  });
});
