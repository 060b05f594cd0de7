import { copyFileSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type SqliteDatabase from "better-sqlite3";
import { expect } from "chai";
import { databaseSchema } from "../../../generated/database-schema.ts";
import { checkDatabase } from "../../../src/store/check/check.ts";
import { closeDatabase, type Database, openWriter } from "../../../src/store/database.ts";
import { openBare } from "../../../src/store/file/bare.ts";
import { migrateDatabase } from "../../../src/store/file/file.ts";
import { fileOfProgram } from "../../../src/values/root.ts";
import { temporaryFolder } from "../../support/files.ts";
import { demoFewItemsFile } from "../../support/kept-files.ts";
import { itLong } from "../../support/size.ts";
import { edit } from "../../support/unguarded.ts";
import { uncoveredColumns } from "./changed-values.ts";

describe("check of changed values", function () {
  this.timeout(300_000);
  let path: string;
  let client: SqliteDatabase.Database;

  beforeEach(() => {
    path = join(temporaryFolder(), "changed.db");
    copyFileSync(demoFewItemsFile().path, path);
    client = openBare(path);
    client.pragma("foreign_keys = OFF");
  });
  afterEach(() => client.close());

  it("reports changed, added and removed rows of a small table", () => {
    const faults = () => checkDatabase(path).faults;
    expect(faults()).to.deep.equal([]);
    client.exec("UPDATE owners SET login = 'demp'");
    edit(
      client,
      "UPDATE exchange_rates SET rate_per_usd = '9' WHERE currency = 'CNY' AND day = (SELECT max(day) FROM exchange_rates)",
    );
    client.exec(
      "INSERT INTO key_portfolios SELECT key_id, 'pf_0000000000000000none', 1, '1' FROM key_portfolios LIMIT 1",
    );
    client.exec("DELETE FROM roi_runs WHERE run_id = (SELECT max(run_id) FROM roi_runs)");
    const found = faults().join("\n");
    for (const fault of [
      "rows: 1 rows of owners that were changed, such as",
      "rows: 1 rows of exchange_rates that were changed, such as 'CNY' 'demo' ",
      "rows: 1 rows of key_portfolios that the program did not write, such as",
      "rows: rows of roi_runs are gone: it has ",
    ])
      expect(found).to.include(fault);
  });

  it("reports no row changed by the program itself", () => {
    const database: Database = openWriter(path, 1000);
    database.$client.exec(
      "UPDATE owners SET login = 'demp'; UPDATE providers SET name = name || '.', quotes_as_of = 1",
    );
    edit(database.$client, "DELETE FROM exchange_rates WHERE currency = 'CNY'");
    database.$client.exec("INSERT OR IGNORE INTO currencies VALUES ('CNY', 3), ('XYZ', 2)");
    closeDatabase(database);
    expect(checkDatabase(path).faults.filter((fault) => fault.startsWith("rows:"))).to.deep.equal([]);
  });

  it("reports no row of an older file after its migration", () => {
    client.exec("DELETE FROM market_checksums");
    client.exec("DELETE FROM row_checksums WHERE table_name IN ('owners', 'portfolios', 'key_portfolios')");
    client.pragma(`user_version = ${databaseSchema.version - 1}`);
    client.close();
    expect(migrateDatabase(path)).to.equal(1);
    expect(checkDatabase(path).faults).to.deep.equal([]);
  });

  itLong("reports changes to every demo column outside the guide's listed exceptions", () => {
    const guide = readFileSync(fileOfProgram("src/web/docs/guides/operating.md"), "utf8");
    const [sentence = ""] = guide.match(/No check finds a changed value in [^:]*/) ?? [];
    const named = Array.from(sentence.matchAll(/`(\w+)`/g), ([, table]) => table);
    const { uncovered } = uncoveredColumns(client);
    const tables = new Set(uncovered.map((column) => column.split(".", 1)[0]));
    expect([...tables], uncovered.join("\n")).to.have.members(named);
  });
});
