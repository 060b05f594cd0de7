import { expect } from "chai";
import { CountingIds } from "../../scripts/support/example-world.ts";
import { createDemoPortfolios } from "../../src/demo/portfolios.ts";
import { valueFile } from "../../src/jobs/valuation/value-file.ts";
import { dayMs, dayOf, dayText } from "../../src/values/time/calendar.ts";
import { TestClock } from "../support/clock.ts";
import { demoAt, World } from "../support/world.ts";

const today = dayOf(demoAt);

describe("demo portfolios", () => {
  let world: World;
  beforeEach(() => {
    world = new World({ fewItems: true });
  });
  afterEach(() => world.stop());

  const stored = () => world.sql("SELECT * FROM portfolio_valuations ORDER BY portfolio_id, account_id, day");

  it("get no job values on day one, then one day's values", async () => {
    const made = stored();
    expect(made).to.have.length.greaterThan(50);
    for (const again of [false, true]) {
      const { valuations } = await valueFile(world.path, { clock: new TestClock() }, { finalize: true, again });
      expect(valuations.map(({ days, refused }) => [days, refused])).to.deep.equal(valuations.map(() => [0, []]));
      expect(stored()).to.deep.equal(made);
    }

    const next = await valueFile(world.path, { clock: new TestClock(demoAt + dayMs) }, { finalize: true });
    const written = next.valuations.filter(({ days }) => days > 0);
    expect(written).to.have.length.greaterThan(3);
    for (const { firstDay, lastDay } of written) expect([firstDay, lastDay]).to.deep.equal([today, today]);
    expect(stored().filter(({ day }) => Number(day) < today)).to.deep.equal(made);
  });

  it("leave a day to the job until its prices are final", () => {
    const [owner] = world.sql("SELECT account_id AS builder, account_id AS free FROM accounts");
    const accountIds = owner as { builder: string; free: string };
    const lastDay = (tag: string, anchorAt: number) =>
      world.change((database) => {
        createDemoPortfolios(database, { anchorAt, ids: new CountingIds(tag), accountIds });
        const day = database.$client.prepare("SELECT max(day) FROM portfolio_valuations WHERE portfolio_id LIKE ?");
        return day.pluck().get(`%${tag}%`);
      });
    expect(lastDay("noon", demoAt)).to.equal(today - 1);
    expect(lastDay("midnight", today * dayMs)).to.equal(today - 2);
    world.sql("UPDATE feed_days SET settled_at = NULL WHERE day = ?", today - 1);
    expect(lastDay("unfinalized", demoAt)).to.equal(today - 2);
  });

  it("have days without a value only for days without a lot", async () => {
    await world.restart();
    const key = world.keys.builderToken;
    const { json } = await world.client.call("listPortfolios", { key });
    const portfolios = json.data as { portfolio_id: string; name: string }[];
    const path = { portfolio_id: portfolios.find(({ name }) => name === "Main inventory")!.portfolio_id };
    const ago = (days: number) => dayText(today - days);
    const history = await world.client.call("getPortfolioHistory", {
      key,
      path,
      query: { from: ago(43), to: ago(35) },
    });
    const { data, meta } = history.json;
    expect(meta.missing_points).to.equal(`2 of 9 days absent: ${ago(40)}/${ago(39)}`);
    expect(data.map(({ price_source }: { price_source: string | null }) => price_source)).to.deep.equal([
      ...Array(5).fill(null),
      "steam",
      "steam",
    ]);
    expect(world.internalErrors).to.equal(0);
  });

  it("leave ledger and values behind when they are transferred", () => {
    const [row] = world.sql(
      `SELECT portfolio.account_id <> entry.account_id AS moved, count(*) AS entries,
         (SELECT count(*) FROM portfolio_valuations AS v WHERE v.portfolio_id = portfolio.portfolio_id
            AND v.account_id = entry.account_id) AS valued
       FROM portfolios AS portfolio JOIN portfolio_transactions AS entry USING (portfolio_id)
       WHERE portfolio.name = 'Given away'`,
    );
    expect(row).to.deep.equal({ moved: 1, entries: 1, valued: 9 });
  });
});
