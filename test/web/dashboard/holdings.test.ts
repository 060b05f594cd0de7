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

describe("holdings on a portfolio's page", () => {
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

  it("show quantity, cost, value, difference and share of equal lots", async () => {
    expect(rows(await page())).to.deep.equal([
      [0, "3", "$30.00 $10.00 each", "$37.50 $12.50 each", "+$7.50", "59.6 %"],
      [0, "2", "unknown", "$25.00 $12.50 each", "–", "39.7 %"],
      [2, "15 2 lots", "$0.00 $0.00 each", "$0.45 $0.03 each", "+$0.45", "0.7 %"],
      [1, "1", "$5.00", "no price", "–", "–"],
    ]);
  });

  it("sum value, cost and difference over the same lots, listing others", async () => {
    const text = read(await page());
    expect(text).to.contain("Value $37.95").and.contain("Cost $30.00").and.contain("Difference +$7.95");
    expect(text).to.contain("3 of 5 lots: 1 without a price; 1 without a cost, worth $25.00");
    expect(await page()).to.contain('<span class="up">+$7.95</span>');
    expect(text).to.not.match(/\breturn\b|profit|gain/i);
  });

  it("name each lot's market at the lowest price, with a source choice", async () => {
    const change = async (source: string) => {
      const path = `/dashboard/portfolios/${portfolioId}/rename`;
      const form = await visitor.get(path);
      expect(form.text).to.contain('<option value="lowest-ask"').and.contain(">Northgate (demo)</option>");
      const answer = await visitor.post(path, { name: "held", currency: "EUR", source });
      expect(answer.location).to.contain("notice=renamed");
    };
    await change("lowest-ask");
    ask(items[2]!, 1, 2);
    const text = await page();
    expect(rows(text)[0]!.slice(3, 5)).to.deep.equal(["$37.50 $12.50 each, Northgate (demo)", "+$7.50"]);
    expect(rows(text)[2]!.slice(3, 5)).to.deep.equal(["$0.30 $0.02 each, Steam Community Market", "+$0.30"]);
    expect(read(text)).to.contain("Listing prices of 14 Jan 2026, the lowest price of all markets, before fees.");
    ask(items[2]!, 1, 3);
    await change("northgate");
  });

  it("convert totals on a paid plan by a named stored rate", async () => {
    const [rate] = ann.world.sql(
      "SELECT rate_per_usd, source, day FROM exchange_rates WHERE currency = 'EUR' AND day <= ? ORDER BY day DESC, source LIMIT 1",
      day(),
    );
    const text = read(await page());
    const converted = (Number(rate!.rate_per_usd) * 37.95).toFixed(2);
    expect(text).to.contain(`EUR ${converted}`);
    expect(text).to.contain(`Converted at ${rate!.rate_per_usd} EUR per US dollar ( ${rate!.source} ,`);
  });

  it("use the main platform's asks in dollars on Free", async () => {
    plan("free");
    const text = await page();
    expect(rows(text)[0]).to.deep.equal([0, "3", "$30.00 $10.00 each", "$42.00 $14.00 each", "+$12.00", "59.6 %"]);
    expect(read(text)).to.contain("Listing prices of 14 Jan 2026, Steam Community Market, before fees.");
    expect(read(text))
      .to.contain("Not converted: needs a paid plan")
      .and.not.match(/EUR \d/);
  });

  it("name the missing feed on Free without a main platform", async () => {
    plan("free");
    const kind = (name: string) =>
      ann.world.sql("UPDATE providers SET kind = ? WHERE provider = 'steam' RETURNING 1", name);
    kind("cash");
    const text = read(await page());
    kind("main_platform");
    expect(text).to.contain("This server has no Steam feed.").and.contain("0 of 5 lots: 5 without a price");
  });

  it("have no value without a completed day's ask, even with today's", async () => {
    const id = portfolio("bare");
    ann.world.change((database) => new PortfolioRows(database).holding(id, "x", { itemId: items[3]!, quantity: 2 }));
    ask(items[3]!, 0, 700);
    ask(items[3]!, 31, 700);
    const text = read(await page(id));
    expect(text).to.contain("0 of 1 lot: 1 without a price");
    expect(text).to.contain("No listing price of the last 30 days: Steam Community Market.");
    expect(text).to.not.contain("$7.00");
  });

  it("have a total over the same lots of all portfolios", async () => {
    const text = read((await visitor.get("/dashboard/portfolios")).text);
    expect(text).to.match(
      /All portfolios 6 3 of 6 lots: 2 without a price; 1 without a cost, worth \$25\.00 \$37\.95 \$30\.00 \+\$7\.95/,
    );
  });

  it("show amounts beyond safe integers to the last digit", async () => {
    const id = portfolio("vast");
    for (const tag of ["v", "w"])
      ann.world.change((database) =>
        new PortfolioRows(database).holding(id, tag, {
          itemId: items[3]!,
          quantity: 1,
          unitCostCents: 9_007_199_254_740_991,
        }),
      );
    ask(items[3]!, 1, 1);
    expect(read(await page(id)))
      .to.contain("Cost $180,143,985,094,819.82")
      .and.contain("Difference −$180,143");
    ann.world.sql("UPDATE portfolios SET deleted_at = 1 WHERE portfolio_id = ?", id);
  });
});
