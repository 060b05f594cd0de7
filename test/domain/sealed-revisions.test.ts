import { createHash } from "node:crypto";
import { expect } from "chai";
import { HistoryDays } from "../../src/domain/history-days.ts";
import { DayExports, type DayResolution } from "../../src/store/read/day-exports.ts";
import { SealedDaysStore } from "../../src/store/read/sealed-days.ts";
import { runAtOnce } from "../../src/store/write/batches.ts";
import { DailyPriceWriter } from "../../src/store/write/daily-prices.ts";
import { finalizeDaysInBatches } from "../../src/store/write/finalize-days.ts";
import { FrameWriter } from "../../src/store/write/frames.ts";
import { setKnownSince } from "../../src/store/write/known-since.ts";
import { sealDaysInBatches } from "../../src/store/write/seal-days.ts";
import { Failure } from "../../src/values/failure/failure.ts";
import { dayMs, dayText, hourMs, minuteMs } from "../../src/values/time/calendar.ts";
import { Random } from "../sim/random.ts";
import { referenceOf } from "../support/reference.ts";
import { bySize } from "../support/size.ts";
import { type Frame, frameAt, HistoryWorld, quote, recordFrame, type State } from "./history-world.ts";

const day = 20_467;
const today = day + 1;
const resolutions = ["daily", "hourly"] as const;
const itemIds = [1, 2, 3, 9];

