import { expect } from "chai";
import { checkHistory } from "../../../src/store/check/history.ts";
import { runAtOnce } from "../../../src/store/write/batches.ts";
import { finalizeDaysInBatches } from "../../../src/store/write/finalize-days.ts";
import { pruneHoursInBatches, readPrunable } from "../../../src/store/write/prune-hours.ts";
import { plural } from "../../../src/values/text/counted.ts";
import { contentOf, FrameWorld, hastyClock, type NamedQuote, timesOf } from "../../import/quotes/frame-world.ts";

const day = 20_000;
const items = 2500;

describe("pruning of hourly history", () => {
  let world: FrameWorld;

  beforeEach(() => {
    world = new FrameWorld(items);
    for (const ofDay of [0, 1]) {
      const prices = (amount: number) =>
        new Map([1, 999, 1000, 2000, items].map((itemId) => [itemId, [ask("a1", amount + itemId)]]));
      for (const hour of [3, 9])
        world.record(contentOf("alpha", prices(hour), { refused: ["Apple"] }), timesOf((day + ofDay) * 24 + hour));
      world.record(contentOf("beta", new Map([[1, [ask("b1", 90)]]])), timesOf((day + ofDay) * 24 + 5));
    }
    runAtOnce(finalizeDaysInBatches(world.writer, day + 2, hastyClock));
  });
  afterEach(() => world.remove());

  const segments = (of: number) =>
    world.reader.$client.prepare("SELECT count(*) FROM frame_segments WHERE day = ?").pluck().get(of);
  const faults = () => checkHistory(world.reader).filter(({ isFault }) => isFault);
  const facts = () => checkHistory(world.reader).map(({ description }) => description);
  const daily = () => world.reader.$client.prepare("SELECT * FROM daily_prices ORDER BY 1, 2, 3, 4").all();

  it("hides rows when interrupted, passes the check, and is then completed", () => {
    const { days } = readPrunable(world.writer, day + 1);
    for (let cutAfter = 1; ; cutAfter += 1) {
      const batches = pruneHoursInBatches(world.writer, days, hastyClock);
      let taken = 0;
      while (taken < cutAfter && batches.next().done !== true) taken += 1;
      expect(world.store.feedDays(day, day).map(({ isPruned }) => isPruned)).to.deep.equal([true, true]);
      expect(faults(), `after ${taken} batches`).to.deep.equal([]);
      const left = readPrunable(world.writer, day + 1).days;
      if (segments(day) === 0) {
        expect([left.length, cutAfter]).to.deep.equal([0, 5]);
        break;
      }
      expect(facts().join()).to.include(`${plural(Number(segments(day)), "segment")} of pruned days are left`);
      expect(left.map(({ segments }) => segments)).to.deep.equal([segments(day)]);
    }
  });

  it("rejects a late frame of a pruned day", () => {
    runAtOnce(pruneHoursInBatches(world.writer, readPrunable(world.writer, day + 1).days, hastyClock));
    const before = daily();
    const late = contentOf("alpha", new Map([[1, [ask("a1", 5)]]]));
    expect(world.record(late, timesOf(day * 24 + 12))?.outcome).to.equal("hour_taken");
    expect(world.record(late, timesOf((day + 1) * 24 + 12))?.outcome).to.equal("recorded");
    runAtOnce(finalizeDaysInBatches(world.writer, day + 2, hastyClock));
    expect(daily().filter((row) => (row as { day: number }).day === day)).to.deep.equal(
      before.filter((row) => (row as { day: number }).day === day),
    );
    const open = "UPDATE feed_days SET settled_at = NULL WHERE day = ?";
    expect(() => world.writer.$client.prepare(open).run(day)).to.throw("the hours of a pruned day never change");
    const early = "UPDATE feed_days SET settled_at = NULL, pruned_at = 1 WHERE day = ?";
    expect(() => world.writer.$client.prepare(early).run(day + 1)).to.throw("a day without daily rows is not pruned");
  });
});

function ask(provider: string, amount: number): NamedQuote {
  return { provider, side: "ask", amount, quantity: null, observedAt: null };
}
