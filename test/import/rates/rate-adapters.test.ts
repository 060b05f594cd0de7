import { expect } from "chai";
import fc from "fast-check";
import { ecbAdapter, quotientText } from "../../../src/import/rates/ecb.ts";
import { minorUnitsOn } from "../../../src/import/rates/iso-currencies.ts";
import { frankfurterAdapter, openExchangeAdapter, perUsdAdapter } from "../../../src/import/rates/per-usd.ts";
import { type RateAdapter, RateSkips } from "../../../src/import/rates/rate-reading.ts";
import { OperatorError } from "../../../src/values/failure/operator-error.ts";
import { parseDecimal } from "../../../src/values/money/decimal.ts";
import { dayOf, parseDay } from "../../../src/values/time/calendar.ts";

const today = dayOf(Date.UTC(2026, 8, 1, 12));
const on = (date: string) => parseDay(date)!;

function readWith(adapter: RateAdapter, text: string) {
  const skips = new RateSkips();
  const facts = adapter.read({ name: "body", bytes: Buffer.from(text) }, today, skips);
  const rates = facts.map(({ currency, day, ratePerUsd }) => [currency, day, ratePerUsd]);
  return { facts, rates, skipped: skips.list() };
}

function refusalOf(adapter: RateAdapter, text: string): string {
  try {
    readWith(adapter, text);
  } catch (error) {
    expect(error).to.be.instanceOf(OperatorError);
    return (error as OperatorError).message;
  }
  throw new Error("it was taken");
}

