import { spawnSync } from "node:child_process";
import { existsSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect } from "chai";
import { repositoryRoot } from "../../../scripts/contract/document.ts";
import { loadContract } from "../../../src/contract/document.ts";
import { type Documented, documentedOperations } from "../../../src/web/docs/documented.ts";
import { type SampleEnding, sampleEndings, sampleText } from "../../../src/web/docs/samples/sample.ts";
import { samplePath } from "../../../src/web/docs/samples/target.ts";
import { BrokenExports, brokenBodies, completeBody } from "../../api/broken-exports.ts";
import { temporaryFolder } from "../../support/files.ts";
import { casesBySize, describeLong } from "../../support/size.ts";
import { needPosix, needTool } from "../../support/skip.ts";
import { World } from "../../support/world.ts";
import { installPackage, type Job, runSamples, watchCurl } from "./sample-runs.ts";

const operations = documentedOperations(loadContract());
const stream = operations.find(({ isExport }) => isExport)!;

describeLong("code samples", () => {
  let world: World;
  let folder: string;
  const allRows = ({ operationId }: Documented) => `${operationId}.all.ts`;
  const fileOf = ({ operationId }: Documented, ending: SampleEnding) => `${operationId}.${ending}`;
  before(async function () {
    needPosix(this);
    for (const tool of ["curl", "python3"]) needTool(this, tool, "--version");
    world = await World.start();
    folder = temporaryFolder();
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

  it("contain no key and name only their own server", () => {
    for (const operation of operations) {
      for (const ending of sampleEndings) {
        const text = readFileSync(join(folder, fileOf(operation, ending)), "utf8");
        expect(text).to.not.match(/itemtape_(live|pat)_/);
        expect(text).to.not.match(/\bprovider[=:]|valuation_mode[=:]/);
        const origins = [...text.matchAll(/https?:\/\/[^/"']+/g)].map(([origin]) => origin);
        expect(new Set(origins), `${operation.operationId}.${ending}`).to.deep.equal(new Set([world.base]));
      }
    }
  });

  for (const ending of casesBySize(sampleEndings, 2)) {
    it(`fail in ${ending} with the refusal's code, also without a key`, async () => {
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

  for (const ending of casesBySize(sampleEndings, 2)) {
    it(`trim a newline after a key in ${ending}, and print no key`, async () => {
      world.clock.advance(61_000);
      const files = [operations.find(({ operationId }) => operationId === "getItem")!, stream];
      const secret = world.keys.builder;
      const jobs = (keys: readonly string[]) =>
        files.flatMap((operation) => keys.map((key): Job => ({ file: fileOf(operation, ending), key })));
      const taken = await runSamples(ending, folder, jobs([`${secret}\n`, `${secret}\r\n`]));
      for (const { code, out, err } of taken) expect([code, err], out).to.deep.equal([0, ""]);
      // Names are printed as they are, not as escapes.
      expect(taken[0]?.out).to.contain("★ ");
      rmSync(join(folder, "market.ndjson"), { force: true });
      const unusable = [`${secret}\nx`, `${secret}\r\nX-Other: 1`, `${secret}"`, `${secret}é`, "\n"];
      for (const { code, out, err } of await runSamples(ending, folder, jobs(unusable))) {
        expect(code, err).to.be.greaterThan(0);
        expect(out + err)
          .to.match(/./)
          .and.not.contain(secret);
      }
      expect(exported()).to.deep.equal([false, false]);
    });
  }

  it("keep the key out of curl's arguments", async () => {
    world.clock.advance(61_000);
    watchCurl(folder);
    const texts = ["getItem", "getMarketPricesBatch", stream.operationId].map((operationId) =>
      readFileSync(join(folder, `${operationId}.sh`), "utf8"),
    );
    const jobs = texts.map((text, index): Job => {
      writeFileSync(join(folder, `watched${index}.sh`), `PATH="$PWD/watched:$PATH"\n${text}`);
      return { file: `watched${index}.sh`, key: world.keys.builder };
    });
    const ended = await runSamples("sh", folder, jobs);
    for (const { code, out, err } of ended) expect(code, out + err).to.equal(0);
    expect(JSON.parse(ended[1]!.out).data).to.have.length(3);
    const noted = readFileSync(join(folder, "arguments"), "utf8");
    expect(noted.match(/^http.*$/gm)).to.have.length(texts.length);
    expect(noted).to.not.contain(world.keys.builder);
    rmSync(join(folder, "market.ndjson"));
  });

  it("have a TypeScript line that reads all rows from the sample's page", async () => {
    world.clock.advance(61_000);
    const lists = operations.filter(({ paging }) => paging !== null);
    const jobs = lists.map((operation): Job => {
      const text = readFileSync(join(folder, fileOf(operation, "ts")), "utf8");
      // Of all rows only the first: two-row pages of a whole catalog are many requests.
      const read = text.replace(/\/\/ (for await .*\)) (console\.log\(.*\);)$/m, "$1 { $2 break; }");
      expect(read, operation.operationId).to.not.equal(text);
      writeFileSync(join(folder, allRows(operation)), read);
      const isOwn = operation.scope === "portfolio:read";
      return { file: allRows(operation), key: isOwn ? world.keys.builderToken : world.keys.builder };
    });
    const ended = await runSamples("ts", folder, jobs);
    for (const [index, { operationId }] of lists.entries()) {
      const { code, out, err } = ended[index]!;
      expect(code, operationId + err).to.equal(0);
      const [first = "", ...page] = out.split("\n");
      expect(JSON.parse(page.join("\n")).data[0], operationId).to.deep.equal(JSON.parse(first));
    }
  });

  it("read all pages in Python without the final line, printing exact names", async () => {
    world.clock.advance(61_000);
    const names = ["listItems", "listProviders"];
    const jobs = names.map((operationId): Job => {
      const text = readFileSync(join(folder, `${operationId}.py`), "utf8");
      // Of all pages only the first two.
      const read = text.replace(/^ {4}break .*$/m, "    if 'twice' in globals():\n        break\n    twice = True");
      expect(read, operationId).to.not.equal(text);
      writeFileSync(join(folder, `${operationId}.all.py`), read);
      return { file: `${operationId}.all.py`, key: world.keys.builder };
    });
    for (const [index, { code, out, err }] of (await runSamples("py", folder, jobs)).entries()) {
      expect(code, err).to.equal(0);
      const pages = out.split(/\n(?=\{\n)/).map((page) => JSON.parse(page).data as object[]);
      expect(pages, names[index]).to.have.length(2);
      expect(pages[0]).to.have.length(2).and.not.deep.equal(pages[1]);
      // People read names as they are written.
      expect(out).to.not.match(/\\u[0-9a-f]{4}/);
      if (names[index] === "listItems") expect(out).to.contain("★");
    }
  });

  it("state that an export, also in llms.txt, costs an export start", async () => {
    const message = "costs 1 unit of the month and one of the export starts that the plan has a day.";
    for (const operation of operations) {
      for (const ending of sampleEndings) {
        const text = readFileSync(join(folder, fileOf(operation, ending)), "utf8");
        expect(text.includes(message), `${operation.operationId}.${ending}`).to.equal(operation.isExport);
      }
    }
    expect(await (await fetch(`${world.base}/llms.txt`)).text()).to.contain(message);
  });

  for (const ending of ["sh", "py"] as const) {
    it(`keep only a complete export in ${ending}`, async () => {
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
        brokenBodies.forEach(({ name, description }, index) => {
          const { code, out, err } = ended[index]!;
          expect(code, `${name}: ${out}${err}`).to.be.within(1, 69);
          expect(out, name).to.not.contain("complete");
          if (description !== undefined) expect(err, name).to.contain(description);
        });
        expect(exported()).to.deep.equal([false, false]);
      } finally {
        await server.stop();
      }
    });
  }

  it("compile strictly in TypeScript against the types of the client", () => {
    const lists = operations.filter(({ paging }) => paging !== null).map(allRows);
    const files = [...operations.map((operation) => fileOf(operation, "ts")), ...lists].map((file) =>
      join(folder, file),
    );
    const compilerOptions = {
      strict: true,
      exactOptionalPropertyTypes: true,
      noUncheckedIndexedAccess: true,
      skipLibCheck: true,
      noEmit: true,
      target: "ES2022",
      module: "NodeNext",
      moduleResolution: "NodeNext",
      types: ["node"],
      typeRoots: [join(repositoryRoot, "node_modules/@types")],
    };
    const project = join(folder, "tsconfig.json");
    writeFileSync(project, JSON.stringify({ compilerOptions, files }));
    const words = [join(repositoryRoot, "node_modules/typescript-native/bin/tsc"), "--project", project];
    const { status, stdout } = spawnSync(process.execPath, [...words, "--pretty", "false"], { encoding: "utf8" });
    expect([stdout, status]).to.deep.equal(["", 0]);
  });
});
