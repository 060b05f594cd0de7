import { expect } from "chai";
import { dayMs, dayOf } from "../../../src/values/time/calendar.ts";
import { putDaily } from "../../jobs/indexes/index-world.ts";
import { PortfolioRows } from "../../support/portfolios.ts";
import { OwnerWorld, type Visitor } from "./owner-world.ts";

/** Text as a person reads it: cells and blocks are apart. */
function read(markup: string): string {
  return markup
    .replaceAll(/<[^>]+>/g, " ")
    .replaceAll(/&#(\d+);/g, (_, code) => String.fromCharCode(Number(code)))
    .replaceAll(/\s+/g, " ");
}

describe("what a portfolio holds, on its page", () => {
  let ann: OwnerWorld;
  let visitor: Visitor;
  let portfolioId: string;
  /** Items that no feed of the demo world has priced. */
  let items: number[];
  const day = () => dayOf(ann.world.clock.at);
  const ask = (itemId: number, daysAgo: number, amount: number, provider = "steam") =>
    ann.world.change((database) => {
      const date = new Date((day() - daysAgo) * dayMs).toISOString().slice(0, 10);
      putDaily(database, { itemId, date, provider, amount, recordedAt: ann.world.clock.at });
    });
  const hold = (tag: string, facts: Parameters<PortfolioRows["holding"]>[2]) =>
    ann.world.change((database) => new PortfolioRows(database).holding(portfolioId, tag, facts));
  const portfolio = (tag: string, facts: Parameters<PortfolioRows["portfolio"]>[2] = {}) =>
    ann.world.change((database) => new PortfolioRows(database).portfolio(tag, ann.account.accountId, facts));
  const page = async (id = portfolioId) => (await visitor.get(`/dashboard/portfolios/${id}`)).text;
  const rows = (text: string) =>
    [...text.matchAll(/<tr><th scope="row"><a href="\/items\/(\d+)">(.*?)<\/tr>/gs)].map(([, id, cells]) => [
      items.indexOf(Number(id)),
      ...cells!
        .split(/<td[^>]*>/)
        .slice(1)
        .map((cell) => read(cell).trim()),
    ]);
  const plan = (name: "free" | "builder") =>
    ann.world.accounts((accounts) => accounts.setPlan(ann.account.accountId, name, null));

  before(async () => {
    ann = await OwnerWorld.start();
    visitor = await ann.signedIn();
    items = ann.world
      .sql("SELECT item_id FROM items WHERE item_id NOT IN (SELECT item_id FROM daily_prices) LIMIT 4")
      .map((row) => Number(row.item_id));
    portfolioId = portfolio("held", { displayCurrency: "EUR", priceSource: "northgate" });
    hold("a", { itemId: items[0]!, quantity: 3, unitCostCents: 1_000 });
    hold("b", { itemId: items[0]!, quantity: 2, unitCostCents: null });
    hold("c", { itemId: items[1]!, quantity: 1, unitCostCents: 500 });
    hold("d", { itemId: items[2]!, quantity: 10, unitCostCents: 0 });
    hold("e", { itemId: items[2]!, quantity: 5, unitCostCents: 0 });
    for (const [provider, first] of [
      ["northgate", 1_250],
      ["steam", 1_400],
    ] as const) {
      ask(items[0]!, 1, first, provider);
      ask(items[2]!, 1, 3, provider);
      ask(items[0]!, 0, 9_999, provider);
      ask(items[1]!, 2, 700, provider);
    }
  });
  after(() => ann.world.stop());
  afterEach(() => plan("builder"));

  it("holdings show quantity, cost, value, difference and share of lots with the same item and cost", async () => {
    expect(rows(await page())).to.deep.equal([
      [0, "3", "$30.00 $10.00 each", "$37.50 $12.50 each", "+$7.50", "59.6 %"],
      [0, "2", "unknown", "$25.00 $12.50 each", "–", "39.7 %"],
      [2, "15 2 lots", "$0.00 $0.00 each", "$0.45 $0.03 each", "+$0.45", "0.7 %"],
      [1, "1", "$5.00", "no price", "–", "–"],
    ]);
  });

  it("each total of a portfolio tells how many lots it leaves out, and no total counts what is unknown", async () => {
    const text = read(await page());
    expect(text).to.contain("Value $62.95").and.contain("Leaves out 1 of 5 lots: without a price.");
    expect(text).to.contain("Cost $35.00").and.contain("Leaves out 1 of 5 lots: of unknown cost.");
    expect(text).to.contain("Difference from cost +$7.95");
    expect(text).to.contain("Leaves out 2 of 5 lots: without a price or a cost.");
    expect(text).to.not.match(/\breturn\b|profit|gain/i);
  });

  it("totals are converted on a paid plan with the last stored rate, which is named with its source and day", async () => {
    const [rate] = ann.world.sql(
      "SELECT rate_per_usd, source, day FROM exchange_rates WHERE currency = 'EUR' AND day <= ? ORDER BY day DESC, source LIMIT 1",
      day(),
    );
    const text = read(await page());
    const converted = (Number(rate!.rate_per_usd) * 62.95).toFixed(2);
    expect(text).to.contain(`EUR ${converted}`);
    expect(text).to.contain(`Converted at ${rate!.rate_per_usd} EUR per US dollar ( ${rate!.source} ,`);
  });

  it("on Free values are the main platform's asks in dollars, whoever prices the portfolio", async () => {
    plan("free");
    const text = await page();
    expect(rows(text)[0]).to.deep.equal([0, "3", "$30.00 $10.00 each", "$42.00 $14.00 each", "+$12.00", "59.6 %"]);
    expect(read(text)).to.contain("Values are daily asks of steam of 14 Jan 2026");
    expect(read(text))
      .to.contain("Not converted: that needs a paid plan")
      .and.not.match(/EUR \d/);
  });

  it("where no completed day has an ask a portfolio has no value, and today's asks are not taken for one", async () => {
    const id = portfolio("bare");
    ann.world.change((database) => new PortfolioRows(database).holding(id, "x", { itemId: items[3]!, quantity: 2 }));
    ask(items[3]!, 0, 700);
    ask(items[3]!, 31, 700);
    const text = read(await page(id));
    expect(text).to.contain("No figure: the one lot is without a price.");
    expect(text).to.contain(
      "No daily ask of steam is stored for any of these items in the last 30 completed UTC days.",
    );
    expect(text).to.not.contain("$7.00");
  });

  it("the portfolios' total names the lots that it leaves out", async () => {
    const text = read((await visitor.get("/dashboard/portfolios")).text);
    expect(text).to.match(
      /All portfolios 6 \$62\.95 without 2 lots of unknown price \$35\.00 without 2 lots of unknown cost \+\$7\.95/,
    );
  });

  it("amounts beyond what a number holds exactly are written to the last digit", async () => {
    const id = portfolio("vast");
    for (const tag of ["v", "w"])
      ann.world.change((database) =>
        new PortfolioRows(database).holding(id, tag, {
          itemId: items[3]!,
          quantity: 1,
          unitCostCents: 9_007_199_254_740_991,
        }),
      );
    expect(read(await page(id))).to.contain("Cost $180,143,985,094,819.82");
    ann.world.sql("UPDATE portfolios SET deleted_at = 1 WHERE portfolio_id = ?", id);
  });
});
