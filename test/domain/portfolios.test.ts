import { expect } from "chai";
import { Portfolios } from "../../src/domain/portfolios.ts";
import { PortfoliosStore } from "../../src/store/portfolios.ts";
import { dayMs, dayOf, hourMs } from "../../src/values/calendar.ts";
import { Cursors } from "../../src/values/cursor.ts";
import { Failure } from "../../src/values/failure.ts";
import type { Soon } from "../../src/values/soon.ts";
import { MarketFile } from "../support/market-file.ts";
import { idOf, PortfolioRows, writtenAt } from "../support/portfolios.ts";

const today = dayOf(Date.UTC(2026, 0, 15));
const at = today * dayMs + 12 * hourMs;
const written = new Date(writtenAt).toISOString();
const caller = { keyId: "key_mine", accountId: "acc_mine" };
const money = { currency: "USD", minor_units: 2 };

describe("Portfolios of a personal token", () => {
  let file: MarketFile;
  let rows: PortfolioRows;
  let portfolios: Portfolios;
  let mine: string;

  beforeEach(() => {
    file = new MarketFile();
    file.writer.$client.pragma("foreign_keys = 0");
    file.item(1);
    file.item(2, { name: "★ Knife", phase: "Ruby" });
    rows = new PortfolioRows(file.writer);
    portfolios = new Portfolios({
      store: new PortfoliosStore(file.reader),
      cursors: new Cursors(Buffer.alloc(32, 1)),
    });
    mine = rows.portfolio("mine", "acc_mine", { displayCurrency: "EUR", isPublic: true });
    rows.select("key_mine", mine);
  });
  afterEach(() => file.remove());

  const list = (params: object = {}, who = caller) =>
    atOnce(portfolios.list(portfolios.prepareList(params, { caller: who, at }), { caller: who }));
  const holdings = (params: object = {}) =>
    atOnce(
      portfolios.holdings(portfolios.prepareHoldings({ portfolio_id: mine, ...params }, { caller, at }), { caller }),
    );
  const transactions = (params: object = {}, now = at) =>
    atOnce(
      portfolios.transactions(portfolios.prepareTransactions({ portfolio_id: mine, ...params }, { caller, at: now }), {
        caller,
      }),
    );
  const history = (params: object = {}, now = at) =>
    atOnce(
      portfolios.history(portfolios.prepareHistory({ portfolio_id: mine, ...params }, { caller, at: now }), {
        caller,
        at: now,
      }),
    );

  it("amounts of a portfolio are in US dollars, whatever display currency the owner has chosen", () => {
    rows.holding(mine, "a");
    rows.transaction(mine, "a", today);
    rows.transaction(mine, "b", today - 400);
    const entry = {
      portfolio_id: mine,
      name: "Portfolio mine",
      display_currency: "EUR",
      ...money,
      is_public: true,
      price_source: "steam",
      holding_count: 1,
      transaction_count: 2,
      created_at: written,
      updated_at: written,
    };
    expect(portfolios.portfolio(mine, { caller })).to.deep.equal({ data: entry });
    expect(list()).to.deep.equal({ data: [entry], meta: { next_page: null } });
  });

  it("a lot has null for an unknown cost, 0 for a free one, and the name of its exact item", () => {
    rows.holding(mine, "a", { itemId: 2, quantity: 3, unitCostCents: 0, acquiredDay: today });
    rows.holding(mine, "b", { unitCostCents: null, costEstimated: true });
    const times = { created_at: written, updated_at: written };
    expect(holdings().data).to.deep.equal([
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

  it("a row of a portfolio's ledger has what was recorded and null for what was not", () => {
    rows.transaction(mine, "a", today, {
      holdingId: idOf("hl_", "gone"),
      kind: "sell",
      unitAmountCents: 5,
      occurredAt: at,
    });
    expect(transactions().data).to.deep.equal([
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

  it("a day that is priced in part is incomplete, and one without any price has no value and no zero", () => {
    rows.valuation(mine, today - 3, { valueCents: 0, costBasisCents: 7, holdingCount: 2, pricedHoldingCount: 2 });
    rows.valuation(mine, today - 2, { holdingCount: 3, pricedHoldingCount: 1, priceSource: null });
    rows.valuation(mine, today - 1, { valueCents: null, holdingCount: 3, pricedHoldingCount: 0 });
    const { data, meta } = history();
    expect(data[0]).to.deep.equal({
      date: "2026-01-12",
      kind: "portfolio_valuation",
      value_cents: 0,
      cost_basis_cents: 7,
      holding_count: 2,
      priced_holding_count: 2,
      unpriced_holding_count: 0,
      complete: true,
      price_source: "steam",
      price_as_of: null,
      recorded_at: written,
      ...money,
    });
    expect(data[1]).to.include({ value_cents: 100, unpriced_holding_count: 2, complete: false, price_source: null });
    expect(data[2]).to.include({ value_cents: null, unpriced_holding_count: 3, complete: false });
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

  it("portfolio values are fresh for 48 hours after the oldest price, and of unknown freshness where one has no time", () => {
    rows.valuation(mine, today - 2, { priceAsOf: at - 48 * hourMs });
    rows.valuation(mine, today - 1, { priceAsOf: at });
    expect(history().meta).to.include({ as_of: "2026-01-13T12:00:00.000Z", freshness: "fresh" });
    expect(history({}, at + 1).meta).to.include({ freshness: "stale", timestamp_quality: "source_observed" });
    rows.valuation(mine, today - 3);
    expect(history().meta).to.include({ as_of: null, freshness: "unknown", timestamp_quality: "partial" });
  });

  it("a day without a value has no age and does not change that of the others", () => {
    rows.valuation(mine, today - 2, { valueCents: null, pricedHoldingCount: 0 });
    const ofNothing = { as_of: null, freshness: "unknown", timestamp_quality: "unknown" };
    expect(history().meta).to.include(ofNothing);
    rows.valuation(mine, today - 1, { priceAsOf: at });
    const ofOne = { as_of: "2026-01-15T12:00:00.000Z", freshness: "fresh", timestamp_quality: "source_observed" };
    expect(history().meta).to.include(ofOne);
    expect(history({ limit: 1 }).meta).to.include(ofNothing);
  });

  it("an empty window of a portfolio is answered with an empty list", () => {
    expect(holdings()).to.deep.equal({ data: [], meta: { next_page: null } });
    expect(transactions()).to.deep.equal({
      data: [],
      meta: { from: "2025-12-16", to: "2026-01-15", next_page: null },
    });
    expect(history({ from: "2026-01-01", to: "2026-01-02" }).meta).to.include({
      missing_points: "2 of 2 days absent: 2026-01-01/2026-01-02",
    });
  });

  it("the pages of a portfolio's lists equal the whole list, over midnight too", () => {
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
      const whole = (read as typeof history)({});
      expect(whole.data).to.have.length(length);
      for (const limit of [1, 2, length - 1, length]) {
        const found: unknown[] = [];
        let after: string | null | undefined;
        do {
          const page = (read as typeof history)(
            { limit, ...(after === undefined ? {} : { after }) },
            after === undefined ? at : at + dayMs,
          );
          found.push(...page.data);
          expect(page.data.length, "a page is full or the last").to.equal(
            Math.min(limit, length - found.length + page.data.length),
          );
          for (const key of ["from", "to", "missing_points"] as const) expect(page.meta[key]).to.equal(whole.meta[key]);
          after = page.meta.next_page;
        } while (after !== null);
        expect(found).to.deep.equal(whole.data);
      }
    }
  });

  it("the list of portfolios has those that are selected and owned, in ascending id", () => {
    const ids = ["b", "a", "unselected", "moved", "deleted", "foreign", "theirs"].map((tag) =>
      rows.portfolio(tag, tag === "foreign" || tag === "theirs" ? "acc_other" : "acc_mine", { isPublic: true }),
    );
    const [b, a, , moved, deleted, foreign, theirs] = ids as [string, string, string, string, string, string, string];
    rows.select("key_mine", b, a, moved, deleted, foreign);
    rows.select("key_theirs", theirs, mine);
    rows.transfer(moved, "acc_other");
    rows.remove(deleted);
    expect(list().data.map(({ portfolio_id }) => portfolio_id)).to.deep.equal([a, b, mine]);
    const others = { keyId: "key_theirs", accountId: "acc_other" };
    expect(list({}, others).data.map(({ portfolio_id }) => portfolio_id)).to.deep.equal([theirs]);
    expect(list({}, { keyId: "key_none", accountId: "acc_mine" }).data).to.deep.equal([]);
  });

  it("a change of access binds the next read of the same turn, and none that has begun", () => {
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

  it("a read of a portfolio that fails leaves no transaction open", () => {
    const store = new PortfoliosStore(file.reader);
    expect(() =>
      store.open(mine, caller, () => {
        throw new Error("in the middle");
      }),
    ).to.throw("in the middle");
    expect(file.reader.$client.inTransaction).to.equal(false);
    expect(store.open(mine, caller, () => 1)).to.equal(1);
  });

  it("the same statements run for any portfolio id, and no value of an unreadable portfolio leaves the statement", () => {
    const statements: string[] = [];
    const { $client } = file.reader;
    const prepare = $client.prepare.bind($client);
    $client.prepare = ((source: string) => {
      statements.push(source);
      return prepare(source);
    }) as typeof $client.prepare;
    new PortfoliosStore(file.reader);
    $client.prepare = prepare;
    const open = statements.find((statement) => / IS NOT NULL\) \+ /.test(statement))!;
    const plan = prepare(`EXPLAIN QUERY PLAN ${open}`).all("", "", "") as { detail: string }[];
    expect(plan.map(({ detail }) => detail).filter((detail) => detail.startsWith("SEARCH"))).to.deep.equal([
      "SEARCH key_portfolios USING PRIMARY KEY (key_id=? AND portfolio_id=?) LEFT-JOIN",
      "SEARCH portfolios USING PRIMARY KEY (portfolio_id=?) LEFT-JOIN",
    ]);
    expect(statements.join("\n")).to.not.match(/notes|external_account_id|integration_ref/);
  });

  it("a cursor of another account, portfolio, window or operation is refused before anything is read", () => {
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
      list: list({ limit: 1 }).meta.next_page!,
      holdings: holdings(next).meta.next_page!,
      transactions: transactions(next).meta.next_page!,
      history: history(next).meta.next_page!,
    };
    const elsewhere = { portfolio_id: idOf("pf_", "b") };
    const refused: Record<string, () => unknown> = {
      "list, account": () => portfolios.prepareList({ after: cursors.list }, other),
      "holdings, account": () => portfolios.prepareHoldings({ ...next, after: cursors.holdings }, other),
      "holdings, portfolio": () => portfolios.prepareHoldings({ ...elsewhere, after: cursors.holdings }, asked),
      "transactions, account": () => portfolios.prepareTransactions({ ...next, after: cursors.transactions }, other),
      "transactions, portfolio": () =>
        portfolios.prepareTransactions({ ...elsewhere, after: cursors.transactions }, asked),
      "transactions, from": () =>
        portfolios.prepareTransactions({ ...next, from: "2026-01-01", after: cursors.transactions }, asked),
      "history, account": () => portfolios.prepareHistory({ ...next, after: cursors.history }, other),
      "history, portfolio": () => portfolios.prepareHistory({ ...elsewhere, after: cursors.history }, asked),
      "history, to": () => portfolios.prepareHistory({ ...next, to: "2026-01-14", after: cursors.history }, asked),
      "holdings, operation": () => portfolios.prepareHoldings({ ...next, after: cursors.transactions }, asked),
    };
    for (const [what, work] of Object.entries(refused)) expect(codeOf(work), what).to.equal("cursor_mismatch");
  });

  it("windows of a portfolio are at most 366 days and end today", () => {
    const codes = (params: object) => [codeOf(() => transactions(params)), codeOf(() => history(params))];
    expect(codes({ from: "2025-01-15", to: "2026-01-15" })).to.deep.equal([null, null]);
    expect(codes({ from: "2025-01-14", to: "2026-01-15" })).to.deep.equal(["window_too_large", "window_too_large"]);
    expect(codes({ from: "2026-01-15", to: "2026-01-16" })).to.deep.equal(["invalid_range", "invalid_range"]);
  });
});

function codeOf(work: () => unknown): string | null {
  try {
    work();
  } catch (error) {
    if (error instanceof Failure) return error.code;
    throw error;
  }
  return null;
}

function atOnce<T>(soon: Soon<T>): T {
  if (soon instanceof Promise) throw new Error("the file is read at once");
  return soon;
}
