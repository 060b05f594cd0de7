import { expect } from "chai";
import { needPostgres } from "../../support/postgres.ts";
import { bySize, describeLong, itLong } from "../../support/size.ts";
import { NodesDatabase } from "./database.ts";
import { seededNodesBugs } from "./seeded-bugs.ts";
import { describeNodesFailure, type NodesReport, shrinkNodes, simulateNodes } from "./simulation.ts";

/** Every fourth seed has one node, the others have three. The seeds of the long form reach each class of outcome. */
const { seeds, stepsPerSeed } = bySize({
  short: { seeds: [5], stepsPerSeed: 150 },
  long: { seeds: [231, 155, 354, 371, 413, 458, 491, 502, 531, 149, 228, 672, 800], stepsPerSeed: 250 },
});
const stepsOfBug = 250;
/** Real time after which a request to a program with a seeded bug counts as never answered. */
const bugStuckMs = 20_000;

describe("simulated nodes on a shared database", function () {
  this.timeout(600_000);
  let database: NodesDatabase;
  let report: NodesReport;

  before(async function () {
    needPostgres(this);
    database = await NodesDatabase.open();
    report = await simulateNodes(await database.loadSubject(), database, seeds, stepsPerSeed);
  });
  after(() => database?.close());

  it("keep charges exact and revoked keys rejected on one and three nodes", async () => {
    const { steps, found } = report;
    if (found !== null) {
      const shrunk = await shrinkNodes(await database.loadSubject(), database, found, 30);
      throw new Error(describeNodesFailure(found, shrunk));
    }
    expect(steps).to.equal(seeds.length * stepsPerSeed);
  });

  itLong("reach every outcome class", () => {
    expect(report.counts.below(1)).to.deep.equal([]);
  });

  describeLong("with a bug", () => {
    for (const bug of seededNodesBugs) {
      it(`detect the seeded bug "${bug.name}"`, async () => {
        const subject = await database.loadSubject(bug);
        const { found } = await simulateNodes(subject, database, [bug.seed], stepsOfBug, bugStuckMs);
        expect(found, "not noticed from its seed").not.to.equal(null);
      });
    }
  });
});
