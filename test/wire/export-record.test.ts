import { rmSync } from "node:fs";
import { join } from "node:path";
import { expect } from "chai";
import SqliteDatabase from "../../src/store/sqlite.mjs";
import { exportHeadSql } from "../../src/wire/export-record.ts";
import { newDatabase, temporaryFolder } from "../support/files.ts";

describe("a record of an export", () => {
  it("the stored head of an item's record is the expression that the record is made with", () => {
    const folder = temporaryFolder();
    const path = join(folder, "itemtape.db");
    newDatabase(path);
    const client = new SqliteDatabase(path, { readonly: true });
    const [items] = client.prepare("SELECT sql FROM sqlite_master WHERE name = 'items'").pluck().all() as string[];
    client.close();
    rmSync(folder, { recursive: true });
    expect(exportHeadSql).to.include("market_hash_name").and.include("phase").and.include("item_id");
    expect(items).to.include(`AS (${exportHeadSql})`);
  });
});
