import { expect } from "chai";
import { KeptAnswers } from "../../src/domain/kept-answers.ts";

const answer = Buffer.alloc(9_000);

/** A cache of at most `bytesMax` bytes that has seen all of these requests before. */
function keptOf(bytesMax: number, ...asked: string[]): KeptAnswers<number> {
  const kept: KeptAnswers<number> = new KeptAnswers(bytesMax);
  for (const request of asked) kept.add(request, answer, 0);
  return kept;
}

describe("cached responses", () => {
  const requests = [1, 2, 3, 4, 5].map((number) => `request ${number}`);

  it("are the most recently used ones within the size limit", () => {
    const kept = keptOf(45_000, ...requests, "large");
    for (let number = 1; number <= 4; number += 1) kept.add(`request ${number}`, answer, number);
    kept.get("request 1", "");
    kept.add("request 5", answer, 5);
    const held = [1, 2, 3, 4, 5].filter((number) => kept.get(`request ${number}`, "")?.facts === number);
    expect(held).to.deep.equal([1, 3, 4, 5]);
    kept.add("large", Buffer.alloc(50_000), 0);
    expect(kept.get("large", "")).to.equal(undefined);
  });

  it("use the space of one for repeated requests", () => {
    const kept = keptOf(21_000, "one", "two");
    kept.add("one", answer, 1);
    for (let number = 1; number <= 9; number += 1) kept.add("two", answer, number);
    expect([kept.get("one", "")?.facts, kept.get("two", "")?.facts]).to.deep.equal([1, 9]);
  });

  it("exclude the response to a first request", () => {
    const kept = keptOf(45_000, "one");
    expect(kept.get("one", "")).to.equal(undefined);
    expect(kept.add("two", answer, 2)).to.deep.include({ facts: 2 });
    expect(kept.get("two", "")).to.equal(undefined);
  });
});
