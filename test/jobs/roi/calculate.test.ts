import { expect } from "chai";
import { checkOpenables } from "../../../src/store/check/openables.ts";
import { OperatorError } from "../../../src/values/failure/operator-error.ts";
import { dayMs, hourMs, minuteMs } from "../../../src/values/time/calendar.ts";
import { ArmedFailpoints } from "../../support/armed-failpoints.ts";
import { container, noon, RoiWorld } from "./roi-world.ts";

const reported = "2026-05-27T10:00:00.000Z";

describe("run of the ROI model", () => {
  let world: RoiWorld;
  beforeEach(() => {
    world = new RoiWorld();
  });
  afterEach(() => world.file.remove());

  /** A container with a price in both modes and two outcomes that are priced in both. */
  function priced(): void {
    world.pool("kilo");
    world.publish([container, "steam", 60], [container, "alpha", 50], ...both(1, 300), ...both(2, 200));
  }
  const both = (itemId: number, amount: number) =>
    [
      [itemId, "steam", amount + 7],
      [itemId, "alpha", amount],
    ] as [number, string, number][];

  it("leaves the upper bound unknown for outcomes above the platform's ceiling", () => {
    const outcomes = [
      { itemId: 1, tier: "rare", numerator: 20 },
      { itemId: 2, tier: "rare", numerator: 1 },
    ];
    world.pool("kilo", { outcomes });
    const current = () => {
      world.run();
      const { numbers, ledger } = world.current("kilo", "steam_gross")!;
      const { expected_value_cents, expected_value_upper_cents, confidence, flags } = numbers;
      return [expected_value_cents, expected_value_upper_cents, confidence, flags, ledger.at(-1)];
    };
    const asks: Parameters<RoiWorld["publish"]> = [
      [container, "steam", 60],
      [1, "steam", 120_000],
    ];
    world.publish(...asks);
    const bounded = [120_000, 120_000, "medium", ["unpriced_outcomes", "upper_bound_assumed"], 0];
    expect(current(), "no ceiling").to.deep.equal(bounded);
    world.file.writer.$client.exec("UPDATE providers SET price_ceiling_cents = 180000 WHERE provider = 'steam'");
    const flags = ["unpriced_outcomes", "upper_bound_unknown", "above_price_ceiling"];
    const open = [120_000, null, "low", flags, [null, null, null, null, 180_000]];
    expect(current()).to.deep.equal(open);
    world.publish(...asks, [2, "alpha", 400_000]);
    expect(current(), "dear elsewhere").to.deep.equal(open);
    world.publish(...asks, [2, "alpha", 40_000]);
    expect(current(), "cheap elsewhere").to.deep.equal(bounded);
    expect(checkOpenables(world.file.reader).filter(({ isFault }) => isFault)).to.deep.equal([]);
  });

  it("writes calculation, ledger, history and run of both modes with checksums", () => {
    priced();
    const run = world.run();
    const of = { slug: "kilo" };
    const modes = [
      { ...of, valuationMode: "cash_ask" },
      { ...of, valuationMode: "steam_gross" },
    ];
    expect(run).to.deep.include({ calculatedAt: noon, generationId: 1, published: modes, unchanged: [], skipped: [] });
    const { numbers, ledger } = world.current("kilo")!;
    expect(numbers).to.include({ cost_cents: 299, expected_value_cents: 250, container_cost_provider: "alpha" });
    expect(ledger).to.deep.equal([
      [300, "alpha", null, null],
      [200, "alpha", null, null],
    ]);
    expect(world.current("kilo", "steam_gross")!.numbers).to.include({ cost_cents: 309, expected_value_cents: 257 });
    const history = world.rows("roi_history");
    expect(history.map(({ valuation_mode, granularity, ts }) => [valuation_mode, granularity, ts])).to.deep.equal([
      ["cash_ask", "day", noon - 12 * hourMs],
      ["cash_ask", "hour", noon],
      ["steam_gross", "day", noon - 12 * hourMs],
      ["steam_gross", "hour", noon],
    ]);
    expect(history[1]).to.include({ cost_cents: 299, expected_value_cents: 250, expected_profit_cents: -49 });
    expect(history[1]).to.include({ recorded_at: noon });
    expect(checkOpenables(world.file.reader).filter(({ isFault }) => isFault)).to.deep.equal([]);
    expect(world.rows("roi_runs")).to.deep.equal([
      {
        run_id: 1,
        calculated_at: noon,
        methodology_version: "roi-1",
        generation_id: 1,
        published: 2,
        unchanged: 0,
        withheld: 0,
      },
    ]);
  });

  it("reads the mode's own ask, never a trade or another phase", () => {
    world.pool("kilo", { items: [1, 2, 3, 4] });
    world.publish(
      ...([
        [container, "steam", 60],
        [container, "beta", 50],
        [container, "swap", 1],
      ] as [number, string, number][]),
      ...([
        [1, "swap", 1],
        [1, "beta", 90, reported],
        [1, "alpha", 90],
        [1, "steam", 95, reported],
      ] as [number, string, number][]),
      ...([
        [2, "swap", 5],
        [2, "alpha", 80],
        [2, "beta", 70, reported],
      ] as [number, string, number][]),
      ...([
        [3, "steam", 500],
        [3, "beta", 400],
      ] as [number, string, number][]),
    );
    world.run();
    const { numbers, ledger } = world.current("kilo", "steam_gross")!;
    expect(ledger).to.deep.equal([[95, "steam", Date.parse(reported), null], 0, 0, 0]);
    expect(numbers.container_cost_cents).to.equal(60);
    expect(numbers.flags).to.include("phases_unpriced");
    const cash = world.current("kilo")!;
    expect(cash.ledger).to.deep.equal([
      [90, "alpha", null, null],
      [70, "beta", Date.parse(reported), null],
      [400, "beta", null, null],
      0,
    ]);
    expect(cash.numbers.container_cost_cents).to.equal(50);
  });

  it("has its oldest source time, or none if any is unknown", () => {
    const older = "2026-05-26T10:00:00.000Z";
    world.pool("kilo");
    world.publish([container, "alpha", 60, reported], [1, "alpha", 1, older], [2, "alpha", 1, reported]);
    world.run();
    expect(world.current("kilo")!.row.price_as_of).to.equal(Date.parse(older));
    world.publish([container, "alpha", 60], [1, "alpha", 1, older], [2, "alpha", 1, reported]);
    world.run();
    expect(world.current("kilo")!.row.price_as_of).to.equal(null);
  });

  it("updates only the time and the current rows for identical inputs", () => {
    priced();
    world.run();
    const before = world.rows("roi_calculations");
    world.at += 6 * hourMs;
    world.publish([container, "steam", 60], [container, "alpha", 50], ...both(1, 300), ...both(2, 200), [
      19,
      "alpha",
      5,
    ]);
    const run = world.run();
    expect(run.published).to.deep.equal([]);
    expect(run.unchanged).to.have.length(2);
    const moved = world.rows("roi_calculations");
    for (const [index, row] of moved.entries()) {
      expect({ ...row, calculated_at: noon, seal: 0 }).to.deep.equal({ ...before[index], seal: 0 });
      expect(row.calculated_at).to.equal(world.at);
      expect(row.seal).to.not.equal(before[index]!.seal);
    }
    const buckets = () => world.rows("roi_history").map(({ granularity, recorded_at }) => [granularity, recorded_at]);
    const ofMode = [
      ["day", world.at],
      ["hour", noon],
      ["hour", world.at],
    ];
    expect(buckets()).to.deep.equal([...ofMode, ...ofMode]);
    world.at += hourMs - 1;
    world.run();
    const later = [["day", world.at], ofMode[1], ["hour", world.at]];
    expect(buckets()).to.deep.equal([...later, ...later]);
  });

  it("gives new numbers for a changed price, time, provider or high", () => {
    const publish = (...asks: Parameters<RoiWorld["publish"]>) => {
      world.publish([container, "alpha", 50], ...asks);
      return world.run().published.length;
    };
    world.pool("kilo");
    expect(publish([1, "alpha", 10])).to.equal(1);
    expect(publish([1, "alpha", 11])).to.equal(1);
    expect(publish([1, "alpha", 11, reported])).to.equal(1);
    expect(publish([1, "beta", 11, reported])).to.equal(1);
    expect(publish([1, "beta", 11, reported])).to.equal(0);
    world.daily(2, "beta", 1, 70);
    expect(publish([1, "beta", 11, reported])).to.equal(1);
    world.pool("kilo", { items: [1, 2, 5] });
    expect(publish([1, "beta", 11, reported])).to.equal(1);
  });

  it("skips a mode with an unknown container price, and keeps its history", () => {
    priced();
    world.run();
    const history = world.rows("roi_history");
    world.at += dayMs;
    world.publish([container, "alpha", 50], ...both(1, 300));
    const run = world.run();
    expect(run.withheld).to.deep.equal([
      { slug: "kilo", valuationMode: "steam_gross", reason: "the container itself has no ask" },
    ]);
    expect(world.current("kilo", "steam_gross")).to.equal(null);
    expect(world.current("kilo")).to.not.equal(null);
    const isSteam = ({ valuation_mode }: { valuation_mode?: string }) => valuation_mode === "steam_gross";
    expect(world.rows("roi_history").filter(isSteam)).to.deep.equal(history.filter(isSteam));
    expect(world.rows("roi_runs").at(-1)).to.include({ published: 1, unchanged: 0, withheld: 1 });
  });

  it("keeps the hour's and day's earlier rows if the price becomes unknown", () => {
    priced();
    world.run();
    const history = world.rows("roi_history");
    world.at += minuteMs;
    world.publish(...both(1, 300));
    expect(world.run().withheld).to.have.length(2);
    expect(history).to.have.length(4).and.to.deep.equal(world.rows("roi_history"));
  });

  it("calculates current revisions of active and retired pools, never a draft", () => {
    priced();
    const retired = world.pool("old", { itemId: container + 1, state: "retired" });
    world.pool("draft", { itemId: container + 2, state: "draft" });
    world.publish([container + 1, "alpha", 50], [container + 2, "alpha", 50], [1, "alpha", 10], [2, "alpha", 10]);
    world.run();
    expect(world.rows("roi_calculations").map(({ slug }) => slug)).to.deep.equal(["old"]);
    expect(world.current("old")!.row.revision_id).to.equal(retired);
    const next = world.pool("old", { itemId: container + 1, items: [1], state: "retired" });
    world.run();
    expect(world.current("old")!.row.revision_id).to.equal(next);
    expect(world.current("old")!.ledger).to.have.length(1);
  });

  it("leaves a pool that changes during the run for the next run", () => {
    priced();
    world.run();
    const before = world.rows("roi_calculations");
    const failpoints = new ArmedFailpoints();
    failpoints.arm("roi.write.before", () => void world.pool("kilo", { items: [1] }));
    world.at += hourMs;
    const run = world.run({ failpoints });
    expect(run.skipped.map(({ slug, valuationMode }) => [slug, valuationMode])).to.deep.equal([
      ["kilo", "cash_ask"],
      ["kilo", "steam_gross"],
    ]);
    expect(run.skipped[0]!.reason).to.match(/changed while it was calculated/);
    expect(world.rows("roi_calculations")).to.deep.equal(before);
    expect(world.run().published).to.have.length(2);
  });

  it("skips a pool with invalid probabilities by name, without delaying others", () => {
    priced();
    world.pool("bent", { itemId: container + 1, denominator: 3 });
    world.publish([container, "alpha", 50], [container + 1, "alpha", 50], [1, "alpha", 10], [2, "alpha", 10]);
    const run = world.run();
    expect(run.skipped.map(({ slug }) => slug)).to.deep.equal(["bent"]);
    expect(run.published).to.deep.equal([{ slug: "kilo", valuationMode: "cash_ask" }]);
  });

  it("changes only the selected pools and does not count as scheduled", () => {
    priced();
    world.pool("lima", { itemId: container + 1 });
    world.publish([container, "alpha", 50], [container + 1, "alpha", 50], [1, "alpha", 10], [2, "alpha", 10]);
    world.run({ only: ["lima"] });
    expect(world.rows("roi_calculations").map(({ slug }) => slug)).to.deep.equal(["lima"]);
    expect(world.rows("roi_runs")).to.deep.equal([]);
    expect(() => world.run({ only: ["nobody"] })).to.throw(OperatorError, "no published container is named `nobody`");
  });

  it("publishes nothing without a pool or without any price", () => {
    world.run();
    expect(world.rows("roi_runs")).to.deep.equal([]);
    world.pool("kilo");
    expect(world.run()).to.have.property("withheld").with.length(2);
    expect(world.rows("roi_runs")[0]).to.include({ generation_id: null, withheld: 2 });
  });
});