describe("European Central Bank history", () => {
  const file = (...rows: string[]) => ["Date,USD,JPY,HRK,SEK,", ...rows, ""].join("\n");

  it("becomes rates per dollar with 12 digits", () => {
    // By long division: 1/1.1684 = 0.855871276959945…, 186.75/1.1684 = 159.8339609722697…, 10.892/1.1684 = 9.322149948647723…
    const { rates, skipped } = readWith(ecbAdapter, file("2026-04-13,1.1684,186.75,N/A,10.892,"));
    const day = on("2026-04-13");
    expect(rates).to.deep.equal([
      ["EUR", day, "0.85587127696"],
      ["JPY", day, "159.833960972"],
      ["SEK", day, "9.32214994865"],
    ]);
    expect(skipped).to.deep.equal([]);
  });

  it("includes a discontinued currency with its minor units until its last day", () => {
    const { facts, skipped } = readWith(
      ecbAdapter,
      file("2023-01-02,1.25,N/A,7.5345,N/A,", "2022-12-30,1.25,N/A,7.5345,N/A,"),
    );
    const kuna = facts.filter(({ currency }) => currency === "HRK");
    expect(kuna.map(({ day, ratePerUsd, minorUnits }) => [day, ratePerUsd, minorUnits])).to.deep.equal([
      [on("2022-12-30"), "6.0276", 2],
    ]);
    expect(skipped).to.deep.equal([{ reason: "withdrawn", count: 1, examples: ["HRK"] }]);
  });

  it("gives no rate for a missing day or one without USD", () => {
    const { rates, skipped } = readWith(
      ecbAdapter,
      file("2026-04-13,N/A,186.75,N/A,N/A,", "2026-04-10,1.25,N/A,N/A,N/A,"),
    );
    expect(rates).to.deep.equal([["EUR", on("2026-04-10"), "0.8"]]);
    expect(skipped).to.deep.equal([{ reason: "no_usd", count: 1, examples: ["2026-04-13"] }]);
  });

  it("is read with other line ends, a byte-order mark or trailing commas", () => {
    const { rates } = readWith(ecbAdapter, "\ufeffDate,USD\r\n2026-04-10,1.25\r\n");
    expect(rates).to.deep.equal([["EUR", on("2026-04-10"), "0.8"]]);
  });

  it("is read as a one-day file with spaces and a written month", () => {
    const { rates } = readWith(ecbAdapter, "Date, USD, JPY, \n27 August 2026, 1.25, 200.00, \n");
    expect(rates).to.deep.equal([
      ["EUR", on("2026-08-27"), "0.8"],
      ["JPY", on("2026-08-27"), "160"],
    ]);
  });

  const refused: [string, string, string][] = [
    ["another first column", "Day,USD,\n", "line 1: the first column must be Date"],
    ["no column USD", "Date,JPY,\n2026-04-10,186,\n", "line 1: the column USD is missing"],
    ["a column twice", "Date,USD,JPY,JPY,\n", "line 1: the column JPY appears twice"],
    ["a column that is not a code", "Date,USD,Yen,\n", "line 1: `Yen` is not a currency code"],
    ["a column EUR", "Date,USD,EUR,\n", "line 1: a column EUR"],
    ["a missing cell", file("2026-04-10,1.25,186,7.5,"), "line 2: 5 cells, but the header has 6"],
    ["an extra cell", file("2026-04-10,1.25,186,7.5,9,,"), "line 2: 7 cells, but the header has 6"],
    ["a value without a column name", file("2026-04-10,1.25,186,7.5,9,3"), "line 2, column 6: `3` has no column name"],
    [
      "a day twice",
      file("2026-04-10,1.25,1,1,1,", "2026-04-10,1.25,1,1,1,"),
      "line 3: 2026-04-10 is already in line 2",
    ],
    ["a day outside the calendar", file("2026-02-30,1.25,1,1,1,"), "line 2: `2026-02-30` is not a date"],
    ["a day in the future", file("2026-09-02,1.25,1,1,1,"), "line 2: 2026-09-02 is in the future; today is 2026-09-01"],
    ["zero", file("2026-04-10,1.25,0.0,1,1,"), "line 2, column JPY: 0.0 is not a rate"],
    ["zero dollars", file("2026-04-10,0,1,1,1,"), "line 2, column USD: 0 is not a rate"],
    ["a negative rate", file("2026-04-10,1.25,1,1,-3,"), "line 2, column SEK: -3 is not a rate"],
    [
      "an infinite rate",
      file("2026-04-10,1.25,Infinity,1,1,"),
      "line 2, column JPY: `Infinity` is not a decimal number",
    ],
    ["an empty cell", file("2026-04-10,1.25,,1,1,"), "line 2, column JPY: `` is not a decimal number"],
    ["a number without end", file(`2026-04-10,1.25,1.${"3".repeat(50)},1,1,`), "line 2, column JPY:"],
    ["a blank line", file("2026-04-10,1.25,1,1,1,", "", "2026-04-09,1.25,1,1,1,"), "line 3 is blank"],
  ];
  for (const [what, text, says] of refused) {
    it(`is rejected by line for ${what}`, () => {
      const message = refusalOf(ecbAdapter, text);
      expect(message).to.include(says).and.include("nothing was changed");
    });
  }

  it("has quotients of 12 digits, off by half the last at most", () => {
    const parts = fc.record({ units: fc.bigInt({ min: 1n, max: 10n ** 12n }), scale: fc.integer({ min: 0, max: 12 }) });
    fc.assert(
      fc.property(parts, parts, (top, bottom) => {
        const text = quotientText(top, bottom, 12);
        expect(text.replace(".", "").replace(/^0+/, "").length <= 12 || /^[0-9]{12}0*$/.test(text), text).to.equal(
          true,
        );
        const value = parseDecimal(text)!;
        // |text - top/bottom| <= text / 10^11 / 2, all of it over one denominator.
        const exact = top.units * 10n ** BigInt(bottom.scale + value.scale);
        const rounded = value.units * bottom.units * 10n ** BigInt(top.scale);
        const off = exact > rounded ? exact - rounded : rounded - exact;
        expect(off * 2n * 10n ** 11n <= rounded, text).to.equal(true);
      }),
    );
  });

  it("rounds halves of the last digit to even, without a thirteenth digit", () => {
    const quotient = (top: string, bottom: string) => quotientText(parseDecimal(top)!, parseDecimal(bottom)!, 12);
    expect(quotient("1.000000000005", "1")).to.equal("1");
    expect(quotient("1.000000000015", "1")).to.equal("1.00000000002");
    expect(quotient("9.999999999996", "1")).to.equal("10");
    expect(quotient("1234567890125", "1")).to.equal("1234567890120");
    expect(quotient("1", "3")).to.equal("0.333333333333");
    expect(quotient("1", "3000")).to.equal("0.000333333333333");
  });
});

