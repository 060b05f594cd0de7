import { expect } from "chai";
import { dollars, grouped } from "../../src/values/money/money-text.ts";
import { dateText, instantText, monthText, roundAge, spanText } from "../../src/values/time/time-text.ts";

const minuteMs = 60_000;

describe("texts of amounts and times", () => {
  for (const [cents, text] of [
    [0, "$0.00"],
    [5, "$0.05"],
    [123_456, "$1,234.56"],
    [-99_999, "−$999.99"],
    [-100_000, "−$1,000.00"],
    [9_007_199_254_740_993n, "$90,071,992,547,409.93"],
    [null, "unknown"],
  ] as const)
    it(`formats ${cents} cents as ${text}`, () => expect(dollars(cents)).to.equal(text));

  for (const [count, text] of [
    [999, "999"],
    [1000, "1,000"],
    [-123_456, "-123,456"],
    ["1234567", "1,234,567"],
    [Number.MAX_SAFE_INTEGER, "9,007,199,254,740,991"],
  ] as const)
    it(`groups the digits of ${count}`, () => expect(grouped(count)).to.equal(text));

  for (const [minutes, text] of [
    [-5, "0 min"],
    [119.9, "119 min"],
    [120, "2 h"],
    [2879, "47 h"],
    [2880, "2 d"],
  ] as const)
    it(`rounds an age of ${minutes} minutes to ${text}`, () => expect(roundAge(minutes * minuteMs)).to.equal(text));

  it("formats dates and instants in UTC", () => {
    expect(dateText("2026-01-05")).to.equal("5 Jan 2026");
    expect(monthText("2026-12")).to.equal("Dec 2026");
    expect(instantText("2026-11-20T09:07:59.999Z")).to.equal("20 Nov 2026, 09:07 UTC");
    expect(instantText(null)).to.equal("unknown");
    expect(spanText(Date.UTC(2026, 1, 28) / 1000, 86_400)).to.equal("28 Feb 2026");
  });
});
