import { expect } from "chai";
import { type DailyWithoutChecksum, dailyChecksum } from "../../../src/store/codec/daily-checksum.ts";
import { runAtOnce } from "../../../src/store/write/batches.ts";
import { DailyPriceWriter } from "../../../src/store/write/daily-prices.ts";
import { type Finalized, finalizeDaysInBatches } from "../../../src/store/write/finalize-days.ts";
import {
  contentOf,
  FrameWorld,
  hastyClock,
  type NamedQuote,
  type NamedState,
  timesOf,
} from "../../import/quotes/frame-world.ts";
import { edit } from "../../support/unguarded.ts";

const day = 20_000;
const today = day + 1;
const clock = { ...hastyClock, now: () => 777 };

describe("finalization of recorded days", () => {
  let world: FrameWorld;
  beforeEach(() => {
    world = new FrameWorld(1200);
  });
  afterEach(() => world.remove());

  const quote = (provider: string, amount: number, more: Partial<NamedQuote> = {}): NamedQuote => ({
    provider,
    side: "ask",
    amount,
    quantity: null,
    observedAt: null,
    ...more,
  });
  const record = (hour: number, feed: string, states: Record<number, NamedState>, onDay = day) =>
    world.record(
      contentOf(feed, new Map(Object.entries(states).map(([id, state]) => [Number(id), state]))),
      timesOf(onDay * 24 + hour),
    );
  /** Returns null if it gave up after `stepsMax` transactions. */
  const finalize = (on = today, stepsMax = Number.POSITIVE_INFINITY): Finalized | null => {
    const batches = finalizeDaysInBatches(world.writer, on, clock);
    for (let taken = 0; taken < stepsMax; taken += 1) {
      const { done, value } = batches.next();
      if (done) return value;
    }
    return null;
  };
  const rows = () =>
    world.reader.$client.prepare("SELECT * FROM daily_prices ORDER BY item_id, side, day, provider").all() as Record<
      string,
      unknown
    >[];
  const amounts = () => rows().map((row) => `${row.item_id} ${row.side} ${row.provider} ${row.amount}`);
  const finalizedAt = () =>
    world.reader.$client.prepare("SELECT settled_at FROM feed_days ORDER BY day, feed").pluck().all();
  const imported = (more: Partial<DailyWithoutChecksum>): DailyWithoutChecksum => ({
    itemId: 1,
    side: "ask",
    day,
    provider: "a1",
    amount: 9,
    lowAmount: 9,
    highAmount: 9,
    observations: 1,
    quantity: null,
    sourceObservedAt: null,
    recordedAt: 5,
    importId: 1,
    ...more,
  });

  it("stores daily rows with checksums for a completed day, and marks it", () => {
    record(3, "alpha", { 1: [quote("a1", 500), quote("a2", 90, { side: "bid", quantity: 4, observedAt: 1000 })] });
    record(7, "alpha", { 1: [quote("a1", 700)], 2: [] });
    expect(finalize()).to.deep.equal({ days: 1, rows: 2, kept: 0 });
    const stored = new DailyPriceWriter(world.reader, today);
    const ask = stored.within({ itemId: 1, side: "ask", provider: "a1", from: day, to: day })[0]!;
    const bid = stored.within({ itemId: 1, side: "bid", provider: "a2", from: day, to: day })[0]!;
    const recordedAt = (hour: number) => timesOf(day * 24 + hour).recordedAt;
    expect(ask).to.include({ amount: 700, lowAmount: 500, highAmount: 700, observations: 2, importId: null });
    expect(ask).to.include({ quantity: null, sourceObservedAt: null, recordedAt: recordedAt(7) });
    expect(bid).to.include({ amount: 90, observations: 1, quantity: 4, sourceObservedAt: 1000 });
    expect(bid.recordedAt).to.equal(recordedAt(3));
    for (const { checksum, ...row } of [ask, bid]) expect(checksum).to.equal(dailyChecksum(row));
    expect(finalizedAt()).to.deep.equal([777]);
  });

  it("skips the current day until it is over", () => {
    record(3, "alpha", { 1: [quote("a1", 500)] });
    expect(finalize(day)).to.deep.equal({ days: 0, rows: 0, kept: 0 });
    expect([rows(), finalizedAt()]).to.deep.equal([[], [null]]);
    expect(finalize(day + 1)).to.deep.equal({ days: 1, rows: 1, kept: 0 });
  });

  it("rewrites only rows changed by a late frame", () => {
    record(3, "alpha", { 1: [quote("a1", 500)], 2: [quote("a1", 60)] });
    record(9, "alpha", { 1: [quote("a1", 510)] });
    finalize();
    expect(finalize()).to.deep.equal({ days: 0, rows: 0, kept: 0 });
    const before = rows();
    record(5, "alpha", { 1: [quote("a1", 400)] });
    expect(finalizedAt()).to.deep.equal([null]);
    expect(finalize()).to.deep.equal({ days: 1, rows: 1, kept: 0 });
    expect(amounts()).to.deep.equal(["1 ask a1 510", "2 ask a1 60"]);
    expect(rows()[0]).to.include({ low_amount: 400, observations: 3 });
    expect(rows()[0]!.recorded_at).to.be.above(Number(before[0]!.recorded_at));
    expect(rows()[1]).to.deep.equal(before[1]);
  });

  it("gives rows changed by a late frame that frame's recording time", () => {
    record(9, "alpha", { 1: [quote("a1", 510)] });
    finalize();
    const late = { ...timesOf(day * 24 + 5), recordedAt: 9e12 };
    world.record(contentOf("alpha", new Map([[1, [quote("a1", 600)]]])), late);
    finalize();
    expect(rows()[0]).to.include({ amount: 510, high_amount: 600, recorded_at: 9e12 });
  });

  it("replaces only imported rows with the same key by recorded history", () => {
    const store = new DailyPriceWriter(world.writer, today);
    for (const row of [
      imported({}),
      imported({ day: day - 1 }),
      imported({ provider: "b1" }),
      imported({ side: "bid" }),
    ])
      store.add(row);
    record(3, "alpha", { 1: [quote("a1", 500)] });
    expect(finalize()).to.deep.equal({ days: 1, rows: 1, kept: 0 });
    const kept = rows().map((row) => [row.side, row.day, row.provider, row.amount, row.import_id]);
    expect(kept).to.deep.equal([
      ["ask", day - 1, "a1", 9, 1],
      ["ask", day, "a1", 500, null],
      ["ask", day, "b1", 9, 1],
      ["bid", day, "a1", 9, 1],
    ]);
  });

  it("turns an imported row with the same content into a recorded one", () => {
    record(3, "alpha", { 1: [quote("a1", 500)] });
    const same = { amount: 500, lowAmount: 500, highAmount: 500, recordedAt: timesOf(day * 24 + 3).recordedAt };
    new DailyPriceWriter(world.writer, today).add(imported(same));
    expect(finalize()).to.deep.equal({ days: 1, rows: 1, kept: 0 });
    expect(rows()[0]).to.include({ import_id: null });
  });

  it("handles feeds, days and batches separately, with each item once", () => {
    const many = Object.fromEntries(Array.from({ length: 1200 }, (_, n) => [n + 1, [quote("a1", n + 1)]]));
    record(3, "alpha", many);
    record(3, "beta", { 7: [quote("b1", 70)] });
    record(3, "beta", { 8: [quote("b1", 80)] }, day - 1);
    expect(finalize()).to.deep.equal({ days: 3, rows: 1202, kept: 0 });
    expect(rows()).to.have.length(1202);
    expect(amounts()).to.include.members(["1 ask a1 1", "1200 ask a1 1200", "7 ask b1 70", "8 ask b1 80"]);
  });

  it("resumes after an interruption and marks no day early", () => {
    for (const hour of [3, 4, 20]) {
      record(hour, "alpha", { 1: [quote("a1", hour)], 2: [quote("a2", 2), quote("a2", 3, { side: "bid" })] });
      record(hour, "beta", { 1: [quote("b1", hour)] });
    }
    const wholeRows = ["1 ask a1 20", "1 ask b1 20", "2 ask a2 2", "2 bid a2 3"];
    for (let stepsMax = 1; ; stepsMax += 1) {
      edit(world.writer.$client, "DELETE FROM daily_by_day; UPDATE feed_days SET settled_at = NULL");
      const done = finalize(today, stepsMax);
      const marked = finalizedAt();
      if (marked[0] !== null) expect(amounts()).to.include.members(["1 ask a1 20", "2 ask a2 2", "2 bid a2 3"]);
      if (marked[1] !== null) expect(amounts()).to.include("1 ask b1 20");
      finalize();
      expect(amounts()).to.deep.equal(wholeRows);
      expect(finalizedAt()).to.deep.equal([777, 777]);
      if (done === null) continue;
      expect(stepsMax).to.be.above(5);
      return;
    }
  });

  it("leaves a day unfinalized if a frame arrives meanwhile", () => {
    record(3, "alpha", { 1: [quote("a1", 500)] });
    const batches = finalizeDaysInBatches(world.writer, today, clock);
    batches.next();
    record(4, "alpha", { 1: [quote("a1", 600)] });
    expect(runAtOnce(batches).days).to.equal(0);
    expect(finalizedAt()).to.deep.equal([null]);
    expect(finalize()).to.deep.equal({ days: 1, rows: 1, kept: 0 });
    expect(rows()[0]).to.include({ amount: 600, observations: 2 });
  });
});
