import { mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { join } from "node:path";
import { expect } from "chai";
import { seed, seededBugs } from "./seeded-bugs.ts";
import { describeFailure, shrink, simulate } from "./simulation.ts";
import { loadSubject, type Subject } from "./subject.ts";
import { simulationFolder } from "./surroundings.ts";

const bugStepsMax = 60_000;

describe("simulation of the access layer", () => {
  let folder: string;

  before(() => {
    folder = simulationFolder();
  });

  after(() => rmSync(folder, { recursive: true, force: true }));

  for (const bug of seededBugs) {
    it(`notices: ${bug.name}`, async function () {
      this.timeout(120_000);
      const { found } = await simulate(await withBug(bug), folder, 1, bugStepsMax);
      expect(found, `not noticed within ${bugStepsMax} steps`).not.to.equal(null);
    });
  }

  it("a failing run shrinks to a few operations that fail alike", async function () {
    this.timeout(120_000);
    const late = seededBugs.find(({ name }) => name === "a lease holds a millisecond too long");
    if (late === undefined) throw new Error("that bug is not seeded any more");
    const broken = await withBug(late);
    const { found } = await simulate(broken, folder, 1, bugStepsMax);
    if (found === null) throw new Error("not noticed");
    const shrunk = await shrink(broken, folder, found);
    expect(shrunk.length).to.be.within(1, 20);
    expect(describeFailure(found, shrunk)).to.include(`seed ${found.setup.seed}`);
  });

  it("a seeded bug whose text is gone from the source fails loudly", () => {
    const stale = { name: "stale", file: "src/access/plans.ts", find: "no such text", put: "" };
    expect(() => seed(stale, folder)).to.throw('seeded bug "stale": src/access/plans.ts has its text 0 times');
  });

  async function withBug(bug: (typeof seededBugs)[number]): Promise<Subject> {
    const trees = join(folder, "trees");
    mkdirSync(trees, { recursive: true });
    const tree = mkdtempSync(join(trees, "bug-"));
    seed(bug, tree);
    const loaded = await loadSubject(tree);
    rmSync(tree, { recursive: true });
    return loaded;
  }
});
