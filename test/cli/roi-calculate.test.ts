import { expect } from "chai";
import { holdLock } from "../../src/store/file/lock.ts";
import { systemClock } from "../../src/values/time/clock.ts";
import { container, RoiWorld } from "../jobs/roi/roi-world.ts";
import { jsonOf, runHere } from "../support/cli.ts";

describe("itemtape roi calculate", () => {
  let world: RoiWorld;
  let words: string[];
  beforeEach(() => {
    world = new RoiWorld();
    world.at = systemClock.now();
    words = ["roi", "calculate", "--db", world.file.path];
  });
  afterEach(() => world.file.remove());

  function publish(): void {
    world.pool("kilo");
    world.pool("lima", { itemId: container + 1, items: [1, 2, 5] });
    world.publish(
      ...([
        [container, "alpha", 50],
        [container + 1, "alpha", 50],
        [container + 1, "steam", 50],
      ] as never[]),
      ...([
        [1, "alpha", 10],
        [2, "alpha", 10],
        [1, "steam", 10],
      ] as never[]),
    );
  }

  it("lists published and withheld results per mode, with the blocking gate", async () => {
    publish();
    const { code, lines } = await runHere(words);
    expect(code).to.equal(0);
    expect(lines[0]).to.match(/^returns at 20\d\d-.*Z, prices of g1$/);
    expect(lines.slice(1, -1)).to.deep.equal([
      "  steam_gross  1 published, 0 unchanged, 1 withheld, 1 without a point",
      "  cash_ask     2 published, 0 unchanged, 0 withheld, 1 without a point",
      "  no point     lima in cash_ask: 66.6666 % of the pool is priced, under 95 %, 66.6666 % of all is priced, under 75 %",
      "  no point     lima in steam_gross: 33.3333 % of the pool is priced, under 95 %, 33.3333 % of all is priced, under 75 %",
      "  withheld     1 in steam_gross, the container itself has no ask: kilo",
    ]);
    expect(lines.at(-1)).to.match(/^ {2}\d+\.\d\d s, longest lock \d+ ms$/);
    expect((await runHere([...words, "--only", "kilo"])).lines.slice(1, 3)).to.deep.equal([
      "  steam_gross  0 published, 0 unchanged, 1 withheld",
      "  cash_ask     0 published, 1 unchanged, 0 withheld",
    ]);
  });

  it("prints published results, withheld ones and missing points with --json", async () => {
    publish();
    const reported = await jsonOf(...words);
    expect(reported).to.include({ generation: "g1" }).and.to.have.property("calculated_at").that.matches(/Z$/);
    expect(reported.modes.cash_ask).to.deep.equal({
      published: 2,
      unchanged: 0,
      withheld: 0,
      skipped: 0,
      without_point: 1,
    });
    expect(reported.without_point[0]).to.deep.equal({
      openable: "lima",
      valuation_mode: "cash_ask",
      gates: [
        { tier: null, priced_pct: "66.6666", at_least_pct: 95 },
        { tier: "all", priced_pct: "66.6666", at_least_pct: 75 },
      ],
    });
    expect(reported.withheld).to.have.length(1);
    expect(reported).to.include.keys("seconds", "longest_lock_ms", "skipped");
  });

  it("exits with 75 and writes nothing if another calculation is running", async () => {
    publish();
    const other = holdLock(world.file.path, "roi");
    const { code, notes } = await runHere(words);
    other.release();
    expect(code).to.equal(75);
    expect(notes[0]).to.include("a calculation of returns is running on it");
    expect(world.rows("roi_calculations")).to.deep.equal([]);
  });

  it("refuses and names an unpublished openable, and exits with 1 for skips", async () => {
    publish();
    const refused = await runHere([...words, "--only", "nobody"]);
    expect(refused.code).to.equal(65);
    expect(refused.notes.at(-1)).to.include("no published container is named `nobody`");
    world.pool("kilo", { denominator: 3 });
    const { code, lines } = await runHere(words);
    expect(code).to.equal(1);
    expect(lines.join("\n")).to.match(/cash_ask {5}1 published.*1 skipped[\s\S]*skipped {6}kilo in cash_ask: /);
  });

  it("names the command to publish if no openable is published", async () => {
    expect((await runHere(words)).lines[0]).to.include("no container is published; `npx itemtape openables publish`");
  });
});
