import { join } from "node:path";
import { setImmediate as nextTurn } from "node:timers/promises";
import { expect } from "chai";
import { openReader, openWriter } from "../../src/store/database.ts";
import { SharedReadTransaction } from "../../src/store/shared-read.ts";
import { newDatabase, temporaryFolder } from "../support/files.ts";

describe("A shared read transaction", () => {
  const folder = temporaryFolder();
  const path = join(folder, "itemtape.db");

  it("a shared transaction shows one state to all reads of a turn and the latest to the next, and is never open between turns", async () => {
    newDatabase(path);
    const reader = openReader(path);
    const writer = openWriter(path, 0);
    const shared = new SharedReadTransaction(reader);
    const read = () => {
      shared.join();
      return reader.$client.prepare("SELECT catalog_version FROM market_state").pluck().get();
    };
    expect(read()).to.equal(0);
    writer.$client.exec("UPDATE market_state SET catalog_version = 7");
    expect(read()).to.equal(0);
    await nextTurn();
    expect(reader.$client.inTransaction).to.equal(false);
    expect(writer.$client.pragma("wal_checkpoint(TRUNCATE)")).to.deep.equal([{ busy: 0, log: 0, checkpointed: 0 }]);
    expect(read()).to.equal(7);
    reader.$client.close();
    await nextTurn();
    writer.$client.close();
  });
});
