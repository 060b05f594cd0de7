import { rmSync } from "node:fs";
import { expect } from "chai";
import { operationsOf } from "./generator.ts";
import { setupOf } from "./operations.ts";
import { OutcomeCounts, outcomeClasses } from "./outcomes.ts";
import { run } from "./runner.ts";
import { describeFailure, type Report, shrink, simulate } from "./simulation.ts";
import { loadSubject, type Subject } from "./subject.ts";
import { simulationFolder } from "./surroundings.ts";

const suiteSteps = 200_000;
const reachedMin = 10;

describe("access layer under simulation", () => {
  let folder: string;
  let subject: Subject;
  let report: Report | null = null;

  before(async () => {
    folder = simulationFolder();
    subject = await loadSubject();
  });

  after(() => rmSync(folder, { recursive: true, force: true }));

  it("answers as the model and keeps every invariant, whatever fails or crashes, for 200,000 steps", async function () {
    this.timeout(400_000);
    report = await simulate(subject, folder, 1, suiteSteps);
    const { found } = report;
    if (found !== null) throw new Error(describeFailure(found, await shrink(subject, folder, found)));
    expect(report.steps).to.equal(suiteSteps);
  });

  it(`reaches each of its ${outcomeClasses.length} classes of outcome`, () => {
    expect(report?.counts.below(reachedMin)).to.deep.equal([]);
  });

  it("runs the same way again from the same seed", async function () {
    this.timeout(60_000);
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
