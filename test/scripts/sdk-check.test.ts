import { mkdtempSync, readdirSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect } from "chai";
import { type Node, node, parseDocument, readDocumentText, repositoryRoot } from "../../scripts/contract/document.ts";
import { callsOf } from "../../scripts/sdk/calls.ts";
import { checkGenerator, type SdkResult, type Subject } from "../../scripts/sdk/check.ts";
import { compile } from "../../scripts/sdk/compile.ts";
import type { Generator } from "../../scripts/sdk/generator.ts";
import { oazapfts } from "../../scripts/sdk/generators/oazapfts.ts";
import { openapiFetch } from "../../scripts/sdk/generators/openapi-fetch.ts";
import { parseOptions, UsageError } from "../../scripts/sdk/options.ts";
import { reportText } from "../../scripts/sdk/report.ts";
import { openSubject } from "../../scripts/sdk/subject.ts";
import { typedUses } from "../../scripts/sdk/typed-uses.ts";
import { silent } from "../../src/ingest/progress.ts";
import { systemClock } from "../../src/values/clock.ts";

const document = parseDocument(readDocumentText());
const operations = callsOf(document).length;

describe("npm run sdk:check", () => {
  let opened: { subject: Subject; stop(): Promise<void> };
  let dir: string;
  const check = (generator: Generator, given = document): Promise<SdkResult> =>
    checkGenerator(generator, { document: given, subject: opened.subject, dir, clock: systemClock, progress: silent });
  before(async function () {
    this.timeout(60_000);
    dir = mkdtempSync(join(tmpdir(), "itemtape-sdk-test-"));
    opened = await openSubject();
  });
  after(async () => {
    await opened.stop();
    rmSync(dir, { recursive: true });
  });

  for (const generator of [openapiFetch, oazapfts]) {
    it(`calls every operation through an SDK that ${generator.name} makes, and leaves no file behind`, async () => {
      const result = await check(generator);
      expect(result.failures).to.deep.equal([]);
      expect(result).to.include({ operations, called: operations });
      // Each operation, the second pages, the conditional reads and the refusal.
      expect(result.requests).to.be.greaterThan(2 * operations);
      expect(readdirSync(dir)).to.deep.equal([]);
    }).timeout(300_000);
  }

  it("fails by name for an operation that the server does not have, for one whose parameters are not told, and for no other", async () => {
    const result = await check(openapiFetch, seeded());
    expect(result).to.include({ operations: 4, called: 2 });
    expect(new Set(result.failures.map(({ operationId }) => operationId))).to.deep.equal(
      new Set(["listElsewhere", "getIndex"]),
    );
    const lines = reportText([result]);
    expect(lines).to.match(/^openapi-typescript +\S+ +\d+\/\d+ /m);
    expect(lines).to.match(/^openapi-typescript: listElsewhere: the server answered 404/m);
    expect(lines).to.match(/^openapi-typescript: getIndex: does not compile: /m);
  }).timeout(300_000);
});

describe("a caller of an SDK", () => {
  it("does not compile where a field has no type, a wider one, or cannot be null", () => {
    const folder = mkdtempSync(join(tmpdir(), "itemtape-typed-"));
    symlinkSync(join(repositoryRoot, "node_modules"), join(folder, "node_modules"));
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
  }).timeout(300_000);

  it("is not made where the document does not say how to call an operation", () => {
    const silenced = structuredClone(document);
    delete node(node(node(silenced.components).parameters).IndexIdInPath).example;
    expect(() => callsOf(silenced)).to.throw(/^getIndex: parameter index_id: has no example$/);
  });
});

describe("the flags of sdk:check", () => {
  it("choose one generator, and are refused where they are unknown", () => {
    expect(parseOptions([])).to.have.length.of.at.least(5);
    expect(parseOptions(["--only", "oazapfts"])).to.deep.equal([oazapfts]);
    expect(() => parseOptions(["--only", "nothing"])).to.throw(UsageError, "knows no generator `nothing`");
    expect(() => parseOptions(["--fast"])).to.throw(UsageError, "--fast");
  });
});

/** Two operations of the document, one that nobody serves, and one whose parameters are not told. */
function seeded(): Node {
  const paths = node(document.paths);
  const providers = node(paths["/v1/providers"]);
  const index = node(paths["/v1/indexes/{index_id}"]);
  const changed = {
    "/v1/status": paths["/v1/status"],
    "/v1/providers": providers,
    "/v1/elsewhere": { get: { ...node(providers.get), operationId: "listElsewhere" } },
    "/v1/indexes/{index_id}": { get: { ...node(index.get), parameters: [] } },
  };
  return { ...document, paths: changed };
}
