import { rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect } from "chai";
import { type Node, node, readDocumentText } from "../../scripts/contract/document.ts";
import { callsOf } from "../../scripts/sdk/calls.ts";
import { compile } from "../../scripts/sdk/compile.ts";
import { oazapfts } from "../../scripts/sdk/generators/oazapfts.ts";
import { parseOptions } from "../../scripts/sdk/options.ts";
import { parseServedDocument, StaleDocument } from "../../scripts/sdk/subject.ts";
import { typedUses } from "../../scripts/sdk/typed-uses.ts";
import { UsageError } from "../../scripts/support/flags.ts";
import { temporaryFolder } from "../support/files.ts";
import { itLong } from "../support/size.ts";

// Tests that need a generator are in scripts/sdk.

const text = readDocumentText();

describe("SDK caller", () => {
  itLong("does not compile if an SDK field is untyped, wide or non-nullable", function () {
    this.timeout(300_000);
    const folder = temporaryFolder();
    const schema: Node = {
      type: "object",
      required: ["side", "amount"],
      properties: { side: { enum: ["ask", "bid"] }, amount: { anyOf: [{ type: "integer" }, { type: "null" }] } },
    };
    const faultsWith = (type: string) => {
      const lines = [`declare const body: ${type};`, ...typedUses({}, schema, "body"), "export {};"];
      writeFileSync(join(folder, "caller.ts"), lines.join("\n"));
      return compile(folder, "caller.ts").faults.length;
    };
    try {
      expect(faultsWith(`{ side: "ask" | "bid"; amount: number | null }`)).to.equal(0);
      expect(faultsWith("any")).to.be.greaterThan(0);
      expect(faultsWith("{ side: string; amount: number | null }")).to.equal(1);
      expect(faultsWith(`{ side: "ask" | "bid"; amount: number }`)).to.equal(1);
    } finally {
      rmSync(folder, { recursive: true });
    }
  });

  it("is not written if a parameter has no example", () => {
    const silenced = structuredClone(parseServedDocument(text));
    delete node(node(node(silenced.components).parameters).IndexIdInPath).example;
    expect(() => callsOf(silenced)).to.throw(/^getIndex: parameter index_id: has no example$/);
  });
});

describe("SDK source document", () => {
  it("is rejected if it differs from the served document", () => {
    const edited = text.replace("operationId: listProviders", "operationId: listSources");
    expect(() => parseServedDocument(edited)).to.throw(StaleDocument, "run `npm run generate`");
  });
});

describe("sdk:check flags", () => {
  it("choose one generator, and unknown flags and generators are rejected", () => {
    expect(parseOptions([]).generators).to.have.length.of.at.least(5);
    expect(parseOptions([]).runsTests).to.equal(true);
    expect(parseOptions(["--only", "oazapfts"])).to.deep.equal({ generators: [oazapfts], runsTests: false });
    expect(() => parseOptions(["--only", "nothing"])).to.throw(UsageError, "--only: must be openapi-typescript");
    expect(() => parseOptions(["--fast"])).to.throw(UsageError, "--fast");
  });
});
