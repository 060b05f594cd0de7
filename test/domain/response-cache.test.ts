import { expect } from "chai";
import { ResponseCache } from "../../src/domain/response-cache.ts";

const answer = Buffer.alloc(9_000);

/** A cache of at most `bytesMax` bytes that has seen all of these requests before. */
function keptOf(bytesMax: number, ...asked: string[]): ResponseCache<number> {
  const cached: ResponseCache<number> = new ResponseCache(bytesMax);
  for (const request of asked) cached.add(request, answer, 0);
  return cached;
}

describe("cached responses", () => {
  const requests = [1, 2, 3, 4, 5].map((number) => `request ${number}`);

  it("are the most recently used ones within the size limit", () => {
    const cached = keptOf(45_000, ...requests, "large");
    for (let number = 1; number <= 4; number += 1) cached.add(`request ${number}`, answer, number);
    cached.get("request 1", "");
    cached.add("request 5", answer, 5);
    const held = [1, 2, 3, 4, 5].filter((number) => cached.get(`request ${number}`, "")?.facts === number);
    expect(held).to.deep.equal([1, 3, 4, 5]);
    cached.add("large", Buffer.alloc(50_000), 0);
    expect(cached.get("large", "")).to.equal(undefined);
  });

  it("use the space of one for repeated requests", () => {
    const cached = keptOf(21_000, "one", "two");
    cached.add("one", answer, 1);
    for (let number = 1; number <= 9; number += 1) cached.add("two", answer, number);
    expect([cached.get("one", "")?.facts, cached.get("two", "")?.facts]).to.deep.equal([1, 9]);
  });

  it("exclude the response to a first request", () => {
    const cached = keptOf(45_000, "one");
    expect(cached.get("one", "")).to.equal(undefined);
    expect(cached.add("two", answer, 2)).to.deep.include({ facts: 2 });
    expect(cached.get("two", "")).to.equal(undefined);
  });
});
