import { expect } from "chai";
import { scheduleDaily, type ValuationOutcome, valueInThread } from "../../../src/jobs/valuation/schedule.ts";
import { holdLock } from "../../../src/store/file/lock.ts";
import { dayMs, dayOf, hourMs, minuteMs } from "../../../src/values/time/calendar.ts";
import { toTimestamp } from "../../../src/values/time/clock.ts";
import { PortfolioWorld } from "../../import/portfolios/portfolio-world.ts";
import { instantOf } from "../indexes/index-world.ts";

const done: ValuationOutcome = { portfolios: 1, days: 1, incomplete: 0, refused: 0, late: 0, isWaiting: false };

/** A schedule on a settable clock, and a job with given outcomes. */
function scheduled(...outcomes: (ValuationOutcome | Error)[]) {
  const reported: [string, object][] = [];
  let runs = 0;
  const state = { at: instantOf("2026-03-01") + 15 * hourMs, hasPortfolios: true };
  const schedule = scheduleDaily({
    clock: { now: () => state.at, monotonicMs: () => state.at },
    events: {
      reportIfStorageFailure: () => undefined,
      portfoliosValued: (facts) => void reported.push(["valued", facts]),
      valuationFailed: (facts) => void reported.push(["failed", facts]),
    },
    hasPortfolios: () => state.hasPortfolios,
    run: async (at) => {
      expect(at).to.equal(state.at);
      const outcome = outcomes[runs] ?? done;
      runs += 1;
      if (outcome instanceof Error) throw outcome;
      return outcome;
    },
  });
  /** Checks once a minute until the job runs again. Returns its time, to the minute. */
  const nextRun = async (): Promise<string> => {
    for (const before = runs; runs === before; ) {
      state.at += minuteMs;
      await schedule.look();
    }
    return toTimestamp(state.at).slice(5, 16);
  };
  return { schedule, reported, state, nextRun, runs: () => runs };
}

describe("daily valuation", () => {
  it("runs after the start, then ten minutes into each UTC day", async () => {
    const { schedule, state, nextRun, runs, reported } = scheduled();
    await schedule.look();
    expect(runs()).to.equal(0);
    expect([await nextRun(), await nextRun()]).to.deep.equal(["03-01T15:01", "03-02T00:10"]);
    state.at = instantOf("2026-03-04") + 4 * minuteMs;
    expect(
      [await nextRun(), await nextRun()],
      "a machine that slept: at once, and again when the day that began is ten minutes old",
    ).to.deep.equal(["03-04T00:05", "03-04T00:10"]);
    expect(reported).to.deep.equal(
      Array(4).fill(["valued", { portfolios: 1, days: 1, incomplete: 0, refused: 0, late: 0 }]),
    );
  });

  it("repeats ten minutes after a wait or failure, and reports only the failure", async () => {
    const waiting = { ...done, days: 0, isWaiting: true };
    const { nextRun, reported } = scheduled(waiting, new Error("no space"), { ...done, days: 0 }, { ...done, days: 0 });
    for (const due of ["03-01T15:01", "03-01T15:11", "03-01T15:21", "03-02T00:10"])
      expect(await nextRun()).to.equal(due);
    expect(reported).to.deep.equal([["failed", { reason: "no space", retry_ms: 10 * minuteMs }]]);
  });

  it("checks for late prices every hour and reports them once", async () => {
    const late = { ...done, days: 0, late: 1 };
    const { state, nextRun, reported } = scheduled(late, late, { ...late, isWaiting: true }, late, late);
    for (const due of ["03-01T15:01", "03-01T16:01", "03-01T17:01", "03-01T17:11"])
      expect(await nextRun()).to.equal(due);
    state.at = instantOf("2026-03-01") + 23.5 * hourMs;
    expect([await nextRun(), await nextRun()]).to.deep.equal(["03-01T23:31", "03-02T00:10"]);
    const { isWaiting: _, ...facts } = late;
    expect(reported[0]).to.deep.equal(["valued", facts]);
    expect(reported).to.have.length(2);
  });

  it("starts no thread for a file without portfolios", async () => {
    const { schedule, state, runs } = scheduled();
    state.hasPortfolios = false;
    for (let days = 0; days < 3; days += 1) {
      state.at += dayMs;
      await schedule.look();
    }
    expect(runs()).to.equal(0);
    state.hasPortfolios = true;
    state.at += dayMs;
    await schedule.look();
    expect(runs()).to.equal(1);
  });
});

describe("valuation run in its thread", () => {
  const world = new PortfolioWorld();
  after(() => world.remove());
  const run = (finalizes: boolean, databasePath = world.file.path) =>
    valueInThread({ databasePath, at: world.at, finalizes }, new AbortController().signal);

  it("waits for a running import and for days being finalized elsewhere", async () => {
    const yesterday = dayOf(world.at) - 1;
    const portfolioId = world.portfolio();
    world.ask("2026-03-09", 1, 250);
    world.importLines(portfolioId, {
      record: "lot",
      integration_ref: "L1",
      item_id: 1,
      quantity: 2,
      acquired_on: "2026-03-09",
    });
    world.rows(
      "INSERT INTO feed_days (day, feed, hours, settled_at) VALUES (?, 'steam', 1, NULL) RETURNING 1",
      yesterday,
    );
    const nothing = { portfolios: 0, days: 0, incomplete: 0, refused: 0, late: 0 };
    const lock = holdLock(world.file.path, "import");
    expect(await run(true)).to.deep.equal({ ...nothing, isWaiting: true });
    lock.release();
    expect(await run(false)).to.deep.equal({ ...nothing, isWaiting: true });
    expect(await run(true)).to.deep.equal({ ...nothing, portfolios: 1, days: 1, isWaiting: false });
    expect(world.rows("SELECT day, value_cents FROM portfolio_valuations")).to.deep.equal([
      { day: yesterday, value_cents: 500 },
    ]);
  });

  it("stops before its next transaction if closed, leaving days for later", async () => {
    const portfolioId = world.portfolio();
    world.importLines(portfolioId, {
      record: "lot",
      integration_ref: "L1",
      item_id: 1,
      quantity: 2,
      acquired_on: "2025-03-10",
    });
    const ending = new AbortController();
    const order = { databasePath: world.file.path, at: world.at, finalizes: false };
    const ended = valueInThread(order, ending.signal);
    ending.abort();
    expect(await ended).to.equal(null);
    const [{ days }] = world.rows<{ days: number }>(
      "SELECT count(*) AS days FROM portfolio_valuations WHERE portfolio_id = ?",
      portfolioId,
    ) as [{ days: number }];
    expect(days).to.be.lessThan(365);
  });

  it("fails without ending the program if the file is missing", async () => {
    const failure = await run(true, `${world.file.path}.none`).catch((error: Error) => error);
    expect((failure as Error).message).to.match(/does not exist/);
  });
});
