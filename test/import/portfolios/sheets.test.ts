import { createHash } from "node:crypto";
import { expect } from "chai";
import { PortfolioWorld } from "./portfolio-world.ts";

describe("user's own CSV list", () => {
  const world = new PortfolioWorld();
  after(() => world.remove());
  const rows = (portfolioId: string) =>
    world.rows(
      "SELECT item_id, quantity, unit_cost_cents AS cost FROM holdings WHERE portfolio_id = ? ORDER BY 1, 2",
      portfolioId,
    );

  it("gives lots with name, quantity and unit price in dollars", () => {
    const portfolioId = world.portfolio();
    const text = "Name,Quantity,Price\nItem 1,3,12.50\nItem 2,1,\nItem 1,3,12.50\n";
    expect(world.importCsv(portfolioId, text)).to.include({ outcome: "imported", lots: 3 });
    expect(rows(portfolioId)).to.deep.equal([
      { item_id: 1, quantity: 3, cost: 1250 },
      { item_id: 1, quantity: 3, cost: 1250 },
      { item_id: 2, quantity: 1, cost: null },
    ]);
    expect(world.importCsv(portfolioId, text)).to.include({ outcome: "unchanged" });
  });

  it("does not add other rows again after one is corrected", () => {
    const portfolioId = world.portfolio();
    world.importCsv(portfolioId, "name,qty,price\nItem 1,3,12.50\nItem 2,1,1.00\n");
    const corrected = "name,qty,price\nItem 1,3,12.50\nItem 2,2,1.00\n";
    expect(world.refusal(() => world.importCsv(portfolioId, corrected))[1]).to.match(/line 2, .*was imported before/);
    expect(world.replaceCsv(portfolioId, corrected)).to.include({ lots: 1, removed: 1 });
  });

  it("is rejected for a column named twice in either spelling", () => {
    const portfolioId = world.portfolio();
    const both = "name,market_hash_name,quantity\nItem 1,Item 1,1\n";
    expect(world.refusal(() => world.importCsv(portfolioId, both))[1]).to.contain("the header has it twice");
    const amounts = "name,quantity,price,unit_cost_cents\nItem 1,1,1,100\n";
    expect(world.refusal(() => world.importCsv(portfolioId, amounts))[1]).to.contain("either unit_cost_cents or");
  });

  const held = [
    { item_id: 1, quantity: 3, cost: 25 },
    { item_id: 2, quantity: 1, cost: 109850 },
  ];
  for (const [what, text] of [
    ["rows of commas", "name,quantity,price\r\nItem 1,3,0.25\r\n,,\r\nItem 2,1,1098.50\r\n , ,\r\n"],
    ["semicolons and decimal commas", "name;quantity;price\nItem 1;3;0,25\nItem 2;1;1.098,50\n"],
    ["a delimiter line", "sep=;\r\nname;quantity;price\r\nItem 1;3;0,25\r\nItem 2;1;1098,5\r\n"],
    ["tabs", "name\tquantity\tprice\nItem 1\t3\t0.25\nItem 2\t1\t1,098.50\n"],
    ["money signs and groups", 'name,quantity,price\nItem 1,3,$0.25\nItem 2,1,"1,098.50 USD"\n'],
    ["decimal quantities", "name,quantity,price\nItem 1,3.0,0.25\nItem 2,1.00,1098.5\n"],
    ["a row of totals", "name,quantity,price\nItem 1,3,0.25\nItem 2,1,1098.50\nTotal,,1099.25\n"],
    ["other names of columns", "Item,Qty,Purchase Price\nItem 1,3,0.25\nItem 2,1,1098.50\n"],
    ["loose spaces in names", "name,quantity,price\n Item\u00a0 1 ,3,0.25\nItem 2,1,1098.50\n"],
  ] as const) {
    it(`is read with ${what}`, () => {
      const portfolioId = world.portfolio();
      expect(world.importCsv(portfolioId, text)).to.include({ lots: 2 });
      expect(rows(portfolioId)).to.deep.equal(held);
    });
  }

  it("is read in UTF-16, with advice for other encodings", () => {
    const text = "name,quantity,price\r\nItem 1,3,0.25\r\nItem 2,1,1098.50\r\n";
    const portfolioId = world.portfolio();
    const little = Buffer.from(`\ufeff${text}`, "utf16le");
    expect(world.importCsv(portfolioId, little)).to.include({ lots: 2 });
    const big = Buffer.from(little).swap16();
    expect(world.importCsv(portfolioId, big)).to.include({ outcome: "unchanged" });
    const ansi = Buffer.from("name,quantity\nStatTrak\u0099 Item 1,3\n", "latin1");
    expect(world.refusal(() => world.importCsv(portfolioId, ansi))[0]).to.contain("save it as `CSV UTF-8`");
  });

  it("loses times of dates, and accepts dotted dates if all agree", () => {
    const days = (list: readonly string[]) => {
      const portfolioId = world.portfolio();
      world.importCsv(portfolioId, `name,quantity,date\n${list.map((date) => `Item 1,1,${date}`).join("\n")}\n`);
      return world.rows(
        "SELECT DISTINCT date(acquired_day * 86400, 'unixepoch') AS day FROM holdings WHERE portfolio_id = ?",
        portfolioId,
      );
    };
    expect(days(["2026-03-01T10:15:00Z", "2026-03-01 10:15", "2026-03-01"])).to.deep.equal([{ day: "2026-03-01" }]);
    expect(days(["1.3.2026", "01.03.2026 10:15:00"])).to.deep.equal([{ day: "2026-03-01" }]);
  });

  it("is recognized with respelled values, also of an earlier release", () => {
    const portfolioId = world.portfolio();
    const first =
      "name,quantity,price,date\nItem 1,5,0.250,2026-03-01\nItem 1,5,0.25,2026-03-01\nItem 2,1,98.50,2026-03-01\n";
    const respelled =
      "Date;Item;Qty;Cost\n2026-03-01 00:00;Item 1;5.0;0,25\n2026-03-01;Item 1;5;0,25\n2026-03-01;Item 2;1;98,5\n";
    world.importCsv(portfolioId, first);
    expect(world.importCsv(portfolioId, first)).to.include({ outcome: "unchanged" });
    expect(world.importCsv(portfolioId, respelled)).to.include({ outcome: "unchanged" });
    const digest = createHash("sha256");
    digest.update(
      JSON.stringify([
        ["acquired_on", "2026-03-01"],
        ["market_hash_name", "Item 2"],
        ["quantity", "1"],
        ["unit_cost_usd", "98.50"],
      ]),
    );
    const former = `row:${digest.digest("hex").slice(0, 24)}:1`;
    world.rows(
      "UPDATE holdings SET integration_ref = ? WHERE portfolio_id = ? AND item_id = 2 RETURNING 1",
      former,
      portfolioId,
    );
    expect(world.importCsv(portfolioId, first)).to.include({ outcome: "unchanged" });
    const grown = `${first.replaceAll("0.250", "0.25")}Item 3,1,1,\n`;
    expect(world.refusal(() => world.importCsv(portfolioId, grown))[1]).to.contain("use `--replace` for a longer list");
    expect(world.replaceCsv(portfolioId, grown)).to.include({ lots: 1, changed: 0, removed: 0 });
  });
});
