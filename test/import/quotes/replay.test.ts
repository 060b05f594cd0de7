import { expect } from "chai";
import { replayJson, replayText } from "../../../src/import/quotes/replay-report.ts";
import { hourMs, minuteMs } from "../../../src/values/time/calendar.ts";
import { steamBody } from "../../support/bodies.ts";
import { publishedState, QuoteWorld, refusalOf, worldAt } from "./quote-world.ts";

const day = Date.UTC(2026, 7, 30);
const at = (hour: number, minute = 0) => day + hour * hourMs + minute * minuteMs;

describe("replay of saved files", () => {
  let world: QuoteWorld;
  beforeEach(() => {
    world = new QuoteWorld([{}, {}, {}, {}]);
  });
  afterEach(() => world.destroy());

  const saved = (savedAt: number, prices: Record<string, number>) => world.body(steamBody(prices, savedAt));
  const bestAsks = () =>
    world.all<{ id: number; cents: number }>("SELECT item_id AS id, ask_cents AS cents FROM best_asks ORDER BY 1");
  const refuses = async (work: Promise<unknown>, says: RegExp) => expect(await refusalOf(work)).to.match(says);

  it("follows save times in any file order, but publishes and records now", async () => {
    const files = [saved(at(9, 30), { "Item 0": 3 }), saved(at(7, 10), { "Item 0": 1 }), saved(at(8), { "Item 0": 2 })];
    const report = await world.replay(files);
    expect(report).to.include({ feed: "steam", files: 3, recorded: 3, hoursTaken: 0, published: 3, late: 0 });
    expect([7, 8, 9, 10].map((hour) => world.asksAt(at(hour), 1))).to.deep.equal([[1], [2], [3], undefined]);
    expect(
      world.all("SELECT hour, verified_by, ingested_at, checked_at, recorded_at FROM frames ORDER BY hour LIMIT 1"),
    ).to.deep.equal([
      {
        hour: at(7) / hourMs,
        verified_by: "body",
        ingested_at: worldAt,
        checked_at: at(7, 10),
        recorded_at: worldAt,
      },
    ]);
    expect(world.all("SELECT state, ingested_at FROM generations ORDER BY 1 DESC, 2")).to.deep.equal([
      { state: "superseded", ingested_at: worldAt },
      { state: "superseded", ingested_at: worldAt },
      { state: "published", ingested_at: worldAt },
    ]);
    expect(world.all("SELECT checked_at, ingested_at FROM feeds")).to.deep.equal([
      { checked_at: at(9, 30), ingested_at: worldAt },
    ]);
    expect(bestAsks()).to.deep.equal([{ id: 1, cents: 3 }]);
    const { recorded, actual } = publishedState(world.path);
    expect(actual).to.equal(recorded);
  });

  it("keeps the first frame of an hour and publishes the last", async () => {
    const report = await world.replay([saved(at(18, 50), { "Item 0": 2 }), saved(at(18, 34), { "Item 0": 1 })]);
    expect(report).to.include({ recorded: 1, hoursTaken: 1, published: 2 });
    expect(world.asksAt(at(18), 1)).to.deep.equal([1]);
    expect(bestAsks()).to.deep.equal([{ id: 1, cents: 2 }]);
  });

  it("publishes the newest state at most once in five minutes", async () => {
    const files = [0, 2, 4, 5].map((minute) => saved(at(7, minute), { "Item 0": 10 + minute }));
    const report = await world.replay([...files, saved(at(7, 8), { "Item 0": 99 })]);
    expect(report).to.include({ published: 3, overtaken: 2, unchanged: 0, recorded: 1, hoursTaken: 4 });
    expect(world.all("SELECT checked_at FROM feeds")).to.deep.equal([{ checked_at: at(7, 8) }]);
    expect(bestAsks()).to.deep.equal([{ id: 1, cents: 99 }]);
  });

  it("publishes a due state before a later file", async () => {
    const files = [saved(at(7), { "Item 0": 1 }), saved(at(7, 2), { "Item 0": 2 }), saved(at(8), { "Item 0": 3 })];
    expect(await world.replay(files)).to.include({ published: 3, overtaken: 0, recorded: 2, hoursTaken: 1 });
  });

  it("dates frames and generations by the time of their intake", async () => {
    const files = [
      saved(at(6, 58), { "Item 0": 1 }),
      saved(at(7, 1), { "Item 0": 1 }),
      saved(at(7, 59), { "Item 0": 2 }),
      saved(at(8, 2), { "Item 0": 3 }),
      saved(at(9), { "Item 0": 3 }),
    ];
    const times = (table: string) =>
      world.all<{ at: number }>(`SELECT DISTINCT ingested_at AS at FROM ${table} ORDER BY 1`).map((row) => row.at);
    expect(await world.replay(files)).to.include({ published: 3, recorded: 4 });
    expect([times("generations"), times("frames")]).to.deep.equal([[worldAt], [worldAt]]);
    const later = worldAt + 24 * hourMs;
    world.now = later;
    // The file is too old to be published.
    await world.replay([saved(at(5), { "Item 0": 5 })]);
    // The quotes of the last one are published already.
    await world.replay([saved(at(10), { "Item 0": 3 })]);
    const rows = world.all<{ at: number }>("SELECT ingested_at AS at FROM frames ORDER BY hour");
    expect(rows.map((row) => row.at)).to.deep.equal([later, ...Array(5).fill(worldAt)]);
    expect(world.all("SELECT saved_at, changed_at FROM feeds")).to.deep.equal([
      { saved_at: at(10), changed_at: at(10) },
    ]);
  });

  it("records a frame also for a file without changes", async () => {
    const files = [saved(at(7), { "Item 0": 1 }), saved(at(8), { "Item 0": 1 })];
    expect(await world.replay(files)).to.include({ recorded: 2, published: 1, unchanged: 1 });
    expect(world.asksAt(at(8), 1)).to.deep.equal([1]);
    expect(world.all("SELECT checked_at, ingested_at FROM feeds")).to.deep.equal([
      { checked_at: at(8), ingested_at: worldAt },
    ]);
  });

  it("records a file older than the published ones without publishing it", async () => {
    await world.replay([saved(at(9), { "Item 0": 9 })]);
    const before = publishedState(world.path);
    const report = await world.replay([saved(at(7), { "Item 0": 7 }), saved(at(9, 1), { "Item 0": 9 })]);
    expect(report).to.include({ recorded: 1, hoursTaken: 1, late: 1, published: 0, unchanged: 1 });
    expect(world.asksAt(at(7), 1)).to.deep.equal([7]);
    expect(publishedState(world.path)).to.deep.equal(before);
  });

  it("stops before a file that lost over half of the items", async () => {
    const all = { "Item 0": 1, "Item 1": 1, "Item 2": 1, "StatTrak™ Item 0": 1 };
    const shrunk = saved(at(8), { "StatTrak™ Item 3": 2 });
    const files = [saved(at(7), all), shrunk, saved(at(9), all)];
    await refuses(world.replay(files), /body-.*shrinks from 4 items to 1; .* --accept shrink.* after 1 older files/);
    expect([7, 8, 9].map((hour) => world.stateAt(at(hour), 1) !== undefined)).to.deep.equal([true, false, false]);
    expect(world.all("SELECT count(*) AS items FROM items")).to.deep.equal([{ items: 5 }]);
    expect(bestAsks()).to.have.length(4);
    const report = await world.replay(files, { accepted: ["shrink"] });
    expect(report).to.include({ recorded: 2, hoursTaken: 1, late: 1, published: 2, feedDerivedItems: 1 });
    expect([7, 8, 9].map((hour) => world.asksAt(at(hour), 1))).to.deep.equal([[1], "missing", [1]]);
  });

  it("compares a late file with the frame before its hour", async () => {
    await world.replay([saved(at(7), { "Item 0": 1, "Item 1": 1, "Item 2": 1 })]);
    await world.replay([saved(at(9), { "Item 0": 1, "Item 1": 1 })]);
    const before = world.logicalDigest();
    await refuses(world.replay([saved(at(8), { "Item 0": 1 })]), /shrinks from 3 items to 1/);
    expect(world.logicalDigest()).to.equal(before);
  });

  const unusable: [string, () => string, Parameters<QuoteWorld["replay"]>[1], RegExp][] = [
    [
      "a file saved in the future",
      () => saved(worldAt + 5 * minuteMs + 1000, { "Item 0": 1 }),
      { accepted: ["future_time"] },
      /guard future_time \(threshold 300\): its save time is 2026-09-01T12:05:01.000Z, 301 s in the future; a replay orders files by save time, so it cannot be accepted/,
    ],
    ["a malformed file", () => world.body("{"), {}, /line 1, column 2: not JSON/],
    [
      "a format without a save time",
      () => world.body({ "Item 0": { starting_at: { price: 1 }, highest_order: { price: "null" } } }),
      { adapter: "buff" },
      /the buff shape has no save time/,
    ],
  ];
  for (const [what, file, options, says] of unusable) {
    it(`rejects and names ${what} before anything is written`, async () => {
      const before = world.logicalDigest();
      await refuses(
        world.replay([saved(at(7), { "Item 0": 1 }), file()].slice(options?.adapter ? 1 : 0), options),
        says,
      );
      expect(world.logicalDigest()).to.equal(before);
    });
  }

  it("reports to people and programs", async () => {
    const report = await world.replay([saved(at(7), { "Item 0": 1, Unheard: 3 })]);
    expect(replayText(report)).to.contain(
      "1 file of feed steam replayed in 0.00 s: 1 frame recorded, 0 hours had theirs",
    );
    expect(replayText(report)).to.contain("refused  1 unknown_name (no item has this name)\n             Unheard");
    expect(JSON.parse(replayJson(report))).to.include({ feed: "steam", recorded: 1, hours_taken: 0, settled_days: 1 });
  });
});
