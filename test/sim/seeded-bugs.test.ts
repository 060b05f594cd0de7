import { rmSync } from "node:fs";
import { expect } from "chai";
import { seededNodesBugs } from "./nodes/seeded-bugs.ts";
import { seededBugs, seedsFor } from "./seeded-bugs.ts";
import { describeFailure, shrink, simulate, suiteSeeds, suiteStepsPerSeed } from "./simulation.ts";
import { changedText, loadChanged } from "./subject.ts";
import { simulationFolder } from "./surroundings.ts";

/** One whose run fails at its 52nd operation. */
const shrunkSeed = 434;

describe("The simulation of the suite", () => {
  let folder: string;

  before(() => {
    folder = simulationFolder();
  });

  after(() => rmSync(folder, { recursive: true, force: true }));

  for (const bug of seededBugs) {
    it(`the simulation notices the seeded bug "${bug.name}"`, async () => {
      const { found } = await simulate(await loadChanged(bug), folder, seedsFor(bug, suiteSeeds), suiteStepsPerSeed);
      expect(found, "not noticed by the seeds of the suite").not.to.equal(null);
    });
  }

  it("each seeded bug, those of nodes too, still finds the text that it replaces", () => {
    for (const bug of [...seededBugs, ...seededNodesBugs]) expect(changedText(bug)).to.include(bug.put);
  });

  it("the simulation shrinks a failing run to at most 20 operations that fail alike, and reports its seed", async () => {
    const late = seededBugs.find(({ name }) => name === "a lease holds a millisecond too long");
    if (late === undefined) throw new Error("that bug is not seeded any more");
    const broken = await loadChanged(late);
    const { found } = await simulate(broken, folder, [shrunkSeed], suiteStepsPerSeed);
    if (found === null) throw new Error("not noticed");
    expect(found.step).to.be.above(20);
    const shrunk = await shrink(broken, folder, found);
    expect(shrunk.length).to.be.within(1, 20);
    expect(describeFailure(found, shrunk)).to.include(`seed ${found.setup.seed}`);
  });

  it("the simulation fails when the text that a seeded bug replaces is gone from the source", async () => {
    const stale = { name: "stale", file: "src/access/plans.ts", find: "no such text", put: "" };
    let error: unknown;
    await loadChanged(stale).catch((reason: unknown) => {
      error = reason;
    });
    expect(String(error)).to.include('seeded bug "stale": src/access/plans.ts has its text 0 times');
  });
});
