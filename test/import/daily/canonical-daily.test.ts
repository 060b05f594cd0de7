import { expect } from "chai";
import { canonicalDailyAdapter } from "../../../src/import/daily/canonical-daily.ts";
import type { DailyReading } from "../../../src/import/daily/reading.ts";
import { OperatorError } from "../../../src/values/failure/operator-error.ts";
import { canonicalText, dayOfText, header } from "./daily-world.ts";

const today = dayOfText("2026-09-01");
const row = { item_id: 4, date: "2026-08-30", side: "ask", amount: 500 };

describe("canonical daily history", () => {
  const read = (text: string): DailyReading =>
    canonicalDailyAdapter.read({ name: "body", bytes: Buffer.from(text) }, { today, ratesOf: noRates });
  const refusalOf = (...rows: object[]) => read(canonicalText(rows)).refusals.list();

  it("is read row by row, with one series per item and side", () => {
    const spread = { low_amount: 400, high_amount: 600, observations: 3, quantity: 7 };
    const told = { ...row, ...spread, date: "2026-08-31", source_observed_at: "2026-08-31T23:59:59.999Z" };
    const named = { market_hash_name: "Pin", phase: "Ruby", date: "2026-08-30", side: "bid", amount: 9 };
    const { series, facts, refusals } = read(canonicalText([row, told, named]));
    expect(refusals.list()).to.deep.equal([]);
    expect(facts).to.deep.equal({ feed: "northgate", feedAdapter: "canonical", ...header.provider });
    expect(series).to.have.length(2);
    expect(series[0]).to.deep.include({ itemId: 4, side: "ask" });
    expect(series[0]?.points).to.deep.equal([
      {
        day: today - 2,
        amount: 500,
        lowAmount: 500,
        highAmount: 500,
        observations: 1,
        quantity: null,
        sourceObservedAt: null,
      },
      {
        day: today - 1,
        amount: 500,
        lowAmount: 400,
        highAmount: 600,
        observations: 3,
        quantity: 7,
        sourceObservedAt: Date.UTC(2026, 7, 31, 23, 59, 59, 999),
      },
    ]);
    expect(series[1]).to.deep.include({ name: "Pin", phase: "Ruby", side: "bid" });
  });

  const refused: [string, object, string][] = [
    ["zero", { ...row, amount: 0 }, "zero"],
    ["a negative low", { ...row, low_amount: -1, high_amount: 500, observations: 2 }, "negative"],
    ["fractions of a cent", { ...row, amount: 5.5 }, "fractional_cents"],
    ["an amount in words", { ...row, amount: "500" }, "unparsable"],
    ["an amount beyond 2^53", { ...row, amount: 2 ** 60 }, "oversized"],
    ["today", { ...row, date: "2026-09-01" }, "day_not_over"],
    ["tomorrow", { ...row, date: "2026-09-02" }, "day_not_over"],
    ["a day outside the calendar", { ...row, date: "2026-02-30" }, "bad_time"],
    ["a time instead of a day", { ...row, date: "2026-08-30T00:00:00Z" }, "bad_time"],
    ["a day before 1970", { ...row, date: "1969-12-31" }, "bad_time"],
    ["an observation after its day", { ...row, source_observed_at: "2026-08-31T00:00:00Z" }, "bad_time"],
    ["an invalid observation time", { ...row, source_observed_at: "yesterday" }, "bad_time"],
    ["a low above the amount", { ...row, low_amount: 501, high_amount: 502, observations: 3 }, "bad_spread"],
    ["a high below the amount", { ...row, low_amount: 1, high_amount: 499, observations: 3 }, "bad_spread"],
    ["one observation of two amounts", { ...row, low_amount: 1, high_amount: 500, observations: 1 }, "bad_spread"],
    ["a low without a high", { ...row, low_amount: 1, observations: 2 }, "malformed"],
    ["a spread without its observations", { ...row, low_amount: 1, high_amount: 900 }, "malformed"],
    ["no observation", { ...row, observations: 0 }, "malformed"],
    ["a quantity of zero", { ...row, quantity: 0 }, "bad_quantity"],
    ["an unknown side", { ...row, side: "sale" }, "malformed"],
    ["an item by both id and name", { ...row, market_hash_name: "Pin" }, "malformed"],
    ["an undocumented key", { ...row, median: 5 }, "malformed"],
    ["no item", { date: "2026-08-30", side: "ask", amount: 500 }, "malformed"],
  ];
  for (const [what, wrong, reason] of refused) {
    it(`rejects and counts only a row with ${what}`, () => {
      expect(refusalOf(row, wrong).map(({ reason, count }) => [reason, count])).to.deep.equal([[reason, 1]]);
    });
  }

  const good = canonicalText([row]);
  const broken: [string, string, RegExp][] = [
    ["without its end line", good.split("\n").slice(0, 2).join("\n"), /after 1 rows the end line is missing/],
    [
      "with a wrong count in its end line",
      canonicalText([row], header, { end: true, rows: 2 }),
      /counts 2 rows but the file has 1/,
    ],
    ["with text after its end", `${good}${JSON.stringify(row)}\n`, /line 4: a line follows the end line/],
    ["without a header", `${JSON.stringify(row)}\n`, /line 1: not the header of an Itemtape daily history/],
    ["of another version", canonicalText([row], { ...header, version: 2 }), /line 1: .*`version`/],
    ["of another currency", canonicalText([row], { ...header, currency: "EUR" }), /line 1: .*`currency`/],
    ["with another provider as main platform", canonicalText([row], mainPlatform("northgate")), /line 1/],
    [
      "with a direction character in a provider's name",
      canonicalText([row], { ...header, provider: { ...header.provider, name: "\u202eHall" } }),
      /line 1: .*`provider\/name`/,
    ],
    ["with a key twice in a row", good.replace('"amount":500', '"amount":500,"amount":5'), /line 2, column .*twice/],
    ["with an array as a line", good.replace(/\{"item_id.*\}/, "[1]"), /line 2: not a JSON object/],
  ];
  for (const [what, text, says] of broken) {
    it(`is rejected as a whole ${what}`, () => {
      expect(() => read(text)).to.throw(OperatorError, says);
      expect(() => read(text)).to.throw(/the whole file was refused and nothing was changed/);
    });
  }

  it("is read or rejected in one line after any mutation or truncation", () => {
    const bytes = Buffer.from(canonicalText([row, { ...row, date: "2026-08-29", side: "bid" }]));
    let readable = 0;
    for (let at = 0; at < bytes.length; at += 1) {
      for (const mutated of [bytes.subarray(0, at), withByte(bytes, at, bytes[at]! ^ 1), withByte(bytes, at, 0x30)]) {
        try {
          const { series } = canonicalDailyAdapter.read({ name: "body", bytes: mutated }, { today, ratesOf: noRates });
          readable += 1;
          for (const { amount, day } of series.flatMap(({ points }) => points)) {
            expect(Number.isSafeInteger(amount) && amount > 0 && day < today).to.equal(true);
          }
        } catch (error) {
          expect(error).to.be.instanceOf(OperatorError);
          expect((error as Error).message).to.not.include("\n");
        }
      }
    }
    expect(readable).to.be.above(50);
  });
});

function mainPlatform(provider: string): object {
  return { ...header, provider: { ...header.provider, provider, kind: "main_platform" } };
}

function withByte(bytes: Buffer, at: number, byte: number): Buffer {
  const copy = Buffer.from(bytes);
  copy[at] = byte;
  return copy;
}

function noRates(): never {
  throw new Error("amounts in cents need no rate");
}
