import { rmSync } from "node:fs";
import { join } from "node:path";
import SqliteDatabase from "better-sqlite3";
import { expect } from "chai";
import { encodeExportHead, exportHeadSql, itemRecordRestBytes, itemRecordSql } from "../../src/wire/export-record.ts";
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

  it("a record has as many bytes as its head, its quotes and the stated rest together, and is whole without quotes too", () => {
    const client = new SqliteDatabase(":memory:");
    const head = encodeExportHead({ itemId: 7, marketHashName: "★ Karambit", phase: null });
    const quotes = '"asks":[],"bids":[{"amount":5}]';
    const record = client.prepare(`SELECT ${itemRecordSql({ exportHead: "@head", quotes: "@quotes" })}`).pluck();
    const [full, missing] = [quotes, null].map((given) => record.get({ head, quotes: given }) as string);
    client.close();
    expect(Buffer.byteLength(full!)).to.equal(
      Buffer.byteLength(head) + Buffer.byteLength(quotes) + itemRecordRestBytes,
    );
    const identity = { item_id: 7, market_hash_name: "★ Karambit", phase: null };
    const data = { ...identity, availability: "available", asks: [], bids: [{ amount: 5 }] };
    expect(JSON.parse(full!)).to.deep.equal({ type: "item", data });
    expect(JSON.parse(missing!)).to.deep.equal({ type: "item", data: { ...data, availability: "missing", bids: [] } });
    expect([full, missing].every((text) => text?.endsWith("}\n"))).to.equal(true);
  });
});
