import { copyFileSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect } from "chai";
import { CountingIds } from "../../../scripts/support/example-world.ts";
import { columns } from "../../../src/import/portfolios/columns.ts";
import { PortfolioManager } from "../../../src/import/portfolios/manage.ts";
import { importPortfolioFiles } from "../../../src/import/portfolios/portfolio-import.ts";
import { openWriter } from "../../../src/store/database.ts";
import { temporaryFolder } from "../../support/files.ts";
import { demoFewItemsFile } from "../../support/kept-files.ts";
import { demoAt } from "../../support/world.ts";

const format = fileURLToPath(new URL("../../../src/web/docs/guides/portfolio-files.md", import.meta.url));
const text = readFileSync(format, "utf8");

describe("documentation of files of lots and ledger rows", () => {
  const folder = temporaryFolder();

  it("lists exactly the columns and the records that have them", () => {
    const rows = text.split("\n").filter((line) => line.startsWith("| `"));
    const documented = rows.flatMap((row) => {
      const [names, of] = row.slice(2).split(" | ");
      return [...names!.matchAll(/`([a-z_]+)`/g)].map(([, name]) => [name, of]);
    });
    const known = Object.entries(columns).map(([name, { of }]) => [name, of]);
    expect(documented.sort()).to.deep.equal(known.sort());
  });

  it("has an example that the demo world accepts", () => {
    const example = /```csv\n([^`]*)```/.exec(text)![1]!;
    const path = join(folder, "demo.db");
    copyFileSync(demoFewItemsFile().path, path);
    const database = openWriter(path, 1000);
    const parts = { clock: { now: () => demoAt, monotonicMs: () => 0 }, ids: new CountingIds("format") };
    const { accountId } = database.$client
      .prepare("SELECT account_id AS accountId FROM accounts ORDER BY account_id")
      .get() as { accountId: string };
    const { portfolioId } = new PortfolioManager({ database, ...parts }).create({ accountId, name: "Example" });
    const body = { name: "example.csv", bytes: Buffer.from(example) };
    const report = importPortfolioFiles(database, [{ ...body, adapter: "csv" }], { portfolioId }, parts);
    database.$client.close();
    expect(report).to.include({ outcome: "imported", lots: 1, transactions: 1 });
  });
});
