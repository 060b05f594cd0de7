import { expect } from "chai";
import { LedgerTime, Months } from "../../../src/access/ledger/months.ts";
import { hourMs } from "../../../src/values/time/calendar.ts";
import { World } from "../world.ts";

const february = Date.UTC(2026, 1, 1);

describe("the months of the ledger", () => {
  it("an instant is in its UTC month to the millisecond, whichever one was asked for before", () => {
    const months = new Months();
    const [january, next] = ["2026-01", "2026-02"];
    const asked = [february - 1, february, february - 1, Date.UTC(2026, 2, 1) - 1, Date.UTC(2026, 0, 1)];
    expect(asked.map((at) => months.of(at).month)).to.deep.equal([january, next, january, next, january]);
    expect(months.of(february)).to.deep.equal({ month: next, startsAt: february, endsAt: Date.UTC(2026, 2, 1) });
  });

  it("a clock behind the ledger's counts in the ledger's month, by up to an hour over a month's end", () => {
    const world = new World();
    const time = new LedgerTime(world.reader);
    expect(time.month(february - 1).month, "nothing is written").to.equal("2026-01");
    world.pay(world.person(), february + 1);
    const months = [february - 1, february + 1 - hourMs, february - hourMs, february - hourMs - 1, february + 5];
    expect(months.map((at) => time.month(at).month)).to.deep.equal([
      "2026-02",
      "2026-02",
      "2026-01",
      "2026-01",
      "2026-02",
    ]);
    const instants = [february - 1, february - hourMs, february + 5].map((at) => time.instant(at));
    expect(instants).to.deep.equal([february + 1, february - hourMs, february + 5]);
    world.close();
  });

  it("a clock that is an hour behind a ledger that has just begun a month counts in that month", () => {
    const world = new World();
    world.pay(world.person(), february);
    const time = new LedgerTime(world.reader);
    const months = [february - hourMs, february - hourMs - 1].map((at) => time.month(at).month);
    expect(months).to.deep.equal(["2026-02", "2026-01"]);
    world.close();
  });
});
