import { expect } from "chai";
import { AnswerCache } from "../../src/domain/kept-answers.ts";

const megabyte = 1024 * 1024;

/** An answer of so many bytes, each of which is the item's number. */
function contentOf(itemId: number, bytes = 300_000): Buffer {
  return Buffer.alloc(bytes, itemId);
}

function keptOf(cache: AnswerCache<number>, state: string, itemIds: readonly number[]): number[] {
  return itemIds.filter((itemId) => cache.get(itemId, state) !== undefined);
}

describe("Answers that are kept by item", () => {
  it("where no more may be kept the oldest answers go, and whoever was given one still has its bytes", () => {
    const cache = new AnswerCache<number>(2.1 * megabyte);
    cache.get(1, "first");
    const items = [1, 2, 3, 4, 5, 6, 7];
    const [given] = items.map((itemId) => cache.add(itemId, contentOf(itemId), itemId));
    expect(keptOf(cache, "first", items)).to.deep.equal([4, 5, 6, 7]);
    expect(given!.data.content).to.deep.equal(contentOf(1));
    for (const itemId of [8, 9, 10]) cache.add(itemId, contentOf(itemId), itemId);
    expect(keptOf(cache, "first", [...items, 8, 9, 10])).to.deep.equal([7, 8, 9, 10]);
  });
});
