import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { expect } from "chai";
import { importDailyInBatches } from "../../../src/import/daily/daily-import.ts";
import { dailyReportJson, dailyReportText } from "../../../src/import/daily/report.ts";
import { readFeedFile } from "../../../src/import/feed-file.ts";
import { dailyChecksum } from "../../../src/store/codec/daily-checksum.ts";
import { openWriter } from "../../../src/store/database.ts";
import { holdLock } from "../../../src/store/file/lock.ts";
import { DailyPriceWriter } from "../../../src/store/write/daily-prices.ts";
import { dayMs } from "../../../src/values/time/calendar.ts";
import { bySize } from "../../support/size.ts";
import { worldAt } from "../quotes/quote-world.ts";
import { canonicalText, DailyWorld, dayOfText, header } from "./daily-world.ts";

const options = { adapter: "canonical" } as const;
const row = (amount: number, more: object = {}) => ({ item_id: 4, date: "2026-08-30", side: "ask", amount, ...more });

describe("import of daily history", () => {
  let world: DailyWorld;
  beforeEach(() => {
    world = new DailyWorld();
  });
  afterEach(() => world.destroy());

  const bodyOf = (rows: readonly object[], head?: object) => world.body(canonicalText(rows, head), ".ndjson");
  const take = (rows: readonly object[], more: object = {}, head?: object) =>
    world.importDaily(bodyOf(rows, head), { ...options, ...more });
  const refusalOf = async (rows: readonly object[], head?: object) => {
    const before = world.dailyContent();
    const thrown = await take(rows, {}, head).catch((error: Error) => error);
    expect(thrown).to.be.instanceOf(Error);
    expect(world.dailyContent()).to.equal(before);
    return (thrown as Error).message;
  };

  it("stores rows with checksums and their import with the body's digest", async () => {
    const path = bodyOf([row(500), row(90, { side: "bid", quantity: 3 })]);
    const report = await world.importDaily(path, options);
    expect(report).to.include({ outcome: "imported", importId: 1, added: 2, same: 0, items: 1, provider: "northgate" });
    expect(world.rows()).to.deep.equal([
      "4 ask 2026-08-30 northgate 500 500 500 1 none 1",
      "4 bid 2026-08-30 northgate 90 90 90 1 3 1",
    ]);
    const digest = createHash("sha256").update(readFileSync(path)).digest("hex");
    expect(world.all("SELECT *, lower(hex(body_digest)) AS body_digest FROM daily_imports")).to.deep.equal([
      {
        import_id: 1,
        adapter: "canonical",
        provider: "northgate",
        body_digest: digest,
        imported_at: worldAt,
        replaces: 0,
      },
    ]);
    const day = dayOfText("2026-08-30");
    const span = { itemId: 4, side: "bid", provider: "northgate", from: day, to: day } as const;
    const [stored] = world.read((database) => new DailyPriceWriter(database, day + 1).within(span));
    const { checksum, ...withoutChecksum } = stored!;
    expect(checksum).to.equal(dailyChecksum(withoutChecksum));
    expect(withoutChecksum.recordedAt).to.equal(worldAt);
  });

  it("moves the rows of a past month into item order", async () => {
    const daysIn = (table: string) =>
      world.all(`SELECT date(day * 86400, 'unixepoch') AS day FROM ${table} ORDER BY day`);
    await take([row(500), row(400, { date: "2026-07-31" })]);
    expect([daysIn("daily_by_item"), daysIn("daily_by_day")]).to.deep.equal([
      [{ day: "2026-07-31" }],
      [{ day: "2026-08-30" }],
    ]);
    world.now += 31 * dayMs;
    await take([row(501, { date: "2026-09-30" })]);
    expect(daysIn("daily_by_item")).to.deep.equal([{ day: "2026-07-31" }, { day: "2026-08-30" }]);
    expect([daysIn("daily_by_day"), daysIn("recent_days")]).to.deep.equal([
      [{ day: "2026-09-30" }],
      [{ day: "2026-09-30" }],
    ]);
  });

  it("creates a missing feed and provider, unverified and without quotes", async () => {
    await take([row(500)]);
    expect(world.all("SELECT feed, adapter, checked_at, ingested_at, item_count FROM feeds")).to.deep.equal([
      { feed: "northgate", adapter: "canonical", checked_at: null, ingested_at: null, item_count: 0 },
    ]);
    expect(world.all("SELECT has_asks, has_bids, active FROM providers")).to.deep.equal([
      { has_asks: 0, has_bids: 0, active: 0 },
    ]);
  });

  it("keeps an existing provider, and rejects another feed's or kind's provider", async () => {
    world.write(`INSERT INTO feeds(feed, adapter, checked_at, ingested_at, item_count) VALUES ('north', 'canonical', 5, 6, 7);
      INSERT INTO providers (provider, name, kind, feed, has_asks, has_bids, active)
        VALUES ('northgate', 'North', 'cash', 'north', 1, 1, 1)`);
    expect(await refusalOf([row(500)])).to.match(/provider northgate belongs to the feed north/);
    const trade = { ...header, feed: "north", provider: { ...header.provider, kind: "trade" } };
    expect(await refusalOf([row(500)], trade)).to.match(/of the kind cash but the file names trade/);
    const before = world.all("SELECT * FROM feeds, providers");
    await take([row(500)], {}, { ...header, feed: "north" });
    expect(world.all("SELECT * FROM feeds, providers")).to.deep.equal(before);
  });

  it("accepts the main platform's history under its own feed only", async () => {
    const steam = { provider: "steam", name: "Steam", kind: "main_platform" };
    expect(await refusalOf([row(500)], { ...header, feed: "north", provider: steam })).to.match(
      /steam belongs to the feed steam/,
    );
    expect(world.all("SELECT * FROM providers")).to.deep.equal([]);
    await take([row(500)], {}, { ...header, feed: "steam", provider: steam });
  });

  it("writes nothing when repeated, not even an import", async () => {
    await take([row(500), row(510, { date: "2026-08-29" })]);
    const before = world.dailyContent();
    world.now += 1000;
    expect(await take([row(500), row(510, { date: "2026-08-29" })])).to.include({
      outcome: "unchanged",
      importId: null,
      added: 0,
      same: 2,
    });
    expect(world.dailyContent()).to.equal(before);
  });

  /** A recorded row of 400 on the 29th, an imported one of 500 on the 30th. */
  const withHistory = async () => {
    await take([row(500), row(400, { date: "2026-08-29" })]);
    world.write(`UPDATE daily_by_day SET import_id = NULL WHERE day = ${dayOfText("2026-08-29")}`);
  };
  const later = [row(501), row(401, { date: "2026-08-29" }), row(300, { date: "2026-08-28" })];

  it("never overwrites existing rows, and reports the kept ones", async () => {
    await withHistory();
    const report = await take(later);
    expect(world.rows().map((words) => words.replace(/ northgate (\d+).* /, " $1 "))).to.deep.equal([
      "4 ask 2026-08-28 300 2",
      "4 ask 2026-08-29 400 recorded",
      "4 ask 2026-08-30 500 1",
    ]);
    expect(report).to.include({ added: 1, same: 0 });
    expect(report.kept).to.deep.equal({
      recorded: 1,
      imported: 1,
      examples: ["item 4 2026-08-29 ask: recorded 400, here 401", "item 4 2026-08-30 ask: imported 500, here 501"],
    });
    expect(report.replaced).to.include({ recorded: 0, imported: 0 });
  });

  it("overwrites recorded and imported rows by `--replace`, and reports them", async () => {
    await withHistory();
    const report = await take(later, { replace: true });
    expect(world.rows().map((words) => words.replace(/ northgate (\d+).* /, " $1 "))).to.deep.equal([
      "4 ask 2026-08-28 300 2",
      "4 ask 2026-08-29 401 2",
      "4 ask 2026-08-30 501 2",
    ]);
    expect(report.replaced).to.include({ recorded: 1, imported: 1 });
    expect(report.kept).to.include({ recorded: 0, imported: 0 });
  });

  const brief = () => world.rows().map((words) => words.replace(/4 ask 2026-08-(\d+) northgate (\d+).* /, "$1 $2 "));

  it("keeps replacing rows despite a late hour or another import", async () => {
    await take([row(200, { date: "2026-08-27" })]);
    for (const date of ["2026-08-29", "2026-08-30"]) world.recordAsk(date, 3, 400);
    const replaced = await take([row(500), row(600, { date: "2026-08-28" })], { replace: true });
    expect(replaced.replaced).to.include({ recorded: 1, imported: 0 });
    expect(world.all("SELECT replaces FROM daily_imports")).to.deep.equal([{ replaces: 0 }, { replaces: 1 }]);
    for (const date of ["2026-08-27", "2026-08-28", "2026-08-29", "2026-08-30"]) world.recordAsk(date, 9, 410);
    expect(world.finalize()).to.deep.equal({ days: 4, rows: 2, kept: 2 });
    expect(brief()).to.deep.equal(["27 410 recorded", "28 600 2", "29 410 recorded", "30 500 2"]);
  });

  it("finalizes recorded days first, then keeps their rows", async () => {
    await take([row(200, { date: "2026-08-27" })]);
    world.recordAsk("2026-08-30", 3, 400);
    const report = await take([row(500), row(600, { date: "2026-08-29" })]);
    expect(report).to.deep.include({
      added: 1,
      finalizedDays: 1,
      unfinalizedDays: 0,
      kept: { recorded: 1, imported: 0, examples: ["item 4 2026-08-30 ask: recorded 400, here 500"] },
    });
    expect(dailyReportText(report)).to.include("days     daily rows derived for 1 completed days first");
    expect(JSON.parse(dailyReportJson(report))).to.include({ settled_days: 1, unsettled_days: 0 });
    const before = brief();
    expect(before).to.deep.equal(["27 200 1", "29 600 2", "30 400 recorded"]);
    expect(world.finalize()).to.deep.equal({ days: 0, rows: 0, kept: 0 });
    expect(brief()).to.deep.equal(before);
  });

  it("finalizes nothing in a dry run, and counts incomparable recorded days", async () => {
    await take([row(200, { date: "2026-08-27" })]);
    for (const date of ["2026-08-29", "2026-08-30", "2026-09-01"]) world.recordAsk(date, 3, 400);
    const before = world.dailyContent();
    const report = await take([row(500)], { dryRun: true });
    expect(world.dailyContent()).to.equal(before);
    expect(report).to.include({ finalizedDays: 0, unfinalizedDays: 2, outcome: "dry_run" });
    expect(dailyReportText(report)).to.include("2 recorded days are not finalized and were not compared");
  });

  it("rejects a second row of an item, side and day", async () => {
    const named = { ...row(7), item_id: undefined, market_hash_name: "AK-47 | Redline (Field-Tested)" };
    const report = await take([row(500), row(501), named, { ...named, side: "bid" }, row(9, { item_id: 99 })]);
    expect(world.rows()).to.have.length(2);
    expect(report.refused.map(({ reason, count }) => [reason, count])).to.deep.equal([
      ["duplicate", 2],
      ["unknown_item", 1],
    ]);
  });

  it("rejects the current day and the future, and accepts the previous day", async () => {
    const report = await take([
      row(500, { date: "2026-08-31" }),
      row(501, { date: "2026-09-01" }),
      row(502, { date: "2031-01-01" }),
    ]);
    expect(world.rows()).to.deep.equal(["4 ask 2026-08-31 northgate 500 500 500 1 none 1"]);
    expect(report.refused.map(({ reason, count }) => [reason, count])).to.deep.equal([["day_not_over", 2]]);
  });

  it("rejects sale medians and files without a usable row as a whole", async () => {
    expect(await refusalOf([row(0)])).to.match(
      /none of its prices can become a row \(1 zero\); the whole file was refused/,
    );
    const before = world.dailyContent();
    const medians = world.body('[{"time":1716598800000,"value":0.03,"volume":24}]');
    const thrown = await world.importDaily(medians, options).catch((error: Error) => error);
    expect((thrown as Error).message).to.match(/medians of completed sales/);
    expect(world.dailyContent()).to.equal(before);
  });

  it("is refused, not delayed, while another import runs", async () => {
    const lock = holdLock(world.path, "import");
    const thrown = await take([row(500)]).catch((error: Error) => error);
    lock.release();
    expect((thrown as Error).message).to.match(/an import is running on it/);
    expect(await take([row(500)], { dryRun: false })).to.include({ added: 1 });
  });

  it("leaves whole rows when interrupted, and is completed by repetition", async () => {
    const dates = Array.from({ length: 9 }, (_, n) => `2026-08-1${n}`);
    const body = await readFeedFile(bodyOf(dates.map((date, n) => row(500 + n, { date }))));
    let ms = 0;
    const hasty = { now: () => worldAt, monotonicMs: () => (ms += 100) };
    for (let stepsMax = 1; ; stepsMax += bySize({ short: 3, long: 1 })) {
      world.write("DELETE FROM daily_by_day; DELETE FROM daily_imports");
      const database = openWriter(world.path, 1000);
      const steps = importDailyInBatches(database, body, options, { clock: hasty });
      let done = false;
      for (let taken = 0; taken < stepsMax && !done; taken += 1) done = steps.next().done === true;
      database.$client.close();
      const orphans = world.all(
        "SELECT * FROM daily_prices WHERE import_id NOT IN (SELECT import_id FROM daily_imports)",
      );
      expect(orphans).to.deep.equal([]);
      const written = world.rows().length;
      const again = await world.importDaily(body.name, options);
      expect(again).to.deep.include({
        added: 9 - written,
        same: written,
        kept: { recorded: 0, imported: 0, examples: [] },
      });
      expect(world.rows().map((words) => words.split(" ")[4])).to.deep.equal(dates.map((_, n) => `${500 + n}`));
      if (!done) continue;
      expect(stepsMax).to.be.above(9);
      return;
    }
  });
});
