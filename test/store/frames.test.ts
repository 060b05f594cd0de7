import { expect } from "chai";
import { FramesStore } from "../../src/store/read/frames.ts";
import { SharedReadTransaction } from "../../src/store/read/shared-read.ts";
import { hourMs } from "../../src/values/time/calendar.ts";
import { contentOf, FrameWorld, timesOf } from "../import/quotes/frame-world.ts";
import { preparedBy } from "../support/prepared.ts";

const day = 20_000;
const ask = (provider: string) => ({ provider, side: "ask" as const, amount: 5, quantity: null, observedAt: null });

describe("the store of frames", () => {
  const world = new FrameWorld(3);

  before(() => {
    for (const [hour, feed] of [
      [day * 24 + 23, "alpha"],
      [day * 24 + 24, "alpha"],
      [day * 24 + 24, "beta"],
      [day * 24 + 3, "beta"],
      [day * 24 + 2, "beta"],
      [day * 24 + 3, "alpha"],
    ] as const) {
      world.record(contentOf(feed, new Map([[2, [ask(`${feed[0]}1`)]]])), timesOf(hour, 60_000));
    }
  });
  after(() => world.remove());

  it("the store returns the hours of each day and feed, both days inclusive, by day and feed", () => {
    const isPruned = false;
    const all = [
      { day, feed: "alpha", hours: (1 << 23) | (1 << 3), isPruned },
      { day, feed: "beta", hours: 0b1100, isPruned },
      { day: day + 1, feed: "alpha", hours: 1, isPruned },
      { day: day + 1, feed: "beta", hours: 1, isPruned },
    ];
    expect(world.store.feedDays(day, day + 1)).to.deep.equal(all);
    expect(world.store.feedDays(day + 1, day + 9)).to.deep.equal(all.slice(2));
    expect(world.store.feedDays(0, day - 1)).to.deep.equal([]);
    world.writer.$client.prepare("UPDATE feed_days SET settled_at = 1 WHERE feed = 'beta'").run();
    expect(world.store.unfinalized(0, day)).to.deep.equal([{ day, feed: "alpha", hours: (1 << 23) | (1 << 3) }]);
  });

  it("the store returns the frames of a window of hours, both inclusive, by hour and feed, with their times", () => {
    const rows = world.store.frames(day * 24 + 3, day * 24 + 23);
    expect(rows.map(({ hour, feed }) => `${hour - day * 24} ${feed}`)).to.deep.equal(["3 alpha", "3 beta", "23 alpha"]);
    const checkedAt = (day * 24 + 3) * hourMs + 60_000;
    expect(rows[0]).to.deep.equal({
      hour: day * 24 + 3,
      feed: "alpha",
      ingestedAt: checkedAt - 1000,
      checkedAt,
      recordedAt: checkedAt + 5,
      providers: '["a1","a2","a3","a4","a5"]',
      refusedNames: 0,
    });
  });

  it("the store returns an item's segment of each feed that listed it on that day", () => {
    expect(world.store.segments(day, 2).map(({ feed }) => feed)).to.deep.equal(["alpha", "beta"]);
    expect(world.store.segments(day, 1)).to.deep.equal([]);
    expect(world.store.segments(day + 2, 2)).to.deep.equal([]);
  });

  it("the store of frames shares the read transaction of a turn", async () => {
    const store = new FramesStore(world.reader, SharedReadTransaction.of(world.reader));
    expect(store.feedDays(day, day)).to.have.length(2);
    expect(world.reader.$client.inTransaction).to.equal(true);
    await new Promise((resolve) => setImmediate(resolve));
    expect(world.reader.$client.inTransaction).to.equal(false);
  });

  it("no statement of the store of frames scans or sorts a table that grows", () => {
    const statements = preparedBy(world.reader, () => void new FramesStore(world.reader));
    expect(statements).to.have.length(8);
    for (const statement of statements) {
      const values = Array.from(statement.matchAll(/\?/g), () => null);
      const plan = world.reader.$client.prepare(`EXPLAIN QUERY PLAN ${statement}`).all(...values) as {
        detail: string;
      }[];
      const slow = plan.filter(({ detail }) =>
        /^SCAN (?!((frame_)?providers\b|CONSTANT ROW$))|TEMP B-TREE/.test(detail),
      );
      expect(slow, statement).to.deep.equal([]);
    }
  });
});
