import { readFileSync } from "node:fs";
import { gunzipSync } from "node:zlib";
import { expect } from "chai";
import { importRates, type RateImportOptions } from "../../../src/import/rates/rate-import.ts";
import { rateReportJson, rateReportText } from "../../../src/import/rates/rate-report.ts";
import { openWriter } from "../../../src/store/database.ts";
import { holdLock } from "../../../src/store/file/lock.ts";
import { StoreRefusal } from "../../../src/store/file/refusal.ts";
import { isDemo, markDemo } from "../../../src/store/write/demo-mark.ts";
import { OperatorError } from "../../../src/values/failure/operator-error.ts";
import { dayMs, dayOf, parseDay } from "../../../src/values/time/calendar.ts";
import { systemClock } from "../../../src/values/time/clock.ts";
import { bySize } from "../../support/size.ts";
import { needRealData, realDataFolder } from "../../support/skip.ts";
import { QuoteWorld, worldAt } from "../quotes/quote-world.ts";

type Row = { currency: string; source: string; day: number; rate_per_usd: string; as_of: number; recorded_at: number };

const perUsd = (date: string, usd: Record<string, number>) => ({ date, usd });
const ecb = (...rows: string[]) => ["Date,USD,JPY,", ...rows, ""].join("\n");
const none = { new: 0, same: 0, kept: 0, replaced: 0 };

describe("import of exchange rates", () => {
  let world: QuoteWorld;
  beforeEach(() => {
    world = new QuoteWorld([]);
  });
  afterEach(() => world.destroy());

  const importing = (paths: readonly string[], options: RateImportOptions) =>
    importRates(world.path, paths, options, { clock: world.clock, pause: async () => {} });
  const outcomeOf = async (...args: Parameters<typeof importing>) => {
    const { added, same, kept, replaced } = await importing(...args);
    return { new: added, same, kept, replaced };
  };
  const rows = () => world.all<Row>("SELECT * FROM exchange_rates");
  const rates = () => rows().map((row) => `${row.currency} ${row.source} ${row.rate_per_usd}`);

  it("stores each rate once, observed at its UTC day's start", async () => {
    const file = world.body(ecb("2026-04-13,1.25,200,"), ".csv.gz");
    expect(await outcomeOf([file], { adapter: "ecb" })).to.deep.equal({ ...none, new: 2 });
    const day = parseDay("2026-04-13")!;
    const common = {
      source: "ecb",
      day,
      methodology_version: "ecb-eur-cross-1",
      as_of: day * dayMs,
      recorded_at: worldAt,
    };
    expect(rows()).to.deep.equal([
      { currency: "EUR", rate_per_usd: "0.8", ...common },
      { currency: "JPY", rate_per_usd: "160", ...common },
    ]);
    expect(world.all("SELECT * FROM currencies")).to.deep.equal([
      { currency: "EUR", minor_units: 2 },
      { currency: "JPY", minor_units: 0 },
    ]);
    world.now += 1000;
    expect(await outcomeOf([file], { adapter: "ecb" })).to.deep.equal({ ...none, same: 2 });
    expect(rows().map((row) => row.recorded_at)).to.deep.equal([worldAt, worldAt]);
  });

  it("keeps and reports a differing stored rate, or replaces it on request", async () => {
    await importing([world.body(ecb("2026-04-13,1.25,200,"))], { adapter: "ecb" });
    const corrected = world.body(ecb("2026-04-14,1.25,N/A,", "2026-04-13,1.25,201,"));
    const report = await importing([corrected], { adapter: "ecb" });
    expect(report).to.include({ added: 1, same: 1, kept: 1, replaced: 0 });
    expect(rateReportText(report)).to.include("2026-04-13 JPY stays 160; the file has 160.8").and.include("--replace");
    expect(rates()).to.deep.equal(["EUR ecb 0.8", "EUR ecb 0.8", "JPY ecb 160"]);
    world.now += 1000;
    expect(await outcomeOf([corrected], { adapter: "ecb", replace: true })).to.deep.equal({
      ...none,
      same: 2,
      replaced: 1,
    });
    expect(rows().at(-1)).to.include({ rate_per_usd: "160.8", recorded_at: worldAt + 1000 });
  });

  it("keeps the sources apart", async () => {
    await importing([world.body(ecb("2026-04-13,1.25,N/A,"))], { adapter: "ecb" });
    const file = world.body(perUsd("2026-04-13", { eur: 0.81, usd: 1 }));
    expect(await outcomeOf([file], { adapter: "per-usd" })).to.deep.equal({ ...none, new: 1 });
    expect(rates()).to.deep.equal(["EUR currency-api 0.81", "EUR ecb 0.8"]);
  });

  it("accepts overlapping files with equal rates", async () => {
    const files = [ecb("2026-04-13,1.25,200,"), ecb("2026-04-14,1.25,200,", "2026-04-13,1.25,200,")];
    const paths = files.map((file) => world.body(file));
    expect(await outcomeOf(paths, { adapter: "ecb" })).to.deep.equal({ ...none, new: 4 });
  });

  const whole = ecb("2026-04-13,1.25,200,");
  const broken: [string, string[], string][] = [
    ["one malformed file of several", [whole, ecb("2026-04-14,1.25,0,")], "line 2, column JPY: 0 is not a rate"],
    ["files that contradict each other", [whole, ecb("2026-04-13,1.25,201,")], "160.8 JPY per dollar"],
    ["a file without a rate", [ecb()], "it holds no rate"],
    ["a file of another shape", ["{}"], "line 1: the first column must be Date"],
    ["an empty file", [""], "it is empty"],
  ];
  for (const [what, files, says] of broken) {
    it(`rejects everything for ${what}, and changes nothing`, async () => {
      const paths = files.map((file) => world.body(file));
      const error = await importing(paths, { adapter: "ecb" }).catch((error: unknown) => error);
      expect(error).to.be.instanceOf(OperatorError);
      expect((error as OperatorError).message)
        .to.include(says)
        .and.include("nothing was changed");
      expect([rows(), world.all("SELECT * FROM currencies")]).to.deep.equal([[], []]);
    });
  }

  it("is refused while another import runs", async () => {
    const lock = holdLock(world.path, "import");
    const error = await importing([world.body(whole)], { adapter: "ecb" }).catch((error: unknown) => error);
    lock.release();
    expect(error).to.be.instanceOf(StoreRefusal);
    expect(rows()).to.deep.equal([]);
  });

  it("makes a demo file a user's own", async () => {
    const writer = openWriter(world.path, 0);
    markDemo(writer, worldAt);
    writer.$client.close();
    await importing([world.body(whole)], { adapter: "ecb" });
    expect(world.read(isDemo)).to.equal(false);
  });

  it("reports to programs in snake case with dates", async () => {
    const report = await importing([world.body(perUsd("2026-04-13", { eur: 0.81, btc: 1 }))], { adapter: "per-usd" });
    expect(JSON.parse(rateReportJson(report))).to.deep.include({
      adapter: "per-usd",
      source: "currency-api",
      methodology_version: "per-usd-1",
      dry_run: false,
      new: 1,
      first_day: "2026-04-13",
      last_day: "2026-04-13",
      skipped: [{ reason: "not_iso_4217", count: 1, examples: ["BTC"] }],
    });
  });
});

