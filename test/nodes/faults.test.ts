import { expect } from "chai";
import { hasPostgres } from "../support/postgres.ts";
import { needTool, skipForWant } from "../support/skip.ts";
import { nodeRing, type RingReport } from "./ring.ts";

describe("three nodes behind nginx, on PostgreSQL with a synchronous standby", function () {
  this.timeout(600_000);
  let report: RingReport;

  before(async function () {
    if (!hasPostgres()) skipForWant(this, "PostgreSQL is not installed");
    needTool(this, "nginx", "-v");
    report = await nodeRing({ count: 10, seed: 16, clients: 6, chargesAround: 12 });
  });

  it("under load at the edges of all limits ten faults lose no answered charge, spend no unit too many and let no revoked key in", () => {
    expect(report.faults).to.deep.equal([]);
    expect(Object.values(report.happened).reduce((sum, times) => sum + times, 0)).to.equal(10);
  });

  it("the faults happen under load: requests were charged, exports began and keys were revoked", () => {
    expect(report.charged).to.be.at.least(240);
    expect(report.exports).to.be.greaterThan(20);
    expect(report.revocations).to.be.at.least(6);
  });
});
