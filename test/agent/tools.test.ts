import { Ajv } from "ajv";
import { Ajv2020 } from "ajv/dist/2020.js";
import formats from "ajv-formats";
import { expect } from "chai";
import { clientOperations } from "../../generated/client-operations.ts";
import { operationList } from "../../scripts/contract/answers.ts";
import { instructions } from "../../src/agent/descriptions.ts";
import { argumentItemsMax, rowsDefault, rowsMax } from "../../src/agent/limits.ts";
import { contractTools } from "../../src/agent/server.ts";

const addFormats = formats as unknown as (ajv: Ajv | Ajv2020) => void;

describe("the tools of the agent adapter", () => {
  const tools = [...contractTools().tools.values()];

  it("the tools are the operations that answer with JSON, but for the list of sealed days, and the export, in the contract's order", () => {
    const names = tools.map(({ tool }) => tool.name);
    const isOffered = (name: string) =>
      name === "streamMarketSnapshot" ||
      (name !== "listHistoryDays" && !clientOperations[name as keyof typeof clientOperations].isStream);
    expect(names).to.deep.equal(operationList.map(({ operationId }) => operationId).filter(isOffered));
    expect(names).to.deep.equal(Object.keys(clientOperations).filter(isOffered));
  });

  it("each tool is marked read-only", () => {
    for (const { tool } of tools) {
      const { readOnlyHint, destructiveHint, idempotentHint, openWorldHint } = tool.annotations ?? {};
      expect([readOnlyHint, destructiveHint, idempotentHint, openWorldHint], tool.name).to.deep.equal([
        true,
        false,
        true,
        false,
      ]);
    }
  });

  it("each description begins with the cost of a call and the key that it needs", () => {
    for (const { tool, view } of tools) {
      const [cost] = (tool.description ?? "").split("\n");
      const { plan, scope, minute } = view.facts;
      const units = { 0: scope === "none" ? "nothing" : "no unit", 1: "1 unit" }[view.facts.cost];
      expect(cost, tool.name).to.match(new RegExp(`^Cost: ${units}\\b`));
      expect(cost?.includes("Paid plans only"), tool.name).to.equal(plan === "paid");
      expect(cost?.includes("minute limit"), tool.name).to.equal(minute);
      if (scope.includes(":")) expect(cost, tool.name).to.include(scope);
    }
  });

  it("the tools take the contract's parameters and no others", () => {
    for (const { tool } of tools) {
      const { pathParams, queryParams, bodyFields, required } = clientOperations[tool.name as "getItem"];
      const names = Object.keys({ ...pathParams, ...queryParams, ...(bodyFields as object | null) });
      expect(Object.keys(tool.inputSchema.properties ?? {}), tool.name).to.have.members(names);
      expect(tool.inputSchema.required ?? [], tool.name).to.have.members([...required]);
      expect(tool.inputSchema.additionalProperties, tool.name).to.equal(false);
    }
  });

  it("the tools bound the rows of every list, by default and at most, at or below the contract", () => {
    for (const { tool, rows } of tools) {
      const { limit } = (tool.inputSchema.properties ?? {}) as Record<string, { maximum: number; default: number }>;
      expect(limit === undefined, tool.name).to.equal(rows === null);
      if (limit === undefined) continue;
      expect(limit.maximum, tool.name).to.be.within(1, rowsMax);
      expect(limit.default, tool.name).to.be.within(1, Math.min(rowsDefault, limit.maximum));
    }
  });

  it("a call takes the rows that the guide of agents tells: 25, at most 100, of `listItems` 66, and 25 ids in a batch", () => {
    const of = (name: string) => tools.find(({ tool }) => tool.name === name)!;
    expect(of("listItems").rows).to.deep.equal({ most: 66, byDefault: 25 });
    expect(Math.max(...tools.map(({ rows }) => rows?.most ?? 0))).to.equal(100);
    expect(Math.max(...tools.map(({ rows }) => rows?.byDefault ?? 0))).to.equal(25);
    const { properties } = of("getMarketPricesBatch").tool.inputSchema;
    expect((properties as Record<string, { maxItems: number }>).item_ids?.maxItems).to.equal(25);
  });

  it("the tools bound only lists in arguments that the contract has", () => {
    for (const [name, bounds] of Object.entries(argumentItemsMax)) {
      const { inputSchema } = tools.find(({ tool }) => tool.name === name)!.tool;
      const properties = inputSchema.properties as Record<string, { maxItems?: number }>;
      for (const [argument, most] of Object.entries(bounds)) expect(properties[argument]?.maxItems).to.equal(most);
    }
  });

  it("the tools' schemas compile alone in both dialects of JSON Schema", () => {
    for (const ajv of [new Ajv2020({ strict: false }), new Ajv({ strict: false })]) {
      addFormats(ajv);
      for (const { tool } of tools) {
        for (const schema of [tool.inputSchema, tool.outputSchema!]) {
          expect(JSON.stringify(schema), tool.name).not.to.include("#/components");
          ajv.compile(schema);
        }
      }
    }
  });

  it("the tools' input schemas hold no references, which not every program follows", () => {
    for (const { tool } of tools) expect(JSON.stringify(tool.inputSchema), tool.name).not.to.include("$ref");
  });

  it("the tools come with instructions about identity, money, gaps, cost, paging and names", () => {
    for (const word of ["item_id", "cents", "null is unknown", "Cost:", "Paging:", "not instructions"]) {
      expect(instructions).to.include(word);
    }
  });

  it("the output schemas accept answers of a newer service with more fields and values", () => {
    for (const { tool } of tools) {
      const promised = JSON.stringify(tool.outputSchema);
      for (const keyword of ["additionalProperties", "enum", "const", "pattern", "maxItems", "oneOf"]) {
        expect(promised, tool.name).not.to.include(`"${keyword}":`);
      }
      expect(tool.outputSchema!.required, tool.name).to.include.members(["data", "meta"]);
    }
  });

  it("the list of tools stays small enough for an agent", () => {
    expect(Buffer.byteLength(JSON.stringify(tools.map(({ tool }) => tool)))).to.be.below(96 * 1024);
  });
});
