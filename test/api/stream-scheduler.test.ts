import { expect } from "chai";
import { StreamScheduler } from "../../src/api/streams.ts";

describe("stream scheduler", () => {
  it("alternates between two exports and serves other requests between pages", async () => {
    const order: number[] = [];
    const pair = [0, 1].map((name) => ({
      sendPage() {
        order.push(name);
        if (order.length < 8) fair.schedule(this);
      },
      interrupt() {},
    }));
    const fair = new StreamScheduler();
    for (const stream of pair) fair.schedule(stream);
    setImmediate(() => order.push(9));
    while (order.length < 9) await new Promise(setImmediate);
    expect(order.slice(0, 6)).to.deep.equal([0, 9, 1, 0, 1, 0]);
  });
});
