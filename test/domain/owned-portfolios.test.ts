import { expect } from "chai";
import { dayOf } from "../../src/values/time/calendar.ts";
import { engines } from "../access/stores.ts";
import { MarketFile } from "../support/market-file.ts";
import { idOf, PortfolioRows, writtenAt } from "../support/portfolios.ts";
import { type PortfolioPlace, portfoliosInFile, usePrivatePortfolios } from "./portfolio-place.ts";

const today = dayOf(writtenAt);
const all = { window: { from: today - 9, to: today }, nextDay: today - 9, source: null };
const everything = { after: { day: -1, transactionId: "" }, to: today };
/** On a page, without a key. */
const owner = { keyId: null, accountId: "acc_mine" };

describe("portfolios that an owner reads on a page", () => {
  const openPrivate = usePrivatePortfolios();

  for (const engine of engines) {
    describe(`portfolios of an owner in ${engine}`, () => {
      let file: MarketFile;
      let rows: PortfolioRows;
      let place: PortfolioPlace;

      beforeEach(async function () {
        file = new MarketFile();
        file.writer.$client.pragma("foreign_keys = 0");
        file.item(1);
        rows = new PortfolioRows(file.writer);
        place = engine === "the file" ? portfoliosInFile(file) : await openPrivate(this, file);
      });
      afterEach(() => file.remove());

      /** The result of each read of a portfolio. */
      const found = async (id: string) => {
        const { store } = place;
        const entry = await place.read(() => store.entry(id, owner));
        const holdings = await place.read(() => store.holdings(id, owner, "", 9));
        const transactions = await place.read(() => store.transactions(id, owner, everything, 9));
        const valuations = await place.read(() => store.valuations(id, owner, all, 9));
        return { entry, holdings, transactions, valuations };
      };

      it("are listed if currently the account's, by id and page", async () => {
        const [a, B, moved, deleted] = ["a", "B", "moved", "deleted"].map((tag) => rows.portfolio(tag, "acc_mine"));
        rows.portfolio("foreign", "acc_other", { isPublic: true });
        rows.transfer(moved!, "acc_other");
        rows.remove(deleted!);
        rows.holding(B!, "lot");
        rows.transaction(B!, "entry", today);
        const page = (after: string, limit: number) => place.read(() => place.store.page(owner, after, limit));
        const [first, ...others] = await page("", 9);
        expect(first).to.include({ portfolioId: B, holdingCount: 1, transactionCount: 1 });
        expect(others.map(({ portfolioId }) => portfolioId)).to.deep.equal([a]);
        expect(await page("", 1)).to.deep.equal([first]);
        expect(await page(B!, 9)).to.deep.equal(others);
      });

      it("are read whole; foreign and deleted ones are not found", async () => {
        const [mine, moved, deleted] = ["mine", "moved", "deleted"].map((tag) => rows.portfolio(tag, "acc_mine"));
        const foreign = rows.portfolio("foreign", "acc_other", { isPublic: true });
        for (const id of [mine!, foreign]) {
          rows.holding(id, id.slice(-3));
          rows.transaction(id, id.slice(-3), today);
          rows.valuation(id, today - 1);
        }
        rows.transfer(moved!, "acc_other");
        rows.remove(deleted!);
        const { entry, holdings, transactions, valuations } = await found(mine!);
        expect(entry).to.include({ portfolioId: mine, holdingCount: 1, transactionCount: 1 });
        expect([holdings?.length, transactions?.length, valuations?.days]).to.deep.equal([1, 1, [today - 1]]);
        const nothing = { entry: null, holdings: null, transactions: null, valuations: null };
        for (const id of [moved!, deleted!, foreign, idOf("pf_", "none"), ""])
          expect(await found(id), id).to.deep.equal(nothing);
      });
    });
  }
});
