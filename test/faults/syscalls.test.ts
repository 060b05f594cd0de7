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

  it("lose no confirmed charge and leave a whole file", () => {
    expect(report.faults).to.deep.equal([]);
    expect(report.points).to.be.within(pointsMax - 5, pointsMax);
  });

  it("stop the server at I/O errors, not at a full disk", () => {
    const endings = [...report.endings.keys()];
    expect(endings).to.include.members([
      "SIGKILL pwrite64: SIGKILL",
      "SIGKILL fsync: SIGKILL",
      "EIO pwrite64: exit 1",
      "EIO fsync: exit 1",
      "ENOSPC pwrite64: exit 0",
    ]);
  });

  it("produce each outcome: answered, refused, recorded without a response", () => {
    expect(Math.min(report.answered, report.refused, report.unanswered)).to.be.greaterThan(0);
  });
});
