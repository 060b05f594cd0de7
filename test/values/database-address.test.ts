import { expect } from "chai";
import { serverAddresses } from "../../src/values/database-address.ts";

describe("private database address", () => {
  it("names one or several servers, each with user and parameters", () => {
    expect(serverAddresses("postgresql://me@one/db?sslmode=require")).to.deep.equal([
      "postgresql://me@one/db?sslmode=require",
    ]);
    const two = "postgres://me:p%2Cw@one:5433,[::1]/db?target_session_attrs=read-write&sslmode=require";
    expect(serverAddresses(two)).to.deep.equal([
      "postgres://me:p%2Cw@one:5433/db?sslmode=require",
      "postgres://me:p%2Cw@[::1]/db?sslmode=require",
    ]);
  });

  it("is rejected if invalid or if it asks for a read-only server", () => {
    for (const wrong of ["mysql://one/db", "postgresql:one", "one,two", "postgresql://one:x,two/db"])
      expect(() => serverAddresses(wrong), wrong).to.throw(/^an address such as/);
    expect(() => serverAddresses("postgresql://one,two/db?target_session_attrs=standby")).to.throw(
      /`target_session_attrs=read-write` or unset/,
    );
  });
});
