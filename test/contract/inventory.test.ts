import { readFileSync } from "node:fs";
import { expect } from "chai";
import { codesOf, document, follow, operationList } from "../../scripts/contract/answers.ts";
import { type Domain, operationTable } from "../../src/api/operations.ts";
import { recordingsOf } from "./recordings.ts";
import { type Found, firstPages, portfolioPages, type Subjects } from "./replay-subjects.ts";
import { soundRequests } from "./replay-table.ts";

type DeclaredOperation = {
  "x-itemtape-plan": string;
  "x-itemtape-cost": number;
  "x-itemtape-scope": string;
  "x-itemtape-minute": boolean;
  security?: Record<string, string[]>[];
};

const errorStatuses = ["400", "401", "403", "404", "413", "429", "503"];
const found: Found = {
  phased: 1,
  unphased: 1,
  observed: 1,
  plain: 1,
  recorded: 1,
  unquoted: 1,
  vanishing: 1,
  last: 9,
  identity: "0".repeat(64),
  methodology: "1",
  memberCount: 3,
  uncoveredDay: "2026-01-08",
  openableCount: 9,
  outcomeCount: 9,
  phasedPosition: 1,
  soldOutPosition: 1,
  excludedPosition: 2,
  inventory: "pf_0000000000000001",
  showcase: "pf_0000000000000002",
  emptyShelf: "pf_0000000000000003",
  savings: "pf_0000000000000004",
};
/** Requests are not sent, so the targets of the first pages replace their cursors. */
const subjects: Subjects = { ...found, ...firstPages(found), ...portfolioPages(found), foreignCursor: "x" };
/** No operation is read here, so the table needs no domain. */
const table = operationTable({} as Domain);
const ids = operationList.map(({ operationId }) => operationId);

describe("inventory of operations", () => {
  it("is the same in document, operations.txt, operation table and replay table", () => {
    const lines = readFileSync(new URL("../../generated/operations.txt", import.meta.url), "utf8")
      .trimEnd()
      .split("\n");
    const listed = lines.map((line) => line.split(/\s+/).slice(0, 3).join(" "));
    expect(listed).to.deep.equal(
      operationList.map(({ operationId, method, path }) => `${operationId} ${method} ${path}`),
    );
    expect(Object.keys(table)).to.have.members(ids);
    expect(Object.keys(soundRequests(subjects))).to.have.members(ids);
    expect(new Set(recordingsOf(document).map(({ operationId }) => operationId))).to.deep.equal(new Set(ids));
  });

  for (const { operationId, method, path, responses } of operationList) {
    it(`requires and charges the documented extensions of ${operationId}`, () => {
      const declared = document.paths[path]?.[method.toLowerCase()] as unknown as DeclaredOperation;
      const { rule } = table[operationId as keyof typeof table];
      expect({
        plan: rule === null ? "none" : rule.plan,
        cost: rule === null ? 0 : rule.monthlyUnits,
        scope: rule === null ? "none" : (rule.scope ?? "any"),
        minute: rule !== null,
      }).to.deep.equal({
        plan: declared["x-itemtape-plan"],
        cost: declared["x-itemtape-cost"],
        scope: declared["x-itemtape-scope"],
        minute: declared["x-itemtape-minute"],
      });
      const scopes = rule === null ? [] : [{ bearerAuth: rule.scope === null ? [] : [rule.scope] }];
      expect(declared.security).to.deep.equal(scopes);
    });

    it(`has seven error statuses of ${operationId}, each with an example`, () => {
      const conditional = method === "GET" && table[operationId as keyof typeof table].rule !== null ? ["304"] : [];
      expect(Object.keys(responses)).to.deep.equal(["200", ...conditional, ...errorStatuses]);
      for (const status of errorStatuses)
        expect(codesOf(operationId, Number(status)).size, status).to.be.greaterThan(0);
      for (const [status, response] of Object.entries(responses)) {
        const { content } = follow(response as Record<string, unknown>);
        expect(content, status).to.be.an(status === "304" ? "undefined" : "object");
      }
    });

    it(`bounds every parameter of ${operationId}`, () => {
      const operation = document.paths[path]?.[method.toLowerCase()] as { parameters?: Record<string, unknown>[] };
      for (const reference of operation.parameters ?? []) {
        const { name, schema } = follow(reference) as { name: string; schema: Record<string, unknown> };
        const resolved = follow(schema);
        if (Array.isArray(resolved.enum) || resolved.type === "boolean") continue;
        const boundsOf: Record<string, string[]> = { integer: ["minimum", "maximum"], array: ["minItems", "maxItems"] };
        const bounds = boundsOf[String(resolved.type)] ?? ["minLength", "maxLength", "pattern"];
        const declared = bounds.filter((bound) => bound in resolved);
        expect(declared.length, `${name}: ${bounds}`).to.be.greaterThan(1);
      }
    });
  }

  it("records each mode, status, confidence and reason of a container", () => {
    const recorded = JSON.stringify(
      recordingsOf(document).filter(({ operationId }) => operationId.includes("Openable")),
    );
    for (const name of ["ValuationMode", "RoiGranularity", "RoiConfidence", "OutcomeStatus", "StaleReason"]) {
      const { enum: values } = follow({ $ref: `#/components/schemas/${name}` }) as { enum: string[] };
      expect(
        values.filter((value) => !recorded.includes(`"${value}"`)),
        name,
      ).to.deep.equal([]);
    }
  });
});
