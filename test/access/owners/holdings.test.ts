import { expect } from "chai";
import { addTotals, convertedText, type Holding, OwnerHoldings } from "../../../src/access/owners/holdings.ts";
import { dayMs, dayOf } from "../../../src/values/time/calendar.ts";
import { putDaily } from "../../jobs/indexes/index-world.ts";
import { MarketFile } from "../../support/market-file.ts";
import { PortfolioRows } from "../../support/portfolios.ts";

const now = Date.UTC(2026, 0, 15, 12);
const today = dayOf(now);

describe("value of an owner's holdings", () => {
  let file: MarketFile;
  let holdings: OwnerHoldings;
  let rows: PortfolioRows;
  before(() => {
    file = new MarketFile();
    file.feed("one", ["steam", "northgate"], now);
    const { $client } = file.writer;
    $client.exec("UPDATE providers SET kind = 'main_platform' WHERE provider = 'steam'");
    $client.exec("INSERT INTO accounts VALUES ('acc_a', 'Ann', 'builder', NULL, NULL, 0)");
    for (let itemId = 1; itemId <= 101; itemId += 1) file.item(itemId);
    holdings = new OwnerHoldings(file.reader);
    rows = new PortfolioRows(file.writer);
  });
  after(() => file.remove());

  let tags = 0;
  const hold = (portfolioId: string, itemId: number, quantity: number, unitCostCents: number | null = null) => {
    tags += 1;
    rows.holding(portfolioId, `lot${tags}`, { itemId, quantity, unitCostCents });
  };
  const ask = (itemId: number, daysAgo: number, amount: number, provider = "steam") => {
    const date = new Date((today - daysAgo) * dayMs).toISOString().slice(0, 10);
    putDaily(file.writer, { itemId, date, provider, amount, recordedAt: now });
  };
  const rate = (currency: string, source: string, daysAgo: number, ratePerUsd: string) => {
    const { $client } = file.writer;
    $client.prepare("INSERT OR IGNORE INTO currencies VALUES (?, 2)").run(currency);
    $client
      .prepare("INSERT INTO exchange_rates VALUES (?, ?, ?, ?, 'test-1', NULL, 0)")
      .run(currency, source, today - daysAgo, ratePerUsd);
  };
  const portfolio = (tag: string, displayCurrency = "USD") => {
    const priceSource = "northgate";
    return {
      portfolioId: rows.portfolio(tag, "acc_a", { displayCurrency, priceSource }),
      priceSource,
      displayCurrency,
    };
  };

  it("uses the latest price of 30 completed days at the plan's provider", () => {
    const of = portfolio("days");
    hold(of.portfolioId, 1, 2);
    for (const daysAgo of [-1, 0, 31]) ask(1, daysAgo, 999, "northgate");
    ask(1, 3, 700);
    const none = holdings.of(of, "builder", now, 1);
    expect(none).to.include({ provider: "northgate", day: null, lots: 1 });
    expect(none).to.include({ unpriced: 1, value: null });
    ask(1, 30, 500, "northgate");
    expect(holdings.of(of, "builder", now, 1)).to.deep.include({
      day: today - 30,
      uncostedValue: 1000n,
    });
    expect(holdings.of(of, "free", now, 1)).to.deep.include({
      provider: "steam",
      day: today - 3,
      uncostedValue: 1400n,
    });
  });

  it("shows the day's lowest ask with its provider at `lowest-ask`", () => {
    const of = { ...portfolio("lowest"), priceSource: "lowest-ask" };
    for (const itemId of [5, 6, 7]) hold(of.portfolioId, itemId, 1, 10);
    ask(5, 4, 90);
    ask(5, 4, 80, "northgate");
    ask(6, 4, 70);
    ask(7, 5, 1);
    const found = holdings.of(of, "builder", now, 1);
    expect(found).to.include({
      provider: "lowest-ask",
      providerName: null,
      day: today - 4,
      value: 150n,
      cost: 20n,
      unpriced: 1,
    });
    expect(found.rows.map(({ itemId, askCents, askProvider }) => [itemId, askCents, askProvider])).to.deep.equal([
      [5, 80, "NORTHGATE"],
      [6, 70, "STEAM"],
      [7, null, null],
    ]);
  });

  it("uses published quotes before the first completed day with an ask", () => {
    const of = { ...portfolio("first day"), priceSource: "lowest-ask" };
    hold(of.portfolioId, 8, 2, 10);
    const quote = (provider: string, amount: number) => ({ provider, amount });
    file.publish(1, now, { 8: { asks: [quote("steam", 40), quote("northgate", 30)] } });
    const lowest = { day: null, value: 60n, cost: 20n, unpriced: 0 };
    expect(holdings.of(of, "builder", now, 1)).to.include(lowest);
    expect(holdings.of(of, "builder", now, 1).rows[0]).to.include({ askCents: 30, askProvider: "NORTHGATE" });
    expect(holdings.of(of, "free", now, 1)).to.include({ provider: "steam", day: null, value: 80n });
  });

  it("pages by a hundred rows: highest value first, unpriced last", () => {
    const of = portfolio("pages");
    ask(2, 1, 1, "northgate");
    ask(3, 1, 5, "northgate");
    for (let itemId = 101; itemId >= 4; itemId -= 1) hold(of.portfolioId, itemId, 1);
    hold(of.portfolioId, 3, 3, 7);
    hold(of.portfolioId, 3, 3, 0);
    hold(of.portfolioId, 3, 3);
    for (const itemId of [2, 1]) hold(of.portfolioId, itemId, 1);
    const order = (page: number) => {
      const found = holdings.of(of, "builder", now, page);
      return { ...found, rows: found.rows.map(({ itemId, unitCostCents }: Holding) => [itemId, unitCostCents]) };
    };
    const first = order(1);
    expect(first).to.include({ page: 1, pages: 2, lots: 103 });
    expect(first.rows.slice(0, 6)).to.deep.equal([
      [3, null],
      [3, 0],
      [3, 7],
      [2, null],
      [1, null],
      [4, null],
    ]);
    expect(first.rows).to.have.length(100);
    expect(order(2).rows).to.deep.equal([
      [99, null],
      [100, null],
      [101, null],
    ]);
    expect(order(3)).to.include({ page: 2 });
    const totals = { value: 30n, cost: 21n, unpriced: 99, uncosted: 2, uncostedValue: 16n };
    expect(first, "value and cost are over the same lots").to.include(totals);
  });

  it("rounds shares so that all pages sum to the whole", () => {
    const of = portfolio("shares");
    for (const itemId of [1, 2, 3]) {
      hold(of.portfolioId, itemId, 1);
      ask(itemId, 1, 100, "northgate");
    }
    hold(of.portfolioId, 4, 1);
    const shares = holdings.of(of, "builder", now, 1).rows.map(({ shareMilles }) => shareMilles);
    expect(shares).to.deep.equal([334n, 333n, 333n, null]);
  });

  it("gives lots with an estimated cost a marked row of their own", () => {
    const { portfolioId, ...of } = portfolio("estimated");
    hold(portfolioId, 1, 2, 7);
    rows.holding(portfolioId, "estimate", { itemId: 1, quantity: 3, unitCostCents: 7, costEstimated: true });
    const found = holdings.of({ portfolioId, ...of }, "builder", now, 1).rows;
    expect(found.map(({ quantity, costEstimated }) => ({ quantity, costEstimated }))).to.have.deep.members([
      { quantity: 2, costEstimated: false },
      { quantity: 3, costEstimated: true },
    ]);
  });

  it("shows a portfolio without lots as one empty page with unknown sums", () => {
    const empty = holdings.of(portfolio("empty"), "builder", now, 5);
    expect(empty).to.deep.include({ rows: [], page: 1, pages: 1, lots: 0, value: null, cost: null });
    const none = { lots: 0, unpriced: 0, uncosted: 0, value: null, cost: null, uncostedValue: 0n };
    expect(addTotals([])).to.deep.equal(none);
    const lots = { ...none, lots: 4, unpriced: 1, uncosted: 2, value: 7n, cost: 0n, uncostedValue: 5n };
    const twice = { lots: 8, unpriced: 2, uncosted: 4, value: 14n, cost: 0n, uncostedValue: 10n };
    expect(addTotals([empty, lots, lots])).to.include(twice);
  });

  it("converts at the latest stored rate up to today, except on Free", () => {
    rate("EUR", "ecb", 2, "0.91");
    rate("EUR", "abc", 1, "0.93");
    rate("EUR", "xyz", 1, "0.94");
    rate("EUR", "ahead", -1, "0.99");
    rate("USD", "ecb", 1, "1");
    const of = portfolio("euro", "EUR");
    const found = { currency: "EUR", minorUnits: 2, ratePerUsd: "0.93", source: "abc", day: today - 1 };
    expect(holdings.rate(of, "builder", now)).to.deep.equal(found);
    expect(holdings.rate(of, "free", now)).to.equal(null);
    expect(holdings.rate({ ...of, displayCurrency: "USD" }, "builder", now)).to.equal(null);
    expect(holdings.rate({ ...of, displayCurrency: "SEK" }, "builder", now)).to.equal(null);
    rate("EUR", "last", 0, "0.95");
    expect(holdings.rate(of, "builder", now)).to.include({ ratePerUsd: "0.95", day: today });
  });

  it("formats cents in the currency's minor units, rounded half to even", () => {
    const at = (ratePerUsd: string, minorUnits: number) => (cents: bigint) =>
      convertedText(cents, { currency: "EUR", minorUnits, ratePerUsd, source: "ecb", day: 1 });
    expect(at("0.5", 2)(-246_913_578n)).to.equal("EUR -1,234,567.89");
    expect([at("0.5", 2)(1n), at("0.5", 2)(3n)]).to.deep.equal(["EUR 0.00", "EUR 0.02"]);
    expect(at("150", 0)(100_000n)).to.equal("EUR 150,000");
    expect(at("0.25", 3)(1n)).to.equal("EUR 0.002");
    expect(() => at("a lot", 2)(1n)).to.throw("the stored rate of EUR is not a number");
  });
});
