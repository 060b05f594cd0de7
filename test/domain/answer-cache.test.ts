import { expect } from "chai";
import { AnswerCache } from "../../src/domain/response-cache.ts";

const megabyte = 1024 * 1024;

/** Content of `bytes` bytes with the item's number in each byte. */
function contentOf(itemId: number, bytes = 300_000): Buffer {
  return Buffer.alloc(bytes, itemId);
}

function keptOf(cache: AnswerCache<number>, state: string, itemIds: readonly number[]): number[] {
  return itemIds.filter((itemId) => cache.get(itemId, state) !== undefined);
}

describe("responses cached by item", () => {
  it("are copied with their facts, so the maker may reuse its buffer", () => {
    const cache = new AnswerCache<number>(2 * megabyte);
    const content = contentOf(1, 10);
    expect(cache.get(1, "first")).to.equal(undefined);
    cache.add(1, content, 17);
    content.fill(9);
    const kept = cache.get(1, "first")!;
    expect(kept.facts).to.equal(17);
    expect(kept.data.content).to.deep.equal(contentOf(1, 10));
  });

  it("are evicted oldest first, while given ones keep their bytes", () => {
    const cache = new AnswerCache<number>(2.1 * megabyte);
    cache.get(1, "first");
    const items = [1, 2, 3, 4, 5, 6, 7];
    const [given] = items.map((itemId) => cache.add(itemId, contentOf(itemId), itemId));
    expect(keptOf(cache, "first", items)).to.deep.equal([4, 5, 6, 7]);
    expect(given!.data.content).to.deep.equal(contentOf(1));
    for (const itemId of [8, 9, 10]) cache.add(itemId, contentOf(itemId), itemId);
    expect(keptOf(cache, "first", [...items, 8, 9, 10])).to.deep.equal([7, 8, 9, 10]);
  });

  it("are stored in shared chunks, and their overhead counts", () => {
    const [bytesMax, bytes] = [8 * megabyte, 500];
    const cache = new AnswerCache<number>(bytesMax);
    const items = Array.from({ length: 20_000 }, (_, index) => index + 1);
    cache.get(1, "first");
    for (const itemId of items) cache.add(itemId, contentOf(itemId, bytes), itemId);
    const kept = keptOf(cache, "first", items).map((itemId) => cache.get(itemId, "first")!.data.content as Buffer);
    const chunks = [...new Set(kept.map(({ buffer }) => buffer))];
    const chunkBytes = chunks.reduce((sum, { byteLength }) => sum + byteLength, 0);
    expect(chunkBytes + 512 * kept.length).to.be.within(bytesMax - 2 * megabyte, bytesMax);
    // Only the newest chunk is not full.
    expect(bytes * kept.length).to.be.above(chunkBytes - megabyte - bytes * chunks.length);
  });

  it("are returned but not cached if larger than a chunk", () => {
    const cache = new AnswerCache<number>(4 * megabyte);
    cache.get(1, "first");
    expect(cache.add(1, contentOf(1, megabyte + 1), 3).facts).to.equal(3);
    expect(cache.get(1, "first")).to.equal(undefined);
  });
});
