import { setImmediate } from "node:timers/promises";
import { expect } from "chai";
import { atOnce } from "../../src/values/at-once.ts";

describe("atOnce", () => {
  it("works on as many items at a time as it may, and returns the results in the order of the items", async () => {
    let underWay = 0;
    let most = 0;
    const results = await atOnce(3, [5, 1, 4, 2, 3], async (turns) => {
      underWay += 1;
      most = Math.max(most, underWay);
      for (let turn = 0; turn < turns; turn += 1) await setImmediate();
      underWay -= 1;
      return 10 * turns;
    });
    expect(results).to.deep.equal([50, 10, 40, 20, 30]);
    expect(most).to.equal(3);
  });

  it("begins nothing after a failure, and throws it when nothing is under way any more", async () => {
    const begun: number[] = [];
    let ended = 0;
    const failing = atOnce(2, [1, 2, 3, 4], async (item) => {
      begun.push(item);
      await setImmediate();
      if (item === 1) throw new Error("of the first");
      await setImmediate();
      ended += 1;
    });
    const error = await failing.catch((thrown: Error) => thrown);
    expect(error).to.have.property("message", "of the first");
    expect({ begun, ended }).to.deep.equal({ begun: [1, 2], ended: 1 });
  });
});
