import { expect } from "chai";
import { hasPostgres } from "../support/postgres.ts";
import { bySize } from "../support/size.ts";
import { needTool, skipForWant } from "../support/skip.ts";
import { nodeRing, type RingReport } from "./ring.ts";

const count = bySize({ short: 10, long: 60 });

describe("three nodes behind nginx, on PostgreSQL with a synchronous standby", function () {
  this.timeout(1_200_000);
  let report: RingReport;

  before(async function () {
    if (!hasPostgres()) skipForWant(this, "PostgreSQL is not installed");
    needTool(this, "nginx", "-v");
    report = await nodeRing({ count, seed: 16, clients: 4, chargesAround: 12 });
  });

  it("under load at the edges of all limits faults lose no answered charge, spend no unit too many and let no revoked key in", () => {
    expect(report.faults).to.deep.equal([]);
    expect(Object.values(report.happened).reduce((sum, times) => sum + times, 0)).to.equal(count);
  });

  it("the faults happen under load: requests were charged, exports began, minutes were full and keys were revoked", () => {
    expect(report.charged).to.be.at.least(24 * count);
    expect(report.exports).to.be.at.least(2 * count);
    expect(report.revocations).to.be.at.least(count / 2);
    expect(report.limited).to.be.at.least(count);
  });
});
