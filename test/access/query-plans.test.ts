import { expect } from "chai";
import { Credentials } from "../../src/access/credentials.ts";
import { LedgerTransactions } from "../../src/access/ledger/transactions.ts";
import { UsageReader } from "../../src/access/usage.ts";
import { openWriter } from "../../src/store/database.ts";
import { AccountKeyReads } from "../../src/store/read/account-keys.ts";
import { preparedBy } from "../support/prepared.ts";
import { World } from "./world.ts";

/** A bound value, a table of one row, and the index of live leases with at most eight entries. */
const boundedScans =
  /^SCAN (CONSTANT ROW|ledger_clock|snapshot_leases USING INDEX snapshot_leases_live_(slot|account))$/;

describe("statements of the access layer", () => {
  it("read by index and scan no growing table", () => {
    const world = new World();
    const database = openWriter(world.path, 50);
    const { $client: client } = database;
    const texts = preparedBy(database, () => {
      new Credentials(database);
      new LedgerTransactions(database);
      new UsageReader(database);
      const keys = new AccountKeyReads(database);
      keys.key("a", "k");
      keys.newest("a");
      keys.live("a", 0);
      keys.countLive("a", 0);
      keys.ended("a", 0, 1, 0);
      keys.selection("a", "k");
    });
    expect(texts.length).to.be.greaterThan(10);
    for (const text of texts) {
      const parameters = Array.from({ length: text.split("?").length - 1 }, () => null);
      const steps = client.prepare(`EXPLAIN QUERY PLAN ${text}`).all(parameters) as { detail: string }[];
      const scans = steps
        .map((step) => step.detail)
        .filter((detail) => detail.startsWith("SCAN") && !boundedScans.test(detail));
      expect(scans, text).to.deep.equal([]);
      expect(
        steps.filter((step) => step.detail.includes("TEMP B-TREE")),
        text,
      ).to.deep.equal([]);
    }
    client.close();
    world.close();
  });
});
