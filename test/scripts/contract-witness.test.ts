import { expect } from "chai";
import { compareDocuments } from "../../src/review/compare.ts";
import { breaks } from "../../src/review/finding.ts";
import { type Edits, seedDocument } from "./contract-diff-document.ts";

const named = (name: string, type: string) => ({ name, in: "query", required: true, schema: { type } });

/** Edits before and after, and each finding that breaks: its rule, kind and witness. */
const cases: readonly { title: string; before?: Edits; after: Edits; found: readonly string[] }[] = [
  {
    title: "its own name for each of two renamed parameters",
    // Each request has both parameters.
    before: { "list.parameters": [named("one", "string"), named("two", "integer")] },
    after: { "list.parameters": [named("first", "string"), named("second", "integer")] },
    found: [
      "parameter-renamed breaking: the query parameter one is unknown",
      "parameter-renamed breaking: the query parameter two is unknown",
    ],
  },
  {
    title: "two names alone for a name that only generated code uses",
    after: { "list.x-itemtape-cost": 2, "list.operationId": "get" },
    found: ["operation-id breaking: undefined", "x-itemtape-cost breaking: the cost exceeds the month's units"],
  },
  {
    title: "its own fault for each changed term of an operation",
    after: {
      "q.name": "words",
      "list.parameters +": named("further", "string"),
      "list.x-itemtape-plan": "paid",
      "list.x-itemtape-cost": 2_000,
      "list.x-itemtape-scope": "portfolio",
    },
    found: [
      "parameter-renamed breaking: the query parameter q is unknown",
      "x-itemtape-plan breaking: the plan paid is required",
      "x-itemtape-scope breaking: the scope portfolio is required",
      "x-itemtape-cost breaking: the cost exceeds the month's units",
      "parameter-added breaking: the query further is missing",
    ],
  },
  {
    title: "a response for a change of an operation that moves",
    after: { "paths >": ["/rows", "/lines"], "row.id.maxLength": 20, "row.id.pattern": "^b" },
    found: [
      "moved breaking: GET /rows is not an endpoint",
      "bound breaking: the body does not fit",
      "pattern breaking: the body does not fit",
    ],
  },
  {
    title: "a response for a header beside an example that fits no longer",
    before: { "row.id.example": "zero" },
    after: { "row.id.pattern": "^[a-c]+$", "rows.headers.Limit.required": false },
    found: ["header-required breaking: the header Limit is missing", "pattern breaking: the body does not fit"],
  },
];

describe("contract:diff, the witness of a change", () => {
  for (const { title, before = {}, after, found } of cases) {
    it(`shows ${title}`, () => {
      const { findings } = compareDocuments(seedDocument(before), seedDocument(before, after));
      const told = findings.filter(breaks).map(({ rule, kind, witness }) => `${rule} ${kind}: ${witness?.fault}`);
      expect(told).to.deep.equal(found);
    });
  }
});
