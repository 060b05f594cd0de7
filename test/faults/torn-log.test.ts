import { expect } from "chai";
import { bySize } from "../support/size.ts";
import { tornRing } from "./torn-ring.ts";

const casesMin = bySize({ short: 99, long: 402 });

describe("torn end of the write-ahead log", () => {
  it("loses no confirmed charge and keeps the last commit atomic", function () {
    this.timeout(180_000);
    const report = tornRing({ casesMin, seed: 7 });
    expect(report.faults).to.deep.equal([]);
    expect(report.cases).to.equal(casesMin + 1);
    // A log that nothing happened to holds its last commit: else no case above would mean anything.
    expect(report.survivors).to.equal(1);
  });
});
