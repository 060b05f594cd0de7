import { expect } from "chai";
import { importPortfolioFiles } from "../../../src/import/portfolios/portfolio-import.ts";
import { OperatorError } from "../../../src/values/failure/operator-error.ts";
import { PortfolioWorld } from "./portfolio-world.ts";

type Options = { replace?: boolean; dryRun?: boolean; leaveOut?: boolean; choices?: ReadonlyMap<string, number> };

/** The endpoint's response for these assets: `[assetid, name, amount]`. */
function answer(assets: readonly (readonly [id: string, name: string, amount?: string])[], more: object = {}): object {
  const classes = [...new Set(assets.map(([, name]) => name))];
  return {
    assets: assets.map(([assetid, name, amount = "1"]) => ({
      appid: 730,
      contextid: "2",
      assetid,
      classid: String(1000 + classes.indexOf(name)),
      instanceid: "0",
      amount,
    })),
    descriptions: classes.map((name, index) => ({
      appid: 730,
      classid: String(1000 + index),
      instanceid: "0",
      currency: 0,
      descriptions: [{ type: "html", value: "Exterior: Factory New", name: "exterior_wear" }],
      market_hash_name: name,
      name,
      tags: [{ category: "Type", internal_name: "x", localized_category_name: "Type" }],
      marketable: 1,
    })),
    total_inventory_count: assets.length,
    success: 1,
    rwgrsn: -2,
    ...more,
  };
}

