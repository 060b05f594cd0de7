import { spawnSync } from "node:child_process";
import { mkdirSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect } from "chai";
import {
  copyAnswers,
  createDataSet,
  type DataSet,
  historyTargets,
  recordHistory,
} from "../../scripts/bench/data-set.ts";
import { parseOptions } from "../../scripts/bench/options.ts";
import { type ServerName, servers } from "../../scripts/bench/peers/servers.ts";
import { checkGoals, type Report, reportText } from "../../scripts/bench/report.ts";
import type { Result } from "../../scripts/bench/table.ts";
import { tables } from "../../scripts/bench/tables.ts";
import { UsageError } from "../../scripts/support/flags.ts";
import { installPackages } from "../../scripts/support/installed.ts";
import { hasPostgres } from "../../scripts/support/postgres.ts";
import { temporaryFolder } from "../support/files.ts";
import { describeLong, isLongRun, itLong } from "../support/size.ts";

const benchFolder = fileURLToPath(new URL("../../scripts/bench/", import.meta.url));
const script = join(benchFolder, "main.ts");

describe("The bench", function () {
  this.timeout(120_000);
  let data: DataSet;
  before(() => {
    // Fastify is no package of the checkout itself.
    if (isLongRun) installPackages(benchFolder);
    data = createDataSet(temporaryFolder(), 100, 1);
  });

  /** Asks some servers the same and returns the texts of their answers. */
  async function ask(names: readonly ServerName[], method: string, paths: readonly string[], setup = data.copy()) {
    const answers: string[][] = [];
    for (const name of names) {
      const server = await servers[name](setup);
      const headers = { authorization: `Bearer ${data.keys[0]}` };
      const texts = paths.map(async (path) => {
        const answer = await fetch(`http://127.0.0.1:${server.port}${path}`, { method, headers });
        expect(answer.status, `${name} ${path}`).to.equal(200);
        return await answer.text();
      });
      answers.push(await Promise.all(texts));
      await server.close();
    }
    return answers;
  }

  it("the bench compares servers that answer a point read with the same item", async () => {
    const others = isLongRun ? ["file-pipe-64k"] : ["file-pipe-64k", "fastify"];
    const names = Object.keys(servers).filter((name) => !others.includes(name)) as ServerName[];
    const answers = await ask(names, "GET", ["/v1/items/1"]);
    const items = answers.map(([text]) => JSON.parse(text!).data);
    expect(items).to.have.length(isLongRun ? 7 : 6);
    for (const item of items) expect(item).to.deep.equal(items[0]);
  });

  it("the bench compares servers that send an export with the same items", async () => {
    const answers = await ask(["file-pipe-64k", "full-stack"], "POST", ["/v1/markets/snapshot"]);
    const [piped, own] = answers.map(([text]) => text!.trimEnd().split("\n").slice(1, -1));
    expect(own).to.have.length(100);
    expect(piped).to.deep.equal(own);
  });

  itLong(
    "the bench compares the service with a peer that reads the same quotes and full pages of history",
    async () => {
      const setup = data.copy();
      recordHistory(setup.database, 2);
      const service = await servers["full-stack"](setup);
      await copyAnswers(setup.rows, { port: service.port, key: data.keys[0]!, items: 2 });
      await service.close();
      const paths = ["/v1/items/2/markets", historyTargets.hourly.replace("{item}", "2"), historyTargets.daily];
      const answers = await ask(["fastify", "full-stack"], "GET", paths, setup);
      const [peer, own] = answers.map((texts) => texts.map((text) => JSON.parse(text).data));
      const prices = (market: { asks: { amount: number }[]; bids: { amount: number }[] }) =>
        [market.asks, market.bids].map((quotes) => quotes.map(({ amount }) => amount).sort());
      expect(prices(peer![0])).to.deep.equal(prices(own![0]));
      expect(own![1]).to.have.length(1000);
      expect(own![2]).to.have.length(366);
      expect(peer!.slice(1)).to.deep.equal(own!.slice(1));
    },
  );

  it("the bench checks goals by medians, by ratios and by differences within a round, and only what was measured", () => {
    // Three rounds, of which the machine was slow in the second.
    const rates = { "full-stack": { "req/s": [50, 5, 40] }, "raw-constant": { "req/s": [100, 10, 100] } };
    const exports = {
      "full-stack": { "first byte ms": [2.5, 9.9, 3] },
      "file-pipe-64k": { "first byte ms": [1, 8, 1] },
      "a durable commit": { "first byte ms": [0.5, 1, 0.5] },
    };
    const day = { "a frame": { "longest lock ms": [19, 50, 21] } };
    const result = (cases: Result["cases"]): Result => ({ title: "", cases });
    const measured = { point: result(rates), export: result(exports), "sealed day": result(day) };
    const goals = checkGoals(tables, measured);
    const byName = (one: { name: string }, other: { name: string }) => (one.name < other.name ? -1 : 1);
    expect(goals.filter(({ value }) => value !== null).sort(byName)).to.deep.equal([
      {
        name: "export: full-stack, first byte ms - file-pipe-64k - a durable commit",
        bound: "<= 0.5",
        value: 1,
        met: false,
      },
      { name: "point: full-stack, req/s ÷ raw-constant", bound: ">= 0.4", value: 0.5, met: true },
      { name: "sealed day: a frame, longest lock ms", bound: "<= 20", value: 21, met: false },
    ]);
    expect(checkGoals(tables, {}).every(({ met }) => met === null)).to.equal(true);
  });

  it("the bench prints a case beside the one that it is compared with", () => {
    const cases = {
      "page of 1,000 rows": { "CPU µs": [100, 800, 100] },
      "page of 1,000 rows, objects": { "CPU µs": [300, 2400, 310] },
    };
    const results = { pages: { title: "Pages", cases, compared: { "CPU µs": null } } };
    const machine = { node: "v20.20.2", processor: "test", coreCount: 2, fdatasyncUs: 100 };
    const cores = { server: "0", load: "1", note: null };
    const text = reportText({
      machine,
      cores,
      options: parseOptions([]),
      tables: results,
      goals: checkGoals(tables, {}),
    });
    expect(text).to.match(/^page of 1,000 rows, objects +310 +3\.00 +677 %$/m);
  });

  it("the bench refuses an unknown flag or part by name", () => {
    for (const [args, message] of [
      [["--turbo"], "--turbo"],
      [["--only", "write"], "--only: takes point, answers, export, day, history"],
      [["--rounds", "0"], "--rounds: takes a whole number from 1"],
      [["--seconds", "11"], "--seconds: takes a number from 0.05 to 10"],
    ] as const) {
      expect(() => parseOptions(args)).to.throw(UsageError, message);
    }
  });
});

