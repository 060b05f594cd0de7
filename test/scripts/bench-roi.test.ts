import { spawnSync } from "node:child_process";
import { readdirSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect } from "chai";
import { roiGoals } from "../../scripts/bench/roi/report.ts";
import type { RoiResults } from "../../scripts/bench/roi/rounds.ts";
import { temporaryFolder } from "../support/files.ts";

const script = fileURLToPath(new URL("../../scripts/bench/main.ts", import.meta.url));

describe("bench of the ROI model", () => {
  let folder: string;
  beforeEach(() => {
    folder = temporaryFolder();
  });
  afterEach(() => rmSync(folder, { recursive: true, force: true }));

  it("measures whole runs, judges its goals, and leaves no file behind", () => {
    const json = join(folder, "figures.json");
    const args = ["--only", "roi", "--rounds", "1", "--seconds", "0.05", "--items", "150"];
    const words = ["--import", "tsx", script, ...args, "--dir", folder, "--json", json];
    const run = spawnSync(process.execPath, words, { encoding: "utf8" });
    expect(run.status, run.stderr).to.equal(0);
    expect(run.stdout).to.match(/^all inputs identical +[0-9.]+ /m);
    const { goals, roi } = JSON.parse(readFileSync(json, "utf8")) as {
      goals: { value: number | null }[];
      roi: RoiResults;
    };
    expect(roi).to.include({ containers: 2, outcomes: 200 });
    expect(roi.alone.changed[0]).to.include({ published: 4, unchanged: 0 });
    expect(roi.alone.unchanged[0]).to.include({ published: 0, unchanged: 4 });
    expect(goals.filter(({ value }) => value !== null)).to.have.length(3);
    expect(readdirSync(folder)).to.deep.equal(["figures.json"]);
  }).timeout(30_000);

  it("judges by the middle of the runs and by ratios within a round", () => {
    const run = (seconds: number, lockHeldMs: number) => ({ seconds, lockHeldMs, published: 0, unchanged: 0 });
    const latency = (p99Ms: number) => ({ p50Ms: 1, p99Ms });
    const judged = roiGoals({
      containers: 1,
      outcomes: 1,
      alone: { changed: [run(9, 20), run(9, 60), run(9, 50)], unchanged: [] },
      beside: [run(4, 0), run(9, 0), run(5, 0)],
      idle: [latency(10), latency(100), latency(10)],
      during: [latency(25), latency(150), latency(21)],
    });
    expect(judged.map(({ value, met }) => ({ value, met }))).to.deep.equal([
      { value: 5, met: true },
      { value: 2.1, met: false },
      { value: 50, met: true },
    ]);
    expect(roiGoals(null).every(({ value, met }) => value === null && met === null)).to.equal(true);
  });
});