describe("import of real exchange rates", () => {
  let world: QuoteWorld;
  before(function () {
    needRealData(this);
    world = new QuoteWorld([]);
    world.now = Date.UTC(2026, 10, 20);
  });
  after(() => world?.destroy());

  const parts = () => ({ clock: { ...systemClock, now: () => world.now }, pause: async () => {} });

  it("accepts years of the European Central Bank's history", async () => {
    const whole = `${realDataFolder}fx/eurofxref-hist.csv.gz`;
    const { path, ...counted } = bySize({
      short: { path: world.body(newestDays(whole, 300)), rates: 8930, added: 8930, currencies: 30, days: 300 },
      long: { path: whole, rates: 106_180, added: 106_180, currencies: 34, days: 3396 },
    });
    const report = await importRates(world.path, [path], { adapter: "ecb" }, parts());
    expect(report).to.include(counted);
    expect(report.skipped).to.deep.equal([]);
    const weekend = [0, 1].map((more) => parseDay("2026-04-11")! + more);
    expect(world.all(`SELECT * FROM exchange_rates WHERE day IN (${weekend})`)).to.deep.equal([]);
    const last = world.all(
      "SELECT currency, max(day) AS day FROM exchange_rates WHERE currency IN ('BGN', 'HRK', 'RUB') GROUP BY 1",
    );
    const ended = [
      { currency: "BGN", day: parseDay("2025-12-31") },
      { currency: "HRK", day: parseDay("2022-12-30") },
      { currency: "RUB", day: parseDay("2022-03-01") },
    ];
    expect(last).to.deep.equal(bySize({ short: ended.slice(0, 1), long: ended }));
    process.stdout.write(`      ${report.added} rates in ${report.seconds.toFixed(2)} s without pauses\n`);
  });

  it("accepts files per US dollar with rates near the bank's", async () => {
    const dates = ["2026-02-05", "2026-03-01", "2026-04-05", "2026-05-12", "2026-06-08", "2026-06-15", "2026-08-09"];
    const paths = dates.map((date) => `${realDataFolder}fx/currency-api/usd-${date}.json`);
    const report = await importRates(world.path, paths, { adapter: "per-usd" }, parts());
    expect(report).to.include({ days: 7, added: report.rates });
    expect(report.added).to.equal(1097);
    const pairs = world.all<{ currency: string; theirs: string; ours: string }>(
      `SELECT ecb.currency, api.rate_per_usd AS theirs, ecb.rate_per_usd AS ours FROM exchange_rates ecb
       JOIN exchange_rates api USING (currency, day) WHERE ecb.source = 'ecb' AND api.source = 'currency-api'`,
    );
    expect(new Set(pairs.map(({ currency }) => currency)).size).to.be.above(25);
    for (const { currency, theirs, ours } of pairs)
      expect(Math.abs(Number(theirs) / Number(ours) - 1), currency).to.be.below(0.02);
    expect(dayOf(world.now)).to.be.above(report.lastDay);
  });
});

/** Returns the head and the newest days of the bank's file. */
function newestDays(path: string, days: number): string {
  const lines = gunzipSync(readFileSync(path)).toString().split("\n");
  return lines.slice(0, days + 1).join("\n");
}
