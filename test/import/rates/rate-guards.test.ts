import { expect } from "chai";
import { importRates, type RateImportOptions } from "../../../src/import/rates/rate-import.ts";
import { rateReportJson, rateReportText } from "../../../src/import/rates/rate-report.ts";
import { QuoteWorld, refusalOf } from "../quotes/quote-world.ts";

type Usd = Record<string, number>;

const codes = "eur gbp jpy cny pln rub try brl cad aud sek nok uah kzt inr krw chf dkk czk huf mxn".split(" ");
const numbers = [
  0.8653, 0.7411, 157.9, 6.751, 3.719, 81.61, 47.8, 5.085, 1.3947, 1.415, 9.481, 9.509, 44.76, 469, 95.23, 1408, 0.8079,
  6.468, 20.98, 314.1, 17.14,
];
const right: Usd = Object.fromEntries(codes.map((code, index) => [code, numbers[index]!]));
const scaled = (factor: number) =>
  Object.fromEntries(Object.entries(right).map(([code, rate]) => [code, rate * factor]));
const inverted = Object.fromEntries(
  Object.entries(right).map(([code, rate]) => [code, Number((1 / rate).toPrecision(8))]),
);
const round = (usd: Usd) =>
  Object.fromEntries(Object.entries(usd).map(([code, rate]) => [code, Number(rate.toPrecision(8))]));

type Lie = { lie: string; before?: Record<string, Usd>; days: Record<string, Usd>; says: string; accept: string };

const before = { "2026-08-26": right };
const lies: readonly Lie[] = [
  {
    lie: "all rates are a hundredth",
    before,
    days: { "2026-08-27": scaled(0.01) },
    says: "rate_level (threshold 1/2 to 2, a tenth of the currencies): the rates of 2026-08-27 are 0.010 times the rates of 2026-08-26 (median of 21 currencies): a hundredth of the rates",
    accept: "rate_level",
  },
  {
    lie: "all rates are inverted",
    before,
    days: { "2026-08-27": inverted },
    says: "(median of 21 currencies): dollars per unit instead of units per dollar",
    accept: `rate_level,${codes
      .map((code) => `rate_jump:${code.toUpperCase()}`)
      .sort()
      .join(",")}`,
  },
  {
    lie: "three of 21 currencies are wrong",
    before,
    days: { "2026-08-27": { ...right, jpy: 1.58, rub: 8161, krw: 14.08 } },
    says: "3 of 21 currencies of 2026-08-27 are outside 1/2 to 2 times their last rates, such as RUB 8161 on 2026-08-27 is 100 times the 81.61",
    accept: "rate_level,rate_jump:JPY,rate_jump:KRW,rate_jump:RUB",
  },
  {
    lie: "a first file is a hundredth",
    days: { "2026-08-27": scaled(0.01) },
    says: "rate_level (threshold 4 to 12): its first rate of CNY, 0.06751 per dollar on 2026-08-27, is outside its fixed bounds",
    accept: "rate_level",
  },
  {
    lie: "a first file names yuan for yen",
    days: { "2026-08-27": { ...right, jpy: 6.751 } },
    says: "rate_level (threshold 50 to 400): its first rate of JPY, 6.751 per dollar",
    accept: "rate_level",
  },
  {
    lie: "a day among right days is a hundredth",
    days: { "2026-08-25": right, "2026-08-26": scaled(0.01), "2026-08-27": right },
    says: "the rates of 2026-08-26 are 0.010 times the rates of 2026-08-25",
    accept: "rate_level",
  },
  {
    lie: "the only currency is wrong",
    before,
    days: { "2026-08-27": { jpy: 15_790 } },
    says: "rate_jump (threshold 0.5 to 1.5): JPY 15790 on 2026-08-27 is 100 times the 157.9 of 2026-08-26; it was omitted",
    accept: "rate_jump:JPY",
  },
];

