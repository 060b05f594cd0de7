import { spawnSync } from "node:child_process";
import { readdirSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect } from "chai";
import type { CompressionResults } from "../../scripts/bench/compression/rounds.ts";
import { temporaryFolder } from "../support/files.ts";

const script = fileURLToPath(new URL("../../scripts/bench/main.ts", import.meta.url));

describe("bench of compression", () => {
  it("measures whole answers and exports both ways, judges no goal by them, and leaves no file behind", () => {
    const folder = temporaryFolder();
    const json = join(folder, "figures.json");
    const args = ["--only", "compression", "--rounds", "1", "--seconds", "0.05", "--items", "150"];
    const words = ["--import", "tsx", script, ...args, "--dir", folder, "--json", json];
    const run = spawnSync(process.execPath, words, { encoding: "utf8" });
    expect(run.status, run.stderr).to.equal(0);
    const { goals, compression } = JSON.parse(readFileSync(json, "utf8")) as {
      goals: { value: number | null }[];
      compression: CompressionResults;
    };
    const { "one item": item, ...longer } = compression.answers;
    expect(item!.gzip.bytes, "too short to be compressed").to.equal(item!.plain.bytes);
    for (const [name, { plain, gzip }] of [...Object.entries(longer), ["export", compression.exports] as const])
      expect(gzip.bytes, name).to.be.within(1, plain.bytes / 2);
    expect(compression.reads.gzip.p99Ms).to.have.length(1);
    expect(goals.every(({ value }) => value === null)).to.equal(true);
    expect(readdirSync(folder)).to.deep.equal(["figures.json"]);
    rmSync(folder, { recursive: true, force: true });
  }).timeout(60_000);
});
