import { expect } from "chai";
import { undoImport } from "../../../src/import/portfolios/undo.ts";
import { PortfolioWriter } from "../../../src/store/write/portfolios.ts";
import { OperatorError } from "../../../src/values/failure/operator-error.ts";
import { dayOf } from "../../../src/values/time/calendar.ts";
import { PortfolioWorld } from "./portfolio-world.ts";

const lot = (ref: string, facts: object = {}) => ({
  record: "lot",
  integration_ref: ref,
  item_id: 1,
  quantity: 3,
  ...facts,
});
const entry = (ref: string, facts: object = {}) => ({
  record: "transaction",
  integration_ref: ref,
  kind: "buy",
  item_id: 1,
  quantity: 3,
  occurred_on: "2026-03-01",
  ...facts,
});

type Stored = Record<string, unknown>;

describe("import that replaces the lots", () => {
  const world = new PortfolioWorld();
  after(() => world.remove());
  const rowsOf = (table: string, portfolioId: string) =>
    world.rows<Stored>(`SELECT * FROM ${table} WHERE portfolio_id = ? ORDER BY integration_ref`, portfolioId);
  const lots = (portfolioId: string) => rowsOf("holdings", portfolioId);
  const ledger = (portfolioId: string) => rowsOf("portfolio_transactions", portfolioId);

  it("leaves exactly the file's lots, updates changed ones and removes others", () => {
    const portfolioId = world.portfolio();
    const other = world.portfolio();
    for (const one of [portfolioId, other]) world.importLines(one, lot("A"), lot("B"), lot("C", { notes: "old" }));
    const [a, b] = lots(portfolioId) as [Stored, Stored];
    const others = lots(other);
    world.at += 1000;
    const said = { quantity: 1, unit_cost_usd: 2.5, cost_estimated: true, acquired_on: "2026-03-02", notes: "new" };
    const file = [lot("A"), lot("B", said), lot("D", { item_id: 2 })];
    const told = { outcome: "imported", lots: 1, changed: 1, removed: 1, transactions: 0 };
    const before = world.digest();
    expect(world.replaceLines(portfolioId, file, true)).to.include({ ...told, dryRun: true });
    expect(world.digest(), "a dry run writes nothing").to.equal(before);
    expect(world.replaceLines(portfolioId, file)).to.include({ ...told, dryRun: false });
    const [unchanged, changed, added, ...more] = lots(portfolioId);
    expect(more).to.deep.equal([]);
    expect(unchanged).to.deep.equal(a);
    expect(changed).to.deep.equal({
      ...b,
      quantity: 1,
      unit_cost_cents: 250,
      cost_estimated: 1,
      acquired_day: dayOf(Date.UTC(2026, 2, 2)),
      notes: "new",
      updated_at: world.at,
    });
    expect(added).to.include({ integration_ref: "D", item_id: 2, created_at: world.at });
    expect(lots(other)).to.deep.equal(others);
    const after = world.digest();
    expect(world.replaceLines(portfolioId, file)).to.include({ outcome: "unchanged", lots: 0, changed: 0, removed: 0 });
    expect(world.digest(), "the same file again").to.equal(after);
  });

  it("only adds to the ledger, which keeps references to removed lots", () => {
    const portfolioId = world.portfolio();
    world.importLines(portfolioId, lot("A"), entry("T1", { lot_ref: "A" }));
    const [held] = lots(portfolioId) as [Stored];
    const [bought] = ledger(portfolioId);
    const sold = entry("T2", { kind: "sell", lot_ref: "A" });
    const file = [entry("T1", { lot_ref: "A" }), sold];
    expect(world.replaceLines(portfolioId, file)).to.include({ lots: 0, removed: 1, transactions: 1 });
    expect(lots(portfolioId)).to.deep.equal([]);
    const [first, second] = ledger(portfolioId);
    expect(first).to.deep.equal(bought);
    expect(second).to.include({ kind: "sell", holding_id: held.holding_id });
    expect(world.replaceLines(portfolioId, [...file, lot("B")])).to.include({ lots: 1, transactions: 0 });
    expect(world.replaceLines(portfolioId, [lot("B")]), "rows that the file leaves out stay").to.include({
      outcome: "unchanged",
    });
    const before = world.digest();
    const refused = world.refusal(() => world.replaceLines(portfolioId, [lot("C"), entry("T2", { quantity: 9 })]));
    expect(refused.slice(1)).to.deep.equal([
      "  line 2, column integration_ref: was imported before with another quantity, lot_ref, kind; ledger rows are only added",
    ]);
    expect(world.refusal(() => world.replaceLines(portfolioId, [entry("T9", { lot_ref: "A" })]))[1]).to.equal(
      "  line 1, column lot_ref: neither the file nor the portfolio has a lot `A`",
    );
    expect(world.digest()).to.equal(before);
  });

  it("makes a new lot if a reference names another item", () => {
    const portfolioId = world.portfolio();
    world.importLines(portfolioId, lot("A"), entry("T1", { lot_ref: "A" }));
    const [before] = lots(portfolioId) as [Stored];
    expect(world.replaceLines(portfolioId, [lot("A", { item_id: 2 })])).to.include({ lots: 1, changed: 0, removed: 1 });
    const [after] = lots(portfolioId) as [Stored];
    expect(after).to.include({ integration_ref: "A", item_id: 2 });
    expect(after.holding_id).to.not.equal(before.holding_id);
    expect(ledger(portfolioId)[0]!.holding_id).to.equal(before.holding_id);
  });

  it("removes every lot for a lone header, none for an empty file", () => {
    const portfolioId = world.portfolio();
    world.importLines(portfolioId, lot("A"), lot("B"));
    for (const empty of [() => world.replaceLines(portfolioId, []), () => world.replaceCsv(portfolioId, "\n")])
      expect(empty).to.throw(/the whole file was refused and nothing was changed/);
    expect(lots(portfolioId)).to.have.length(2);
    expect(world.replaceCsv(portfolioId, "record,integration_ref,item_id,quantity\n")).to.include({ removed: 2 });
    expect(lots(portfolioId)).to.deep.equal([]);
  });

  it("changes no valued day, and counts the days with other lots", () => {
    const portfolioId = world.portfolio();
    for (const date of ["2026-03-08", "2026-03-09"]) world.ask(date, 1, 100);
    world.importLines(portfolioId, lot("A", { acquired_on: "2026-03-08" }), lot("B", { acquired_on: "2026-03-09" }));
    world.value("2026-03-10", { portfolioId });
    const valued = () => world.rows("SELECT * FROM portfolio_valuations WHERE portfolio_id = ?", portfolioId);
    const before = valued();
    expect(before).to.have.length(2);
    const replace = (...file: object[]) => world.replaceLines(portfolioId, file).valuationsWithout;
    const a = lot("A", { acquired_on: "2026-03-08" });
    expect(replace(a, lot("B", { acquired_on: "2026-03-09", notes: "of no value" }))).to.equal(0);
    expect(replace(a, lot("B", { acquired_on: "2026-03-09", quantity: 1 }))).to.equal(1);
    expect(replace(a), "B has left").to.equal(1);
    expect(replace(lot("A", { acquired_on: "2026-03-09" })), "on the 8th there is none now").to.equal(2);
    expect(valued()).to.deep.equal(before);
  });

  it("is atomic wherever it fails", () => {
    const portfolioId = world.portfolio();
    world.importLines(portfolioId, lot("A"), lot("B"));
    const before = world.digest();
    const file = [lot("A", { quantity: 9 }), lot("C"), entry("T1")];
    for (const when of [
      "DELETE ON holdings",
      "UPDATE ON holdings",
      "INSERT ON holdings",
      "INSERT ON portfolio_transactions",
      "UPDATE ON portfolios",
    ]) {
      world.file.writer.$client.exec(`CREATE TEMP TRIGGER fails AFTER ${when} BEGIN SELECT RAISE(FAIL, 'here'); END`);
      expect(() => world.replaceLines(portfolioId, file), when).to.throw("here");
      world.file.writer.$client.exec("DROP TRIGGER fails");
      expect(world.digest(), when).to.equal(before);
    }
    expect(world.replaceLines(portfolioId, file)).to.include({ lots: 1, changed: 1, removed: 1, transactions: 1 });
  });

  it("limits a portfolio to 20,000 rows, including earlier owners'", () => {
    const full = world.portfolio();
    world.rows(
      `INSERT INTO portfolio_transactions (portfolio_id, account_id, occurred_day, transaction_id, kind, item_id, quantity, cost_estimated, recorded_at)
       SELECT ?, ?, 1, 'tx_' || value, 'buy', 1, 1, 0, 1 FROM json_each(?) RETURNING 1`,
      full,
      world.account("Before"),
      JSON.stringify(Array.from({ length: 19_999 }, (_, index) => index)),
    );
    world.importLines(full, lot("A"));
    const before = world.digest();
    expect(world.refusal(() => world.importLines(full, lot("B")))).to.deep.equal([
      `rows: portfolio ${full} would have 20001 lots and ledger rows, but the maximum is 20000; the whole file was refused and nothing was changed`,
    ]);
    expect(world.refusal(() => world.replaceLines(full, [lot("A"), entry("T1")]))[0]).to.include(
      "would have 20001 lots",
    );
    expect(world.digest()).to.equal(before);
    expect(world.replaceLines(full, [entry("T1")])).to.include({ transactions: 1, removed: 1 });
  });

  it("can be undone with lots and ledger until another change", () => {
    const portfolioId = world.portfolio();
    const lot = (ref: string, more: object = {}) => ({
      record: "lot",
      integration_ref: ref,
      item_id: 1,
      quantity: 1,
      ...more,
    });
    const row = {
      record: "transaction",
      kind: "buy",
      integration_ref: "T",
      item_id: 1,
      quantity: 1,
      occurred_on: "2026-03-01",
    };
    const state = () =>
      ["holdings", "portfolio_transactions"].map((table) =>
        world.rows(`SELECT * FROM ${table} WHERE portfolio_id = ? ORDER BY 2`, portfolioId),
      );
    const undo = () => {
      const store = new PortfolioWriter(world.file.writer);
      return undoImport(store, store.find(portfolioId)!, world.at);
    };
    world.importLines(portfolioId, lot("A", { unit_cost_usd: "5.00", notes: "mine" }), lot("B"));
    const before = state();
    world.at += 1;
    world.replaceLines(portfolioId, [lot("B", { quantity: 2 }), lot("C", { unit_cost_usd: "7.00" }), row]);
    expect(undo()).to.deep.equal({ added: 1, changed: 1, removed: 1, transactions: 1 });
    expect(state()).to.deep.equal(before);
    expect(undo, "once").to.throw(OperatorError, /no import to undo/);
    world.at += 1;
    world.replaceLines(portfolioId, [lot("A"), lot("B"), lot("C")]);
    const cost = "SELECT unit_cost_cents AS cents FROM holdings WHERE integration_ref = 'C' AND portfolio_id = ?";
    expect(world.rows(cost, portfolioId)).to.have.length(1);
    world.at += 1;
    world.portfolios.change(portfolioId, { name: "Other", displayCurrency: "USD" });
    expect(undo, "after another change").to.throw(OperatorError, /changed since/);
    world.importLines(portfolioId, lot("D"));
    world.portfolios.remove(portfolioId);
    expect(world.rows("SELECT * FROM last_imports WHERE portfolio_id = ?", portfolioId)).to.deep.equal([]);
  });
});
