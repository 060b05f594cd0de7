import { expect } from "chai";
import { backoffMs } from "../../src/values/time/backoff.ts";

describe("waits after failures", () => {
  it("doubles the wait after each failure up to the maximum", () => {
    const retry = { firstMs: 250, maxMs: 8000 };
    const waits = [1, 2, 3, 5, 6, 7, 2000].map((failures) => backoffMs(failures, retry));
    expect(waits).to.deep.equal([250, 500, 1000, 4000, 8000, 8000, 8000]);
  });

  it("never waits longer than the maximum", () => {
    expect(backoffMs(1, { firstMs: 30_000, maxMs: 1000 })).to.equal(1000);
  });
});
