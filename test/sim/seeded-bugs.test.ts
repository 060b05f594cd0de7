import { rmSync } from "node:fs";
import { expect } from "chai";
import { casesBySize } from "../support/size.ts";
import { seededNodesBugs } from "./nodes/seeded-bugs.ts";
import { seededBugs, seedsFor } from "./seeded-bugs.ts";
import { simulate, suiteSeeds, suiteStepsPerSeed } from "./simulation.ts";
import { changedText, loadChanged } from "./subject.ts";
import { simulationFolder } from "./surroundings.ts";

describe("access simulation", () => {
  let folder: string;

  before(() => {
    folder = simulationFolder();
  });

  after(() => rmSync(folder, { recursive: true, force: true }));

  for (const bug of casesBySize(seededBugs, 11)) {
    it(`detects the seeded bug "${bug.name}"`, async () => {
      const { found } = await simulate(await loadChanged(bug), folder, seedsFor(bug, suiteSeeds), suiteStepsPerSeed);
      expect(found, "not noticed by the seeds of the suite").not.to.equal(null);
    });
  }

  // The long run tests the node bugs. This test reports first when a replaced source text changes.
  it("finds the source text that each seeded node bug replaces", () => {
    for (const bug of seededNodesBugs) expect(changedText(bug)).to.include(bug.put);
  });
});
