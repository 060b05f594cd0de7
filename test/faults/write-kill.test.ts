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

  it("leaves a sound file from which the next run continues", () => {
    expect(report.faults).to.deep.equal([]);
    expect(report.kills).to.equal(kills);
  });

  it("leaves stored changes that connect exports, and days sealed again", () => {
    expect(report.folded).to.equal(kills);
    expect(report.revisions).to.be.greaterThan(kills);
  });
});