describe("revisions of a sealed day", () => {
  let world: HistoryWorld;
  let exports: DayExports;
  let now: number;
  const random = new Random(9);
  beforeEach(() => {
    world = new HistoryWorld();
    world.feeds();
    for (const id of [1, 2, 3]) world.file.item(id);
    exports = new DayExports(world.file.reader);
    now = today * dayMs + hourMs;
  });
  afterEach(() => world.file.remove());

  const clock = { now: () => now, monotonicMs: () => 0 };
  const state = (feed: string): State => {
    const providers = { alpha: ["a1", "a2"], beta: ["b1"], steam: ["steam"] }[feed]!;
    if (random.chance(0.2)) return null;
    return providers.filter(() => random.chance(0.8)).map((provider) => quote(provider, random.between(1, 4)));
  };
  const made = (feed: string, hour: number, intoMs = 60_000): Frame =>
    frameAt(feed, day * 24 + hour, Object.fromEntries([1, 2, 3].map((id) => [id, state(feed)])), intoMs);
  const late = (frame: Frame): Frame => ({ ...frame, recordedAt: now, ingestedAt: now });
  const seal = () => {
    now += 17 * minuteMs;
    runAtOnce(finalizeDaysInBatches(world.file.writer, today, clock));
    now += minuteMs;
    runAtOnce(sealDaysInBatches(world.file.writer, today, clock));
  };
  const listed = () => new SealedDaysStore(world.file.reader).page({ day: today, revision: 0 }, 1000);
  const digestOf = (revision: number, resolution: DayResolution) => {
    const { row, at } = exports.revision(day, revision, resolution)!;
    const read = exports.pages(row, resolution, null, at);
    const hash = createHash("sha256");
    for (let after = 0; after < row.itemIdMax; after += 2)
      hash.update(read(after, Math.min(after + 2, row.itemIdMax))!.lines);
    return hash.digest("hex");
  };

  /** Changes the day: a late frame, a retraction and its replacement, or an import that replaces rows. */
  function change(free: Map<string, number[]>, counting: Frame[]): void {
    const feed = ["alpha", "beta"][random.between(0, 1)]!;
    now += random.between(1, 9) * minuteMs;
    const hour = free.get(feed)!.pop();
    const wrong = counting[random.between(0, counting.length - 1)];
    if (hour !== undefined && random.chance(0.4)) world.record(late(made(feed, hour)));
    else if (wrong !== undefined && random.chance(0.6)) {
      counting.splice(counting.indexOf(wrong), 1);
      new FrameWriter(world.file.writer).retract({ feed: wrong.feed, hour: wrong.hour, day }, "wrong", now);
      if (random.chance(0.3)) seal();
      now += minuteMs;
      const instead = late(made(wrong.feed, wrong.hour - day * 24, 120_000));
      if (random.chance(0.7)) recordFrame(world.file.writer, instead, Number.POSITIVE_INFINITY, true);
    } else {
      const importId = world.startImport("b1", true);
      const amount = random.between(1, 4);
      const prices = { amount, lowAmount: amount, highAmount: amount, observations: 1, quantity: null };
      const row = { itemId: random.between(1, 3), side: "ask" as const, day, provider: "b1", ...prices };
      new DailyPriceWriter(world.file.writer, today).put({ ...row, sourceObservedAt: null, recordedAt: now, importId });
    }
  }

  it("have the digest of their seal when they are asked by number", () => {
    const free = new Map(["alpha", "beta"].map((feed) => [feed, [3, 9, 5, 0]]));
    const counting: Frame[] = [];
    for (const [feed, missing] of free) {
      for (let hour = 0; hour < 12; hour += 1) {
        if (missing.includes(hour)) continue;
        const frame = made(feed, hour);
        world.record(frame);
        counting.push(frame);
      }
    }
    seal();
    for (let step = 0; step < bySize({ short: 8, long: 120 }); step += 1) {
      change(free, counting);
      if (step === 3) world.file.item(9, { firstSeenAt: now });
      if (random.chance(0.8)) seal();
    }
    seal();
    const rows = listed();
    expect(rows.length).to.be.greaterThan(4);
    for (const { revision, digest, hourlyDigest } of rows) {
      const found = resolutions.map((resolution) => digestOf(revision, resolution));
      expect(found, `revision ${revision}`).to.deep.equal([digest.toString("hex"), hourlyDigest!.toString("hex")]);
    }
  });

  it("are refused by number without kept rows, and not found without a seal", () => {
    world.record(made("alpha", 1));
    seal();
    now += minuteMs;
    world.record(late(made("alpha", 2)));
    seal();
    const days = new HistoryDays({ list: new SealedDaysStore(world.file.reader), exports });
    const reference = referenceOf(world.file.reader);
    const asked = (plan: "free" | "trader") => ({ caller: { plan }, at: now, reference });
    const outcome = (revision: number, resolution: DayResolution, plan: "free" | "trader" = "trader") => {
      try {
        const query = days.prepareExport({ date: dayText(day), body: { resolution, revision } }, asked(plan));
        const run = days.open(query, { requestId: "req_1", at: now } as never);
        return JSON.parse(run.next()!.toString().split("\n")[0]!).revision;
      } catch (error) {
        if (error instanceof Failure) return error.code;
        throw error;
      }
    };
    const kept = () =>
      days.list(days.prepareList({}, reference), reference).data.map((one) => [one.revision, one.kept]);
    expect([outcome(1, "daily"), outcome(2, "hourly"), outcome(3, "daily")]).to.deep.equal([1, 2, "day_not_found"]);
    expect(outcome(1, "daily", "free")).to.equal("plan_upgrade_required");
    expect(kept()).to.deep.equal([
      [2, true],
      [1, true],
    ]);
    setKnownSince(world.file.writer, listed()[1]!.supersededAt!);
    expect(kept()).to.deep.equal([
      [2, true],
      [1, false],
    ]);
    expect([outcome(1, "daily"), outcome(2, "daily")]).to.deep.equal(["invalid_range", 2]);
    world.file.writer.$client.exec("UPDATE sealed_days SET hourly = 'pruned'");
    expect([outcome(2, "hourly"), outcome(2, "daily")]).to.deep.equal(["invalid_range", 2]);
  });

  it("read the export to its end while the day is sealed again", () => {
    world.record(made("alpha", 1));
    seal();
    const { row, at } = exports.revision(day, 1, "daily")!;
    const read = exports.pages(row, "daily", null, at);
    const before = read(0, itemIds.at(-1)!);
    now += minuteMs;
    world.record(late(made("alpha", 2)));
    seal();
    expect(read(0, itemIds.at(-1)!)).to.deep.equal(before);
    expect(exports.pages(row, "daily", null, null)(0, 9)).to.equal(null);
  });
});
