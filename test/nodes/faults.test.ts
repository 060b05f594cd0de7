import { expect } from "chai";
import { needPostgres } from "../support/postgres.ts";
import { describeLong } from "../support/size.ts";
import { mayAdminister, needTool } from "../support/skip.ts";
import { faultNames } from "./faults.ts";
import { nodeRing, type RingReport } from "./ring.ts";

/** Accounts, clients, their pause between two requests, and charges before a fault and after it. */
const load = { accounts: 10, clients: 4, pauseMs: 60, chargesAround: 12 };
/** Each kind of fault happens once. */
const count = faultNames.length;

// The ring costs ten seconds of the processor before its first fault.
describeLong("three follower nodes behind nginx on PostgreSQL with a synchronous standby", function () {
  this.timeout(1_200_000);
  let report: RingReport;

  before(async function () {
    needPostgres(this);
    needTool(this, "nginx", "-v");
    report = await nodeRing({ count, seed: 16, ...load });
  });

  it("isolates node 2 and fills a disk when the process may", function () {
    for (const one of report.weaker) process.stdout.write(`weaker: ${this.test?.fullTitle()}: ${one}\n`);
    const mustNot = process.env.ITEMTAPE_FORBID_SKIPS === "1" && mayAdminister();
    expect(mustNot ? report.weaker : []).to.deep.equal([]);
  });

  it("keep charges, limits, revocations and sealed markets correct under load", () => {
    expect(report.faults).to.deep.equal([]);
    expect(Object.values(report.happened).reduce((sum, times) => sum + times, 0)).to.equal(count);
  });

  it("charges, exports, full minutes and revocations occur during the faults", () => {
    expect(report.charged).to.be.at.least(2 * load.chargesAround * count);
    expect(report.generations).to.be.at.least(4);
    expect(report.exports).to.be.at.least(2 * count);
    expect(report.held).to.be.at.least(count / 2);
    expect(report.revocations).to.be.at.least(count / 2);
    expect(report.limited).to.be.at.least(count);
  });
});
