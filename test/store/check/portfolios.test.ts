import { expect } from "chai";
import { checkDatabase } from "../../../src/store/check/check.ts";
import { checkPortfolios } from "../../../src/store/check/portfolios.ts";
import { RowChecksums } from "../../../src/store/write/row-checksums.ts";
import { MarketFile } from "../../support/market-file.ts";
import { idOf, PortfolioRows } from "../../support/portfolios.ts";

const whole = <T>(read: () => T): T => read();

describe("check of portfolios", () => {
  let file: MarketFile;
  let rows: PortfolioRows;

  beforeEach(() => {
    file = new MarketFile();
    file.item(1);
    rows = new PortfolioRows(file.writer);
    file.writer.$client.exec(
      `INSERT INTO accounts VALUES ('acc_a', 'A', 'free', NULL, NULL, 1);
       INSERT INTO api_keys SELECT 'key_' || kind, 'acc_a', kind, 'k', 'p', 'l', randomblob(32), scopes, 1, 2, NULL, NULL
         FROM (SELECT 'project' AS kind, 'market:read' AS scopes UNION ALL SELECT 'personal', 'portfolio:read')`,
    );
    for (const tag of ["one", "two"]) {
      const portfolioId = rows.portfolio(tag, "acc_a");
      const holdingId = rows.holding(portfolioId, tag);
      rows.removedLot(portfolioId, `${tag}removed`);
      rows.transaction(portfolioId, tag, 20_000, { holdingId });
      rows.transaction(portfolioId, `${tag}gone`, 20_000, { holdingId: idOf("hl_", "gone") });
      rows.valuation(portfolioId, 20_000);
      rows.select("key_personal", portfolioId);
    }
    new RowChecksums(file.writer).recordAll();
    file.writer.$client.pragma("foreign_keys = 0");
  });
  afterEach(() => file.remove());

  it("finds no fault in sound portfolios, and counts their rows", () => {
    expect(checkPortfolios(file.reader, whole)).to.deep.equal([
      {
        isFault: false,
        description:
          "2 portfolios with 2 lots, 2 removed lots, 4 ledger rows, 2 daily values, 0 daily values at the main platform",
      },
      { isFault: false, description: "2 selections for personal tokens" },
    ]);
    expect(checkDatabase(file.path).facts).to.include("portfolios: 2 selections for personal tokens");
    expect(checkDatabase(file.path).faults.filter((description) => description.startsWith("portfolios"))).to.deep.equal(
      [],
    );
  });

  const one = idOf("pf_", "one");
  const lies: Record<string, { sql: string; description: readonly string[] }> = {
    "rows of a missing portfolio": {
      sql: `DELETE FROM portfolios WHERE portfolio_id = '${one}'`,
      description: [
        `1 portfolios that do not exist and have lots, such as ${one}`,
        `1 portfolios that do not exist and have removed lots, such as ${one}`,
        `1 portfolios that do not exist and have ledger rows, such as ${one}`,
        `1 portfolios that do not exist and have daily values, such as ${one}`,
        `1 portfolios that do not exist and are selected, such as ${one}`,
      ],
    },
    "rows of a missing owner": {
      sql: "UPDATE portfolio_transactions SET account_id = 'acc_gone'; UPDATE portfolio_valuations SET account_id = 'acc_gone'",
      description: [
        "1 accounts that do not exist and have ledger rows, such as acc_gone",
        "1 accounts that do not exist and have daily values, such as acc_gone",
      ],
    },
    "removed lots of a missing owner": {
      sql: "UPDATE removed_lots SET account_id = 'acc_gone'",
      description: ["1 accounts that do not exist and have removed lots, such as acc_gone"],
    },
    "removed lots of a deleted portfolio": {
      sql: `UPDATE portfolios SET deleted_at = 1 WHERE portfolio_id = '${one}'`,
      description: [`1 deleted portfolios that have removed lots or a last import, such as ${one}`],
    },
    "a lot of an unknown kind": {
      sql: `UPDATE holdings SET source = 'steam' WHERE portfolio_id = '${one}'`,
      description: [`1 lots of a kind that does not exist, such as ${idOf("hl_", "one")}`],
    },
    "a ledger row that names a lot of another portfolio": {
      sql: `UPDATE portfolio_transactions SET holding_id = '${idOf("hl_", "two")}' WHERE transaction_id = '${idOf("tx_", "one")}'`,
      description: [`1 ledger rows that name a lot of another portfolio, such as ${idOf("tx_", "one")}`],
    },
    "a selection for a project key": {
      sql: "UPDATE key_portfolios SET key_id = 'key_project'",
      description: ["1 selections of portfolios without a personal token, such as key_project"],
    },
    "a selection for a missing key": {
      sql: "DELETE FROM api_keys",
      description: ["1 selections of portfolios without a personal token, such as key_personal"],
    },
    "a personal token with portfolios and without the scope": {
      sql: "UPDATE api_keys SET scopes = 'market:read'",
      description: ["1 personal tokens without a portfolio scope that select portfolios, such as key_personal"],
    },
  };
  for (const [what, { sql, description }] of Object.entries(lies)) {
    it(`reports ${what}`, () => {
      file.writer.$client.exec(sql);
      const faults = checkPortfolios(file.reader, whole).filter(({ isFault }) => isFault);
      expect(faults.map((fault) => fault.description)).to.deep.equal(description);
    });
  }

  it("covers every column of a row by its checksum", () => {
    const { $client } = file.reader;
    const ofValues = ["portfolio_valuations", "main_valuations"];
    const tables = ["portfolios", "holdings", "removed_lots", "portfolio_transactions", "key_portfolios", ...ofValues];
    for (const table of tables) {
      const [seal] = $client.prepare("SELECT sql FROM sqlite_schema WHERE name = ?").pluck().all(`${table}_seal`);
      expect(seal, table).to.match(new RegExp(`ON ${table} \\(json_array\\(`));
      for (const { name } of $client.pragma(`table_info(${table})`) as { name: string }[])
        expect(seal, `${table}.${name}`).to.match(new RegExp(`[(, ]${name}[,)]`));
    }
  });
});
