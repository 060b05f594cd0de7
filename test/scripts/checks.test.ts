import { mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect } from "chai";
import { type Check, runChecks } from "../../scripts/support/checks.ts";
import { temporaryFolder } from "../support/files.ts";

/** Notes its name and what it is given, and fails where a file holds `bad`. */
const program = 'echo "$0 $*" >> node_modules/ran; ! grep -q bad a.txt contract.txt src/b.txt';
const checks: readonly Check[] = [
  { name: "contract", words: ["sh", "-c", program, "contract"], reads: ["contract.txt"] },
  { name: "format", words: ["sh", "-c", program, "format", "."], reads: ["."], isByFile: true },
  { name: "types", words: ["sh", "-c", program, "types"] },
];

describe("the checks of a checkout", () => {
  let root: string;
  const write = (path: string, text: string) => writeFileSync(join(root, path), text);
  beforeEach(() => {
    root = temporaryFolder();
    for (const folder of ["node_modules", "src"]) mkdirSync(join(root, folder));
    for (const path of ["a.txt", "contract.txt", "src/b.txt", ".format.json", "package-lock.json"]) write(path, "good");
  });

  /** Runs the checks. Returns what ran, with its words, and how many failed. */
  async function run(all = false): Promise<{ ran: string[]; failed: number }> {
    const log = join(root, "node_modules", "ran");
    writeFileSync(log, "");
    const { passed, failed, failures } = await runChecks({ all, root, checks });
    expect([passed + failed, failures.length]).to.deep.equal([checks.length, failed]);
    const lines = readFileSync(log, "utf8").trimEnd().split("\n");
    return { ran: lines.map((line) => line.trim()).sort(), failed };
  }

  const whole = ["contract", "format .", "types"];

  it("a check that passed runs again when something changes that it reads, and not before; one that names nothing always does", async () => {
    expect(await run()).to.deep.equal({ ran: whole, failed: 0 });
    expect(await run()).to.deep.equal({ ran: ["types"], failed: 0 });
    write("contract.txt", "better");
    expect((await run()).ran)
      .to.include("contract")
      .and.not.include("format .");
    write("package-lock.json", "newer");
    expect((await run()).ran).to.deep.equal(whole);
    expect((await run(true)).ran).to.deep.equal(whole);
  });

  it("a check by file looks at changed and new files alone, and at all when a setting changes", async () => {
    await run();
    write("src/b.txt", "longer");
    write("src/c.txt", "new");
    expect((await run()).ran).to.deep.equal(["format --no-errors-on-unmatched src/b.txt src/c.txt", "types"]);
    rmSync(join(root, "src/c.txt"));
    expect((await run()).ran).to.deep.equal(["types"]);
    write(".format.json", "stricter");
    expect((await run()).ran).to.deep.equal(["format .", "types"]);
  });

  it("a check that failed runs again, whole, until it passes", async () => {
    await run();
    write("src/b.txt", "bad again");
    expect(await run()).to.deep.equal({ ran: ["format --no-errors-on-unmatched src/b.txt", "types"], failed: 2 });
    expect((await run()).ran).to.deep.equal(["format .", "types"]);
    write("contract.txt", "bad");
    expect((await run()).failed).to.equal(3);
    expect((await run()).failed).to.equal(3);
    for (const path of ["src/b.txt", "contract.txt"]) write(path, "good");
    expect(await run()).to.deep.equal({ ran: whole, failed: 0 });
  });

  it("what changes while a check runs is checked by the next run", async () => {
    const reads = ["contract.txt"];
    const changing: readonly Check[] = [
      { name: "contract", words: ["sh", "-c", "echo bad > contract.txt; echo ran >> node_modules/ran"], reads },
    ];
    for (const _ of ["first", "second"]) await runChecks({ all: false, root, checks: changing });
    expect(readFileSync(join(root, "node_modules", "ran"), "utf8")).to.equal("ran\nran\n");
  });
});
