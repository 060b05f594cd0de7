import { expect } from "chai";
import { CommitFailure } from "../../../src/access/ledger/ledger.ts";

describe("a failed commit of the ledger", () => {
  it("a failed commit is fatal, refused or unexpected by SQLite's code, and keeps code and message", () => {
    const kindOf = (code?: unknown) => CommitFailure.from(Object.assign(new Error("it failed"), { code })).kind;
    for (const code of ["SQLITE_IOERR", "SQLITE_IOERR_WRITE", "SQLITE_CORRUPT", "SQLITE_CORRUPT_VTAB", "SQLITE_NOTADB"])
      expect(kindOf(code), code).to.equal("fatal");
    for (const code of ["SQLITE_BUSY", "SQLITE_BUSY_SNAPSHOT", "SQLITE_FULL"])
      expect(kindOf(code), code).to.equal("refused");
    for (const code of ["SQLITE_CONSTRAINT", "ENOSPC", "", undefined, 5, "X_SQLITE_BUSY"])
      expect(kindOf(code), String(code)).to.equal("unexpected");
    const busy = CommitFailure.from(Object.assign(new Error("locked"), { code: "SQLITE_BUSY" }));
    expect([busy.name, busy.message]).to.deep.equal(["CommitFailure", "SQLITE_BUSY: locked"]);
    expect(CommitFailure.from(new Error("a fault")).message).to.equal("a fault");
    expect(CommitFailure.from("a text").message).to.equal("a text");
    expect(CommitFailure.from(busy)).to.equal(busy);
  });
});
