import { expect } from "chai";
import { hasPostgres } from "../../support/postgres.ts";
import { bySize, casesBySize, isLongRun } from "../../support/size.ts";
import { skipForWant } from "../../support/skip.ts";
import { SimulatedDatabase } from "./database.ts";
import { MemoryDatabase } from "./memory/database.ts";
import { nodesOutcomes } from "./outcomes.ts";
import { runNodes } from "./run.ts";
import { seededNodesBugs } from "./seeded-bugs.ts";
import { describeNodesFailure, shrinkNodes, simulateNodes } from "./simulation.ts";
import { nodesSetupOf, stepsOf } from "./steps.ts";

const stepsPerSeed = 250;
/**
 * Every fourth seed is of one node alone, the others of three. Those of the short form were chosen from 800, so that they notice each seeded
 * bug that is not in a statement, and reach each class of outcome ten times or more, in little time.
 */
const shortSeeds = [231, 155, 354, 371, 413, 458, 491, 502, 531, 149, 228, 672, 800];
const memorySeeds = bySize({ short: shortSeeds, long: Array.from({ length: 800 }, (_, index) => index + 1) });
const reachedMin = 10;
const onPostgres = bySize({
  short: { seeds: [5], stepsPerSeed: 100 },
  long: { seeds: Array.from({ length: 14 }, (_, index) => index + 5), stepsPerSeed },
});
/** Five bugs that the first seed notices, and one of those in statements; the long run plays all. */
const ofFirstSeed = seededNodesBugs.filter(({ seed }) => isLongRun || seed === 1);
const bugs = [
  ...casesBySize(
    ofFirstSeed.filter(({ isOfSql }) => !isOfSql),
    5,
  ),
  ...casesBySize(
    ofFirstSeed.filter(({ isOfSql }) => isOfSql),
    1,
  ),
];
/** Real time after which a request counts as never answered by a program with a bug in it. */
const bugStuckMs = 20_000;

describe("Simulated nodes that share a database", function () {
  this.timeout(bySize({ short: 600_000, long: 3_600_000 }));
  const memory = new MemoryDatabase();
  let postgres: SimulatedDatabase | null = null;

  before(async () => {
    if (hasPostgres()) postgres = await SimulatedDatabase.open();
  });
  after(async () => {
    await memory.close();
    await postgres?.close();
  });

  it("one node and three answer as one allowance: nothing is overspent, lost, charged twice or answered to a dead key, whatever is cut, lost or killed", async () => {
    const subject = await memory.loadSubject();
    const { steps, counts, found } = await simulateNodes(subject, memory, memorySeeds, stepsPerSeed);
    if (found !== null) throw new Error(describeNodesFailure(found, await shrinkNodes(subject, memory, found, 30)));
    expect(steps).to.equal(memorySeeds.length * stepsPerSeed);
    expect(counts.below(reachedMin)).to.deep.equal([]);
  });

  it("they do so on PostgreSQL, too, by the same model", async function () {
    const database = postgres ?? skipForWant(this, "PostgreSQL is not installed");
    const subject = await database.loadSubject();
    const { steps, found } = await simulateNodes(subject, database, onPostgres.seeds, onPostgres.stepsPerSeed);
    if (found !== null) throw new Error(describeNodesFailure(found, await shrinkNodes(subject, database, found, 30)));
    expect(steps).to.equal(onPostgres.seeds.length * onPostgres.stepsPerSeed);
  });

  it("a run of nodes repeats itself from its seed, message by message", async () => {
    const subject = await memory.loadSubject();
    const setup = nodesSetupOf(1, 60);
    const runs = [0, 0].map(() => stepsOf(setup, 60));
    const lines: string[][] = [];
    for (const steps of runs) {
      const { counts, failure } = await runNodes(subject, memory, setup, steps, bugStuckMs);
      expect(failure).to.equal(null);
      lines.push(counts.lines());
    }
    expect(lines[0]).to.deep.equal(lines[1]);
    expect(lines[0]).to.have.length(nodesOutcomes.length);
  });

  for (const bug of bugs) {
    it(`the simulation of nodes notices the seeded bug "${bug.name}"`, async function () {
      // What a statement says only PostgreSQL knows.
      const database = bug.isOfSql ? (postgres ?? skipForWant(this, "PostgreSQL is not installed")) : memory;
      const subject = await database.loadSubject(bug);
      const { found } = await simulateNodes(subject, database, [bug.seed], stepsPerSeed, bugStuckMs);
      expect(found, "not noticed from its seed").not.to.equal(null);
    });
  }
});
