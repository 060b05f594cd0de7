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

describe("publication of quotes", function () {
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

  it("is one transaction for any number of changed quotes", async () => {
    const steps: BatchStats[] = [];
    const pause = async (step: BatchStats) => void steps.push(step);
    const path = copy("held");
    // A transaction of segments ends after 50 ms, which a busy machine reaches.
    let readMs = 0;
    const clock = { now: systemClock.now, monotonicMs: () => (readMs += 0.01) };
    const report = await importQuotes(path, nextBody, { adapter: "steam" }, { clock, pause });
    // The quotes, and the segments of the frame.
    expect(steps.filter(({ rows }) => rows === itemCount)).to.have.length(2);
    expect(Math.max(...steps.map(({ rows }) => rows))).to.equal(itemCount);
    expect(report.lockHeldMsMax).to.equal(Math.max(...steps.map(({ lockHeldMs }) => lockHeldMs)));
    expect(publishedState(path)).to.include({ generation: before.generation + 1 });
  });

  it("leaves a whole old or new generation wherever it is killed", async () => {
    const reference = copy("reference");
    await importQuotes(reference, nextBody, { adapter: "steam" }, parts);
    const after = publishedState(reference);
    expect(after.recorded).to.not.equal(before.recorded);
    const seen = new Set<string | null>();
    const places = [
      ["writing", 1] as const,
      ["between", 1] as const,
      ...[1, 2, 3, 4].map((count) => ["inside", count] as const),
      ...[2, 300, itemCount].map((count) => ["writing", count] as const),
      ...[2, 4].map((count) => ["between", count] as const),
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
      expect(mended).to.deep.include({ recorded: after.recorded, actual: after.recorded });
    }
    expect([...seen]).to.include.members([before.recorded, after.recorded]);
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
