import { expect } from "chai";
import { RoiRunsStore } from "../../../src/store/read/roi-runs.ts";
import { dayMs, hourMs } from "../../../src/values/time/calendar.ts";
import { edit } from "../../support/unguarded.ts";
import { container, noon, RoiWorld } from "./roi-world.ts";

const years = 3 * 365 * dayMs;

describe("run after a clock was ahead", () => {
  let world: RoiWorld;
  beforeEach(() => {
    world = new RoiWorld();
    world.pool("kilo");
    world.pool("lima", { itemId: container + 1, state: "retired" });
    prices();
    world.run();
    world.at += years;
    world.run();
    world.at = noon + 6 * hourMs;
  });
  afterEach(() => world.file.remove());

  const prices = (itemIds = [container, container + 1]) =>
    world.publish(
      ...itemIds.map((id) => [id, "alpha", 50] as [number, string, number]),
      [1, "alpha", 300],
      [2, "alpha", 9],
    );
  const later = () => world.rows("roi_history").filter(({ recorded_at: at }) => at > world.at);
  const history = () => world.rows("roi_history").map(({ slug, granularity, ts }) => [slug, granularity, ts]);
  const run = () => world.run().skipped;

  it("removes rows from the future and keeps every true one", () => {
    expect(later()).to.have.length(4);
    prices([container]);
    expect(run()).to.deep.equal([]);
    const day = noon - 12 * hourMs;
    expect(history()).to.deep.equal([
      ["kilo", "day", day],
      ["kilo", "hour", noon],
      ["kilo", "hour", noon + 6 * hourMs],
      ["lima", "day", day],
      ["lima", "hour", noon],
    ]);
    expect(world.rows("roi_runs").map(({ calculated_at }) => calculated_at)).to.deep.equal([noon, world.at]);
    expect(new RoiRunsStore(world.file.reader).lastRunAt("roi-1")).to.equal(world.at);
  });

  it("keeps the rows of another methodology", () => {
    edit(
      world.file.writer.$client,
      "UPDATE roi_history SET methodology_version = 'roi-0' WHERE ts > 1e12 * 1.8 AND slug = 'kilo' AND granularity = 'day'",
    );
    run();
    expect(later().map(({ methodology_version: version }) => version)).to.deep.equal(["roi-0"]);
  });

  it("removes nothing in a partial run or with prices from the future", () => {
    world.run({ only: ["kilo"] });
    expect(later()).to.have.length(4);
    world.at = noon - dayMs;
    run();
    expect(history()).to.have.length(13);
    expect(world.rows("roi_runs")).to.have.length(3);
  });
});
