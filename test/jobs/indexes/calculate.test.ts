import { expect } from "chai";
import { calculateIndexInBatches } from "../../../src/jobs/indexes/calculate.ts";
import { OperatorError } from "../../../src/values/failure/operator-error.ts";
import { parseDay } from "../../../src/values/time/calendar.ts";
import { asksOf, column, grown, IndexWorld, ids, instantOf } from "./index-world.ts";

describe("index calculation", () => {
  let world: IndexWorld;
  beforeEach(() => {
    world = new IndexWorld();
  });
  afterEach(() => world.remove());

  it("writes a level for each complete day with prices, and no other", () => {
    world.asks(...asksOf("2026-03-01", 100, 200, 300, 400), ...asksOf("2026-03-02", 110, 220, 330, 440));
    world.asks(...asksOf("2026-03-04", 121, 242, 363, 484), ...asksOf("2026-03-05", 1, 1, 1, 1));
    world.define();
    expect(world.calculate("2026-03-05")).to.deep.equal([
      {
        indexId: "four",
        methodologyVersion: "1",
        appended: 3,
        withoutValue: 0,
        firstDay: parseDay("2026-03-01"),
        lastDay: parseDay("2026-03-04"),
        corrected: [],
        deviation: null,
        baseCarriedOn: parseDay("2026-03-01"),
        waitsFor: null,
        waitsForLink: null,
      },
    ]);
    expect(world.levels()).to.deep.equal(["03-01 100.0000", "03-02 110.0000", "03-04 121.0000"]);
  });

  it("ignores a vanished constituent, and keeps the level on its return", () => {
    world = grown(world, 10);
    const ten = (date: string, first: number | null) => asksOf(date, first, ...Array.from({ length: 9 }, () => 100));
    world.asks(...ten("2026-03-01", 100), ...ten("2026-03-02", null), ...ten("2026-03-03", 500));
    world.define({ members: ids(10) });
    world.calculate("2026-03-04");
    expect(world.levels()).to.deep.equal(["03-01 100.0000", "03-02 100.0000", "03-03 100.0000"]);
    expect(column(world, "priced_constituent_count || ' ' || coverage_pct")).to.deep.equal([
      "10 100.00",
      "9 90.00",
      "10 100.00",
    ]);
  });

  it("reads the asks of the index's provider only", () => {
    world.file.feed("other", ["other"], null);
    world.asks(...asksOf("2026-03-01", 100, 100, 100, 100));
    world.define();
    world.price("2026-03-02", 1, { amount: 5, side: "bid" });
    world.price("2026-03-02", 2, { amount: 5, from: "other" });
    world.calculate("2026-03-03");
    expect(world.levels()).to.deep.equal(["03-01 100.0000"]);
  });

  it("dates a level by its oldest price, or null if undated", () => {
    const at = instantOf("2026-03-01");
    world.asks(["2026-03-01", 1, 5, at + 2], ["2026-03-01", 2, 5, at + 1], ["2026-03-01", 3, 5, at + 3]);
    world.asks(["2026-03-01", 4, 5, at + 4]);
    world.asks(["2026-03-02", 1, 5, at], ["2026-03-02", 2, 5, at], ["2026-03-02", 3, 5, at], ["2026-03-02", 4, 5]);
    world.define();
    world.calculate("2026-03-03");
    expect(column(world, "as_of")).to.deep.equal([at + 1, null]);
  });

  it("waits for a day without derived prices, and continues afterwards", () => {
    world.asks(...asksOf("2026-03-01", 100, 100, 100, 100), ...asksOf("2026-03-02", 110, 110, 110, 110));
    world.define();
    const open = parseDay("2026-03-02")!;
    world.rows("INSERT INTO feed_days (day, feed, hours, settled_at) VALUES (?, 'steam', 1, NULL) RETURNING day", open);
    expect(world.calculate("2026-03-03")[0]).to.include({ appended: 1, waitsFor: open });
    expect(world.levels()).to.deep.equal(["03-01 100.0000"]);
    world.rows("UPDATE feed_days SET settled_at = 1 RETURNING day");
    expect(world.calculate("2026-03-03")[0]).to.include({ appended: 1, waitsFor: null });
    expect(world.levels()).to.deep.equal(["03-01 100.0000", "03-02 110.0000"]);
  });

  it("waits when a late frame changes the day before the next level", () => {
    world.asks(...asksOf("2026-03-01", 100, 100, 100, 100));
    world.define();
    world.calculate("2026-03-02");
    const link = parseDay("2026-03-01")!;
    world.rows("INSERT INTO feed_days (day, feed, hours, settled_at) VALUES (?, 'steam', 3, NULL) RETURNING day", link);
    world.asks(...asksOf("2026-03-02", 110, 110, 110, 110));
    expect(world.calculate("2026-03-03")[0]).to.include({ appended: 0, waitsFor: link });
  });

  it("covers active indexes, and rejects and names an unknown or retired one", () => {
    world.asks(...asksOf("2026-03-01", 100, 100, 100, 100));
    world.define({ active: false });
    expect(world.calculate("2026-03-02")).to.deep.equal([]);
    expect(() => world.calculate("2026-03-02", "four")).to.throw(OperatorError, "index four is retired");
    expect(() => world.calculate("2026-03-02", "five")).to.throw(OperatorError, "unknown index `five`");
    world.define({ active: true });
    expect(world.calculate("2026-03-02", "four")[0]?.appended).to.equal(1);
  });

  it("stores nothing more once the members have changed", () => {
    world = grown(world, 6);
    const dates = Array.from({ length: 90 }, (_, index) =>
      new Date(instantOf("2026-03-01") + index * 86_400_000).toISOString().slice(0, 10),
    );
    world.asks(...dates.flatMap((date) => asksOf(date, 100, 100, 100, 100, 100, 100)));
    world.define();
    const today = parseDay("2026-05-30")!;
    const steps = calculateIndexInBatches(world.writer, today, { clock: world.clock });
    steps.next();
    world.define({ members: ids(6), effective_on: "2026-04-01" });
    expect(() => Array.from({ length: 9 }, () => steps.next())).to.throw(
      OperatorError,
      "its members changed meanwhile; try again",
    );
    expect(world.levels().length).to.equal(31);
    world.calculate("2026-05-30");
    expect(column(world, "constituent_count")).to.deep.equal(dates.map((_, index) => (index < 31 ? 4 : 6)));
  });
});
