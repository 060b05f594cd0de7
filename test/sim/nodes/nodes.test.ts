import { expect } from "chai";
import { hasPostgres } from "../../support/postgres.ts";
import { bySize, isLongRun } from "../../support/size.ts";
import { skipForWant } from "../../support/skip.ts";
import { SimulatedDatabase } from "./database.ts";
import { runNodes } from "./run.ts";
import { seededNodesBugs } from "./seeded-bugs.ts";
import { describeNodesFailure, shrinkNodes, simulateNodes } from "./simulation.ts";
import { nodesSetupOf, stepsOf } from "./steps.ts";
import { loadNodesSubject } from "./subject.ts";

/** Every fourth seed is of one node alone, the others of three. */
const seeds = bySize({ short: [1, 2, 4], long: Array.from({ length: 12 }, (_, index) => index + 5) });
/** Bugs that the first seed notices; the long run plays all. */
const bugs = seededNodesBugs.filter(({ seed }) => seed === bySize({ short: 1, long: seed }));
const stepsPerSeed = 250;
/** Classes of outcome that the steps of the short form do not reach. */
const unreached = [
  "refused account_disabled",
  "refused snapshot_daily_limit",
  "refused service_unavailable for want of the standby",
  "late account_disabled",
  "late plan_upgrade_required",
  "node killed between requests",
  "connection ended by the server",
  "database restarted",
  "account disabled or enabled",
];
/** Real time after which a request counts as never answered by a program with a bug in it. */
const bugStuckMs = 20_000;

describe("Simulated nodes that share a database", function () {
  this.timeout(180_000);
  let database: SimulatedDatabase;

  before(async function () {
    if (!hasPostgres()) skipForWant(this, "PostgreSQL is not installed");
    database = await SimulatedDatabase.open();
  });
  after(() => database?.close());

  it("one node and three answer as one allowance: nothing is overspent, lost, charged twice or answered to a dead key, whatever is cut, lost or killed", async () => {
    const subject = await loadNodesSubject();
    const { steps, counts, found } = await simulateNodes(subject, database, seeds, stepsPerSeed);
    if (found !== null) throw new Error(describeNodesFailure(found, await shrinkNodes(subject, database, found, 30)));
    expect(steps).to.equal(seeds.length * stepsPerSeed);
    if (!isLongRun) expect(unreached.map((name) => `${name}: 0`)).to.include.members(counts.below(1));
  });

  it("a run of nodes repeats itself from its seed, message by message", async () => {
    const subject = await loadNodesSubject();
    const setup = nodesSetupOf(1, 60);
    const runs = [0, 0].map(() => stepsOf(setup, 60));
    const lines: string[][] = [];
    for (const steps of runs) {
      const { counts, failure } = await runNodes(subject, database, setup, steps, bugStuckMs);
      expect(failure).to.equal(null);
      lines.push(counts.lines());
    }
    expect(lines[0]).to.deep.equal(lines[1]);
  });

  for (const bug of bugs) {
    it(`the simulation of nodes notices the seeded bug "${bug.name}"`, async () => {
      const { found } = await simulateNodes(
        await loadNodesSubject(bug),
        database,
        [bug.seed],
        stepsPerSeed,
        bugStuckMs,
      );
      expect(found, "not noticed from its seed").not.to.equal(null);
    });
  }
});
