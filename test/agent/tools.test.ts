import { Ajv } from "ajv";
import { Ajv2020 } from "ajv/dist/2020.js";
import formats from "ajv-formats";
import { expect } from "chai";
import { clientOperations } from "../../generated/client-operations.ts";
import { operationList } from "../../scripts/contract/answers.ts";
import { contractTools } from "../../src/agent/server.ts";

const addFormats = formats as unknown as (ajv: Ajv | Ajv2020) => void;

type Shape = { maximum?: number };

describe("agent adapter tools", () => {
  const { listed } = contractTools();
  const tools = [...contractTools().tools.values()];

  it("are the JSON operations and the export, in the contract's order", () => {
    const names = tools.map(({ tool }) => tool.name);
    const isOffered = (name: string) =>
      name === "streamMarketSnapshot" || !clientOperations[name as keyof typeof clientOperations].isStream;
    expect(names).to.deep.equal(operationList.map(({ operationId }) => operationId).filter(isOffered));
    expect(names).to.deep.equal(Object.keys(clientOperations).filter(isOffered));
  });

  it("are each marked read-only", () => {
    for (const tool of listed) {
      expect(tool.annotations, tool.name).to.deep.equal({ readOnlyHint: true });
    }
  });

  it("have descriptions that begin with cost and plan", () => {
    for (const { tool, view } of tools) {
      const [cost] = (tool.description ?? "").split("\n");
      const { plan, scope } = view.facts;
      const units = { 0: scope === "none" ? "nothing" : "no unit", 1: "1 unit" }[view.facts.cost];
      expect(cost, tool.name).to.match(new RegExp(`^Cost: ${units}\\b`));
      expect(cost?.includes("Paid plans"), tool.name).to.equal(plan === "paid");
      expect(cost?.includes("a personal token"), tool.name).to.equal(scope === "portfolio:read");
    }
  });

  it("accept the contract's parameters, `fields`, and `name` for an item", () => {
    for (const { tool } of tools) {
      const { pathParams, queryParams, bodyFields, required } = clientOperations[tool.name as "getItem"];
      const own = clientOperations[tool.name as "getItem"].isStream ? {} : { fields: "string[]" };
      const isOfItem = "item_id" in pathParams;
      const names = Object.keys({
        ...pathParams,
        ...queryParams,
        ...(bodyFields as object | null),
        ...own,
        ...(isOfItem && { name: "" }),
      });
      expect(Object.keys(tool.inputSchema.properties ?? {}), tool.name).to.have.members(names);
      expect(tool.inputSchema.required ?? [], tool.name).to.have.members(isOfItem ? [] : [...required]);
    }
  });

  it("have the row limits of the agents' guide", () => {
    const of = (name: string) => tools.find(({ tool }) => tool.name === name)!;
    expect(of("listItems").rows).to.deep.equal({ most: 100, byDefault: 25 });
    expect(of("listOpenables").rows).to.deep.equal({ most: 41, byDefault: 25 });
    expect(Math.max(...tools.map(({ rows }) => rows?.most ?? 0))).to.equal(100);
    expect(Math.max(...tools.map(({ rows }) => rows?.byDefault ?? 0))).to.equal(25);
    const { properties } = of("getMarketPricesBatch").tool.inputSchema;
    expect((properties as Record<string, { maxItems: number }>).item_ids?.maxItems).to.equal(100);
  });

  it("have schemas that compile alone in both dialects of JSON Schema", () => {
    for (const ajv of [new Ajv2020({ strict: false }), new Ajv({ strict: false })]) {
      addFormats(ajv);
      for (const { inputSchema } of listed) ajv.compile(inputSchema);
    }
  });

  it("have input schemas without references, which some programs ignore", () => {
    for (const tool of listed) expect(JSON.stringify(tool.inputSchema), tool.name).not.to.include("$ref");
  });

  it("use each argument with one meaning and without a format", () => {
    const shapes = new Map<string, string>();
    for (const { inputSchema, name } of listed) {
      expect(JSON.stringify(inputSchema), name).not.to.include('"format"');
      for (const [key, { maximum: _, ...shape }] of Object.entries(inputSchema.properties as Record<string, Shape>)) {
        if (["limit", "side"].includes(key)) continue;
        expect(JSON.stringify(shape), `${name}: ${key}`).to.equal(shapes.get(key) ?? JSON.stringify(shape));
        shapes.set(key, JSON.stringify(shape));
      }
    }
    expect([...shapes.keys()]).to.include.members(["name", "q", "item_id", "item_ids", "provider"]);
  });

  it("are listed in at most 16 KB, without response schemas", () => {
    expect(listed.map(({ name }) => name)).to.deep.equal(["findPrices", ...tools.map(({ tool }) => tool.name)]);
    expect(Buffer.byteLength(JSON.stringify({ tools: listed }))).to.be.at.most(16_384);
    for (const tool of listed) expect(tool, tool.name).not.to.have.property("outputSchema");
  });
});
