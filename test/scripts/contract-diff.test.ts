import { expect } from "chai";
import { document } from "../../scripts/contract/answers.ts";
import { isNode, type Node, node, operationsOf, unshared } from "../../scripts/contract/document.ts";
import { compareDocuments } from "../../src/review/compare.ts";
import { casesBySize } from "../support/size.ts";
import { seedDocument } from "./contract-diff-document.ts";
import { type Seed, seeds } from "./contract-diff-seeds.ts";

/** Each seed is also compared together with the seed this many places after it. */
const pairStep = 29;
const whole = unshared(document);

describe("contract:diff", () => {
  it("reports each seeded change and its reversal by kind, rule and operations", () => {
    for (const { name, operations, there, back, edits, first } of seeds) {
      const [before, after] = [seedDocument(first), seedDocument(first, edits)];
      const changes = compareDocuments(before, after);
      for (const [findings, expected, way] of [
        [changes.findings, there, "there"],
        [compareDocuments(after, before).findings, back, "back"],
      ] as const) {
        const told = new Set(findings.map(({ kind, rule }) => `${kind} ${rule}`));
        expect([...told].sort().join(", "), `${name}, ${way}`).to.equal(expected);
      }
      const named = new Set(changes.findings.flatMap((finding) => finding.operations));
      expect([...named].sort(), name).to.deep.equal(operations);
    }
  });

  it("reports two simultaneous changes as it reports each alone", () => {
    const single = seeds.filter(({ first, there }) => Object.keys(first).length === 0 && there !== "");
    let pairs = 0;
    for (const [index, one] of casesBySize([...single.entries()], 12)) {
      const other = single[(index + pairStep) % single.length] as Seed;
      if (one.operations.some((id) => other.operations.includes(id)) || one.name === other.name) continue;
      pairs += 1;
      const found = (...edits: Seed["edits"][]) => compareDocuments(seedDocument(), seedDocument(...edits)).findings;
      const alone = [...found(one.edits), ...found(other.edits)];
      expect(found(one.edits, other.edits), `${one.name}, ${other.name}`).to.have.deep.members(alone);
    }
    expect(pairs).to.be.at.least(5);
  });

  it("reports nothing for another order of keys", () => {
    expect(compareDocuments(whole, reversed(whole) as Node).findings).to.deep.equal([]);
  });

  it("reports the same change of several operations once, with all of them", () => {
    const after = structuredClone(whole);
    node(node(node(node(node(after.components).schemas).Problem).properties).title).maxLength = 300;
    const { findings } = compareDocuments(whole, after);
    expect(findings).to.have.length(1);
    expect(findings[0]?.operations).to.deep.equal(operationsOf(whole).map(({ id }) => id));
    expect(findings[0]?.description).to.contain("a text longer than 200 characters");
  });

  it("groups operations on a line only if their changes share places", () => {
    const first = { "read.parameters.0.schema.minLength": 1 };
    const after = seedDocument(first, { "q.schema.minLength": 7, "read.parameters.0.schema.minLength": 7 });
    const { findings } = compareDocuments(seedDocument(first), after);
    expect(findings.map(({ operations, places }) => [operations, places])).to.have.deep.members([
      [["list"], ["query parameter q"]],
      [["read"], ["path parameter row_id"]],
    ]);
  });

  it("reports a new problem code only for responses that show it", () => {
    const first = { "read.responses.404 =": "list.responses.404" };
    const edits = { "schemas.Code.enum +": "new", "problem.examples.new": { value: { code: "new" } } };
    const { findings } = compareDocuments(seedDocument(first), seedDocument(first, edits));
    expect(findings.map(({ kind, operations }) => [kind, operations])).to.have.deep.members([
      ["breaking", ["list"]],
      ["additive", ["list"]],
    ]);
  });

  it("describes additions and removals in plain words", () => {
    const after = seedDocument({ "list.tags": ["A"], "list.responses.404 -": null, "list.x-itemtape-cost -": null });
    const { findings } = compareDocuments(seedDocument(), after);
    expect(findings.map(({ description }) => description).join(" "))
      .to.contain("Its tags read differently.")
      .and.not.contain("undefined");
    expect(findings.find(({ rule }) => rule === "response-removed")?.before).to.equal("404");
  });
});

/** Returns the value with the keys of every mapping in the opposite order. */
function reversed(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(reversed);
  if (!isNode(value)) return value;
  const entries = Object.entries(value).reverse();
  return Object.fromEntries(entries.map(([key, child]) => [key, reversed(child)]));
}
