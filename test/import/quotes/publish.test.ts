import { spawn } from "node:child_process";
import { copyFileSync } from "node:fs";
import { join } from "node:path";
import { expect } from "chai";
import { childProgram } from "../../../scripts/support/child-program.ts";
import { importQuotes } from "../../../src/import/quotes/quote-import.ts";
import { checkDatabase } from "../../../src/store/check/check.ts";
import type { BatchStats } from "../../../src/store/write/batches.ts";
import { systemClock } from "../../../src/values/time/clock.ts";
import { steamBody } from "../../support/bodies.ts";
import { casesBySize } from "../../support/size.ts";
import { publishedState, type QuoteWorld, worldsAfter } from "./quote-world.ts";

const importChild = new URL("./import-child.ts", import.meta.url);
const itemCount = 600;
const parts = { clock: systemClock };

describe("publishing", function () {
  this.timeout(120_000);
  let world: QuoteWorld;
  let before: ReturnType<typeof publishedState>;
  let nextBody: string;
  const bodyOf = (cents: number, of = world) =>
    of.body(
      steamBody(Object.fromEntries(Array.from({ length: itemCount }, (_, index) => [`Item ${index}`, cents + index]))),
    );
  const copy = (name: string) => {
    const path = join(world.folder, `${name}.db`);
    copyFileSync(world.path, path);
    return path;
  };

  const items = Array.from({ length: itemCount }, () => ({}));
  const published = worldsAfter(items, (first) => first.import(bodyOf(100, first), { adapter: "steam" }));
  beforeEach(async () => {
    world = await published();
    before = publishedState(world.path);
    nextBody = bodyOf(200);
  });
  afterEach(() => world.destroy());

  it("a publication gives up the writer's lock within 20 ms, nine times of ten on a busy machine too, and pauses after each", async () => {
    const held: BatchStats[] = [];
    const pause = async (step: BatchStats) => void held.push(step);
    const report = await importQuotes(copy("held"), nextBody, { adapter: "steam" }, { ...parts, pause });
    const sorted = held.map(({ lockHeldMs }) => lockHeldMs).sort((a, b) => a - b);
    expect(held.reduce((sum, { rows }) => sum + rows, 0)).to.be.at.least(2 * itemCount);
    expect(held.length).to.be.at.least(10);
    expect(sorted[Math.floor(sorted.length * 0.9)], "nine of ten").to.be.at.most(20);
    expect(report.lockHeldMsMax).to.equal(sorted.at(-1));
  });

  it("a publication leaves the old generation whole or has published the new one wherever it is killed", async () => {
    const reference = copy("reference");
    await importQuotes(reference, nextBody, { adapter: "steam" }, parts);
    const after = publishedState(reference);
    expect(after.recorded).to.not.equal(before.recorded);
    const seen = new Set<string | null>();
    const places = [
      ...[1, 2, 4, 8].map((count) => ["between", count] as const),
      ...[3, 80, 400, 600, 900].map((count) => ["inside", count] as const),
      ["published", 1] as const,
    ];
    for (const [where, count] of casesBySize(places, 3)) {
      const path = copy(`killed-${where}-${count}`);
      const { signal } = await runChild([path, nextBody, where, String(count)]);
      const state = publishedState(path);
      expect(state.actual, `${where} ${count}`).to.equal(state.recorded);
      expect([before.recorded, after.recorded]).to.include(state.recorded);
      expect(checkDatabase(path).faults, `${where} ${count}`).to.deep.equal([]);
      seen.add(signal === "SIGKILL" ? state.recorded : "ended");
      await importQuotes(path, nextBody, { adapter: "steam" }, { ...parts, pause: async () => {} });
      const mended = publishedState(path);
      expect(mended).to.deep.include({ recorded: after.recorded, actual: after.recorded, orphans: 0 });
    }
    expect([...seen]).to.include.members([before.recorded, after.recorded]);
  });

  it("a publication that is killed among its sealed pages leaves the old ones, and the next publication seals its own", async () => {
    const path = copy("sealing");
    const { signal } = await runChild([path, nextBody, "sealing", "1"]);
    expect(signal).to.equal("SIGKILL");
    expect(publishedState(path)).to.deep.include({ recorded: before.recorded, generation: before.generation });
    const { facts, faults } = checkDatabase(path);
    expect(faults).to.deep.equal([]);
    expect(facts.join("\n")).to.match(/sealed pages hold the lines of 600 items(.|\n)*of other generations are left/);
    await importQuotes(path, nextBody, { adapter: "steam" }, { ...parts, pause: async () => {} });
    expect(publishedState(path).orphans).to.equal(0);
    expect(checkDatabase(path).facts.join("\n")).to.contain("sealed pages hold the lines of 600 items");
  });
});

async function runChild(words: readonly string[]): Promise<{ code: number | null; signal: NodeJS.Signals | null }> {
  const child = spawn(process.execPath, [...childProgram(importChild), ...words], {
    stdio: ["ignore", "ignore", "inherit"],
  });
  return new Promise((resolve, reject) => {
    child.once("error", reject);
    child.once("exit", (code, signal) => resolve({ code, signal }));
  });
}
