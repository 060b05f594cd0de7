import { expect } from "chai";
import { dayMs, dayOf, dayText, hourMs, hourOf, parseDay } from "../../src/values/time/calendar.ts";
import { toTimestamp } from "../../src/values/time/clock.ts";
import { TimestampTexts } from "../../src/values/time/timestamp-texts.ts";
import { Random } from "../sim/random.ts";

const instants = ["1970-01-01", "2000-02-29", "2024-12-31", "2026-01-01", "2100-03-01"].map((date) => Date.parse(date));

describe("calendar", () => {
  it("days and hours include their first and last millisecond", () => {
    for (const at of instants) {
      expect([dayOf(at), dayOf(at + dayMs - 1), dayOf(at + dayMs)]).to.deep.equal([0, 0, 1].map((n) => at / dayMs + n));
      expect([hourOf(at), hourOf(at + hourMs - 1), hourOf(at + hourMs)]).to.deep.equal(
        [0, 0, 1].map((n) => at / hourMs + n),
      );
    }
  });

  it("parses dates across leap years and centuries", () => {
    for (let day = dayOf(Date.UTC(1999, 0)); day < dayOf(Date.UTC(2101, 0)); day += 1) {
      expect(parseDay(dayText(day))).to.equal(day);
    }
    expect(dayText(0)).to.equal("1970-01-01");
  });

  it("rejects dates outside the calendar", () => {
    const none = ["2026-02-29", "2100-02-29", "2026-02-30", "2026-13-01", "2026-00-10", "2026-01-00", "2026-01-32"];
    const shapes = [
      "",
      "0000-01-05",
      "2026-1-1",
      "20260101",
      "2026-01-01T00:00:00Z",
      " 2026-01-01",
      "2026-01-01\n",
      "+002026-01-01",
    ];
    for (const text of [...none, ...shapes]) expect(parseDay(text), text).to.equal(null);
  });
});

describe("timestamp text", () => {
  it("TimestampTexts equals toTimestamp after any earlier calls", () => {
    const texts = new TimestampTexts();
    const random = new Random(5);
    for (const at of instants.flatMap((one) => [one, one - 1, one + 1, one + dayMs - 1, one + hourMs])) {
      if (at >= 0) expect(texts.of(at)).to.equal(toTimestamp(at));
    }
    for (let count = 0; count < 5000; count += 1) {
      const at = Math.floor(random.next() * 4_000 * dayMs);
      expect(texts.of(at)).to.equal(toTimestamp(at));
      expect(texts.date(dayOf(at))).to.equal(dayText(dayOf(at)));
    }
  });
});
