import { expect } from "chai";
import { bySize } from "../support/size.ts";
import { type KillReport, killRing } from "./kill-ring.ts";

const kills = bySize({ short: 1, long: 5 });

describe("kill -9 under load", () => {
  let report: KillReport;

  before(async function () {
    this.timeout(120_000);
    report = await killRing({ kills, connections: 48, seed: 20 });
  });

  it("loses no confirmed charge and adds only charges in flight", () => {
    expect(report.faults).to.deep.equal([]);
    expect(report.kills).to.equal(kills);
  });

  it("happens with requests answered before and in flight", () => {
    expect(report.answered).to.be.greaterThan(40 * kills);
    expect(report.inFlight).to.be.greaterThan(5);
    expect(report.changedItems).to.be.greaterThan(0);
  });

  it("cuts a stream of changes after its first items every other time", () => {
    expect(report.killsInStreams).to.equal(Math.ceil(kills / 2));
    expect(report.cutStreams).to.be.at.least(report.killsInStreams);
  });
});
