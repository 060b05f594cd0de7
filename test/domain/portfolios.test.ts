import { expect } from "chai";
import type { Plan } from "../../src/access/plans.ts";
import { Portfolios } from "../../src/domain/portfolios.ts";
import { Cursors } from "../../src/values/cursor.ts";
import { Failure } from "../../src/values/failure/failure.ts";
import { dayMs, dayOf, hourMs } from "../../src/values/time/calendar.ts";
import { engines } from "../access/stores.ts";
import { MarketFile } from "../support/market-file.ts";
import { idOf, PortfolioRows, writtenAt } from "../support/portfolios.ts";
import { type PortfolioPlace, portfoliosInFile, usePrivatePortfolios } from "./portfolio-place.ts";

const today = dayOf(Date.UTC(2026, 0, 15));
const at = today * dayMs + 12 * hourMs;
const written = new Date(writtenAt).toISOString();
const caller = { keyId: "key_mine", accountId: "acc_mine", plan: "builder" as Plan };
const money = { currency: "USD", minor_units: 2 };

describe("portfolios", () => {
  const openPrivate = usePrivatePortfolios();

  for (const engine of engines) {
    describe(`portfolios of a personal token in ${engine}`, () => {
      let file: MarketFile;
      let rows: PortfolioRows;
      let portfolios: Portfolios;
      let mine: string;
      let place: PortfolioPlace;

      beforeEach(async function () {
        file = filled();
        rows = new PortfolioRows(file.writer);
        place = engine === "the file" ? portfoliosInFile(file) : await openPrivate(this, file);
        portfolios = new Portfolios({
          store: place.store,
          cursors: new Cursors(Buffer.alloc(32, 1)),
          mainPlatform: () => "steam",
        });
        mine = rows.portfolio("mine", "acc_mine", { displayCurrency: "EUR", isPublic: true });
        rows.select("key_mine", mine);
      });
      afterEach(() => file.remove());

      const list = (params: object = {}, who = caller) =>
        place.read(() => portfolios.list(portfolios.prepareList(params, { caller: who, at }), { caller: who }));
      const holdings = (params: object = {}, _now = at, who = caller) =>
        place.read(() =>
          portfolios.holdings(portfolios.prepareHoldings({ portfolio_id: mine, ...params }, { caller: who, at }), {
            caller: who,
          }),
        );
      const transactions = (params: object = {}, now = at, who = caller) =>
        place.read(() =>
          portfolios.transactions(
            portfolios.prepareTransactions({ portfolio_id: mine, ...params }, { caller: who, at: now }),
            { caller: who },
          ),
        );
      const history = (params: object = {}, now = at, who = caller) =>
        place.read(() =>
          portfolios.history(portfolios.prepareHistory({ portfolio_id: mine, ...params }, { caller: who, at: now }), {
            caller: who,
            at: now,
          }),
        );
      const portfolio = (id = mine, who = caller) => place.read(() => portfolios.portfolio(id, { caller: who }));

      it("have lots with null for unknown cost, 0 for free, exact names", async () => {
        rows.holding(mine, "a", { itemId: 2, quantity: 3, unitCostCents: 0, acquiredDay: today });
        rows.holding(mine, "b", { unitCostCents: null, costEstimated: true });
        const times = { created_at: written, updated_at: written };
        expect((await holdings()).data).to.deep.equal([
          {
            holding_id: idOf("hl_", "a"),
            item_id: 2,
            market_hash_name: "★ Knife",
            phase: "Ruby",
            quantity: 3,
            unit_cost_cents: 0,
            cost_estimated: false,
            acquired_on: "2026-01-15",
            origin: "manual",
            ...times,
            ...money,
          },
          {
            holding_id: idOf("hl_", "b"),
            item_id: 1,
            market_hash_name: "Item 1",
            phase: null,
            quantity: 1,
            unit_cost_cents: null,
            cost_estimated: true,
            acquired_on: null,
            origin: "manual",
            ...times,
            ...money,
          },
        ]);
      });

      it("have ledger rows with null for unrecorded fields", async () => {
        rows.transaction(mine, "a", today, {
          holdingId: idOf("hl_", "gone"),
          kind: "sell",
          unitAmountCents: 5,
          occurredAt: at,
        });
        expect((await transactions()).data).to.deep.equal([
          {
            transaction_id: idOf("tx_", "a"),
            holding_id: idOf("hl_", "gone"),
            kind: "sell",
            item_id: 1,
            market_hash_name: "Item 1",
            phase: null,
            quantity: 1,
            unit_amount_cents: 5,
            fee_cents: null,
            total_amount_cents: null,
            cost_estimated: false,
            provider: null,
            occurred_on: "2026-01-15",
            occurred_at: new Date(at).toISOString(),
            recorded_at: written,
            ...money,
          },
        ]);
      });

      it("mark a partly priced day incomplete, and give unpriced days no value", async () => {
        rows.valuation(mine, today - 3, { valueCents: 0, costBasisCents: 7, holdingCount: 2, pricedHoldingCount: 2 });
        rows.valuation(mine, today - 2, { holdingCount: 3, pricedHoldingCount: 1, priceSource: null });
        rows.valuation(mine, today - 1, { valueCents: null, holdingCount: 3, pricedHoldingCount: 0 });
        const { data, meta } = await history();
        expect(data[0]).to.deep.equal({
          date: "2026-01-12",
          kind: "portfolio_valuation",
          value_cents: 0,
          cost_basis_cents: 7,
          holding_count: 2,
          priced_holding_count: 2,
          unpriced_holding_count: 0,
          complete: true,
          compared_holding_count: null,
          compared_value_cents: null,
          compared_cost_cents: null,
          price_source: "steam",
          price_providers: ["steam"],
          price_as_of: null,
          recorded_at: written,
          ...money,
        });
        expect(data[1]).to.include({
          value_cents: 100,
          unpriced_holding_count: 2,
          complete: false,
          price_source: null,
          price_providers: null,
        });
        expect(data[2]).to.include({ value_cents: null, unpriced_holding_count: 3, complete: false });
        expect(data[2]!.price_providers).to.deep.equal([]);
        expect(meta).to.deep.equal({
          from: "2025-12-16",
          to: "2026-01-15",
          resolution: "day",
          next_page: null,
          missing_points: "28 of 31 days absent: 2025-12-16/2026-01-11, 2026-01-15",
          as_of: null,
          freshness: "unknown",
          timestamp_quality: "ingest_only",
        });
      });

      it("show Free the main platform's values, and others on paid plans", async () => {
        rows.valuation(mine, today - 4, { valueCents: 40 });
        rows.valuation(mine, today - 3, { valueCents: 30, priceSource: "northgate" });
        rows.valuation(mine, today - 2, { valueCents: 20, priceSource: null });
        rows.valuation(mine, today - 1, { valueCents: 10, priceSource: "northgate" });
        rows.valuation(mine, today - 1, { valueCents: 11, atMain: true });
        const values = async (plan: Plan, params: object = {}) => {
          const { data, meta } = await history({ from: "2026-01-11", ...params }, at, { ...caller, plan });
          return [data.map(({ value_cents, price_source }) => `${value_cents} ${price_source}`), meta.missing_points];
        };
        expect(await values("free")).to.deep.equal([
          ["40 steam", "11 steam"],
          "3 of 5 days absent: 2026-01-12/2026-01-13, 2026-01-15",
        ]);
        expect(await values("builder")).to.deep.equal([
          ["40 steam", "30 northgate", "20 null", "10 northgate"],
          "1 of 5 days absent: 2026-01-15",
        ]);
      });

      it("have values fresh for 48 hours, or unknown without a time", async () => {
        rows.valuation(mine, today - 2, { priceAsOf: at - 48 * hourMs });
        rows.valuation(mine, today - 1, { priceAsOf: at });
        expect((await history()).meta).to.include({ as_of: "2026-01-13T12:00:00.000Z", freshness: "fresh" });
        expect((await history({}, at + 1)).meta).to.include({
          freshness: "stale",
          timestamp_quality: "source_observed",
        });
        rows.valuation(mine, today - 3);
        expect((await history()).meta).to.include({ as_of: null, freshness: "unknown", timestamp_quality: "partial" });
      });

      it("leave other days' age unchanged by a day without value", async () => {
        rows.valuation(mine, today - 2, { valueCents: null, pricedHoldingCount: 0 });
        const ofNothing = { as_of: null, freshness: "unknown", timestamp_quality: "unknown" };
        expect((await history()).meta).to.include(ofNothing);
        rows.valuation(mine, today - 1, { priceAsOf: at });
        const ofOne = { as_of: "2026-01-15T12:00:00.000Z", freshness: "fresh", timestamp_quality: "source_observed" };
        expect((await history()).meta).to.include(ofOne);
        expect((await history({ limit: 1 })).meta).to.include(ofNothing);
      });

      it("have pages equal to whole lists, over midnight too", async () => {
        for (const tag of ["c", "a", "b", "e", "d"]) {
          rows.select("key_mine", rows.portfolio(tag, "acc_mine"));
          rows.holding(mine, tag);
          // Two of a day, and rows on both ends of the window and beyond.
          for (const day of [today - 31, today - 30, today - 1, today, today + 1])
            rows.transaction(mine, `${tag}${day}`, day);
          rows.valuation(mine, today - 30 + tag.charCodeAt(0) - 97);
        }
        for (const [read, length] of [
          [(params: object) => list(params), 6],
          [holdings, 5],
          [transactions, 15],
          [history, 5],
        ] as const) {
          const whole = await (read as typeof history)({});
          expect(whole.data).to.have.length(length);
          for (const limit of [1, 2, length - 1, length]) {
            const found: unknown[] = [];
            let after: string | null | undefined;
            do {
              const page = await (read as typeof history)(
                { limit, ...(after === undefined ? {} : { after }) },
                after === undefined ? at : at + dayMs,
              );
              found.push(...page.data);
              expect(page.data.length, "a page is full or the last").to.equal(
                Math.min(limit, length - found.length + page.data.length),
              );
              for (const key of ["from", "to", "missing_points"] as const)
                expect(page.meta[key]).to.equal(whole.meta[key]);
              after = page.meta.next_page;
            } while (after !== null);
            expect(found).to.deep.equal(whole.data);
          }
        }
      });

      it("are listed if selected and owned, in ascending id", async () => {
        const ids = ["b", "a", "unselected", "moved", "deleted", "foreign", "theirs"].map((tag) =>
          rows.portfolio(tag, tag === "foreign" || tag === "theirs" ? "acc_other" : "acc_mine", { isPublic: true }),
        );
        const [b, a, , moved, deleted, foreign, theirs] = ids as [
          string,
          string,
          string,
          string,
          string,
          string,
          string,
        ];
        rows.select("key_mine", b, a, moved, deleted, foreign);
        rows.select("key_theirs", theirs, mine);
        rows.transfer(moved, "acc_other");
        rows.remove(deleted);
        expect((await list()).data.map(({ portfolio_id }) => portfolio_id)).to.deep.equal([a, b, mine]);
        const others = { ...caller, keyId: "key_theirs", accountId: "acc_other" };
        expect((await list({}, others)).data.map(({ portfolio_id }) => portfolio_id)).to.deep.equal([theirs]);
        expect((await list({}, { ...caller, keyId: "key_none" })).data).to.deep.equal([]);
      });

      it("refuse a cursor of another account, portfolio, window or operation", async () => {
        for (const tag of ["a", "b"]) {
          rows.holding(mine, tag);
          rows.transaction(mine, tag, today);
          rows.valuation(mine, today - (tag === "a" ? 1 : 2));
          rows.select("key_mine", rows.portfolio(tag, "acc_mine"));
        }
        const other = { caller: { ...caller, accountId: "acc_other" }, at };
        const asked = { caller, at };
        const next = { portfolio_id: mine, limit: 1 };
        const cursors = {
          list: (await list({ limit: 1 })).meta.next_page!,
          holdings: (await holdings(next)).meta.next_page!,
          transactions: (await transactions(next)).meta.next_page!,
          history: (await history(next)).meta.next_page!,
        };
        const elsewhere = { portfolio_id: idOf("pf_", "b") };
        const refused: Record<string, () => unknown> = {
          "list, account": () => portfolios.prepareList({ after: cursors.list }, other),
          "holdings, account": () => portfolios.prepareHoldings({ ...next, after: cursors.holdings }, other),
          "holdings, portfolio": () => portfolios.prepareHoldings({ ...elsewhere, after: cursors.holdings }, asked),
          "transactions, account": () =>
            portfolios.prepareTransactions({ ...next, after: cursors.transactions }, other),
          "transactions, portfolio": () =>
            portfolios.prepareTransactions({ ...elsewhere, after: cursors.transactions }, asked),
          "transactions, from": () =>
            portfolios.prepareTransactions({ ...next, from: "2026-01-01", after: cursors.transactions }, asked),
          "history, account": () => portfolios.prepareHistory({ ...next, after: cursors.history }, other),
          "history, portfolio": () => portfolios.prepareHistory({ ...elsewhere, after: cursors.history }, asked),
          "history, to": () => portfolios.prepareHistory({ ...next, to: "2026-01-14", after: cursors.history }, asked),
          "holdings, operation": () => portfolios.prepareHoldings({ ...next, after: cursors.transactions }, asked),
        };
        for (const [what, work] of Object.entries(refused))
          expect(await codeOf(work), what).to.equal("cursor_mismatch");
      });

      it("have windows of 366 days at most, ending today", async () => {
        const codes = async (params: object) => [
          await codeOf(() => transactions(params)),
          await codeOf(() => history(params)),
        ];
        expect(await codes({ from: "2025-01-15", to: "2026-01-15" })).to.deep.equal([null, null]);
        expect(await codes({ from: "2025-01-14", to: "2026-01-15" })).to.deep.equal([
          "window_too_large",
          "window_too_large",
        ]);
        expect(await codes({ from: "2026-01-15", to: "2026-01-16" })).to.deep.equal(["invalid_range", "invalid_range"]);
      });

      it("sort rows by id bytes, and begin pages after the last", async () => {
        const tags = ["b", "A", "a", "B", "Z", "z", "1"];
        for (const tag of tags) {
          rows.select("key_mine", rows.portfolio(tag, "acc_mine"));
          rows.holding(mine, tag);
          rows.transaction(mine, tag, today);
        }
        const sorted = (prefix: "pf_" | "hl_" | "tx_") => tags.map((tag) => idOf(prefix, tag)).sort();
        const ids = (data: object[], name: string) => data.map((row) => Reflect.get(row, name) as string);
        expect(ids((await list()).data, "portfolio_id")).to.deep.equal([...sorted("pf_"), mine]);
        expect(ids((await holdings()).data, "holding_id")).to.deep.equal(sorted("hl_"));
        expect(ids((await transactions()).data, "transaction_id")).to.deep.equal(sorted("tx_"));
        for (const [read, name] of [
          [(params: object) => list(params), "portfolio_id"],
          [holdings, "holding_id"],
          [transactions, "transaction_id"],
        ] as const) {
          const { data, meta } = await read({ limit: 3 });
          const rest = await read({ limit: 100, after: meta.next_page });
          expect(ids([...data, ...rest.data], name), name).to.deep.equal(ids((await read({})).data, name));
        }
      });

      it("are not found once transferred or deleted", async () => {
        rows.holding(mine, "a");
        expect((await holdings()).data).to.have.length(1);
        rows.transfer(mine, "acc_other");
        expect(await codeOf(portfolio)).to.equal("portfolio_not_found");
        rows.transfer(mine, "acc_mine");
        expect((await portfolio()).data.holding_count).to.equal(1);
        rows.remove(mine);
        expect([await codeOf(holdings), (await list()).data]).to.deep.equal(["portfolio_not_found", []]);
      });
    });
  }
});

async function codeOf(work: () => unknown): Promise<string | null> {
  try {
    await work();
  } catch (error) {
    if (error instanceof Failure) return error.code;
    throw error;
  }
  return null;
}

/** A file with two items. Its rows may name missing accounts. */
function filled(): MarketFile {
  const file = new MarketFile();
  file.writer.$client.pragma("foreign_keys = 0");
  file.item(1);
  file.item(2, { name: "★ Knife", phase: "Ruby" });
  return file;
}
