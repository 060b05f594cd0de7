import { join } from "node:path";
import { setImmediate as nextTurn } from "node:timers/promises";
import { expect } from "chai";
import { openReader, openWriter } from "../../src/store/database.ts";
import { SharedReadTransaction } from "../../src/store/read/shared-read.ts";
import { newDatabase, temporaryFolder } from "../support/files.ts";

describe("shared read transaction", () => {
  const folder = temporaryFolder();
  const path = join(folder, "itemtape.db");

  it("gives one state per turn, the latest next, and closes in between", async () => {
    newDatabase(path);
    const reader = openReader(path);
    const writer = openWriter(path, 0);
    const shared = SharedReadTransaction.of(reader);
    const read = () => {
      shared.join();
      return reader.$client.prepare("SELECT catalog_version FROM market_state").pluck().get();
    };
    let reads = 0;
    const readOnce = shared.once(() => {
      reads += 1;
      return read();
    });
    expect([read(), readOnce(), readOnce(), reads]).to.deep.equal([0, 0, 0, 1]);
    writer.$client.exec("UPDATE market_state SET catalog_version = 7");
    expect([read(), readOnce(), reads]).to.deep.equal([0, 0, 1]);
    await nextTurn();
    expect(reader.$client.inTransaction).to.equal(false);
    expect(writer.$client.pragma("wal_checkpoint(TRUNCATE)")).to.deep.equal([{ busy: 0, log: 0, checkpointed: 0 }]);
    expect([read(), readOnce(), readOnce(), reads]).to.deep.equal([7, 7, 7, 2]);
    reader.$client.close();
    await nextTurn();
    writer.$client.close();
  });
});
