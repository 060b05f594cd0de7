import { expect } from "chai";
import type { PortfolioFile } from "../../../src/import/portfolios/portfolio-import.ts";
import { PortfolioWorld } from "./portfolio-world.ts";

type Stored = Record<string, string | number | null>;

/** A page of the inventory endpoint with these assets of a context. */
function page(context: number, assets: readonly (readonly [id: number, item: number])[], more: object = {}): object {
  return {
    assets: assets.map(([id, item]) => ({
      appid: 730,
      contextid: String(context),
      assetid: String(id),
      classid: String(item),
      instanceid: "0",
      amount: "1",
    })),
    descriptions: assets.map(([, item]) => ({
      classid: String(item),
      instanceid: "0",
      market_hash_name: item === 30 ? "Phased" : `Item ${item}`,
    })),
    total_inventory_count: assets.length,
    success: 1,
    ...more,
  };
}

const fileOf = (answer: object | string, name = "inventory.json"): PortfolioFile => ({
  name,
  bytes: Buffer.from(typeof answer === "string" ? answer : JSON.stringify(answer)),
  adapter: typeof answer === "string" ? "csv" : "steam-inventory",
});
const costs = (...rows: string[]) =>
  `record,integration_ref,item_id,quantity,unit_cost_usd,acquired_on,notes\n${rows.join("\n")}\n`;

