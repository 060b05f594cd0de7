import { expect } from "chai";
import { FrameProviderNames } from "../../src/domain/frame-provider-names.ts";
import { unfinalizedRows } from "../../src/domain/unfinalized-days.ts";
import { pruneHours } from "../../src/jobs/days/prune.ts";
import { retractFrame } from "../../src/jobs/days/retract-frame.ts";
import { calculateIndexInBatches } from "../../src/jobs/indexes/calculate.ts";
import { defineIndexInBatches } from "../../src/jobs/indexes/define.ts";
import { definitionLookup, readDefinition } from "../../src/jobs/indexes/definition.ts";
import { checkDatabase } from "../../src/store/check/check.ts";
import { checkHistory } from "../../src/store/check/history.ts";
import { checkPastRows } from "../../src/store/check/past-rows.ts";
import { type Database, openWriter } from "../../src/store/database.ts";
import { FramesStore } from "../../src/store/read/frames.ts";
import { runAtOnce } from "../../src/store/write/batches.ts";
import { finalizeDaysInBatches } from "../../src/store/write/finalize-days.ts";
import { FrameWriter } from "../../src/store/write/frames.ts";
import { sealDaysInBatches } from "../../src/store/write/seal-days.ts";
import { dayMs, hourMs, minuteMs } from "../../src/values/time/calendar.ts";
import {
  dailyOf,
  type Frame,
  frameAt,
  HistoryWorld,
  hourlyRows,
  quote,
  recordFrame,
  type State,
} from "../domain/history-world.ts";
import { QuoteWorld, refusalOf, worldAt } from "../import/quotes/quote-world.ts";
import { Random } from "../sim/random.ts";
import { steamBody } from "../support/bodies.ts";
import { runHere } from "../support/cli.ts";
import { bySize } from "../support/size.ts";

const day = Date.UTC(2026, 7, 30);
const at = (hour: number, minute = 0) => day + hour * hourMs + minute * minuteMs;
const hourOf = (hour: number) => at(hour) / hourMs;

