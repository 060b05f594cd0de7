import { expect } from "chai";
import { bySize } from "../support/size.ts";
import { type WriteKillReport, writeKillRing } from "./write-kill-ring.ts";

const kills = bySize({ short: 1, long: 3 });

describe("kill -9 of a program that writes the market", () => {
  let report: WriteKillReport;

  before(async function () {
    this.timeout(120_000);
    report = await writeKillRing({ kills, seed: 5 });
  });

  it("a kill while a market is published, changes are stored and days are sealed leaves a sound file, and the next run goes on", () => {
    expect(report.faults).to.deep.equal([]);
    expect(report.kills).to.equal(kills);
  });

  it("the stored changes lead over each kill from one export to the next, and days are sealed again in between", () => {
    expect(report.folded).to.equal(kills);
    expect(report.revisions).to.be.greaterThan(kills);
  });
});
