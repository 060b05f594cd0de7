import { expect } from "chai";
import { document } from "../../scripts/contract/answers.ts";
import { compareDocuments, compareViews } from "../../scripts/contract/diff/compare.ts";
import { viewOf } from "../../scripts/contract/diff/document-view.ts";
import type { Finding } from "../../scripts/contract/diff/finding.ts";
import { type Node, node, operationsOf, resolve, unshared } from "../../scripts/contract/document.ts";
import { casesBySize, itLong } from "../support/size.ts";
import { all, at, operation, parameterSchema, schema } from "./contract-diff-edits.ts";
import { type Seed, seeds } from "./contract-diff-seeds.ts";

/** Every so many seeds meet one of the other kind. */
const pairStep = 7;
const whole = unshared(document);
/** The operations that seeds edit and some beside them: enough to see that nothing is told of the others. */
const base = withOnly(whole, [
  "getStatus",
  "getUsage",
  "listProviders",
  "listItems",
  "getItem",
  "getMarketPrices",
  "getMarketPricesBatch",
  "streamMarketSnapshot",
  "getDailyPriceHistory",
  "getIndex",
  "getIndexHistory",
  "listExchangeRates",
  "getExchangeRateHistory",
  "getPortfolio",
]);

const baseView = viewOf(base);

describe("contract:diff", () => {
  for (const kind of ["breaking", "additive", "wording", "none"] as const) {
    describe(`seeded changes of kind ${kind}`, () => {
      for (const seed of casesBySize(of(kind), Math.ceil(of(kind).length / 6))) {
        it(seed.name, () => expectRight(seed, findingsAlone(seed)));
      }
    });
  }

  itLong("two changes at once are reported as each is alone", () => {
    const [breaking, additive] = [of("breaking"), of("additive")];
    const pairs = breaking.flatMap((one, index): [Seed, Seed][] => {
      const other = additive[(index * pairStep) % additive.length];
      const isApart =
        other !== undefined && !one.operationsOf(base).some((id) => other.operationsOf(base).includes(id));
      return index % pairStep === 0 && isApart ? [[one, other]] : [];
    });
    expect(pairs.length).to.be.at.least(5);
    for (const [one, other] of pairs) {
      const alone = [...findingsAlone(one), ...findingsAlone(other)];
      expect(findingsOf(one, other), `${one.name}, ${other.name}`).to.have.deep.members(alone);
    }
  });

  it("a new key of a record breaks clients that refused unknown keys before, whatever the contract allows from now on", () => {
    const bytes = { type: "integer", format: "int32", minimum: 0, maximum: 9 };
    const opened = structuredClone(base);
    delete schema(opened, "SnapshotEnd").additionalProperties;
    for (const [from, to, kind] of [
      [base, opened, "breaking"],
      [opened, base, "additive"],
    ] as const) {
      const after = structuredClone(to);
      schema(after, "SnapshotEnd/properties").bytes = bytes;
      const { findings } = compareDocuments(from, after);
      const added = findings.filter(({ rule }) => rule === "property-added");
      expect(added.map((finding) => finding.kind)).to.deep.equal([kind]);
      expect(added[0]?.operations).to.deep.equal(["streamMarketSnapshot"]);
    }
  });

  it("the same change of several operations is reported once, with all of them", () => {
    const before = structuredClone(whole);
    const after = structuredClone(whole);
    schema(after, "Problem/properties/title").maxLength = 300;
    const { findings } = compareDocuments(before, after);
    expect(findings).to.have.length(1);
    expect(findings[0]?.operations).to.deep.equal(all(whole));
    expect(findings[0]?.description).to.contain("a text longer than 200 characters");
  });

  it("only operations whose changes stand in the same places share a line", () => {
    const after = structuredClone(whole);
    const bounds = [parameterSchema(after, "listItems", "q"), parameterSchema(after, "listExchangeRates", "limit")];
    for (const bound of bounds) Object.assign(bound, { maxLength: undefined, minLength: 7 });
    const reported = compareDocuments(whole, after).findings.filter(({ description }) =>
      description.includes("shorter than 7"),
    );
    expect(reported.map(({ operations, places }) => [operations, places])).to.have.deep.members([
      [["listItems"], ["query parameter q"]],
      [["listExchangeRates"], ["query parameter limit"]],
    ]);
  });

  it("a new problem code that an answer shows is not reported as one that none shows", () => {
    const seed = seeds.find(({ name }) => name === "an operation gives a problem code that is new");
    const findings = seed === undefined ? [] : findingsOf(seed);
    const reported = findings.filter(({ after }) => after?.includes("item_withdrawn"));
    expect(reported.some(({ kind }) => kind === "breaking")).to.equal(true);
    expect(reported.filter(({ operations }) => operations.length === 0)).to.deep.equal([]);
  });

  it("the report names in plain words what was added and removed", () => {
    const after = structuredClone(base);
    operation(after, "getItem").tags = ["Markets"];
    delete at(operation(after, "getIndex"), "responses")["404"];
    delete operation(after, "listItems")["x-itemtape-cost"];
    const { findings } = compareDocuments(base, after);
    expect(findings.map(({ description }) => description).join(" "))
      .to.contain("Its tags read differently.")
      .and.not.contain("undefined");
    expect(findings.find(({ rule }) => rule === "response-removed")?.before).to.equal("404");
  });

  it("each kind of change has enough seeds, each with its own name", () => {
    const count = (kind: Seed["kind"]) => of(kind).length;
    expect(count("breaking")).to.be.at.least(25);
    expect(count("additive")).to.be.at.least(15);
    expect(count("wording")).to.be.at.least(10);
    expect(count("none")).to.be.at.least(10);
    expect(new Set(seeds.map(({ name }) => name)).size).to.equal(seeds.length);
  });
});

