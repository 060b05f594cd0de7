import { expect } from "chai";
import { CompressedQuotes } from "../../../src/jobs/mirror/body/compressed-quotes.ts";
import type { Book, BookQuote } from "../../../src/wire/quotes.ts";

function quote(number: number): BookQuote {
  return {
    provider: `provider-${number % 7}`,
    amountCents: 100 + number,
    quantity: number % 3 === 0 ? null : number,
    url: number % 5 === 0 ? null : `https://example.com/listing/${number}?name=%E2%98%85`,
    observedAt: number % 2 === 0 ? null : 1_700_000_000_000 + number,
  };
}

/** Items with none, some or very many quotes, not in the order of their ids. */
function quotesOf(count: number): Map<number, Book> {
  const items = new Map<number, Book>();
  for (let index = 0; index < count; index += 1) {
    const asks = Array.from({ length: index === 7 ? 3000 : index % 4 }, (_, at) => quote(index * 31 + at));
    const bids = Array.from({ length: index % 3 }, (_, at) => quote(index * 17 + at));
    items.set(((index * 7919) % count) * 3 + 1, { asks, bids });
  }
  return items;
}

describe("packed quotes", () => {
  const items = quotesOf(3000);
  const ids = Array.from(items.keys()).sort((a, b) => a - b);
  const compressed = new CompressedQuotes(items);

  it("are unpacked unchanged in ascending order of items", () => {
    expect([...compressed]).to.deep.equal(ids.map((id) => [id, items.get(id)]));
    expect([...compressed.entries()].length).to.equal(ids.length);
    expect([...compressed.keys()]).to.deep.equal(ids);
    expect([...compressed.values()]).to.deep.equal(ids.map((id) => items.get(id)));
    const seen: number[] = [];
    compressed.forEach((quotes, id) => {
      if (quotes === compressed.get(id)) seen.push(id);
    });
    expect(seen).to.deep.equal(ids);
    expect(compressed.size).to.equal(ids.length);
  });

  it("use at most a quarter of their text's size", () => {
    expect(compressed.compressedBytes()).to.be.within(1, JSON.stringify([...items]).length / 4);
    const none = new CompressedQuotes(new Map());
    expect([none.size, none.compressedBytes(), [...none], none.get(1)]).to.deep.equal([0, 0, [], undefined]);
  });
});
