import { expect } from "chai";
import { recordFrameInBatches } from "../../../src/import/quotes/record-frame.ts";
import { finalizeDaysInBatches } from "../../../src/store/write/finalize-days.ts";
import { contentOf, hastyClock, timesOf } from "../../import/quotes/frame-world.ts";
import { edit } from "../../support/unguarded.ts";
import { container, RoiWorld, today } from "./roi-world.ts";

describe("recent high of an unpriced outcome", () => {
  let world: RoiWorld;
  beforeEach(() => {
    world = new RoiWorld();
    world.pool("kilo", { items: [1, 2, 3] });
    world.publish([container, "alpha", 50], [container, "steam", 50], [1, "alpha", 10], [1, "steam", 10]);
  });
  afterEach(() => world.file.remove());

  /** The highs of items 2 and 3. */
  function highs(mode: "cash_ask" | "steam_gross" = "cash_ask"): (number | null)[] {
    world.run();
    return world
      .current("kilo", mode)!
      .ledger.slice(1)
      .map((entry) => (entry === 0 ? null : entry[3]));
  }

  /** Records a frame of the cash feed: alpha's ask for item 2 in an hour of a day. */
  function record(daysAgo: number, hour: number, amount: number): void {
    const quote = { provider: "alpha", side: "ask", amount, quantity: null, observedAt: null } as const;
    const content = contentOf("cash", new Map([[2, [quote]]]), { providers: ["alpha", "beta"] });
    const times = timesOf((today - daysAgo) * 24 + hour);
    for (const _ of recordFrameInBatches(world.file.writer, content, times, { clock: hastyClock }));
  }

  it("is the highest ask of the mode's providers in 90 completed days", () => {
    expect(highs()).to.deep.equal([null, null]);
    for (const [daysAgo, amount] of [
      [0, 9000],
      [1, 300],
      [2, 100],
      [91, 8000],
    ] as const)
      world.daily(2, "alpha", daysAgo, amount);
    world.daily(2, "beta", 5, 7000, "bid");
    world.daily(2, "swap", 5, 6000);
    world.daily(2, "steam", 5, 400);
    world.daily(3, "beta", 90, 55);
    expect(highs()).to.deep.equal([300, 55]);
    expect(highs("steam_gross")).to.deep.equal([400, null]);
    world.at += 12 * 3_600_000 - 1;
    expect(highs()).to.deep.equal([300, 55]);
    world.at += 1;
    expect(highs()).to.deep.equal([9000, null]);
  });

  it("is not read for a priced outcome", () => {
    world.daily(1, "alpha", 1, 9000);
    world.run();
    expect(world.current("kilo")!.ledger[0]).to.deep.equal([10, "alpha", null, null]);
  });

  it("covers unfinalized completed days, and is the same after finalization", () => {
    world.daily(2, "beta", 3, 60);
    record(2, 3, 500);
    record(2, 4, 40);
    record(0, 3, 9000);
    expect(highs()).to.deep.equal([500, null]);
    for (const _ of finalizeDaysInBatches(world.file.writer, today, hastyClock));
    expect(world.run().published).to.deep.equal([]);
    expect(highs()).to.deep.equal([500, null]);
  });

  it("counts every provider of the first day before later days are finalized", () => {
    world.daily(2, "alpha", 90, 700);
    world.daily(3, "beta", 90, 55);
    expect(highs()).to.deep.equal([700, 55]);
    record(2, 3, 500);
    expect(highs()).to.deep.equal([700, 55]);
  });

  it("prefers frames of an unfinalized day to imported rows, except for replacements", () => {
    const imports = (replaces: 0 | 1) =>
      world.file.writer.$client
        .prepare("INSERT INTO daily_imports VALUES (NULL, 'canonical-daily', 'alpha', zeroblob(32), 1, ?)")
        .run(replaces).lastInsertRowid;
    const importedBy = (importId: number | bigint) =>
      edit(world.file.writer.$client, "UPDATE daily_by_item SET import_id = ?", importId);
    world.daily(2, "alpha", 2, 700);
    importedBy(imports(0));
    record(2, 3, 500);
    expect(highs()).to.deep.equal([500, null]);
    importedBy(imports(1));
    expect(highs()).to.deep.equal([700, null]);
  });

  it("is blocked by damaged frames only for their own pools, by name", () => {
    record(2, 3, 500);
    world.pool("lima", { itemId: container + 1, items: [1] });
    world.publish([container, "alpha", 50], [container + 1, "alpha", 50], [1, "alpha", 10]);
    world.run();
    world.file.writer.$client.exec("UPDATE frame_segments SET changes = x'00000000ffffff'");
    const run = world.run();
    expect(run.skipped).to.deep.equal([
      {
        slug: "kilo",
        valuationMode: "cash_ask",
        kind: "damaged",
        reason: "recorded frames are damaged; `npx itemtape db check` gives the details",
      },
    ]);
    expect(run.unchanged).to.deep.equal([{ slug: "lima", valuationMode: "cash_ask" }]);
    expect(world.current("kilo")).to.not.equal(null);
  });
});
