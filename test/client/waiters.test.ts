import { expect } from "chai";
import { itLong } from "../support/size.ts";
import { waitersRing } from "./waiters-ring.ts";

describe("crowd of requests that wait for a publication", () => {
  itLong("uses at most 40 MB for 900 requests and answers them all", async function () {
    this.timeout(300_000);
    const { faults, heapBytes, wokenMs } = await waitersRing({ waiters: 900, connectionsMax: 1024 });
    process.stdout.write(`      ${(heapBytes / 1e6).toFixed(1)} MB; woken in ${Math.round(wokenMs.p99)} ms (p99)\n`);
    expect(faults).to.deep.equal([]);
    // A failed measurement would make the test meaningless.
    expect(heapBytes).to.be.greaterThan(1e6);
  });
});
