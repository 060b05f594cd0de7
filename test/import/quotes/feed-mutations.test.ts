import { expect } from "chai";
import { bySize } from "../../support/size.ts";
import { feedRing, shapes } from "./feed-ring.ts";

const mutationsPerShape = bySize({ short: 18, long: 72 });

describe("broken feeds", function () {
  this.timeout(180_000);

  for (const shape of shapes) {
    it(`are published whole or not at all in the ${shape} format`, async () => {
      const { faults, refused } = await feedRing(shape, { feeds: mutationsPerShape, seed: shape.length * 7919 });
      expect(faults).to.deep.equal([]);
      const total = [...refused.values()].reduce((sum, count) => sum + count, 0);
      expect(total, JSON.stringify([...refused])).to.be.at.least(mutationsPerShape / 2);
      for (const kind of [
        "truncated",
        "deep nesting",
        "numbers that are none",
        "gzip cut off",
        "not UTF-8",
        "unknown names",
      ])
        expect(refused.get(kind), kind).to.be.at.least(bySize({ short: 1, long: 4 }));
    });
  }
});
