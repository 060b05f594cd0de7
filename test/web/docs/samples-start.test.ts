import { execFile, spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { createInterface } from "node:readline";
import type { Readable } from "node:stream";
import { promisify } from "node:util";
import { expect } from "chai";
import { document } from "../../../scripts/contract/answers.ts";
import { loadContract } from "../../../src/contract/document.ts";
import { dayOf, dayText } from "../../../src/values/time/calendar.ts";
import { type Documented, documentedOperations } from "../../../src/web/docs/documented.ts";
import { sampleEndings } from "../../../src/web/docs/samples/sample.ts";
import { samplePath } from "../../../src/web/docs/samples/target.ts";
import { expectExamplesPass, lastHour } from "../../contract/example-requests.ts";
import { jsonOf, programPath } from "../../support/cli.ts";
import { temporaryFolder } from "../../support/files.ts";
import { describeLong, isLongRun, itLong } from "../../support/size.ts";
import { needPosix, needTool } from "../../support/skip.ts";
import { World } from "../../support/world.ts";
import { type Ended, type Job, runSamples } from "./sample-runs.ts";

const run = promisify(execFile);
const documented = documentedOperations(loadContract());
/** The short run tests streams and exports, and every sixth operation with JSON. */
const operations = isLongRun ? documented : documented.filter(({ isStream }, index) => isStream || index % 6 === 0);

type Started = { base: string; keys: { builder: string; token: string }; stop(): Promise<void> };

describeLong("code samples in the demo world of a started program", function () {
  this.timeout(120_000);
  let started: Started | undefined;
  let folder: string;

  before(async function () {
    needPosix(this);
    for (const tool of ["curl", "python3"]) needTool(this, tool, "--version");
    // Making a demo world is the slowest step, so the short run uses a cached one.
    started = isLongRun ? await startedProgram() : await startedWorld();
    folder = temporaryFolder();
    for (const { operationId } of operations) {
      for (const ending of sampleEndings) {
        const answer = await fetch(started.base + samplePath(operationId, ending));
        const text = await answer.text();
        // The documented instant is of the documented world.
        const sample = isLongRun ? text.replace(/2026-01-15T11:00:00\.000Z/, lastHour()) : text;
        writeFileSync(join(folder, `${operationId}.${ending}`), sample);
      }
    }
  });
  after(() => started?.stop());

  // The short run serves the sources. The test of the package covers the built files.
  itLong("keep characters beyond ASCII on the program's pages", async () => {
    const page = await (await fetch(`${started!.base}/docs/operations/getItem`)).text();
    expect(page).to.contain(" · ").and.not.contain("Â");
  });

  itLong("accept examples together and alone, with yesterday for a required day", async () => {
    const { base, keys } = started!;
    const day = dayText(dayOf(Date.now()) - 1);
    await expectExamplesPass(document, { base, day, keys: { market: keys.builder, token: keys.token } });
  });

  for (const ending of sampleEndings) {
    it(`run as printed from an empty folder in ${ending}, with real output`, async () => {
      if (ending === "ts") await installAsPrinted(folder);
      const jobs = operations.map(
        ({ operationId, plan, scope }): Job => ({
          file: `${operationId}.${ending}`,
          key: plan === "none" ? null : scope === "portfolio:read" ? started!.keys.token : started!.keys.builder,
        }),
      );
      const ended = await runSamples(ending, folder, jobs);
      for (const [index, operation] of operations.entries()) expectAnswer(operation, ended[index]!);
      const exported = join(folder, "market.ndjson");
      if (ending !== "ts")
        expect(readFileSync(exported, "utf8").trimEnd().split("\n").at(-1)).to.contain('"type":"end"');
      expect(existsSync(`${exported}.part`)).to.equal(false);
    });
  }
});

/** Starts the program, which makes its own demo world. */
async function startedProgram(): Promise<Started> {
  const path = join(temporaryFolder(), "itemtape.db");
  const words = [programPath, "start", "--db", path, "--port", "0", "--log-level", "silent"];
  const program = spawn(process.execPath, words, { stdio: ["ignore", "pipe", "inherit"] });
  const { base, ...keys } = await readStart(program.stdout);
  await toQuant(path);
  const stop = async () => {
    if (program.exitCode !== null) return;
    program.kill();
    await once(program, "exit");
  };
  return { base, keys, stop };
}

async function startedWorld(): Promise<Started> {
  const world = await World.start();
  await toQuant(world.path);
  const { builder, builderToken: token } = world.keys;
  return { base: world.base, keys: { builder, token }, stop: () => world.stop() };
}

/** Gives the demo's account a larger plan. Its own allows 60 requests a minute, fewer than there are samples. */
async function toQuant(path: string): Promise<void> {
  await jsonOf("accounts", "plan", "acc_000000000000000demo1", "quant", "--db", path);
}

/** Runs the line of a sample that installs the client. It must also create everything else that the folder needs. */
async function installAsPrinted(folder: string): Promise<void> {
  const withClient = operations.filter(({ isStream, isExport }) => isExport || !isStream);
  const lines = withClient.map(({ operationId }) => {
    const text = readFileSync(join(folder, `${operationId}.ts`), "utf8");
    return /^\/\/ {3}(npm install .*)$/m.exec(text)?.[1];
  });
  const [line] = lines;
  expect(new Set(lines).size).to.equal(1);
  const environment = { ...process.env, npm_config_registry: "http://127.0.0.1:9", npm_config_audit: "false" };
  await run("sh", ["-c", String(line)], { cwd: folder, env: environment });
  expect(readdirSync(join(folder, "node_modules")).filter((name) => !name.startsWith("."))).to.deep.equal([
    "itemtape-client",
  ]);
}

/** Reads the address and the keys that the program prints when it starts. */
async function readStart(output: Readable): Promise<{ base: string; builder: string; token: string }> {
  let text = "";
  for await (const line of createInterface(output)) {
    text += `${line}\n`;
    const base = /listens on (http:\/\/127\.0\.0\.1:\d+)/.exec(line)?.[1];
    const builder = /itemtape_live_\w+/.exec(text)?.[0];
    const token = /itemtape_pat_\w+/.exec(text)?.[0];
    if (base !== undefined && builder !== undefined && token !== undefined) return { base, builder, token };
  }
  throw new Error(`the program did not listen; it printed ${text}`);
}

function expectAnswer({ operationId, isStream, isExport }: Documented, { code, out, err }: Ended): void {
  // The state that the sample names is of the contract's example, and this world may never have been in it.
  if (isStream && !isExport && /generation_not_found/.test(out + err)) return;
  expect(code, `${operationId}: ${out}${err}`).to.equal(0);
  expect(err, operationId).to.equal("");
  if (isStream && !isExport) {
    expect(JSON.parse(out.trimEnd().split("\n").at(-1) ?? "").type, operationId).to.equal("end");
    return;
  }
  if (isExport) {
    expect(out).to.match(/^complete: \d{4} items of generation g\d+\n$/);
    return;
  }
  const { data, meta } = JSON.parse(out);
  expect(data, operationId).to.be.an(Array.isArray(data) ? "array" : "object");
  if (Array.isArray(data)) expect(data, operationId).to.not.have.length(0);
  expect(meta.request_id, operationId).to.match(/^req_/);
}
