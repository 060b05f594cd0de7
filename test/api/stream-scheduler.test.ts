import { expect } from "chai";
import { PageTurns } from "../../src/api/stream-scheduler.ts";

describe("page turns", () => {
  it("two exports and another request take turns page by page", async () => {
    const order: number[] = [];
    const pair = [0, 1].map((name) => ({
      turn() {
        order.push(name);
        if (order.length < 8) fair.ask(this);
      },
      interrupt() {},
    }));
    const fair = new PageTurns();
    for (const stream of pair) fair.ask(stream);
    setImmediate(() => order.push(9));
    while (order.length < 9) await new Promise(setImmediate);
    expect(order.slice(0, 6)).to.deep.equal([0, 9, 1, 0, 1, 0]);
  });

  it("a stream that has left gets no turn any more", async () => {
    const turns = new PageTurns();
    let taken = 0;
    const stream = {
      turn() {
        taken += 1;
      },
      interrupt() {},
    };
    turns.enter(stream);
    turns.ask(stream);
    turns.leave(stream);
    await new Promise(setImmediate);
    await new Promise(setImmediate);
    expect([taken, turns.active]).to.deep.equal([0, 0]);
  });
});