describe("guards of exchange rates", () => {
  let world: QuoteWorld;
  beforeEach(() => {
    world = new QuoteWorld([]);
  });
  afterEach(() => world.destroy());

  const takeFiles = (paths: readonly string[], options: Partial<RateImportOptions> = {}) =>
    importRates(world.path, paths, { adapter: "per-usd", ...options }, { clock: world.clock, pause: async () => {} });
  const filesOf = (days: Record<string, Usd>) =>
    Object.entries(days).map(([date, usd]) => world.body(JSON.stringify({ date, usd: round(usd) })));
  const take = (days: Record<string, Usd>, options: Partial<RateImportOptions> = {}) =>
    takeFiles(filesOf(days), options);
  const stored = (currency: string) =>
    world
      .all<{ rate: string }>(
        `SELECT rate_per_usd AS rate FROM exchange_rates WHERE currency = '${currency}' ORDER BY day`,
      )
      .map(({ rate }) => rate);

  for (const { lie, before = {}, days, says, accept } of lies) {
    it(`reject unless accepted if ${lie}`, async () => {
      if (Object.keys(before).length > 0) await take(before);
      const digest = world.logicalDigest();
      const paths = filesOf(days);
      const said = await refusalOf(takeFiles(paths));
      expect(said).to.contain(says).and.contain(`npx itemtape import rates FILE --adapter per-usd --accept ${accept}`);
      expect(await refusalOf(takeFiles(paths, { dryRun: true }))).to.equal(said);
      expect(world.logicalDigest()).to.equal(digest);
      const { added, rates } = await takeFiles(paths, { accepted: accept.split(",") });
      expect(added).to.equal(rates);
    });
  }

  it("omit and report a single wrong currency, and accept the others", async () => {
    await take(before);
    const { eur, ...others } = right;
    const days = { "2026-08-27": { ...others, jpy: 1.579, usd: 1, try: 62 } };
    const report = await take(days);
    expect(report).to.include({ rates: 20, added: 19, compared: 20, changed: 2 });
    expect(report.gone).to.deep.equal(["EUR"]);
    const text = rateReportText(report);
    expect(text)
      .to.contain("named     guard rate_jump (threshold 0.5 to 1.5): JPY 1.579 on 2026-08-27 is 0.0100 times the 157.9")
      .and.contain("guard rate_jump (threshold 0.9 to 1.11): TRY 62 on 2026-08-27 is 1.30 times the 47.8 of 2026-08-26")
      .and.contain("left out  1 rate; `--accept rate_jump:JPY` accepts them")
      .and.contain("missing   1 currency of the days before: EUR");
    expect(JSON.parse(rateReportJson(report)).left_out).to.deep.equal([
      {
        currency: "JPY",
        date: "2026-08-27",
        before_date: "2026-08-26",
        rate_per_usd: "1.579",
        before_rate_per_usd: "157.9",
        ratio: 0.01,
      },
    ]);
    expect(stored("JPY")).to.deep.equal(["157.9"]);
    expect(stored("TRY")).to.deep.equal(["47.8", "62"]);
    await take(days, { accepted: ["rate_jump:JPY"] });
    expect(stored("JPY")).to.deep.equal(["157.9", "1.579"]);
  });

  it("omit an inverted euro and report it as inverse", async () => {
    await take(before);
    const report = await take({ "2026-08-27": { ...right, eur: 1.1557 } });
    expect(report).to.include({ added: 20 });
    expect(rateReportText(report)).to.contain(
      "EUR 1.1557 on 2026-08-27 is 1.34 times the 0.8653 of 2026-08-26: dollars per unit instead of units per dollar; it was omitted",
    );
  });

  it("report rates per euro and two swapped currencies", async () => {
    await take(before);
    const says = async (usd: Usd) => rateReportText(await take({ "2026-08-27": usd }, { dryRun: true }));
    expect(await says({ ...scaled(1 / 0.8653), eur: 1 })).to.contain(
      "the rates of 2026-08-27 are 1.2 times the rates of",
    );
    const { eur, gbp } = right as { eur: number; gbp: number };
    expect(await says({ ...right, eur: gbp, gbp: eur })).to.match(/EUR 0\.7411 .* is 0\.856 times.*GBP 0\.8653 /s);
  });

  it("accept no single currency's jump with a day's accepted level", async () => {
    await take(before);
    const days = { "2026-08-27": { ...scaled(0.01), jpy: 157.9 } };
    const report = await take(days, { accepted: ["rate_level"] });
    expect(report.leftOut.map(({ currency }) => currency)).to.deep.equal(["JPY"]);
    expect(stored("JPY")).to.deep.equal(["157.9"]);
    expect(stored("EUR")).to.have.length(2);
  });

  it("reject an unneeded acceptance of a jump unless the rate is stored", async () => {
    await take(before);
    const days = { "2026-08-27": { ...right, jpy: 1.579 } };
    const said = await refusalOf(take(days, { accepted: ["rate_jump:JPY", "rate_jump:EUR", "rate_jump:LBP"] }));
    expect(said).to.contain("`--accept rate_jump` names EUR, LBP, but no rate of these currencies jumps here");
    for (const added of [21, 0]) expect(await take(days, { accepted: ["rate_jump:JPY"] })).to.include({ added });
  });

  it("never judge a currency by its own wrong months", async () => {
    const dates = ["2026-05-01", "2026-05-20", "2026-06-20", "2026-07-20", "2026-08-20"];
    const days = dates.map((date, index) => [date, { ...right, jpy: index === 0 ? 157.9 : 1.579 }] as const);
    const report = await take(Object.fromEntries(days));
    expect(report.leftOut.map(({ currency }) => currency)).to.deep.equal(["JPY", "JPY", "JPY", "JPY"]);
    expect(stored("JPY")).to.deep.equal(["157.9"]);
  });

  it("judge a source's first file by another source's rates", async () => {
    await take(before);
    const paths = [world.body(`{"base":"USD","date":"2026-08-26","rates":{"PLN":0.0372,"SEK":0.0948,"NOK":0.0951}}`)];
    const parts = { clock: world.clock, pause: async () => {} };
    const said = await refusalOf(importRates(world.path, paths, { adapter: "frankfurter" }, parts));
    expect(said).to.contain("0.010 times the rates of 2026-08-26 (median of 3 currencies)");
  });

  it("accept a correct file that replaces a wrong stored day", async () => {
    await take(before);
    await take({ "2026-08-27": scaled(0.01) }, { accepted: ["rate_level"] });
    const report = await take({ "2026-08-27": right }, { replace: true });
    expect(report).to.include({ replaced: 21 });
    expect(await take({ "2026-08-28": right })).to.include({ added: 21 });
  });
});