// It measures all parts, which takes half a minute of the processor.
describeLong("The bench in its shortest form", () => {
  let folder: string;
  let run: Report & { text: string };
  before(function () {
    this.timeout(600_000);
    folder = temporaryFolder();
    run = runShortest(join(folder, "run"));
  });

  it("the bench prints every table with finite figures, and the Node that it ran on", () => {
    const { tables, text } = run;
    expect(text).to.match(new RegExp(`^Node ${process.versions.node}, `));
    expect(Object.keys(tables)).to.include.members(["point", "answers", "export", "sealed day", "releases", "start"]);
    for (const { title, cases } of Object.values(tables)) {
      expect(text).to.include(`\n${title}\n`);
      for (const series of Object.values(cases))
        for (const values of Object.values(series)) expect(values.every(Number.isFinite), title).to.equal(true);
    }
  });

  it("the bench checks every goal", () => {
    const names = run.goals.filter(({ met }) => met === null).map(({ name }) => name);
    const ofPostgres = [
      "nodes: PostgreSQL, 64 accounts, p99 ms - file, 64 accounts",
      "following: 15 % of the items changed, s to both",
      "swap: reads while a release is taken, p99 ms ÷ reads alone",
    ];
    expect(names).to.deep.equal(hasPostgres() ? [] : ofPostgres);
    expect(run.goals.length).to.be.greaterThan(30);
  });

  it("the bench compares answers of many rows with those of a peer that sends as much", () => {
    const { cases } = run.tables.answers!;
    const peers = Object.keys(cases).filter((name) => name.endsWith(", fastify"));
    expect(peers).to.have.length(5);
    for (const peer of peers) {
      const [own, other] = [cases[peer.slice(0, -", fastify".length)]!, cases[peer]!].map(({ bytes }) => bytes![0]!);
      expect(other! / own!, peer).to.be.within(0.8, 1.2);
    }
  });

  it("the bench compresses pages and exports to less than half", () => {
    const { answers, export: exports } = run.tables;
    for (const name of ["quotes of 100 items", "hourly page of 1,000 rows", "100 openables"]) {
      const [plain, packed] = [name, `${name}, gzip`].map((row) => answers!.cases[row]!.bytes![0]!);
      expect(packed!, name).to.be.within(1, plain! / 2);
    }
    const sent = (name: string) => exports!.cases[name]!["MB sent"]![0]!;
    expect(sent("full-stack, gzip")).to.be.within(0.001, sent("full-stack") / 2);
  });
});

/** Runs all parts. Fails unless they succeed and leave no other file than the figures. */
function runShortest(folder: string): Report & { text: string } {
  mkdirSync(folder);
  const json = join(folder, "figures.json");
  const short = ["--rounds", "1", "--seconds", "0.05", "--items", "150"];
  const words = [script, ...short, "--dir", folder, "--json", json];
  const run = spawnSync(process.execPath, words, { encoding: "utf8" });
  expect(run.status, run.stderr).to.equal(0);
  expect(readdirSync(folder)).to.deep.equal(["figures.json"]);
  return { ...(JSON.parse(readFileSync(json, "utf8")) as Report), text: run.stdout };
}
