import { spawnSync } from "node:child_process";
import { mkdirSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect } from "chai";
import type { Report } from "../../scripts/bench/report.ts";
import { hasPostgres } from "../../scripts/support/postgres.ts";
import { temporaryFolder } from "../support/files.ts";
import { describeLong } from "../support/size.ts";

const script = fileURLToPath(new URL("../../scripts/bench/main.ts", import.meta.url));

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
  const words = ["--import", "tsx", script, ...short, "--dir", folder, "--json", json];
  const run = spawnSync(process.execPath, words, { encoding: "utf8" });
  expect(run.status, run.stderr).to.equal(0);
  expect(readdirSync(folder)).to.deep.equal(["figures.json"]);
  return { ...(JSON.parse(readFileSync(json, "utf8")) as Report), text: run.stdout };
}
