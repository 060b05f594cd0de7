import { rmSync } from "node:fs";
import { join } from "node:path";
import { expect } from "chai";
import {
  checkpointAfterCommit,
  closeDatabase,
  type Database,
  deferCheckpoints,
  openWriter,
  writeTransaction,
} from "../../../src/store/database.ts";
import { inOneTransaction, inWrittenBackTransaction } from "../../../src/store/write/batches.ts";
import { systemClock } from "../../../src/values/time/clock.ts";
import { newDatabase, temporaryFolder } from "../../support/files.ts";

describe("transactions with write-back of the log", () => {
  const folder = temporaryFolder();
  let database: Database;
  let other: Database;
  beforeEach(() => {
    const path = join(folder, "itemtape.db");
    newDatabase(path);
    database = openWriter(path, 50);
    other = openWriter(path, 50);
    deferCheckpoints(database);
  });
  afterEach(() => {
    closeDatabase(database);
    closeDatabase(other);
    for (const end of ["", "-wal", "-shm"]) rmSync(`${database.$client.name}${end}`, { force: true });
  });

  const write = () => database.$client.exec("CREATE TABLE many AS SELECT zeroblob(100000)");
  /** Pages of the log that are not in the file yet. */
  const behind = () => {
    const [{ log, checkpointed } = { log: 0, checkpointed: 0 }] = other.$client.pragma("wal_checkpoint(NOOP)") as {
      log: number;
      checkpointed: number;
    }[];
    return log - checkpointed;
  };

  it("leave no page only in the log", () => {
    expect(inWrittenBackTransaction(database, systemClock, write, 3)).to.include({ rows: 3 });
    expect(behind()).to.equal(0);
  });

  it("write the log back while another writer has the lock", () => {
    inOneTransaction(database, systemClock, write);
    expect(behind()).to.be.above(0);
    writeTransaction(other, () => checkpointAfterCommit(database));
    expect(behind()).to.equal(0);
  });

  it("keep the log while they are open", () => {
    writeTransaction(database, () => {
      write();
      checkpointAfterCommit(database);
    });
    expect(behind()).to.be.above(0);
  });
});
