import { expect } from "chai";
import { importPortfolioFiles } from "../../../src/import/portfolios/portfolio-import.ts";
import { OperatorError } from "../../../src/values/failure/operator-error.ts";
import { PortfolioWorld } from "./portfolio-world.ts";

const lot = (facts: object = {}) => ({ record: "lot", integration_ref: "L1", item_id: 1, quantity: 3, ...facts });
const buy = (facts: object = {}) => ({
  record: "transaction",
  integration_ref: "T1",
  kind: "buy",
  item_id: 1,
  quantity: 3,
  occurred_on: "2026-03-01",
  ...facts,
});

describe("import of lots and ledger rows", () => {
  const world = new PortfolioWorld();
  after(() => world.remove());
  const lots = (portfolioId: string) =>
    world.rows<Record<string, unknown>>(
      "SELECT * FROM holdings WHERE portfolio_id = ? ORDER BY integration_ref",
      portfolioId,
    );
  const ledger = (portfolioId: string) =>
    world.rows<Record<string, unknown>>(
      "SELECT * FROM portfolio_transactions WHERE portfolio_id = ? ORDER BY integration_ref",
      portfolioId,
    );

  it("reads spreadsheet CSV with any marks, line ends, quotes and column order", () => {
    const portfolioId = world.portfolio();
    const text = [
      "\ufeffquantity,record,market_hash_name,unit_cost_usd,integration_ref,notes,acquired_on",
      '3,lot,Item 1,12.50,L1,"said ""hello"",\r\nthen left",2026-02-28',
      "1,lot,Item 2,,L2,=cmd|' /C calc'!A0,",
      "",
      "2,lot,Item 3,0,L3,,",
      "",
    ].join("\r\n");
    expect(world.importCsv(portfolioId, text)).to.include({ outcome: "imported", lots: 3, transactions: 0 });
    const stored = lots(portfolioId).map((row) => [row.item_id, row.quantity, row.unit_cost_cents, row.notes]);
    expect(stored).to.deep.equal([
      [1, 3, 1250, 'said "hello",\r\nthen left'],
      [2, 1, null, "=cmd|' /C calc'!A0"],
      [3, 2, 0, null],
    ]);
    expect(lots(portfolioId)[0]).to.include({ origin: "import", cost_estimated: 0, created_at: world.at });
    expect(lots(portfolioId)[0]!.holding_id).to.match(/^hl_[A-Za-z0-9]{16,32}$/);
  });

  it("stores every column of a record, including private ones", () => {
    const portfolioId = world.portfolio();
    const secret = { notes: "canary-notes", external_account_id: "canary-account" };
    world.at += 1000;
    world.importLines(
      portfolioId,
      lot({
        quantity: 1,
        unit_cost_cents: 9007199254740991,
        cost_estimated: true,
        acquired_on: "2024-02-29",
        ...secret,
      }),
      buy({
        lot_ref: "L1",
        unit_amount_usd: "0.07",
        fee_cents: 0,
        total_amount_usd: "90071992547409.91",
        provider: "steam",
        occurred_at: "2026-03-01T23:59:59.5Z",
        ...secret,
      }),
      buy({ integration_ref: "T2", kind: "adjustment", quantity: -2 }),
    );
    const [row] = lots(portfolioId);
    expect(row).to.include({
      unit_cost_cents: 9007199254740991,
      cost_estimated: 1,
      acquired_day: 19782,
      integration_ref: "L1",
    });
    expect(row).to.include(secret);
    const [first, second] = ledger(portfolioId);
    expect(first).to.include({
      holding_id: row!.holding_id,
      kind: "buy",
      unit_amount_cents: 7,
      fee_cents: 0,
      provider: "steam",
    });
    expect(first).to.include({
      total_amount_cents: 9007199254740991,
      occurred_day: 20513,
      recorded_at: world.at,
      ...secret,
    });
    expect(first!.occurred_at).to.equal(Date.UTC(2026, 2, 1, 23, 59, 59, 500));
    expect(second).to.include({ holding_id: null, quantity: -2, unit_amount_cents: null, occurred_at: null });
    const [portfolio] = world.rows<{ updated_at: number }>(
      "SELECT * FROM portfolios WHERE portfolio_id = ?",
      portfolioId,
    );
    expect(portfolio!.updated_at).to.equal(world.at);
  });

  it("accepts a ledger row before its lot or for an earlier lot", () => {
    const portfolioId = world.portfolio();
    world.importLines(portfolioId, buy({ lot_ref: "L1" }), lot());
    world.importLines(portfolioId, buy({ integration_ref: "T2", lot_ref: "L1", kind: "sell", quantity: 1 }));
    const [{ holding_id }] = lots(portfolioId) as [{ holding_id: string }];
    expect(ledger(portfolioId).map((row) => row.holding_id)).to.deep.equal([holding_id, holding_id]);
  });

  it("reports no change for identical rows, and scopes references to a portfolio", () => {
    const portfolioId = world.portfolio();
    const rows = [lot({ unit_cost_usd: 1.5 }), buy({ lot_ref: "L1" })];
    world.importLines(portfolioId, ...rows);
    const before = world.digest();
    world.at += 60_000;
    expect(world.importLines(portfolioId, ...rows)).to.include({ outcome: "unchanged", lots: 0, transactions: 0 });
    expect(world.importLines(portfolioId, rows[1]!)).to.include({ outcome: "unchanged" });
    expect(world.digest()).to.equal(before);
    expect(world.importLines(world.portfolio(), ...rows)).to.include({ outcome: "imported" });
  });

  it("rejects repeated rows by line beside new or changed ones", () => {
    const portfolioId = world.portfolio();
    world.importLines(portfolioId, lot({ unit_cost_usd: 1.5 }), buy());
    const before = world.digest();
    const refusal = (...records: object[]) => world.refusal(() => world.importLines(portfolioId, ...records)).slice(1);
    expect(refusal(lot({ integration_ref: "L2" }), lot({ unit_cost_usd: 1.5 }))).to.deep.equal([
      "  line 2, column integration_ref: was imported before; a file must have only new rows or no new rows; use `--replace` for a longer list",
    ]);
    expect(refusal(lot({ quantity: 4 }))).to.deep.equal([
      "  line 1, column integration_ref: was imported before with another quantity, unit_cost; `--replace` replaces it",
    ]);
    expect(refusal(lot({ integration_ref: "T1" }))).to.deep.equal([
      "  line 1, column integration_ref: was imported before with another record",
    ]);
    expect(world.digest()).to.equal(before);
  });

  it("requires matching id and name, and prefers the catalog's item", () => {
    world.file.item(31, { name: "Twice", inCatalog: false });
    world.file.item(32, { name: "Twice" });
    world.file.item(33, { name: "Gone", inCatalog: false });
    const portfolioId = world.portfolio();
    world.importLines(
      portfolioId,
      lot({ market_hash_name: "Item 1" }),
      { record: "lot", integration_ref: "L2", quantity: 1, market_hash_name: "Twice" },
      { record: "lot", integration_ref: "L3", quantity: 1, market_hash_name: "Gone" },
    );
    expect(lots(portfolioId).map((row) => row.item_id)).to.deep.equal([1, 32, 33]);
  });

  it("reports a lot dated within days already valued", () => {
    const portfolioId = world.portfolio();
    world.importLines(portfolioId, lot({ acquired_on: "2026-03-08" }));
    for (const date of ["2026-03-08", "2026-03-09"]) world.ask(date, 1, 100);
    world.value("2026-03-10");
    const late = lot({ integration_ref: "L2", acquired_on: "2026-03-09" });
    expect(world.importLines(portfolioId, late)).to.include({ valuationsWithout: 1 });
  });

  it("writes nothing if the portfolio changes its owner meanwhile", () => {
    const [portfolioId, to] = [world.portfolio(), world.account("Next")];
    const handle = (prefix: string) => {
      if (prefix === "hl_") world.portfolios.transfer(portfolioId, to);
      return world.ids.handle(prefix);
    };
    const body = { name: "rows", bytes: Buffer.from(JSON.stringify(lot())) };
    const parts = { clock: world.clock, ids: { ...world.ids, handle } };
    const run = () => importPortfolioFiles(world.file.writer, [{ ...body, adapter: "ndjson" }], { portfolioId }, parts);
    expect(run).to.throw(OperatorError, `portfolio ${portfolioId} was transferred meanwhile; nothing was changed`);
    expect(lots(portfolioId)).to.deep.equal([]);
  });

  it("writes nothing to a missing or deleted portfolio", () => {
    const portfolioId = world.portfolio();
    world.portfolios.remove(portfolioId);
    for (const id of [portfolioId, "pf_0000000000000000", "x"]) {
      expect(() => world.importLines(id, lot())).to.throw(OperatorError, `unknown portfolio \`${id}\``);
    }
  });
});
