import { statSync } from "node:fs";
import { expect } from "chai";
import { onFile } from "../../../src/jobs/roi/calculate.ts";
import { MarketFile } from "../../support/market-file.ts";

describe("database handle of an ROI run", () => {
  const file = new MarketFile();
  after(() => file.remove());

  it("writes nothing to disk under the lock before its commit", async () => {
    const wal = () => statSync(`${file.path}-wal`).size;
    await onFile(file.path, ({ $client: client }) => {
      client.exec("BEGIN IMMEDIATE; CREATE TABLE large(content)");
      const before = wal();
      const insert = client.prepare("INSERT INTO large VALUES (zeroblob(1000000))");
      for (let megabytes = 0; megabytes < 35; megabytes += 1) insert.run();
      expect(wal()).to.equal(before);
      client.exec("ROLLBACK");
    });
  });
});
