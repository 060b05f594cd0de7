import { spawnSync } from "node:child_process";
import { readdirSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect } from "chai";
import { DataSet } from "../../scripts/bench/data-set.ts";
import { parseOptions, UsageError } from "../../scripts/bench/options.ts";
import { writingServers } from "../../scripts/bench/peers/names.ts";
import { pointServers } from "../../scripts/bench/peers/point-servers.ts";
import { silent } from "../../src/values/progress.ts";
import { temporaryFolder } from "../support/files.ts";

const script = fileURLToPath(new URL("../../scripts/bench/main.ts", import.meta.url));

describe("bench", () => {
  let folder: string;
  beforeEach(() => {
    folder = temporaryFolder();
  });
  afterEach(() => rmSync(folder, { recursive: true, force: true }));

  it("every server answers a point read with the same item", async () => {
    const data = DataSet.create(folder, 100, 1, silent);
    const answers: Record<string, unknown> = {};
    for (const [name, start] of Object.entries(pointServers)) {
      const server = await start(data.setup(writingServers.has(name)));
      const headers = { authorization: `Bearer ${data.keys[0]}` };
      const answer = await fetch(`http://127.0.0.1:${server.port}/v1/items/1`, { headers });
      answers[name] = { status: answer.status, data: ((await answer.json()) as { data: unknown }).data };
      await server.close();
    }
    const expected = answers["full-stack"];
    expect(expected).to.have.property("status", 200);
    for (const [name, answer] of Object.entries(answers)) expect(answer, name).to.deep.equal(expected);
  }).timeout(20_000);

  it("measures, judges every goal it has the figures for, and leaves no file behind", () => {
    const json = join(folder, "figures.json");
    const args = ["--only", "point", "--servers", "raw-constant,full-stack", "--rounds", "1", "--seconds", "0.05"];
    const words = ["--import", "tsx", script, ...args, "--items", "100", "--dir", folder, "--json", json];
    const run = spawnSync(process.execPath, words, { encoding: "utf8" });
    expect(run.status, run.stderr).to.equal(0);
    expect(run.stdout).to.match(/^full-stack +[0-9.]+ /m);
    const { goals, point } = JSON.parse(readFileSync(json, "utf8"));
    expect(point["raw-constant"].requestsPerS).to.have.length(1);
    const judged = goals.filter(({ value }: { value: number | null }) => value !== null);
    expect(judged.map(({ says }: { says: string }) => says)).to.deep.equal([
      "full stack ÷ raw constant, requests per second",
      "full stack ÷ raw constant, CPU per request",
    ]);
    expect(readdirSync(folder)).to.deep.equal(["figures.json"]);
  }).timeout(30_000);

  it("refuses an unknown flag, server or figure by name", () => {
    for (const [args, said] of [
      [["--turbo"], "--turbo"],
      [["--servers", "nginx"], "--servers: takes raw-constant"],
      [["--only", "write"], "--only: takes point, export, history"],
      [["--rounds", "0"], "--rounds: takes a whole number from 1"],
    ] as const) {
      expect(() => parseOptions(args)).to.throw(UsageError, said);
    }
  });
});
