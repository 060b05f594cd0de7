import { expect } from "chai";
import { faultsOf, document as served } from "../support/contract.ts";
import { exampleValue, isRequestExample, type Shown, Stage, shownExamples } from "./replay.ts";
import { firstPages, portfolioPages } from "./replay-subjects.ts";
import { requestBodies } from "./replay-table.ts";

const document = served as Record<string, unknown>;
const shown = shownExamples(document);
const reachable = shown.filter((example) => !example.isUnreachable);
const advice = "correct the program, or record the examples anew with `npm run contract:record`";

describe("the examples of the contract", () => {
  let stage: Stage;
  before(async function () {
    // The demo world, with its history, is made here when this file is run first.
    this.timeout(60_000);
    stage = await Stage.start();
  });
  after(() => stage.world.stop());

  for (const example of reachable) {
    it(`tell what the server answers: ${titleOf(example)}`, async () => {
      const answer = await stage.play(example);
      expect(answer.status, answer.text).to.equal(example.status);
      expect(exampleValue(answer), advice).to.deep.equal(example.value);
      expect(faultsOf(example.operationId, answer)).to.deep.equal([]);
    });
  }

  it("have a row in the replay table, each of them, and the table has no other row", () => {
    const components = new Set(reachable.map(({ component }) => component));
    expect(Object.keys(stage.table).toSorted()).to.deep.equal([...components].toSorted());
  });

  it("of request bodies are what the table sends", () => {
    const bodies = requestBodies(stage.subjects);
    const { examples } = document.components as { examples: Record<string, { value: unknown }> };
    const names = Object.keys(examples).filter((component) => isRequestExample(document, component));
    expect(names.toSorted()).to.deep.equal(Object.keys(bodies).toSorted());
    for (const name of names) expect(examples[name]?.value, name).to.deep.equal(bodies[name]);
  });

  it("are all shown somewhere", () => {
    const { examples } = document.components as { examples: Record<string, unknown> };
    const used = new Set(shown.map(({ component }) => component));
    const unused = Object.keys(examples).filter((name) => !used.has(name) && !isRequestExample(document, name));
    expect(unused).to.deep.equal([]);
  });

  it("were refused without a charge where they are refusals, and behind no hidden error but the one that was provoked", () => {
    const { units, events } = stage.world.charged();
    const prepared = 137 + 1_000_000 * reachable.filter(({ component }) => component === "MonthlyQuotaExceeded").length;
    const interrupted = reachable.filter(({ component }) => component === "SnapshotInterrupted").length;
    const charged = reachable.filter(paysFor).length;
    const firsts = Object.keys({ ...firstPages(stage.subjects), ...portfolioPages(stage.subjects) }).length;
    expect(events).to.equal(charged + firsts);
    expect(units).to.equal(events + prepared);
    expect(stage.world.internalErrors).to.equal(interrupted);
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
  "DataUnavailable",
  "SnapshotUnavailable",
];

/** Whether the request of an example is admitted to an operation that costs a unit. */
function paysFor({ operationId, status, component }: Shown): boolean {
  if (operationId === "getStatus" || operationId === "getUsage") return false;
  return status === 200 || afterAdmission.includes(component);
}

function titleOf({ operationId, status, name }: Shown): string {
  return `${operationId} ${status} ${name}`;
}
