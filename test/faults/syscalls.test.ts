import { expect } from "chai";
import { bySize, describeLong } from "../support/size.ts";
import { needTool } from "../support/skip.ts";
import { type SyscallReport, syscallRing } from "./syscall-ring.ts";

/** Three kinds of faults at writes, two at syncs. */
const pointsMax = bySize({ short: 10, long: 25 });

describeLong("failing system calls under the ledger", () => {
  let report: SyscallReport;

  before(async function () {
    this.timeout(120_000);
    needTool(this, "strace", "-o", "/dev/null", "true");
    report = await syscallRing({ pointsMax });
  });

  it("a failing write or sync loses no answered charge and leaves a whole file, whichever call it is", () => {
    expect(report.faults).to.deep.equal([]);
    expect(report.points).to.be.within(pointsMax - 5, pointsMax);
  });

  it("the server stops for good at an I/O error and goes on after a full disk", () => {
    const endings = [...report.endings.keys()];
    expect(endings).to.include.members([
      "SIGKILL pwrite64: SIGKILL",
      "SIGKILL fsync: SIGKILL",
      "EIO pwrite64: exit 1",
      "EIO fsync: exit 1",
      "ENOSPC pwrite64: exit 0",
    ]);
  });

  it("the faults produce each outcome: answered, refused, recorded without an answer", () => {
    expect(Math.min(report.answered, report.refused, report.unanswered)).to.be.greaterThan(0);
  });
});
