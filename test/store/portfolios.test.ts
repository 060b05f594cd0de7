import { expect } from "chai";
import { PortfoliosStore } from "../../src/store/read/portfolios.ts";
import { MarketFile } from "../support/market-file.ts";
import { PortfolioRows } from "../support/portfolios.ts";
import { preparedBy } from "../support/prepared.ts";

const caller = { keyId: "key_mine", accountId: "acc_mine" };

describe("portfolios in the file", () => {
  let file: MarketFile;
  let rows: PortfolioRows;
  let mine: string;
  beforeEach(() => {
    file = new MarketFile();
    file.writer.$client.pragma("foreign_keys = 0");
    file.item(1);
    rows = new PortfolioRows(file.writer);
    mine = rows.portfolio("mine", "acc_mine");
    rows.select("key_mine", mine);
  });
  afterEach(() => file.remove());

  it("apply changed access to the next read, but not to one begun", () => {
    const store = new PortfoliosStore(file.reader);
    rows.holding(mine, "a");
    const seen = store.open(mine, caller, (portfolio) => {
      rows.transfer(mine, "acc_other");
      file.writer.$client.exec("DELETE FROM holdings");
      return portfolio.holdings("", 9).length;
    });
    expect(seen).to.equal(1);
    expect(store.open(mine, caller, () => 1)).to.equal(null);
    rows.transfer(mine, "acc_mine");
    expect(store.open(mine, caller, (portfolio) => portfolio.entry().holdingCount)).to.equal(0);
    rows.remove(mine);
    expect([store.open(mine, caller, () => 1), store.page(caller, "", 9)]).to.deep.equal([null, []]);
  });

  it("leave no transaction open after a failed read", () => {
    const store = new PortfoliosStore(file.reader);
    expect(() =>
      store.open(mine, caller, () => {
        throw new Error("in the middle");
      }),
    ).to.throw("in the middle");
    expect(file.reader.$client.inTransaction).to.equal(false);
    expect(store.open(mine, caller, () => 1)).to.equal(1);
  });

  it("run the same statements for any id and leak no unreadable value", () => {
    const statements = preparedBy(file.reader, () => void new PortfoliosStore(file.reader));
    const open = statements.find((statement) => / IS NOT NULL\) \+ /.test(statement))!;
    const plan = file.reader.$client.prepare(`EXPLAIN QUERY PLAN ${open}`).all("", "", "") as { detail: string }[];
    expect(plan.map(({ detail }) => detail).filter((detail) => detail.startsWith("SEARCH"))).to.deep.equal([
      "SEARCH key_portfolios USING PRIMARY KEY (key_id=? AND portfolio_id=?) LEFT-JOIN",
      "SEARCH portfolios USING PRIMARY KEY (portfolio_id=?) LEFT-JOIN",
    ]);
    expect(statements.join("\n")).to.not.match(/notes|external_account_id|integration_ref/);
  });
});
