import { expect } from "chai";
import { dayText, parseDay } from "../../src/values/time/calendar.ts";
import { missingPoints, removedDays } from "../../src/values/time/gaps.ts";
import { Random } from "../sim/random.ts";

const day = (text: string) => parseDay(text)!;
const hour = (text: string) => Date.parse(text) / 3_600_000;

describe("missing points", () => {
  it("are `none` without an absent point", () => {
    expect(missingPoints("day", 30, [])).to.equal("none");
    expect(missingPoints("hour", 0, [])).to.equal("none");
  });

  it("form one range of neighbours, also across months", () => {
    const absent = ["2026-10-03", "2026-10-30", "2026-10-31", "2026-11-01"].map(day);
    expect(missingPoints("day", 30, absent)).to.equal("4 of 30 days absent: 2026-10-03, 2026-10-30/2026-11-01");
  });

  it("name absent hours by their first minute, also across midnight", () => {
    const absent = ["2026-10-03T04:00Z", "2026-10-03T23:00Z", "2026-10-04T00:00Z"].map(hour);
    expect(missingPoints("hour", 48, absent)).to.equal(
      "3 of 48 hours absent: 2026-10-03T04:00Z, 2026-10-03T23:00Z/2026-10-04T00:00Z",
    );
  });

  it("list at most five ranges of pruned days within the contract's bound", () => {
    expect(removedDays([])).to.equal("");
    expect(removedDays(["2026-10-30", "2026-10-31", "2026-11-01"].map(day))).to.equal(
      "; recorded and since removed: 2026-10-30/2026-11-01",
    );
    const odd = (count: number, from: number) => Array.from({ length: count }, (_, index) => from + 3 * index);
    const days = odd(11, day("2026-10-01")).flatMap((first) => [first, first + 1]);
    expect(removedDays(days)).to.match(/2026-10-13\/2026-10-14, \+6 more$/);
    const hours = odd(200, hour("2026-10-01T00:00Z")).flatMap((first) => [first, first + 1]);
    expect((missingPoints("hour", 744, hours) + removedDays(days)).length).to.be.at.most(1000);
  });

  it("are neighbours only at a distance of one step", () => {
    const scheduled = ["2026-10-03T00:00Z", "2026-10-03T12:00Z", "2026-10-03T18:00Z", "2026-10-04T00:00Z"].map(hour);
    expect(missingPoints("hour", 9, scheduled, 6)).to.equal(
      "4 of 9 hours absent: 2026-10-03T00:00Z, 2026-10-03T12:00Z/2026-10-04T00:00Z",
    );
    const single = ["2026-10-03T00:00Z", "2026-10-03T01:00Z", "2026-10-03T08:00Z"].map(hour);
    expect(missingPoints("hour", 9, single, 6)).to.equal(
      "3 of 9 hours absent: 2026-10-03T00:00Z, 2026-10-03T01:00Z, 2026-10-03T08:00Z",
    );
    const month = Array.from({ length: 124 }, (_, index) => hour("2026-10-22T00:00Z") + index * 6);
    expect(missingPoints("hour", 124, month, 6)).to.equal(
      "124 of 124 hours absent: 2026-10-22T00:00Z/2026-11-21T18:00Z",
    );
  });

  it("are counted instead of listed after twenty ranges", () => {
    const every = (count: number) => Array.from({ length: count }, (_, index) => day("2026-01-01") + index * 2);
    expect(missingPoints("day", 60, every(20))).to.match(/^20 of 60 days absent: .*2026-02-08$/);
    expect(missingPoints("day", 60, every(23))).to.match(/^23 of 60 days absent: .*2026-02-08, \+3 more$/);
  });

  it("are exactly restored from the text", () => {
    const random = new Random(11);
    for (let round = 0; round < 200; round += 1) {
      const first = random.between(20_000, 20_100);
      const absent = Array.from({ length: 30 }, (_, index) => first + index).filter(() => random.chance(0.5));
      const text = missingPoints("day", 30, absent);
      expect(namedIn(text).map(dayText), text).to.deep.equal(absent.map(dayText));
    }
  });
});

function namedIn(text: string): number[] {
  return Array.from(text.matchAll(/(\d{4}-\d\d-\d\d)(?:\/(\d{4}-\d\d-\d\d))?/g)).flatMap(([, from, to = from]) =>
    Array.from({ length: day(to!) - day(from!) + 1 }, (_, index) => day(from!) + index),
  );
}
