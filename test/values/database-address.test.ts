import { expect } from "chai";
import { serverAddresses } from "../../src/values/database-address.ts";

describe("the address of a private database", () => {
  it("an address of a database names one server or several, with user and parameters for each", () => {
    expect(serverAddresses("postgresql://me@one/db?sslmode=require")).to.deep.equal([
      "postgresql://me@one/db?sslmode=require",
    ]);
    const two = "postgres://me:p%2Cw@one:5433,[::1]/db?target_session_attrs=read-write&sslmode=require";
    expect(serverAddresses(two)).to.deep.equal([
      "postgres://me:p%2Cw@one:5433/db?sslmode=require",
      "postgres://me:p%2Cw@[::1]/db?sslmode=require",
    ]);
  });

  it("an address of a database is refused where it is none, or asks for a server that takes no changes", () => {
    for (const wrong of ["mysql://one/db", "postgresql:one", "one,two", "postgresql://one:x,two/db"])
      expect(() => serverAddresses(wrong), wrong).to.throw(/^an address such as/);
    expect(() => serverAddresses("postgresql://one,two/db?target_session_attrs=standby")).to.throw(
      /`target_session_attrs=read-write` or none/,
    );
  });
});
