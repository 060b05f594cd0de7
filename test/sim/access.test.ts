import { rmSync } from "node:fs";
import { expect } from "chai";
import { bySize, itLong } from "../support/size.ts";
import { operationsOf } from "./generator.ts";
import { setupOf } from "./operations.ts";
import { OutcomeCounts, outcomeClasses } from "./outcomes.ts";
import { run } from "./runner.ts";
import {
  describeFailure,
  furtherSeeds,
  type Report,
  shortSeeds,
  shrink,
  simulate,
  suiteSeeds,
  suiteStepsPerSeed,
} from "./simulation.ts";
import { loadSubject, type Subject } from "./subject.ts";
import { simulationFolder } from "./surroundings.ts";

const { seeds, reachedMin } = bySize({
  short: { seeds: shortSeeds, reachedMin: 3 },
  long: { seeds: [...suiteSeeds, ...furtherSeeds], reachedMin: 20 },
});
const stepsOfAll = seeds.length * suiteStepsPerSeed;

describe("simulated access layer", () => {
  let folder: string;
  let subject: Subject;
  let report: Report;

  before(async function () {
    // It needs some seconds of a processor that may be shared.
    this.timeout(600_000);
    folder = simulationFolder();
    subject = await loadSubject();
    report = await simulate(subject, folder, seeds, suiteStepsPerSeed);
  });

  after(() => rmSync(folder, { recursive: true, force: true }));

  it(`matches its model for ${stepsOfAll.toLocaleString("en")} steps despite failures and crashes`, async function () {
    this.timeout(120_000);
    const { found } = report;
    if (found !== null) throw new Error(describeFailure(found, await shrink(subject, folder, found)));
    expect(report.steps).to.equal(stepsOfAll);
  });

  it(`reaches each of ${outcomeClasses.length} outcome classes at least ${reachedMin} times`, () => {
    expect(report.counts.below(reachedMin)).to.deep.equal([]);
  });

  itLong("runs identically for the same seed", async () => {
    const steps = 300;
    const setup = setupOf(7, steps);
    const [first, second] = [
      await run(subject, setup, operationsOf(setup, steps), folder),
      await run(subject, setup, operationsOf(setup, steps), folder),
    ];
    expect(first.failure).to.equal(null);
    expect(first.counts.lines()).to.deep.equal(second.counts.lines());
    expect(first.counts.lines()).not.to.deep.equal(new OutcomeCounts().lines());
  });
});
