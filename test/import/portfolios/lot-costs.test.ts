import { expect } from "chai";
import { oddCostText } from "../../../src/import/guards/lot-costs.ts";
import { PortfolioWorld } from "./portfolio-world.ts";

describe("costs of lots far from their items' asks", () => {
  const world = new PortfolioWorld(4);
  before(() => {
    world.ask("2026-03-01", 1, 500);
    world.ask("2026-03-01", 2, 500);
    world.ask("2026-03-01", 3, 500);
  });
  after(() => world.remove());

  const rows = [
    [
      "a cost of 100 times the ask",
      "1",
      "500",
      "costs $500.00 each, 100 times its lowest ask of 2026-03-01, $5.00 (threshold 1/20 to 20)",
    ],
    ["a cost of a hundredth", "2", "0.05", "costs $0.05 each, 0.010 times its lowest ask of 2026-03-01, $5.00"],
    ["a cost of an eighteenth", "3", "0.28", null],
    ["a gift", "3", "0", null],
    ["an item without an ask", "4", "900", null],
  ] as const;
  for (const [lot, item, cost, says] of rows) {
    it(`have ${says === null ? "no" : "a"} warning for ${lot}`, () => {
      const text = `record,integration_ref,item_id,quantity,unit_cost_usd,acquired_on\nlot,a,${item},1,${cost},2026-03-01\n`;
      const { lots, oddCosts } = world.importCsv(world.portfolio(), text);
      expect(lots).to.equal(1);
      expect(oddCosts.map(({ name }) => name)).to.deep.equal(says === null ? [] : [`Item ${item}`]);
      if (says !== null) expect(oddCostText(oddCosts[0]!.finding)).to.contain(says);
    });
  }
});
