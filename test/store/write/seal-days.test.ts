import { createHash } from "node:crypto";
import { expect } from "chai";
import { checkHistory } from "../../../src/store/check/history.ts";
import { SealedDaysStore } from "../../../src/store/read/sealed-days.ts";
import { runAtOnce } from "../../../src/store/write/batches.ts";
import { DailyPriceWriter } from "../../../src/store/write/daily-prices.ts";
import { finalizeDaysInBatches } from "../../../src/store/write/finalize-days.ts";
import { pruneHoursInBatches, readPrunable } from "../../../src/store/write/prune-hours.ts";
import { daysToSeal, sealDaysInBatches } from "../../../src/store/write/seal-days.ts";
import { contentOf, FrameWorld, hastyClock, type NamedQuote, timesOf } from "../../import/quotes/frame-world.ts";

const day = 20_000;
const today = day + 3;
const items = 1200;

describe("sealing of days", () => {
  let world: FrameWorld;
  let store: SealedDaysStore;

  beforeEach(() => {
    world = new FrameWorld(items);
    store = new SealedDaysStore(world.reader);
    for (let hour = 0; hour < 24; hour += 1) world.record(content(hour), timesOf(day * 24 + hour));
    world.record(content(7), timesOf((day + 2) * 24 + 4));
  });
  afterEach(() => world.remove());

  const content = (amount: number, feed = "alpha") =>
    contentOf(
      feed,
      new Map([1, 499, 500, 501, items].map((itemId) => [itemId, [ask(`${feed[0]}1`, amount + itemId)]])),
    );
  const seal = () => runAtOnce(sealDaysInBatches(world.writer, today, hastyClock));
  const finalize = () => runAtOnce(finalizeDaysInBatches(world.writer, today, hastyClock));
  const revisions = () =>
    store
      .page({ day: today, revision: 0 }, 100)
      .map((row) => [row.day - day, row.revision, row.condition, row.rows, row.supersededAt === null]);

  it("seals a finalized day once, and days without a frame as empty", () => {
    expect(daysToSeal(world.writer, today)).to.deep.equal([day + 1]);
    finalize();
    expect(daysToSeal(world.writer, today)).to.deep.equal([day + 2, day + 1, day]);
    expect(seal()).to.deep.equal({ sealed: 3, left: 0 });
    expect(revisions()).to.deep.equal([
      [2, 1, "partial", 5, true],
      [1, 1, "empty", 0, true],
      [0, 1, "complete", 5, true],
    ]);
    expect(store.current(day + 2)!.feeds).to.equal('[["alpha",16]]');
    expect(store.current(day + 1)!.digest).to.deep.equal(createHash("sha256").digest());
    expect(seal()).to.deep.equal({ sealed: 0, left: 0 });
    expect(checkHistory(world.reader).filter(({ isFault }) => isFault)).to.deep.equal([]);
  });

  it("starts with the newest days if one run seals only some", () => {
    finalize();
    const batches = sealDaysInBatches(world.writer, today, hastyClock, { daysMax: 2 });
    expect(runAtOnce(batches)).to.deep.equal({ sealed: 2, left: 1 });
    expect(revisions().map(([ago]) => ago)).to.deep.equal([2, 1]);
  });

  it("seals days wholly or not at all, and resumes after an interruption", () => {
    finalize();
    for (let cutAfter = 1; ; cutAfter += 1) {
      const batches = sealDaysInBatches(world.writer, today, hastyClock);
      let taken = 0;
      while (taken < cutAfter && batches.next().done !== true) taken += 1;
      for (const row of store.page({ day: today, revision: 0 }, 9)) expect(row.hourlyDigest).to.have.length(32);
      if (taken < cutAfter) break;
    }
    expect(revisions().map(([ago, revision]) => [ago, revision])).to.deep.equal([
      [2, 1],
      [1, 1],
      [0, 1],
    ]);
  });

  it("reseals a day after a late frame and lists the old digest", () => {
    finalize();
    seal();
    const old = store.current(day + 2)!;
    world.record(content(9), timesOf((day + 2) * 24 + 9));
    expect(store.current(day + 2)).to.equal(null);
    expect(daysToSeal(world.writer, today)).to.deep.equal([]);
    finalize();
    expect(seal()).to.deep.equal({ sealed: 1, left: 0 });
    const now = store.current(day + 2)!;
    expect([now.revision, now.feeds, now.digest.equals(old.digest)]).to.deep.equal([2, '[["alpha",528]]', false]);
    const listed = store.page({ day: day + 2, revision: 2 }, 1)[0]!;
    expect([listed.revision, listed.digest, listed.supersededAt !== null]).to.deep.equal([1, old.digest, true]);
  });

  it("reseals following silent days after a new feed's late frame", () => {
    finalize();
    seal();
    world.record(content(3, "beta"), timesOf(day * 24 + 3));
    finalize();
    expect(daysToSeal(world.writer, today)).to.deep.equal([day + 2, day + 1, day]);
    expect(seal()).to.deep.equal({ sealed: 3, left: 0 });
    const all = 2 ** 24 - 1;
    expect([day, day + 1, day + 2].map((one) => JSON.parse(store.current(one)!.feeds))).to.deep.equal([
      [
        ["alpha", all],
        ["beta", 8],
      ],
      [
        ["alpha", 0],
        ["beta", 0],
      ],
      [
        ["alpha", 16],
        ["beta", 0],
      ],
    ]);
    expect(seal()).to.deep.equal({ sealed: 0, left: 0 });
    // Beta is known to these days now.
    world.record(content(4, "beta"), timesOf(day * 24 + 4));
    finalize();
    expect(daysToSeal(world.writer, today)).to.deep.equal([day]);
  });

  it("reseals a day after an imported row unless the row is identical", () => {
    finalize();
    seal();
    const rows = new DailyPriceWriter(world.writer, today);
    const figures = { amount: 5, lowAmount: 5, highAmount: 5, observations: 1, quantity: null, sourceObservedAt: null };
    const row = { itemId: 2, side: "ask" as const, provider: "a1", ...figures, recordedAt: 1 };
    const importId = rows.startImport({
      adapter: "canonical",
      provider: "a1",
      bodyDigest: Buffer.alloc(32),
      importedAt: 1,
      replaces: false,
    });
    rows.add({ ...row, importId, day: day - 1 });
    rows.add({ ...row, importId, day: day + 1 });
    expect(seal()).to.deep.equal({ sealed: 2, left: 0 });
    rows.put({ ...row, importId, day: day + 1 });
    expect(store.current(day + 1)).to.equal(null);
    expect(seal()).to.deep.equal({ sealed: 0, left: 0 });
    expect(revisions()).to.deep.equal([
      [2, 1, "partial", 5, true],
      [1, 2, "empty", 1, true],
      [1, 1, "empty", 0, false],
      [0, 1, "complete", 5, true],
      [-1, 1, "empty", 1, true],
    ]);
  });

  it("keeps digests of a pruned day and reports its missing hours", () => {
    finalize();
    seal();
    const before = store.current(day)!;
    runAtOnce(pruneHoursInBatches(world.writer, readPrunable(world.writer, day + 1).days, hastyClock));
    expect(store.current(day)).to.deep.equal({ ...before, hourly: "pruned" });
    expect(seal()).to.deep.equal({ sealed: 0, left: 0 });
    const none = { ...store.current(day + 2)!, hourly: "available" };
    expect(store.current(day + 2)).to.deep.equal(none);
  });

  it("gives no hourly digest to a day pruned before sealing", () => {
    finalize();
    runAtOnce(pruneHoursInBatches(world.writer, readPrunable(world.writer, day + 1).days, hastyClock));
    seal();
    const { hourly, hourlyRows, hourlyBytes, hourlyDigest, rows } = store.current(day)!;
    expect([hourly, hourlyRows, hourlyBytes, hourlyDigest, rows]).to.deep.equal(["pruned", null, null, null, 5]);
  });

  it("seals a much older day without the days in between", () => {
    finalize();
    const figures = { amount: 5, lowAmount: 5, highAmount: 5, observations: 1, quantity: null, sourceObservedAt: null };
    const row = { itemId: 2, side: "bid" as const, provider: "a1", ...figures, recordedAt: 1, importId: null };
    new DailyPriceWriter(world.writer, today).add({ ...row, day: 10 });
    expect(seal()).to.deep.equal({ sealed: 4, left: 0 });
    expect(revisions().at(-1)).to.deep.equal([10 - day, 1, "empty", 1, true]);
  });

  it("lets the check recompute digests and report a day that differs", () => {
    finalize();
    seal();
    const check = (hours: boolean) =>
      checkHistory(world.reader, (read) => read(), { hours })
        .filter(({ isFault }) => isFault || !hours)
        .map(({ description }) => description);
    expect(check(false)).to.include("3 sealed days have the daily rows of their digests");
    expect(check(true)).to.deep.equal([]);
    const other = (column: string, one: number) =>
      world.writer.$client.exec(`UPDATE sealed_days SET ${column} = zeroblob(32) WHERE day = ${one}`);
    other("hourly_digest", day + 2);
    expect(check(false)).to.include("3 sealed days have the daily rows of their digests");
    other("digest", day);
    world.writer.$client.exec(`UPDATE sealed_days SET rows = 1 WHERE day = ${day + 1}`);
    expect(check(true)).to.deep.equal([
      "2 sealed days with daily rows that differ from the stored digest, such as 2024-10-04, 2024-10-05",
      "1 sealed days with hours that differ from the stored digest, such as 2024-10-06",
    ]);
  });

  it("names the day of an undecodable segment when hours are compared", () => {
    finalize();
    seal();
    world.writer.$client.exec(
      `UPDATE frame_segments SET changes = CAST(changes || x'1f' AS BLOB) WHERE (day, item_id) = (${day}, 499)`,
    );
    const findings = checkHistory(world.reader, (read) => read(), { hours: true });
    expect(findings.filter(({ isFault }) => isFault).map(({ description }) => description)).to.deep.equal([
      "1 segments of frames that were changed, such as 2024-10-04 item 499 of alpha",
      "1 sealed days with hours that differ from the stored digest, such as 2024-10-04",
    ]);
  });

  it("lets a check in pieces accept days changed or resealed meanwhile", () => {
    finalize();
    seal();
    let pieces = 0;
    const findings = checkHistory(
      world.reader,
      (read) => {
        const result = read();
        pieces += 1;
        if (pieces % 3 === 0) world.record(content(30 + pieces), timesOf(day * 24 + 48 + (pieces % 24)));
        if (pieces % 3 === 1) finalize();
        if (pieces % 3 === 2) seal();
        return result;
      },
      { hours: true },
    );
    expect(pieces).to.be.above(20);
    expect(findings.filter(({ isFault }) => isFault)).to.deep.equal([]);
    expect(store.current(day + 2)?.revision ?? 3).to.be.above(2);
  });

  it("never removes a revision", () => {
    finalize();
    seal();
    expect(() => world.writer.$client.exec("DELETE FROM sealed_days")).to.throw("stays listed");
  });
});

function ask(provider: string, amount: number): NamedQuote {
  return { provider, side: "ask", amount, quantity: null, observedAt: null };
}
