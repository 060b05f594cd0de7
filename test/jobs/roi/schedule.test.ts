import { expect } from "chai";
import { calculateRoi, type RoiRun } from "../../../src/jobs/roi/calculate.ts";
import { type RoiEvents, scheduleRoi } from "../../../src/jobs/roi/schedule.ts";
import type { Schedule } from "../../../src/jobs/schedule.ts";
import { holdLock } from "../../../src/store/file/lock.ts";
import { hourMs, minuteMs, secondMs } from "../../../src/values/time/calendar.ts";
import { TestClock } from "../../support/clock.ts";
import { container, noon, RoiWorld } from "./roi-world.ts";

describe("ROI schedule", () => {
  let world: RoiWorld;
  let clock: TestClock;
  let reported: string[];
  let parts: Parameters<typeof scheduleRoi>[0];
  let schedule: Schedule;
  /** The work of a run, in place of a thread. */
  let run: (at: number, signal: AbortSignal) => RoiRun | null | Promise<RoiRun | null>;
  beforeEach(() => {
    world = new RoiWorld();
    clock = new TestClock(noon + hourMs);
    reported = [];
    run = (at) => calculateRoi(world.file.writer, { clock: { now: () => at, monotonicMs: () => 0 } });
    const events: RoiEvents = {
      reportIfStorageFailure: () => undefined,
      roiCalculated: ({ published, unchanged }) => reported.push(`calculated ${published + unchanged}`),
      roiSkipped: ({ openable }) => reported.push(`skipped ${openable}`),
      roiWaiting: ({ retry_ms }) => reported.push(`waiting ${retry_ms}`),
      roiFailed: ({ reason, retry_ms }) => reported.push(`failed ${reason} ${retry_ms}`),
    };
    const { path: databasePath, reader: database } = world.file;
    const order: typeof parts.run = async ({ at }, signal) => run(at, signal);
    parts = { databasePath, database, clock, events, run: order };
    schedule = scheduleRoi(parts);
  });
  afterEach(async () => {
    await schedule.close();
    world.file.remove();
  });

  function publishPool(): void {
    world.pool("kilo");
    world.publish([container, "alpha", 50], [1, "alpha", 10], [2, "alpha", 10]);
  }
  const runsAt = () => world.rows("roi_runs").map(({ calculated_at }) => calculated_at - noon);
  /** Returns the events of a check after `ms` milliseconds. */
  const lookAfter = async (ms: number): Promise<string[]> => {
    reported = [];
    clock.advance(ms);
    await schedule.look();
    return reported;
  };

  it("runs at once after a missed hour, then every six hours UTC", async () => {
    publishPool();
    expect(await lookAfter(0)).to.deep.equal(["calculated 1"]);
    expect(await lookAfter(5 * hourMs - 1)).to.deep.equal([]);
    expect(await lookAfter(1)).to.deep.equal(["calculated 1"]);
    expect(await lookAfter(6 * hourMs - 1)).to.deep.equal([]);
    expect(await lookAfter(1)).to.deep.equal(["calculated 1"]);
    expect(runsAt()).to.deep.equal([hourMs, 6 * hourMs, 12 * hourMs]);
  });

  it("runs once more at the start for a new source", async () => {
    publishPool();
    world.run();
    expect(await lookAfter(0)).to.deep.equal([]);
    await schedule.close();
    schedule = scheduleRoi({ ...parts, isDue: true });
    expect(await lookAfter(0)).to.deep.equal(["calculated 1"]);
    expect(await lookAfter(minuteMs)).to.deep.equal([]);
  });

  it("runs once, at the present, for any number of missed hours", async () => {
    publishPool();
    world.run();
    expect(await lookAfter(100 * hourMs)).to.deep.equal(["calculated 1"]);
    expect(runsAt()).to.deep.equal([0, 101 * hourMs]);
    expect(await lookAfter(minuteMs)).to.deep.equal([]);
  });

  it("waits until the first pool is published, then runs once", async () => {
    expect(await lookAfter(0)).to.deep.equal([]);
    publishPool();
    expect(await lookAfter(minuteMs)).to.deep.equal(["calculated 1"]);
  });

  it("ignores manual partial runs and runs of a wrong clock", async () => {
    publishPool();
    world.run({ only: ["kilo"] });
    expect(await lookAfter(0)).to.deep.equal(["calculated 1"]);
    world.at = noon + 1000 * hourMs;
    world.run();
    expect(await lookAfter(minuteMs)).to.deep.equal(["calculated 1"]);
    expect(await lookAfter(minuteMs)).to.deep.equal([]);
  });

  it("retries a failed run with growing delays until the next scheduled hour", async () => {
    publishPool();
    const works = run;
    run = () => {
      throw new Error("no disk");
    };
    expect(await lookAfter(0)).to.deep.equal([`failed no disk ${30 * secondMs}`]);
    expect(await lookAfter(30 * secondMs - 1)).to.deep.equal([]);
    expect(await lookAfter(1)).to.deep.equal([`failed no disk ${minuteMs}`]);
    for (let waited = 2; waited < 30; waited *= 2)
      expect((await lookAfter((waited / 2) * minuteMs))[0]).to.match(/^failed/);
    expect(await lookAfter(16 * minuteMs)).to.deep.equal([`failed no disk ${30 * minuteMs}`]);
    expect(await lookAfter(30 * minuteMs)).to.deep.equal([`failed no disk ${30 * minuteMs}`]);
    clock.advance(noon + 6 * hourMs - secondMs - clock.at);
    expect(await lookAfter(0)).to.deep.equal([`failed no disk ${30 * minuteMs}`]);
    expect(await lookAfter(secondMs)).to.deep.equal([`failed no disk ${30 * secondMs}`]);
    run = works;
    expect(await lookAfter(30 * secondMs)).to.deep.equal(["calculated 1"]);
  });

  it("waits for another process's run and counts it as its own", async () => {
    publishPool();
    const other = holdLock(world.file.path, "roi");
    expect(await lookAfter(0)).to.deep.equal([`waiting ${10 * secondMs}`]);
    expect(await lookAfter(10 * secondMs)).to.deep.equal([`waiting ${10 * secondMs}`]);
    world.at = clock.at;
    world.run();
    other.release();
    expect(await lookAfter(10 * secondMs)).to.deep.equal([]);
    expect(await lookAfter(5 * hourMs)).to.deep.equal(["calculated 1"]);
  });

  it("runs one at a time under the lock, and stops when closed", async () => {
    publishPool();
    let signal: AbortSignal | null = null;
    run = (_at, given) => {
      signal = given;
      return new Promise((resolve) => given.addEventListener("abort", () => resolve(null)));
    };
    const looks = [schedule.look(), schedule.look()];
    expect(() => holdLock(world.file.path, "roi")).to.throw("a calculation of returns is running on it");
    await schedule.close();
    await Promise.all(looks);
    expect(signal).to.have.property("aborted", true);
    holdLock(world.file.path, "roi").release();
    expect(reported).to.deep.equal([]);
    expect(await lookAfter(minuteMs)).to.deep.equal([]);
  });
});
