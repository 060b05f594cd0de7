import { expect } from "chai";
import { faultsOf, document as served } from "../../scripts/contract/answers.ts";
import { casesBySize } from "../support/size.ts";
import { expectExamplesPass } from "./example-requests.ts";
import {
  fixtureRecordings,
  isRequestExample,
  type Recording,
  readFixtures,
  recordedValue,
  shownExamples,
} from "./recordings.ts";
import { Stage } from "./replay.ts";
import { chargedByStates } from "./replay-changes.ts";
import { firstPages, portfolioPages } from "./replay-subjects.ts";
import { requestBodies } from "./replay-table.ts";

const document = served as Record<string, unknown>;
const shown = shownExamples(document);
const fixtures = fixtureRecordings();
const reachable = [...shown, ...fixtures].filter(({ isUnreachable }) => !isUnreachable);
/** The same refusal of each operation, for which the server waits two seconds. */
const unavailable = reachable.filter(({ component }) => component === "ServiceUnavailableProblem");
const skipped = new Set(unavailable).difference(new Set(casesBySize(unavailable, 4)));
const advice = "correct the program, or record the answers anew with `npm run contract:record`";

describe("recorded answers", () => {
  let stage: Stage;
  before(async function () {
    // The demo world, with its history, is made here when this file is run first.
    this.timeout(180_000);
    stage = await Stage.start();
  });
  after(() => stage.world.stop());

  for (const recording of reachable.filter((one) => !skipped.has(one))) {
    it(`the server answers as recorded: ${titleOf(recording)}`, async () => {
      const answer = await stage.play(recording);
      expect(answer.status, answer.text).to.equal(recording.status);
      expect(recordedValue(answer), advice).to.deep.equal(recording.value);
      expect(faultsOf(recording.operationId, answer)).to.deep.equal([]);
    });
  }

  it("have a row each in the replay table, without other rows", () => {
    const components = new Set(reachable.map(({ component }) => component));
    expect(Object.keys(stage.table).toSorted()).to.deep.equal([...components].toSorted());
  });

  it("are examples or fixtures, never both, in one file only", () => {
    const names = [...readFixtures().values()].flatMap((file) => Object.keys(file));
    const { examples } = document.components as { examples: Record<string, unknown> };
    expect(names.filter((name, index) => name in examples || names.indexOf(name) !== index)).to.deep.equal([]);
  });

  it("are fixtures of their operation for 200, and in refusals.json otherwise", () => {
    for (const [name, file] of readFixtures()) {
      for (const [component, { summary, status, operations }] of Object.entries(file)) {
        const expected = status === 200 ? operations.map((operationId) => `${operationId}.json`) : ["refusals.json"];
        expect(expected, component).to.deep.equal([name]);
        expect(operations, component).to.not.deep.equal([]);
        expect(summary, component).to.be.a("string").and.not.equal("");
      }
    }
  });

  it("include the documented request bodies as the replay table sends them", () => {
    const bodies = requestBodies(stage.subjects);
    const { examples } = document.components as { examples: Record<string, { value: unknown }> };
    const names = Object.keys(examples).filter((component) => isRequestExample(document, component));
    expect(names.toSorted()).to.deep.equal(Object.keys(bodies).toSorted());
    for (const name of names) expect(examples[name]?.value, name).to.deep.equal(bodies[name]);
  });

  it("show each example of the document", () => {
    const { examples } = document.components as { examples: Record<string, unknown> };
    const used = new Set(shown.map(({ component }) => component));
    const unused = Object.keys(examples).filter((name) => !used.has(name) && !isRequestExample(document, name));
    expect(unused).to.deep.equal([]);
  });

  it("cost nothing as refusals, with one deliberate internal error", () => {
    const { units, events } = stage.world.charged();
    const prepared = 137 + 1_000_000 * reachable.filter(({ component }) => component === "MonthlyQuotaExceeded").length;
    const interrupted = reachable.filter(({ component }) => component === "SnapshotInterrupted").length;
    const charged = reachable.filter(paysFor).length;
    const firsts = Object.keys({ ...firstPages(stage.subjects), ...portfolioPages(stage.subjects) }).length;
    const byStates = reachable.reduce((sum, { component }) => sum + (chargedByStates[component] ?? 0), 0);
    expect(events).to.equal(charged + firsts + byStates);
    expect(units).to.equal(events + prepared);
    expect(stage.world.internalErrors).to.equal(interrupted);
  });

  // Last, because it is charged.
  it("have one operation's examples together valid on the documented day", async () => {
    const { world } = stage;
    const keys = { market: world.account("trader").secret, token: world.keys.builderToken };
    await expectExamplesPass(document, { base: world.base, day: null, keys });
  });
});

const afterAdmission = [
  "ItemNotFoundProblem",
  "IndexNotFoundProblem",
  "CurrencyNotFoundProblem",
  "ListedCurrencyNotFoundProblem",
  "OpenableNotFoundProblem",
  "PortfolioNotFoundProblem",
  "GenerationNotFoundProblem",
  "DayNotFoundProblem",
  "RevisionNotFound",
  "StateNotFoundProblem",
  "ChangesTooLarge",
  "DataUnavailable",
  "SnapshotUnavailable",
];

/** Returns whether the request of a recording is admitted to an operation that costs a unit. */
function paysFor({ operationId, status, component }: Recording): boolean {
  if (operationId === "getStatus" || operationId === "getUsage") return false;
  return status === 200 || afterAdmission.includes(component);
}

function titleOf({ operationId, status, component }: Recording): string {
  return `${operationId} ${status} ${component}`;
}
