import { expect } from "chai";
import { dailyReportJson, dailyReportText } from "../../../src/import/daily/report.ts";
import { DailyWorld, knife, noon } from "./daily-world.ts";

const rifle = "AK-47 | Redline (Field-Tested)";
const options = { adapter: "buff-history" } as const;

describe("Buff price history", () => {
  let world: DailyWorld;
  beforeEach(() => {
    world = new DailyWorld();
    world.rates({ "2024-01-15": "7.2", "2024-01-16": "8" });
  });
  afterEach(() => world.destroy());

  const series = (...points: [date: string | number, price: unknown, listings: unknown][]) => [
    points.map(([date]) => (typeof date === "string" ? noon(date) : date)),
    points.map(([, price]) => price),
    points.map(([, , listings]) => listings),
  ];
  const take = (body: object) => world.importDaily(world.body(body), options);
  const reasons = (report: Awaited<ReturnType<typeof take>>) =>
    report.refused.map(({ reason, count, examples }) => `${reason} ${count} ${examples.join()}`);

  it("converts yuan by the rate of the same day, and stores it", async () => {
    await take({ [rifle]: series(["2024-01-15", 10_000, 12], ["2024-01-16", 10_000, 3]) });
    expect(world.rows()).to.deep.equal([
      "4 ask 2024-01-15 buff163 1389 1389 1389 1 12 1",
      "4 ask 2024-01-16 buff163 1250 1250 1250 1 3 1",
    ]);
    const rates = world.all("SELECT currency, rate_per_usd, source FROM daily_import_rates ORDER BY day");
    expect(rates).to.deep.equal([
      { currency: "CNY", rate_per_usd: "7.2", source: "ecb" },
      { currency: "CNY", rate_per_usd: "8", source: "ecb" },
    ]);
  });

  it("rounds half cents to even, and omits a price rounded to zero", async () => {
    const report = await take({
      [rifle]: series(["2024-01-16", 20, 1]),
      [`${knife} Ruby`]: series(["2024-01-16", 28, 1]),
      [knife]: series(["2024-01-16", 4, 1]),
    });
    expect(world.rows().map((row) => row.split(" ").slice(0, 5).join(" "))).to.deep.equal([
      "2 ask 2024-01-16 buff163 4",
      "4 ask 2024-01-16 buff163 2",
    ]);
    expect(reasons(report)).to.deep.equal([`rounds_to_zero 1 ${knife}`]);
  });

  it("omits a day without its own rate", async () => {
    const report = await take({
      [rifle]: series(["2024-01-14", 900, 1], ["2024-01-15", 900, 1], ["2024-01-17", 900, 1]),
      [knife]: series(["2024-01-17", 900, 1]),
    });
    expect(world.rows()).to.have.length(1);
    expect(reasons(report)).to.deep.equal(["no_reference_rate 3 2024-01-14,2024-01-17"]);
    expect(report.datesWithoutRate).to.deep.equal(["2024-01-14", "2024-01-17"]);
  });

  const amountsAndSources = () => ({
    amounts: world.rows().map((row) => `${row.split(" ")[2]} ${row.split(" ")[4]}`),
    sources: world
      .all<{ source: string }>("SELECT DISTINCT source FROM daily_import_rates")
      .map(({ source }) => source),
  });

  it("prefers the central bank's rates for all days of an import", async () => {
    world.rates({ "2024-01-15": "9", "2024-01-20": "9" }, "aggregator");
    const report = await take({ [rifle]: series(["2024-01-15", 7200, 0], ["2024-01-20", 7200, 0]) });
    expect(amountsAndSources()).to.deep.equal({ amounts: ["2024-01-15 1000"], sources: ["ecb"] });
    expect(report).to.deep.include({ rateSource: "ecb", datesWithoutRate: ["2024-01-20"] });
    expect(reasons(report)).to.deep.equal(["no_reference_rate 1 2024-01-20"]);
    expect(dailyReportText(report)).to.include("rates    of ecb\n").and.include("no rate  of ecb on 1 day");
    expect(JSON.parse(dailyReportJson(report))).to.include({ rate_source: "ecb" });
  });

  it("uses the first source by name without rates of the central bank", async () => {
    world.rates({ "2024-02-01": "9", "2024-02-03": "9" }, "beta");
    world.rates({ "2024-02-02": "8" }, "alpha");
    const report = await take({
      [rifle]: series(["2024-02-01", 7200, 0], ["2024-02-02", 7200, 0], ["2024-02-03", 7200, 0]),
    });
    expect(amountsAndSources()).to.deep.equal({ amounts: ["2024-02-02 900"], sources: ["alpha"] });
    expect(report).to.deep.include({ rateSource: "alpha", datesWithoutRate: ["2024-02-01", "2024-02-03"] });
  });

  it("ignores unfinished and invalid days when it selects a rate source", async () => {
    world.rates({ "2024-02-01": "9" }, "beta");
    world.rates({ "2026-09-01": "8" });
    const report = await take({ [rifle]: series(["2024-02-01", 7200, 0], ["2026-09-01", 7200, 0], [-1, 7200, 0]) });
    expect(report.rateSource).to.equal("beta");
    expect(report.refused.map(({ reason }) => reason)).to.have.members(["bad_time", "day_not_over"]);
  });

  it("omits a price of 0, and reads 0 listings as unknown", async () => {
    const report = await take({ [rifle]: series(["2024-01-15", 0, 0], ["2024-01-16", 800, 0]) });
    expect(world.rows()).to.deep.equal(["4 ask 2024-01-16 buff163 100 100 100 1 none 1"]);
    expect(report.absent).to.equal(1);
    expect(report.refused).to.deep.equal([]);
  });

  it("merges a UTC day's points into last, lowest and highest price", async () => {
    const at = noon("2024-01-16");
    const report = await take({ [rifle]: series([at + 60, 1600, 9], [at - 60, 2400, 5], [at, 800, 7], [at, 8000, 7]) });
    expect(world.rows()).to.deep.equal(["4 ask 2024-01-16 buff163 200 100 300 3 9 1"]);
    expect(reasons(report)).to.deep.equal([`duplicate 1 ${rifle} 2024-01-16`]);
  });

  it("assigns phases to their items, bare names to unphased ones, ranks nowhere", async () => {
    const report = await take({
      [`${knife} Phase2`]: series(["2024-01-16", 800, 1]),
      [`${knife} Ruby`]: series(["2024-01-16", 1600, 1]),
      [knife]: series(["2024-01-16", 2400, 1]),
      [`${knife} Phase4`]: series(["2024-01-16", 3200, 1]),
      [`${knife} Fire&Ice 1st`]: series(["2024-01-16", 4000, 1], ["2024-01-15", 4000, 1]),
      Pin: series(["2024-01-16", 4800, 1]),
    });
    expect(world.rows().map((row) => row.split(" ").slice(0, 5).join(" "))).to.deep.equal([
      "1 ask 2024-01-16 buff163 100",
      "2 ask 2024-01-16 buff163 200",
      "3 ask 2024-01-16 buff163 300",
    ]);
    expect(reasons(report)).to.deep.equal([
      `unknown_name 3 ${knife} Phase 4,${knife} Fire&Ice 1st`,
      "ambiguous_name 1 Pin",
    ]);
  });

  it("makes an item of a variant named by no other source", async () => {
    const report = await take({ [`StatTrak™ ${rifle}`]: series(["2024-01-16", 800, 1]) });
    expect(report).to.include({ feedDerivedItems: 1, added: 1, items: 1 });
    expect(world.all("SELECT market_hash_name AS name, origin FROM items WHERE item_id = 7")).to.deep.equal([
      { name: `StatTrak™ ${rifle}`, origin: "feed_proven" },
    ]);
    expect(world.rows()).to.deep.equal(["7 ask 2024-01-16 buff163 100 100 100 1 1 1"]);
  });

  it("rejects malformed points one by one", async () => {
    const today = noon("2026-09-01");
    const report = await take({
      [rifle]: series(
        ["2024-01-16", 800, 1],
        ["2024-01-15", 8.5, 1],
        ["2024-01-15", -8, 1],
        ["2024-01-15", "800", 1],
        ["2024-01-15", 800, -1],
        ["2024-01-15", 800, null],
        [1.5, 800, 1],
        [-5, 800, 1],
        [9e15, 800, 1],
        [today, 800, 1],
        [noon("2024-01-15") * 1000, 800, 1],
      ),
      [`${knife} Ruby`]: [[noon("2024-01-15")], [800], []],
      [knife]: "nothing",
    });
    expect(world.rows()).to.have.length(1);
    expect(report.refused.map(({ reason, count }) => [reason, count])).to.deep.equal([
      ["bad_time", 3],
      ["bad_quantity", 2],
      ["day_not_over", 2],
      ["malformed", 2],
      ["fractional_cents", 1],
      ["negative", 1],
      ["unparsable", 1],
    ]);
  });

  for (const [what, body, says] of [
    ["a list", [1], /not the shape of a Buff history/],
    ["an object of another shape", { [rifle]: { price: 5 } }, /not the shape of a Buff history/],
    [
      "a file of unknown names",
      { Sword: series(["2024-01-15", 800, 1]) },
      /none of its prices can become a row \(1 unknown_name\)/,
    ],
    [
      "a file of unfinished days",
      { [rifle]: series(["2026-09-01", 800, 1], [-1, 800, 1]) },
      /it has no price before 2026-09-01/,
    ],
  ] as const) {
    it(`is rejected as a whole if it is ${what}`, async () => {
      const before = world.dailyContent();
      const error = await take(body).catch((thrown: Error) => thrown);
      expect(error).to.be.instanceOf(Error);
      expect((error as Error).message)
        .to.match(says)
        .and.match(/the whole file was refused/);
      expect(world.dailyContent()).to.equal(before);
    });
  }

  it("is rejected with the missing rates if none exists for its days", async () => {
    const points = series(["2024-01-19", 800, 1], ["2024-01-17", 800, 1], ["2024-01-18", 800, 1]);
    const error = await take({ [rifle]: points }).catch((thrown: Error) => thrown);
    expect((error as Error).message).to.include(
      "in CNY and no rate is stored from 2024-01-17 to 2024-01-19; import exchange rates first",
    );
  });
});
