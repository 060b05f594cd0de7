import { spawnSync } from "node:child_process";
import { rmSync, writeFileSync } from "node:fs";
import { expect } from "chai";
import { childProgram } from "../../../scripts/support/child-program.ts";
import { PortfolioWorld } from "./portfolio-world.ts";

const importChild = new URL("./import-child.ts", import.meta.url);

describe("killed import of lots and ledger rows", () => {
  const world = new PortfolioWorld();
  const path = `${world.file.path}.csv`;
  after(() => {
    rmSync(path, { force: true });
    world.remove();
  });

  const run = (child: readonly string[], portfolioId: string, table: string, count: number) =>
    spawnSync(process.execPath, [...child, world.file.path, path, portfolioId, table, String(count)], {
      encoding: "utf8",
    });

  it("leaves nothing wherever it is killed, and succeeds when repeated", async () => {
    const child = childProgram(importChild);
    const portfolioId = world.portfolio();
    const rows = Array.from({ length: 300 }, (_, index) => [
      `lot,L${index},1,1,,,`,
      `transaction,T${index},1,1,buy,L${index},2026-01-01`,
    ]).flat();
    const header = "record,integration_ref,item_id,quantity,kind,lot_ref,occurred_on";
    const text = [header, ...rows].join("\n");
    writeFileSync(path, text);
    const before = world.digest();
    for (const [table, count] of [
      ["holdings", 150],
      ["portfolio_transactions", 300],
    ] as const) {
      const { signal, stdout } = run(child, portfolioId, table, count);
      expect({ signal, stdout }, table).to.deep.equal({ signal: "SIGKILL", stdout: "" });
      expect(world.digest(), table).to.equal(before);
    }
    expect(world.importCsv(portfolioId, text)).to.include({ outcome: "imported" });
    const [counts] = world.rows(
      "SELECT (SELECT count(*) FROM holdings) AS lots, (SELECT count(*) FROM portfolio_transactions) AS rows",
    );
    expect(counts).to.deep.equal({ lots: 300, rows: 300 });
  });
});
