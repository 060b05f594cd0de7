import { expect } from "chai";
import { type WriteKillReport, writeKillRing } from "./write-kill-ring.ts";

describe("kill -9 of a program that writes the market", () => {
  let report: WriteKillReport;

  before(async function () {
    this.timeout(120_000);
    report = await writeKillRing({ kills: 3, seed: 5 });
  });

  it("a kill while a market is published, changes are stored and days are sealed leaves a sound file, and the next run goes on", () => {
    expect(report.faults).to.deep.equal([]);
    expect(report.kills).to.equal(3);
  });

  it("the stored changes lead over each kill from one export to the next, and days are sealed again in between", () => {
    expect(report.folded).to.equal(3);
    expect(report.revisions).to.be.greaterThan(3);
  });
});
