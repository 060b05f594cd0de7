import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect } from "chai";
import ts from "typescript";
import { loadContract } from "../../src/contract/document.ts";
import { type Documented, documentedOperations } from "../../src/http/docs/documented.ts";
import { type SampleEnding, sampleEndings, samplePath, sampleText } from "../../src/http/docs/samples/sample.ts";
import { operationList } from "../support/contract.ts";
import { needPosix, needTool } from "../support/skip.ts";
import { World } from "../support/world.ts";
import { BrokenExports, brokenBodies, completeBody } from "./broken-exports.ts";
import { type Ended, installPackage, type Job, runSamples } from "./sample-runs.ts";

const operations = documentedOperations(loadContract());
const stream = operations.find(({ isStream }) => isStream)!;

describe("code samples", () => {
  let world: World;
  let folder: string;
  const fileOf = ({ operationId }: Documented, ending: SampleEnding) => `${operationId}.${ending}`;
  before(async function () {
    needPosix(this);
    for (const tool of ["curl", "python3"]) needTool(this, tool, "--version");
    world = await World.start();
    folder = mkdtempSync(join(tmpdir(), "itemtape-samples-"));
    installPackage(folder);
    for (const operation of operations) {
      for (const ending of sampleEndings) {
        const answer = await fetch(world.base + samplePath(operation.operationId, ending));
        expect(answer.status, operation.operationId).to.equal(200);
        expect(answer.headers.get("content-type")).to.equal("text/plain; charset=utf-8");
        writeFileSync(join(folder, fileOf(operation, ending)), await answer.text());
      }
    }
  });
  after(async () => {
    await world?.stop();
    if (folder !== undefined) rmSync(folder, { recursive: true, force: true });
  });
  const exported = () => [existsSync(join(folder, "market.ndjson")), existsSync(join(folder, "market.ndjson.part"))];

  it("there is one for every operation in every language", () => {
    expect(operations.map(({ operationId }) => operationId)).to.deep.equal(
      operationList.map(({ operationId }) => operationId),
    );
    expect(sampleEndings).to.deep.equal(["sh", "ts", "py"]);
  });

  it("none holds a key, and each names the server that it came from and no other", () => {
    for (const operation of operations) {
      for (const ending of sampleEndings) {
        const text = readFileSync(join(folder, fileOf(operation, ending)), "utf8");
        expect(text).to.not.match(/itemtape_(live|pat)_/);
        const origins = [...text.matchAll(/https?:\/\/[^/"']+/g)].map(([origin]) => origin);
        expect(new Set(origins), `${operation.operationId}.${ending}`).to.deep.equal(new Set([world.base]));
      }
    }
  });

  for (const ending of sampleEndings) {
    it(`the samples in ${ending} all run and print what the server answers`, async () => {
      // Each language has a minute of requests of its own.
      world.clock.advance(61_000);
      const key = ({ scope }: Documented) =>
        scope === "portfolio:read" ? world.keys.builderToken : world.keys.builder;
      const jobs = operations.map(
        (operation): Job => ({
          file: fileOf(operation, ending),
          key: operation.plan === "none" ? null : key(operation),
        }),
      );
      const ended = await runSamples(ending, folder, jobs);
      for (const [index, operation] of operations.entries()) expectAnswer(operation, ended[index]!);
      if (ending === "ts") return;
      expect(exported()).to.deep.equal([true, false]);
      expect(readFileSync(join(folder, "market.ndjson"), "utf8").trimEnd().split("\n").at(-1)).to.contain(
        '"type":"end"',
      );
      rmSync(join(folder, "market.ndjson"));
    });

    it(`the samples in ${ending} end with a failure and the code of a refused key, and without any key`, async () => {
      const files = [operations.find(({ operationId }) => operationId === "getItem")!, stream];
      const wrong = `itemtape_live_${"x".repeat(36)}`;
      const jobs = files.flatMap((operation) =>
        [wrong, null].map((key): Job => ({ file: fileOf(operation, ending), key })),
      );
      const [item, itemWithout, market, marketWithout] = await runSamples(ending, folder, jobs);
      for (const { code, out, err } of [item!, market!]) {
        expect(code, err).to.be.greaterThan(0);
        expect(out + err).to.contain("invalid_api_key");
      }
      for (const { code, err } of [itemWithout!, marketWithout!]) {
        expect(code).to.be.greaterThan(0);
        expect(err).to.contain("ITEMTAPE_API_KEY");
      }
      expect(exported()).to.deep.equal([false, false]);
    });
  }

  for (const ending of ["sh", "py"] as const) {
    it(`the export in ${ending} keeps a complete one and nothing of any other`, async () => {
      const server = await BrokenExports.start([completeBody, ...brokenBodies.map(({ body }) => body)]);
      try {
        writeFileSync(join(folder, `broken.${ending}`), sampleText(stream, ending, server.base));
        const run = () => runSamples(ending, folder, [{ file: `broken.${ending}`, key: "any" }]);
        const [complete] = await run();
        expect(complete, complete?.err).to.include({ code: 0 });
        expect(readFileSync(join(folder, "market.ndjson"), "utf8")).to.equal(completeBody);
        rmSync(join(folder, "market.ndjson"));
        const jobs = brokenBodies.map((): Job => ({ file: `broken.${ending}`, key: "any" }));
        const ended = await runSamples(ending, folder, jobs);
        brokenBodies.forEach(({ name, says }, index) => {
          const { code, out, err } = ended[index]!;
          expect(code, `${name}: ${out}${err}`).to.be.within(1, 69);
          expect(out, name).to.not.contain("complete");
          if (says !== undefined) expect(err, name).to.contain(says);
        });
        expect(exported()).to.deep.equal([false, false]);
      } finally {
        await server.stop();
      }
    });
  }

  it("the samples in TypeScript hold to the types of the client, strictly", () => {
    const files = operations.map((operation) => join(folder, fileOf(operation, "ts")));
    const program = ts.createProgram(files, {
      strict: true,
      exactOptionalPropertyTypes: true,
      noUncheckedIndexedAccess: true,
      skipLibCheck: true,
      noEmit: true,
      target: ts.ScriptTarget.ES2022,
      module: ts.ModuleKind.NodeNext,
      moduleResolution: ts.ModuleResolutionKind.NodeNext,
      types: ["node"],
      typeRoots: [fileURLToPath(new URL("../../node_modules/@types", import.meta.url))],
    });
    const faults = ts.getPreEmitDiagnostics(program).map(({ file, messageText }) => {
      return `${file?.fileName}: ${ts.flattenDiagnosticMessageText(messageText, "\n")}`;
    });
    expect(faults).to.deep.equal([]);
  });
});

function expectAnswer({ operationId, isStream }: Documented, { code, out, err }: Ended): void {
  expect(code, `${operationId}: ${out}${err}`).to.equal(0);
  expect(err, operationId).to.equal("");
  if (isStream) {
    expect(out).to.match(/^complete: 2890 items/);
    return;
  }
  const { data, meta } = JSON.parse(out);
  expect(data, operationId).to.be.an(Array.isArray(data) ? "array" : "object");
  if (Array.isArray(data)) expect(data, operationId).to.not.have.length(0);
  expect(meta.request_id, operationId).to.match(/^req_/);
}