describe("retraction of a frame", () => {
  let world: QuoteWorld;
  beforeEach(async () => {
    world = new QuoteWorld([{}, {}]);
    await world.replay([saved(at(7), 10), saved(at(8, 5), 1000), saved(at(9), 30)]);
    world.now = worldAt + hourMs;
  });
  afterEach(() => world.destroy());

  const saved = (savedAt: number, cents: number) =>
    world.body(steamBody({ "Item 0": cents, ...(cents === 1000 ? { "Item 1": 5 } : {}) }, savedAt));
  const retract = (hour: number, reason = "cents for dollars") =>
    retractFrame(
      world.path,
      { feed: "steam", hour: hourOf(hour), reason },
      { clock: world.clock, pause: async () => {} },
    );
  const daily = () =>
    world.all(
      "SELECT item_id AS item, amount, high_amount AS high, observations, recorded_at AS at FROM daily_prices ORDER BY 1",
    );
  const sealed = () =>
    world.all<{ revision: number; feeds: string }>(
      `SELECT revision, feeds FROM sealed_days WHERE day = ${day / dayMs} AND superseded_at IS NULL`,
    );
  const written = <T>(work: (database: Database) => T): T => {
    const database = openWriter(world.path, 1000);
    try {
      return work(database);
    } finally {
      database.$client.close();
    }
  };
  const faults = () => checkDatabase(world.path).faults;

  it("removes an hour, and derives and seals its day again", async () => {
    expect(daily()[0]).to.include({ amount: 30, high: 1000, observations: 3, at: worldAt });
    const frames = world.all("SELECT * FROM frames");
    const report = { reason: "cents for dollars", items: 2, quotes: 2, isPublished: false, levels: 0 };
    expect(await retract(8)).to.deep.equal({ ...report, isRepeated: false, rows: 2 });
    expect(daily()).to.deep.equal([{ item: 1, amount: 30, high: 30, observations: 2, at: world.now }]);
    expect(sealed()).to.deep.equal([{ revision: 2, feeds: `[["steam",${(1 << 7) | (1 << 9)}]]` }]);
    expect(world.all("SELECT * FROM frames")).to.deep.equal(frames);
    expect(world.all("SELECT hour, feed, reason, retracted_at FROM frame_retractions")).to.deep.equal([
      { hour: hourOf(8), feed: "steam", reason: "cents for dollars", retracted_at: world.now },
    ]);
    expect(faults()).to.deep.equal([]);
  });

  it("removes an hour from weekly guards unless the next body needs it", async () => {
    const hours = () => world.all<{ hour: number }>("SELECT hour FROM quote_levels ORDER BY 1").map(({ hour }) => hour);
    expect(hours()).to.deep.equal([hourOf(7), hourOf(8), hourOf(9)]);
    await retract(8);
    await retract(9);
    expect(hours()).to.deep.equal([hourOf(7), hourOf(9)]);
  });

  it("continues after an interruption when called again", async () => {
    const key = { feed: "steam", day: day / dayMs, hour: hourOf(8) };
    written((database) => new FrameWriter(database).retract(key, "cents for dollars", world.now));
    expect(await retract(8)).to.include({ items: 2, rows: 2 });
    expect(daily()).to.deep.equal([{ item: 1, amount: 30, high: 30, observations: 2, at: world.now }]);
    expect(sealed()).to.deep.equal([{ revision: 2, feeds: `[["steam",${(1 << 7) | (1 << 9)}]]` }]);
    expect(await retract(8, "another reason")).to.include({ reason: "cents for dollars", isRepeated: true, rows: 0 });
  });

  it("reports still published quotes, and rejects an hour without a frame", async () => {
    expect(await retract(9)).to.include({ isPublished: true });
    expect(await refusalOf(retract(10))).to.match(/feed \w+ has no frame of 2\d{3}-\d\d-\d\dT\d\d/);
  });

  it("reports derived days and how to replace published quotes, by `history retract`", async () => {
    const words = ["history", "retract", "--feed", "steam", "--reason", "wrong", "--db", world.path];
    expect((await runHere([...words, "--hour", "2026-08-30T09:00Z"])).lines).to.deep.equal([
      "steam: the frame of 2026-08-30T09 is retracted: 1 quote of 1 item",
      "  derived  1 daily rows and 0 index levels again; portfolios and returns follow with their next run",
      "  replace  one body saved in this hour may be imported instead",
      "  prices   its quotes are still published: run `npx itemtape feeds drop steam`, then `npx itemtape import quotes` with a correct body",
    ]);
    expect((await runHere([...words, "--hour", "2026-08-30T09"])).lines[1]).to.equal(
      "  repeated it was already retracted (wrong); its days are complete now",
    );
    const { code, notes } = await runHere([...words, "--hour", "2026-08-30"]);
    expect([code, notes.at(-1)]).to.deep.equal([
      64,
      "itemtape: --hour: must be a UTC hour such as 2026-01-31T05, not `2026-08-30`",
    ]);
  });

  it("corrects the levels of an index after a late frame", async () => {
    await world.replay([saved(at(25), 60)]);
    const definition = { index_id: "one", name: "One", description: "", provider: "steam", weighting: "equal" };
    const facts = { base_date: "2026-08-30", base_value: "100", members: [{ item_id: 1 }] };
    const bytes = Buffer.from(JSON.stringify({ ...definition, ...facts }));
    const calculate = () =>
      written((database) =>
        runAtOnce(calculateIndexInBatches(database, Math.floor(worldAt / dayMs), { clock: world.clock })),
      );
    const levels = () =>
      world.all<{ value: string }>("SELECT value FROM index_levels ORDER BY day").map(({ value }) => value);
    written((database) => {
      const read = readDefinition({ name: "one.json", bytes }, definitionLookup(database));
      runAtOnce(defineIndexInBatches(database, read, { clock: world.clock }));
    });
    calculate();
    expect(levels()).to.deep.equal(["100.0000", "200.0000"]);
    await world.replay([saved(at(20), 60)]);
    expect(calculate()[0]!.corrected).to.have.length(2);
    expect(levels()).to.deep.equal(["100.0000", "100.0000"]);
    expect(await retract(20)).to.include({ rows: 1, levels: 2 });
    expect(levels()).to.deep.equal(["100.0000", "200.0000"]);
    expect(faults()).to.deep.equal([]);
  });

  it("is replaced once by a saved body, but never by a poll", async () => {
    await retract(8);
    world.now += hourMs;
    expect(await world.replay([saved(at(8, 10), 20)])).to.include({ recorded: 1, hoursTaken: 0 });
    expect(daily()).to.deep.equal([{ item: 1, amount: 30, high: 30, observations: 3, at: world.now }]);
    expect(sealed()[0]!.revision).to.equal(3);
    expect([7, 8, 9].map((hour) => world.asksAt(at(hour), 1))).to.deep.equal([[10], [20], [30]]);
    expect(world.asksAt(at(8), 2)).to.equal("missing");
    expect(await world.replay([saved(at(8, 20), 21)])).to.include({ recorded: 0, hoursTaken: 1 });
    expect(await refusalOf(retract(8))).to.match(/already retracted, and a saved body replaced it/);
    expect(world.all("SELECT hour, item_id AS item FROM retracted_segments")).to.deep.equal([
      { hour: hourOf(8), item: 0 },
      { hour: hourOf(8), item: 1 },
      { hour: hourOf(8), item: 2 },
    ]);
    expect(faults()).to.deep.equal([]);
    await pruneHours(world.path, day / dayMs + 1, { dryRun: false }, { clock: world.clock });
    expect(world.all("SELECT 1 FROM retracted_segments")).to.deep.equal([]);
    expect(faults()).to.deep.equal([]);
  });

  it("leaves no price of an item that the replacement lacks", async () => {
    const both = { "Item 0": 10, "Item 1": 5 };
    await world.replay([11, 12, 13].map((hour) => world.body(steamBody(both, at(hour)))));
    for (const hour of [11, 12]) {
      await retract(hour);
      await world.replay([world.body(steamBody({ "Item 0": 10 }, at(hour, 10)))]);
      const missing = [11, 12, 13].map((one) => (one <= hour ? "missing" : [5]));
      expect([11, 12, 13].map((one) => world.asksAt(at(one), 2))).to.deep.equal(missing);
    }
    expect(faults()).to.deep.equal([]);
  });

  it("leaves exactly the histories of the remaining frames", () => {
    const steps = bySize({ short: 5, long: 15 });
    const random = new Random(11);
    const now = Date.UTC(2026, 0, 16, 0, 30);
    const today = Math.floor(now / dayMs);
    const clock = { now: () => now, monotonicMs: () => 0 };
    const file = new HistoryWorld();
    file.feeds();
    for (const id of [1, 2]) file.file.item(id);
    const state = (): State =>
      random.chance(0.2) ? null : [quote("a1", random.between(1, 3)), ...(random.chance(0.4) ? [quote("a2", 7)] : [])];
    const made = (hour: number, intoMs = 60_000): Frame =>
      frameAt("alpha", (today - 1) * 24 + hour, { 1: state(), 2: state() }, intoMs);
    let frames = Array.from({ length: 24 }, (_, hour) => made(hour)).filter(() => random.chance(0.8));
    for (const frame of frames.toSorted(() => random.next() - 0.5)) file.record(frame);
    const { writer } = file.file;
    const frameStore = new FramesStore(file.file.reader);
    const names = new FrameProviderNames(frameStore);
    const check = (isOpen = true) => {
      const { data, meta } = file.hourlyPage({ item_id: 1, from: "2026-01-15", to: "2026-01-15", limit: 1000 }, now);
      const span = { fromHour: (today - 1) * 24, toHour: today * 24 - 1 };
      expect(JSON.parse(data.json)).to.deep.equal(
        hourlyRows(frames, { itemId: 1, side: "ask", provider: null, ...span }),
      );
      const window = { from: today - 1, to: today - 1 };
      const open = unfinalizedRows(frameStore, names, { itemId: 1, side: "ask", provider: null }, window);
      runAtOnce(finalizeDaysInBatches(writer, today, clock));
      const instants = writer.$client.prepare(
        "SELECT recorded_at FROM daily_prices WHERE item_id = 1 ORDER BY provider",
      );
      // The live answer of an open day and the stored rows have the same instants.
      if (isOpen) expect(open.map(({ recordedAt }) => recordedAt)).to.deep.equal(instants.pluck().all());
      expect(checkPastRows(file.file.reader)[0]).to.deep.include({ isFault: false });
      runAtOnce(sealDaysInBatches(writer, today, clock));
      const rows = writer.$client
        .prepare(
          "SELECT provider, amount, low_amount, high_amount, observations FROM daily_prices WHERE item_id = 1 ORDER BY provider",
        )
        .raw()
        .all();
      const wanted = dailyOf(frames, 1).toSorted((a, b) => (a.provider < b.provider ? -1 : 1));
      expect(rows).to.deep.equal(
        wanted.map((row) => [row.provider, row.amount, row.lowAmount, row.highAmount, row.observations]),
      );
      const found = checkHistory(file.file.reader, undefined, { hours: true }).filter(({ isFault }) => isFault);
      expect(found).to.deep.equal([]);
      return meta.missing_points;
    };
    check();
    for (let step = 0; step < steps; step += 1) {
      const first = frames.filter((one) => one.checkedAt % hourMs === 60_000);
      const frame = first[random.between(0, first.length - 1)]!;
      new FrameWriter(writer).retract({ feed: "alpha", hour: frame.hour, day: today - 1 }, "why", now + 2 * step);
      frames = frames.filter((one) => one !== frame);
      // A poll.
      recordFrame(writer, made(frame.hour % 24));
      const text = new Date(frame.hour * hourMs).toISOString().slice(0, 13);
      expect(check()).to.include("; retracted: ");
      if (step < 3) expect(check(false)).to.include(text);
      if (random.chance(0.5)) continue;
      const instead = { ...made(frame.hour % 24, 120_000), recordedAt: now + 2 * step + 1 };
      for (const steps of [1, 2, 3]) recordFrame(writer, instead, steps, true);
      check(false);
      recordFrame(writer, instead, Number.POSITIVE_INFINITY, true);
      frames = [...frames, instead].sort((a, b) => a.hour - b.hour);
      check();
    }
    file.file.remove();
  });
});
