import { expect } from "chai";
import { dayMs, dayOf, minuteMs } from "../../../src/values/time/calendar.ts";
import { demoAt, useWorld } from "../../support/world.ts";

describe("portfolio valuation in a server", function () {
  this.timeout(180_000);
  const world = useWorld({ fewItems: true, valuationSchedule: true });

  const daysOf = (name: string) =>
    world
      .sql(
        `SELECT day FROM portfolio_valuations JOIN portfolios USING (portfolio_id, account_id) WHERE name = ? ORDER BY day`,
        name,
      )
      .map(({ day }) => Number(day));

  it("stores nothing if up to date, and yesterday after midnight", async () => {
    const before = daysOf("Main inventory");
    world.clock.advance(minuteMs);
    await world.app.valuation!.look();
    expect(daysOf("Main inventory")).to.deep.equal(before);
    world.clock.advance(dayMs);
    await world.app.valuation!.look();
    expect(daysOf("Main inventory")).to.deep.equal([...before, dayOf(demoAt)]);
    expect(world.events.counters.get("valuations")).to.equal(1);
    expect(world.events.counters.get("valuation_failures") ?? 0).to.equal(0);
  });
});
