import { expect } from "chai";
import { HourlyBytes, type RowPlace } from "../../src/domain/hourly-bytes.ts";
import { hoursOfDay } from "../../src/values/calendar.ts";
import { TimestampTexts } from "../../src/values/timestamp-texts.ts";
import { encodeFrameTimes, encodeHourlyTexts, encodeHourStart } from "../../src/wire/hourly-price.ts";

const timestamps = new TimestampTexts();
const firstAt = Date.UTC(2026, 0, 15);

function textsOf(amount: number) {
  const quote = { provider: "hall", side: "ask", amount, quantity: null, availability: "quoted" } as const;
  return encodeHourlyTexts({ ...quote, observedAt: null }, timestamps);
}

describe("the bytes of an hourly page", () => {
  it("a row that is repeated is the one that would be written anew, on a page of any length", () => {
    const [written, repeated] = [new HourlyBytes(), new HourlyBytes()];
    for (let day = 20_000; day < 20_020; day += 1) {
      const places: RowPlace[] = [];
      for (let hour = 0; hour < hoursOfDay; hour += 1) {
        const times = Buffer.from(encodeFrameTimes(firstAt + hour, firstAt + hour * 1000, timestamps));
        for (let line = 0; line < 3; line += 1) {
          const { head, tail } = textsOf(10 ** line);
          const add = (bytes: HourlyBytes) => bytes.add(encodeHourStart(day, hour, timestamps), head, times, tail);
          add(written);
          const place = places[line];
          if (place === undefined) places[line] = add(repeated);
          else repeated.repeat(place, hour, times);
        }
      }
    }
    const page = written.list();
    expect(repeated.list().equals(page)).to.equal(true);
    expect(JSON.parse(page.toString())).to.have.length(20 * hoursOfDay * 3);
    expect(page.length).to.be.above(4 * 64 * 1024);
  });

  it("a page that was given away stays as it is while the next one is made, and one without rows is an empty list", () => {
    const bytes = new HourlyBytes();
    const { head, tail } = textsOf(1);
    const times = Buffer.from(encodeFrameTimes(firstAt, firstAt, timestamps));
    bytes.add(encodeHourStart(20_000, 1, timestamps), head, times, tail);
    const page = bytes.list();
    const before = page.toString();
    bytes.clear();
    expect(bytes.list().toString()).to.equal("[]");
    bytes.add(encodeHourStart(20_001, 2, timestamps), head, times, tail);
    expect(page.toString()).to.equal(before);
    expect(JSON.parse(bytes.list().toString())).to.have.nested.property("0.ts", "2024-10-05T02:00:00.000Z");
  });
});
