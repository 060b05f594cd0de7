import { mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { join } from "node:path";
import { expect } from "chai";
import { operationsOf } from "./generator.ts";
import { setupOf } from "./operations.ts";
import { OutcomeCounts, outcomeClasses } from "./outcomes.ts";
import { run } from "./runner.ts";
import { seed, seededBugs } from "./seeded-bugs.ts";
import { describeFailure, type Report, shrink, simulate } from "./simulation.ts";
import { loadSubject, type Subject } from "./subject.ts";
import { simulationFolder } from "./surroundings.ts";

const suiteSteps = 200_000;
const bugStepsMax = 60_000;
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

  describe("notices seeded bugs", () => {
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