describe("kinds of lots", () => {
  const world = new PortfolioWorld(9);
  let portfolioId: string;
  before(() => {
    world.file.item(31, { name: "Phased", phase: "Phase 1" });
    world.file.item(32, { name: "Phased", phase: "Phase 2" });
    world.file.item(33, { name: "Phased" });
  });
  after(() => world.remove());
  beforeEach(() => {
    portfolioId = world.portfolio();
  });
  const take = (...files: (object | string)[]) =>
    world.importFiles(
      portfolioId,
      files.map((one) => fileOf(one)),
    );
  const replace = (files: readonly (object | string)[], options: object = {}) =>
    world.importFiles(
      portfolioId,
      files.map((one) => fileOf(one)),
      { replace: true, ...options },
    );
  const lots = () =>
    world.rows<Stored>("SELECT * FROM holdings WHERE portfolio_id = ? ORDER BY integration_ref", portfolioId);
  const brief = () => lots().map(({ integration_ref: ref, unit_cost_cents: cost, source }) => [ref, cost, source]);

  it("keep lot, cost and date of an asset that moves between contexts", () => {
    const tradable = [11, 12, 13].map((id) => [id, 1] as const);
    take(page(2, tradable));
    const rows = [11, 12, 13].map((id) => `lot,steam:${id},1,1,0.25,2026-03-01,`);
    expect(replace([costs(...rows, "lot,steam:21,2,1,98.50,2026-03-05,gift")])).to.include({ lots: 1, changed: 3 });
    const held = lots();
    expect(replace([page(16, [[21, 2]]), page(2, tradable)])).to.include({ lots: 0, changed: 0, removed: 0 });
    expect(brief().at(-1)).to.deep.equal(["steam:21", 9850, "steam:730:16:"]);
    expect(replace([page(2, tradable)]), "context 16 stays").to.include({ removed: 0 });
    const moved = { outcome: "imported", lots: 0, changed: 0, removed: 0, moved: 1 };
    expect(replace([page(2, [...tradable, [21, 2]])])).to.include(moved);
    const source = "steam:730:2:";
    expect(lots()).to.deep.equal(held.map((lot) => ({ ...lot, source })));
  });

  it("limit a replacement to lots of its own kind", () => {
    take(
      page(2, [
        [11, 1],
        [12, 2],
      ]),
    );
    replace([costs("lot,A,3,1,,,", "lot,B,4,1,,,", "lot,steam:11,1,1,9.00,,")]);
    world.importFiles(portfolioId, [fileOf(page(2, [[51, 5]]))], { account: "Second" });
    const assets = [
      ["steam:11", 900, "steam:730:2:"],
      ["steam:12", null, "steam:730:2:"],
      ["steam:51", null, "steam:730:2:Second"],
    ];
    expect(brief()).to.deep.equal([["A", null, "table"], ["B", null, "table"], ...assets]);
    expect(replace([costs("lot,A,3,1,,,")])).to.include({ removed: 1 });
    expect(replace([page(2, [[12, 2]])])).to.include({ removed: 1 });
    expect(brief()).to.deep.equal([["A", null, "table"], ...assets.slice(1)]);
  });

  it("are unset for old lots until a file names them", () => {
    take(
      page(2, [
        [11, 1],
        [12, 2],
        [13, 3],
      ]),
    );
    world.rows("UPDATE holdings SET source = NULL WHERE portfolio_id = ? RETURNING 1", portfolioId);
    expect(
      replace([
        page(2, [
          [11, 1],
          [12, 2],
        ]),
      ]),
    ).to.include({ outcome: "imported", lots: 0, changed: 0 });
    expect(brief().map(([, , source]) => source)).to.deep.equal(["steam:730:2:", "steam:730:2:", null]);
    expect(replace([page(2, [[11, 1]])])).to.include({ removed: 1 });
    expect(brief().map(([ref]) => ref)).to.deep.equal(["steam:11", "steam:13"]);
  });

  it("require confirmation before a replacement removes most lots of a kind", () => {
    take(
      page(2, [
        [11, 1],
        [12, 2],
        [13, 3],
      ]),
    );
    const other = page(2, [
      [91, 1],
      [13, 3],
    ]);
    const before = world.digest();
    expect(replace([other], { dryRun: true }).most).to.deep.equal([{ source: "steam:730:2:", lots: 3, removed: 2 }]);
    expect(world.refusal(() => replace([other]))).to.deep.equal([
      "inventory.json: it would remove 2 of 3 lots of context 2, like the file of another account; nothing was changed; `--remove-most` removes them",
      "  would remove Item 1",
      "  would remove Item 2",
    ]);
    expect(world.digest()).to.equal(before);
    expect(replace([other], { removeMost: true })).to.include({ lots: 1, removed: 2 });
    expect(replace([page(2, [[13, 3]])]), "half is not most").to.include({ removed: 1 });
  });

  it("restore lot, cost, date, notes and phase of a returning asset", () => {
    take(
      page(2, [
        [11, 1],
        [12, 2],
        [13, 3],
      ]),
    );
    replace([costs("lot,steam:11,1,1,7.00,2026-03-02,from Ann", "lot,steam:14,32,1,3.00,,")]);
    const phased = page(2, [
      [11, 1],
      [12, 2],
      [13, 3],
      [14, 30],
    ]);
    replace([phased]);
    const held = lots();
    replace([
      page(2, [
        [12, 2],
        [13, 3],
      ]),
    ]);
    expect(lots()).to.have.length(2);
    world.at += 1000;
    expect(replace([phased])).to.include({ lots: 2 });
    const origin = "import";
    expect(lots()).to.deep.equal(
      held.map((lot, index) => ({ ...lot, origin, updated_at: [0, 3].includes(index) ? world.at : lot.updated_at })),
    );
    const kept = () => world.rows("SELECT * FROM removed_lots WHERE portfolio_id = ?", portfolioId);
    expect(kept()).to.have.length(2);
    world.portfolios.remove(portfolioId);
    expect(kept(), "until the portfolio is deleted").to.deep.equal([]);
  });

  it("hide a removed lot's data from a new owner", () => {
    take(
      page(2, [
        [11, 1],
        [12, 2],
        [13, 3],
      ]),
    );
    replace([costs("lot,steam:11,1,1,7.00,,")]);
    replace([
      page(2, [
        [12, 2],
        [13, 3],
      ]),
    ]);
    world.portfolios.transfer(portfolioId, world.account("Next"));
    expect(
      brief().map(([, , source]) => source),
      "nor the account's name",
    ).to.deep.equal([null, null]);
    take(page(2, [[11, 1]]));
    expect(brief()[0]).to.deep.equal(["steam:11", null, "steam:730:2:"]);
    world.portfolios.transfer(portfolioId, world.accountId);
    world.rows("DELETE FROM holdings WHERE portfolio_id = ? AND integration_ref = 'steam:11' RETURNING 1", portfolioId);
    take(page(2, [[11, 1]]));
    expect(brief()[0]).to.deep.equal(["steam:11", 700, "steam:730:2:"]);
  });

  it("replace only with pages, contexts and tables together, not one page", () => {
    const first = page(
      2,
      [
        [11, 1],
        [12, 2],
      ],
      { total_inventory_count: 3, more_items: 1, last_assetid: "12" },
    );
    const last = page(
      2,
      [
        [12, 2],
        [13, 3],
      ],
      { total_inventory_count: 3 },
    );
    take(first);
    expect(world.refusal(() => replace([first]))[0]).to.contain("it has 2 of the inventory's 3 items");
    expect(world.refusal(() => replace([last]))[0]).to.contain("Steam hides the others from this viewer, or they are");
    const empty = page(16, []);
    expect(replace([first, last, empty, costs("lot,A,3,1,,,")])).to.include({ lots: 2, cutOff: null });
    expect(replace([[first, last], { response: page(16, [[12, 2]]) }])).to.include({
      outcome: "imported",
      lots: 0,
      changed: 0,
      moved: 1,
    });
    expect(brief().map(([, , source]) => source)).to.deep.equal([
      "table",
      "steam:730:2:",
      "steam:730:16:",
      "steam:730:2:",
    ]);
    expect(world.refusal(() => take(costs("lot,A,3,1,,,", "lot,B,3,1,,,"), costs("lot,A,3,1,,,")))[1]).to.equal(
      "  line 2, column integration_ref: `A` is on line 2 of inventory.json already",
    );
  });

  it("read cost and phase of inventory assets from a table beside it", () => {
    const assets = page(2, [
      [11, 1],
      [14, 30],
    ]);
    const told = costs("lot,steam:11,1,1,7.00,2026-03-01,", "lot,steam:14,32,1,,,gift", "lot,A,3,1,,,");
    expect(replace([told, assets])).to.include({ lots: 3 });
    const source = "steam:730:2:";
    expect(brief()).to.deep.equal([
      ["A", null, "table"],
      ["steam:11", 700, source],
      ["steam:14", null, source],
    ]);
    expect(lots()[2]).to.include({ item_id: 32, notes: "gift" });
    expect(replace([assets, told])).to.include({ outcome: "unchanged" });
    expect(replace([assets])).to.include({ outcome: "unchanged" });
  });

  it("keep a lot that was left out", () => {
    take(
      page(2, [
        [11, 1],
        [12, 2],
        [13, 3],
      ]),
    );
    const renamed = page(2, [
      [11, 1],
      [12, 2],
      [13, 99],
    ]);
    expect(replace([renamed], { leaveOut: true })).to.include({ removed: 0 });
  });

  it("leave the phase of a shared name in a table unresolved", () => {
    const table = "record,integration_ref,market_hash_name,quantity,kind,occurred_on\n";
    const refused = world.refusal(() => take(`${table}lot,A,Phased,1,,\ntransaction,T,Phased,1,buy,2026-03-01\n`));
    const says = "several items have the name `Phased`; give item_id or phase: 31 (Phase 1), 32 (Phase 2), 33";
    expect(refused.slice(1)).to.deep.equal([2, 3].map((line) => `  line ${line}, column market_hash_name: ${says}`));
    const options = { leaveOut: true, choices: new Map([["A", 33]]) };
    expect(world.importFiles(portfolioId, [fileOf(`${table}lot,A,Phased,1,,\n`)], options)).to.include({ lots: 1 });
    expect(take(`${table}lot,A,Phased,1,,\n`)).to.include({ outcome: "unchanged" });
  });
});