function of(kind: Seed["kind"]): Seed[] {
  return seeds.filter((seed) => seed.kind === kind);
}

function withOnly(document: Node, ids: readonly string[]): Node {
  const copy = structuredClone(document);
  const unwanted = operationsOf(copy).filter(({ id }) => !ids.includes(id));
  for (const { method, path } of unwanted) delete node(node(copy.paths)[path])[method];
  const used = usedBy(copy, copy.paths);
  for (const [kind, parts] of Object.entries(node(copy.components))) {
    if (kind === "securitySchemes") continue;
    for (const name of Object.keys(node(parts)))
      if (!used.has(`#/components/${kind}/${name}`)) delete node(parts)[name];
  }
  return copy;
}

/** Returns the references to all components that a part needs. */
function usedBy(document: Node, part: unknown, found = new Set<string>()): ReadonlySet<string> {
  for (const [key, value] of Object.entries(node(part))) {
    if (key === "$ref" && typeof value === "string" && !found.has(value)) {
      found.add(value);
      usedBy(document, resolve(document, { $ref: value }), found);
    }
    for (const child of Array.isArray(value) ? value : [value]) usedBy(document, child, found);
  }
  return found;
}

/** What each seed was found to change alone. */
const foundAlone = new Map<Seed, readonly Finding[]>();

function findingsAlone(seed: Seed): readonly Finding[] {
  const found = foundAlone.get(seed) ?? findingsOf(seed);
  foundAlone.set(seed, found);
  return found;
}

function findingsOf(...chosen: Seed[]): readonly Finding[] {
  const isPrepared = chosen.some(({ prepare }) => prepare !== undefined);
  const before = isPrepared ? structuredClone(base) : base;
  for (const { prepare } of chosen) prepare?.(before);
  const after = structuredClone(before);
  for (const { mutate } of chosen) mutate(after);
  return compareViews(isPrepared ? viewOf(before) : baseView, viewOf(after)).findings;
}

function expectRight({ kind, operationsOf }: Seed, findings: readonly Finding[]): void {
  const kinds = new Set(findings.map((finding) => finding.kind));
  const reported = JSON.stringify(findings, null, 1);
  if (kind === "none") {
    expect(findings, reported).to.deep.equal([]);
    return;
  }
  if (kind !== "breaking") expect(kinds.has("breaking"), reported).to.equal(false);
  if (kind === "wording") expect(kinds.has("additive"), reported).to.equal(false);
  const mine = findings.filter((finding) => finding.kind === kind);
  expect(mine, reported).to.not.have.length(0);
  const operations = new Set(mine.flatMap((finding) => finding.operations));
  expect([...operations].sort(), reported).to.deep.equal([...operationsOf(base)].sort());
}
