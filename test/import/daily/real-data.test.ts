import { join } from "node:path";
import { expect } from "chai";
import { importDaily } from "../../../src/import/daily/daily-import.ts";
import type { DailyReport } from "../../../src/import/daily/report.ts";
import { readFeedFile } from "../../../src/import/feed-file.ts";
import { importRates } from "../../../src/import/rates/rate-import.ts";
import { dayText } from "../../../src/values/time/calendar.ts";
import { systemClock } from "../../../src/values/time/clock.ts";
import { realCatalogFile } from "../../support/kept-files.ts";
import { describeLong } from "../../support/size.ts";
import { needRealData, realDataFolder } from "../../support/skip.ts";
import { QuoteWorld } from "../quotes/quote-world.ts";

const monthlyFile = join(realDataFolder, "buff163/price-history-monthly.json.gz");
const knife = "★ Karambit | Doppler (Factory New)";

describeLong("real daily history", function () {
  this.timeout(180_000);
  let world: QuoteWorld;
  let monthly: DailyReport;
  let source: Record<string, [number[], number[], number[]]>;

  before(async function () {
    needRealData(this);
    world = new QuoteWorld(await realCatalogFile());
    const parts = { clock: systemClock, pause: async () => {} };
    await importRates(world.path, [join(realDataFolder, "fx/eurofxref-hist.csv.gz")], { adapter: "ecb" }, parts);
    monthly = await importDaily(world.path, monthlyFile, { adapter: "buff-history" }, parts);
    source = JSON.parse((await readFeedFile(monthlyFile)).bytes.toString());
  });
  after(() => world?.destroy());

  it("has a row, no price or a reason for every point", () => {
    const refused = monthly.refused.reduce((sum, { count }) => sum + count, 0);
    expect(monthly.added + monthly.absent + refused).to.equal(505_068);
    expect(world.all("SELECT count(*) AS rows FROM daily_prices")).to.deep.equal([{ rows: monthly.added }]);
    expect(monthly.absent).to.equal(1686);
    expect(monthly.added).to.be.above(370_000);
    const reasons = ["no_reference_rate", "rounds_to_zero", "unknown_name"];
    expect(monthly.refused.map(({ reason }) => reason)).to.have.members(reasons);
  });

  it("omits exactly the days without a rate of the central bank", () => {
    const days = new Set(
      Object.values(source).flatMap(([times]) => times.map((time) => dayText(Math.floor(time / 86_400)))),
    );
    const isWeekend = (date: string) => [0, 6].includes(new Date(date).getUTCDay());
    const holidays = ["2022-04-15"];
    expect(monthly.datesWithoutRate).to.deep.equal(
      [...days].filter((date) => isWeekend(date) || holidays.includes(date)).sort(),
    );
  });

  it("converts each phase's price by the stored rate of its day", () => {
    const rows = world.all<{ day: number; amount: number; rate: string; quantity: number | null }>(
      `SELECT daily_prices.day, amount, rate_per_usd AS rate, quantity FROM daily_prices JOIN items USING (item_id)
       JOIN daily_import_rates USING (import_id, day) WHERE market_hash_name = '${knife}' AND phase = 'Ruby'`,
    );
    const [times, prices, listings] = source[`${knife} Ruby`]!;
    expect(rows).to.have.length.above(5);
    for (const { day, amount, rate, quantity } of rows) {
      const index = times.findIndex((time) => Math.floor(time / 86_400) === day);
      expect(Math.abs(amount - prices[index]! / Number(rate))).to.be.at.most(0.5 + 1e-6);
      expect(quantity).to.equal(listings[index] || null);
    }
  });

  it("has no row for a rank that is not a phase", () => {
    expect(world.all("SELECT * FROM items WHERE market_hash_name LIKE '%Fire&Ice%'")).to.deep.equal([]);
    const unknown = monthly.refused.find(({ reason }) => reason === "unknown_name");
    const ranked = Object.keys(source).filter((name) => name.includes("Fire&Ice"));
    const withoutRate = new Set(monthly.datesWithoutRate);
    const convertible = ranked.flatMap((name) => {
      const [times, prices] = source[name]!;
      return times.filter((time, n) => prices[n]! > 0 && !withoutRate.has(dayText(Math.floor(time / 86_400))));
    });
    expect(convertible).to.have.length.above(100);
    expect(unknown?.count).to.be.at.least(convertible.length);
  });
});