describe("rates per US dollar", () => {
  const file = (rates: string, date = "2026-06-08") => `{"date":"${date}","usd":{${rates}}}`;
  const day = on("2026-06-08");

  it("keep all digits, and write out an exponent", () => {
    const { rates } = readWith(
      perUsdAdapter,
      file('"eur":0.860,"jpy":1.5e2,"kwd":3.07e-1,"vnd":26000.123456789012345'),
    );
    expect(rates).to.deep.equal([
      ["EUR", day, "0.860"],
      ["JPY", day, "150"],
      ["KWD", day, "0.307"],
      ["VND", day, "26000.123456789012345"],
    ]);
  });

  it("skip null and zero, and count them", () => {
    const { rates, skipped } = readWith(perUsdAdapter, file('"eur":0.86,"zwl":null,"gbp":0,"jpy":0.00'));
    expect(rates).to.deep.equal([["EUR", day, "0.86"]]);
    const missing = { reason: "no_rate", count: 2, examples: ["GBP", "JPY"] };
    expect(skipped).to.deep.include(missing);
  });

  it("are read in the formats with a named base", () => {
    const frankfurter = `{"amount":1.0,"base":"USD","date":"2026-06-08","rates":{"EUR":0.86}}`;
    const seconds = Date.UTC(2026, 5, 8, 12) / 1000;
    const openExchange = `{"disclaimer":"x","timestamp":${seconds},"base":"USD","rates":{"EUR":0.86}}`;
    const expected = [["EUR", day, "0.86"]];
    expect(readWith(frankfurterAdapter, frankfurter).rates).to.deep.equal(expected);
    expect(readWith(openExchangeAdapter, openExchange).rates).to.deep.equal(expected);
    expect(refusalOf(frankfurterAdapter, frankfurter.replace("USD", "EUR"))).to.include("`base`: must be USD");
    expect(refusalOf(frankfurterAdapter, frankfurter.replace("1.0", "100.0"))).to.include("`amount`: 100.0");
  });

  it("are limited to ISO 4217, with others counted by name and reason", () => {
    const { rates, skipped } = readWith(
      perUsdAdapter,
      file('"1inch":14.2,"btc":0.00001594611,"usd":1,"xau":0.0002,"hrk":6.5,"xcg":1.79,"eur":0.86'),
    );
    expect(rates).to.deep.equal([
      ["XCG", day, "1.79"],
      ["EUR", day, "0.86"],
    ]);
    expect(skipped).to.deep.equal([
      { reason: "not_iso_4217", count: 2, examples: ["1INCH", "BTC"] },
      { reason: "definition", count: 1, examples: ["USD"] },
      { reason: "no_minor_unit", count: 1, examples: ["XAU"] },
      { reason: "withdrawn", count: 1, examples: ["HRK"] },
    ]);
  });

  const refused: [string, string, string][] = [
    ["another shape", '{"rates":{}}', "not the per-USD shape"],
    ["a day outside the calendar", file('"eur":1', "2026-13-01"), "`date`: `2026-13-01` is not a date"],
    ["a day in the future", file('"eur":1', "2026-09-02"), "`date`: 2026-09-02 is in the future"],
    ["a key twice", file('"eur":1,"eur":1'), "a key appears twice"],
    ["a code in two spellings", file('"eur":1,"EUR":1'), "`usd.EUR`: the same code as `usd.eur`"],
    ["zero dollars", file('"usd":0'), "`usd.usd`: no rate, but a dollar must be 1"],
    ["a negative rate", file('"eur":-0.5'), "`usd.eur`: -0.5 is not a rate"],
    ["an infinite rate", file('"eur":Infinity'), "`usd.eur`: `Infinity` is not a decimal number"],
    ["text instead of a number", file('"eur":"0.86"'), "`usd.eur`: not a number"],
    ["a token that is not a number", file('"btc":"?"'), "`usd.btc`: not a number"],
    ["a number without end", file('"eur":1e-300'), "`usd.eur`: `1e-300` is not a decimal number"],
    ["another base", file('"usd":1.0843,"eur":1'), "`usd.usd`: 1.0843, but a dollar must be 1"],
    ["an end too early", '{"date":"2026-06-08","usd":{"eur":0.86', "line 1, column"],
  ];
  for (const [what, text, says] of refused) {
    it(`are rejected and named for ${what}`, () => {
      expect(refusalOf(perUsdAdapter, text)).to.include(says).and.include("nothing was changed");
    });
  }
});

describe("currency codes", () => {
  it("have the minor units of ISO 4217", () => {
    const units = ["EUR", "JPY", "KWD", "CLF", "XCG", "LTL"].map((code) => minorUnitsOn(code, on("2010-01-04")));
    expect(units).to.deep.equal([2, 0, 3, 4, 2, 2]);
  });

  it("of metals and tests have no minor units, which is not 0", () => {
    for (const code of ["XAU", "XDR", "XTS", "XXX"]) expect(minorUnitsOn(code, today)).to.equal("no_minor_unit");
  });
});