describe("Steam inventory", () => {
  const world = new PortfolioWorld();
  before(() => {
    world.file.item(21, { name: "Phased", phase: "Phase 1" });
    world.file.item(22, { name: "Phased", phase: "Phase 2" });
    world.file.item(23, { name: "Phased" });
  });
  after(() => world.remove());
  const take = (portfolioId: string, body: unknown, options: Options = {}) =>
    importPortfolioFiles(
      world.file.writer,
      [
        {
          name: "inventory.json",
          bytes: Buffer.from(typeof body === "string" ? body : JSON.stringify(body)),
          adapter: "steam-inventory",
        },
      ],
      { portfolioId, removeMost: true, ...options },
      { clock: world.clock, ids: world.ids },
    );
  const lots = (portfolioId: string) =>
    world
      .rows<Record<string, unknown>>(
        "SELECT integration_ref AS ref, item_id, quantity, unit_cost_cents AS cost FROM holdings WHERE portfolio_id = ? ORDER BY 1",
        portfolioId,
      )
      .map(({ ref, item_id, quantity, cost }) => [ref, item_id, quantity, cost]);
  const small = answer([
    ["101", "Item 1"],
    ["102", "Item 2", "7"],
    ["103", "Item 1"],
  ]);

  it("gives each asset a lot without a cost, and changes nothing again", () => {
    const portfolioId = world.portfolio();
    expect(take(portfolioId, small)).to.include({ outcome: "imported", lots: 3, cutOff: null });
    expect(lots(portfolioId)).to.deep.equal([
      ["steam:101", 1, 1, null],
      ["steam:102", 2, 7, null],
      ["steam:103", 1, 1, null],
    ]);
    const before = world.digest();
    expect(take(portfolioId, small)).to.include({ outcome: "unchanged", lots: 0 });
    expect(world.digest()).to.equal(before);
  });

  it("adds new assets and removes others without losing recorded costs", () => {
    const portfolioId = world.portfolio();
    take(portfolioId, small);
    world.rows("UPDATE holdings SET unit_cost_cents = 250 WHERE integration_ref = 'steam:102' RETURNING 1");
    const later = answer([
      ["102", "Item 2", "7"],
      ["104", "Item 3"],
    ]);
    expect(take(portfolioId, later)).to.include({ lots: 1, removed: 0 });
    expect(take(portfolioId, later, { replace: true })).to.include({ lots: 0, changed: 0, removed: 2 });
    expect(lots(portfolioId)).to.deep.equal([
      ["steam:102", 2, 7, 250],
      ["steam:104", 3, 1, null],
    ]);
  });

  it("never guesses a phase: rejects, leaves out or asks for one", () => {
    const portfolioId = world.portfolio();
    const phased = answer([
      ["201", "Phased"],
      ["202", "Item 1"],
      ["203", "Nowhere"],
    ]);
    const refused = world.refusal(() => take(portfolioId, phased));
    expect(refused.slice(1)).to.deep.equal([
      "  asset 1, column market_hash_name: several items have the name `Phased`; give item_id or phase: 21 (Phase 1), 22 (Phase 2), 23",
      "  asset 3, column market_hash_name: no item has the name `Nowhere`",
      "  `--leave-out` imports the others and lists these",
    ]);
    const report = take(portfolioId, phased, { leaveOut: true });
    expect(report).to.include({ outcome: "imported", lots: 1 });
    expect(report.leftOut.map(({ ref, candidates }) => [ref, candidates.map(({ itemId }) => itemId)])).to.deep.equal([
      ["steam:201", [21, 22, 23]],
      ["steam:203", []],
    ]);
    const chosen = take(portfolioId, phased, { leaveOut: true, choices: new Map([["steam:201", 22]]) });
    expect(chosen.leftOut.map(({ ref }) => ref)).to.deep.equal(["steam:203"]);
    expect(lots(portfolioId)[0]).to.deep.equal(["steam:201", 22, 1, null]);
    expect(take(portfolioId, phased, { leaveOut: true })).to.include({ outcome: "unchanged" });
  });

  it("rejects a selected item that is not a candidate", () => {
    const portfolioId = world.portfolio();
    const options = { leaveOut: true, choices: new Map([["steam:301", 1]]) };
    const { leftOut } = take(portfolioId, answer([["301", "Phased"]]), options);
    expect(leftOut).to.have.length(1);
    expect(lots(portfolioId)).to.deep.equal([]);
  });

  it("is reported and replaces nothing if truncated", () => {
    const portfolioId = world.portfolio();
    const cut = answer([["401", "Item 1"]], { more_items: 1, last_assetid: "401", total_inventory_count: 2_431 });
    expect(take(portfolioId, cut).cutOff).to.match(/^it has 1 of the inventory's 2431 items: save the next page/);
    expect(world.refusal(() => take(portfolioId, cut, { replace: true }))[0]).to.match(
      /^inventory.json: it has 1 of .*; an incomplete file cannot replace lots; the whole file was refused/,
    );
    const silent = answer([["402", "Item 1"]], { more_items: 1, total_inventory_count: undefined });
    expect(take(portfolioId, silent).cutOff).to.match(/^it has 1 items, and the inventory has more/);
  });

  const bad: readonly (readonly [what: string, body: unknown, says: RegExp])[] = [
    ["invalid JSON", "<html>", /not JSON: /],
    ["the answer for a private inventory", "null", /private inventory/],
    ["an error of Steam", { success: 0, error: "EYldRefreshAppIfNecessary failed" }, /`success` is not 1/],
    ["an array without pages", "[]", /it has no answer/],
    ["an array in an array", "[[]]", /it is not a JSON object/],
    [
      "a hidden inventory",
      { success: 1, total_inventory_count: 6 },
      /reports 6 items in the inventory but lists none of them/,
    ],
    ["an answer of the old endpoint", { success: true, rgInventory: {} }, /old endpoint/],
    ["an object without assets", { success: 1 }, /it has no list `assets`/],
    ["an empty inventory", { success: 1, total_inventory_count: 0 }, /trade-protected items are in context 16/],
    ["assets without descriptions", { assets: [{ assetid: "1", classid: "2" }] }, /it has no list `descriptions`/],
    ["an asset without its description", answer([["1", "Item 1"]], { descriptions: [] }), /asset 1, column classid: /],
    ["an asset that is not an object", answer([], { assets: [null] }), /asset 1, column assetid: is missing/],
    ["an amount that is not a number", answer([["1", "Item 1", "many"]]), /asset 1, column quantity: `many`/],
    [
      "a duplicate asset",
      answer([
        ["1", "Item 1"],
        ["1", "Item 1"],
      ]),
      /asset 2, .*is on asset 1 already/,
    ],
    [
      "more assets than a file may have",
      answer(Array.from({ length: 5001 }, (_, index) => [String(index), "Item 1"] as const)),
      /more than 5000 assets/,
    ],
  ];
  for (const [what, body, says] of bad) {
    it(`is rejected for ${what}, and nothing is written`, () => {
      const portfolioId = world.portfolio();
      const before = world.digest();
      expect(() => take(portfolioId, body, { leaveOut: true })).to.throw(OperatorError, says);
      expect(world.digest()).to.equal(before);
    });
  }

  it("is not written if another import changes the portfolio after planning", () => {
    const portfolioId = world.portfolio();
    const body = { name: "inventory.json", bytes: Buffer.from(JSON.stringify(small)) };
    const progress = {
      phase: (name: string) => {
        if (name === "writing") take(portfolioId, answer([["999", "Item 1"]]));
      },
      advance: () => {},
      end: () => {},
    };
    expect(() =>
      importPortfolioFiles(
        world.file.writer,
        [{ ...body, adapter: "steam-inventory" }],
        { portfolioId },
        { clock: world.clock, ids: world.ids, progress },
      ),
    ).to.throw(OperatorError, /was changed meanwhile/);
    expect(lots(portfolioId).map(([ref]) => ref)).to.deep.equal(["steam:999"]);
  });
});
