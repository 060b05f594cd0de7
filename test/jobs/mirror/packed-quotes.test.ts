import { expect } from "chai";
import { PlainCollector } from "../../../src/import/quotes/join.ts";
import type { FeedQuote, ItemQuotes } from "../../../src/import/quotes/merge-quotes.ts";
import { PackedQuotes, PackingCollector } from "../../../src/jobs/mirror/body/packed-quotes.ts";

function quote(number: number): FeedQuote {
  return {
    provider: `provider-${number % 7}`,
    amountCents: 100 + number,
    quantity: number % 3 === 0 ? null : number,
    url: number % 5 === 0 ? null : `https://example.com/listing/${number}?name=%E2%98%85`,
    observedAt: number % 2 === 0 ? null : 1_700_000_000_000 + number,
  };
}

/** Items with none, some or very many quotes, not in the order of their ids. */
function quotesOf(count: number): Map<number, ItemQuotes> {
  const items = new Map<number, ItemQuotes>();
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
  const packed = new PackedQuotes(items);

  it("quotes come out as they went in, in ascending order of their items", () => {
    expect([...packed]).to.deep.equal(ids.map((id) => [id, items.get(id)]));
    expect([...packed.entries()].length).to.equal(ids.length);
    expect([...packed.keys()]).to.deep.equal(ids);
    expect([...packed.values()]).to.deep.equal(ids.map((id) => items.get(id)));
    const seen: number[] = [];
    packed.forEach((quotes, id) => {
      if (quotes === packed.get(id)) seen.push(id);
    });
    expect(seen).to.deep.equal(ids);
    expect(packed.size).to.equal(ids.length);
  });

  it("items are found in any order, and those between them are not", () => {
    for (const id of [ids[0]!, ids.at(-1)!, ...ids.filter((_, at) => at % 97 === 0).reverse()]) {
      expect(packed.get(id), String(id)).to.deep.equal(items.get(id));
      expect([packed.has(id), packed.has(id + 1), packed.get(id + 1)]).to.deep.equal([true, false, undefined]);
    }
    expect([packed.has(0), packed.get(0), packed.get(2 ** 31)]).to.deep.equal([false, undefined, undefined]);
  });

  it("they take a quarter of their text or less", () => {
    expect(packed.packedBytes()).to.be.within(1, JSON.stringify([...items]).length / 4);
    const none = new PackedQuotes(new Map());
    expect([none.size, none.packedBytes(), [...none], none.get(1)]).to.deep.equal([0, 0, [], undefined]);
  });

  it("quotes that are collected packed are those that are collected plain, whatever their order, and more can be added", () => {
    const [plain, packing] = [new PlainCollector(), new PackingCollector()];
    // Two whole runs by their number, some by long addresses, and a part of one.
    for (let index = 0; index < 20_000; index += 1) {
      const url = index > 18_000 ? `https://example.com/${"long".repeat(100)}${index}` : quote(index).url;
      for (const collector of [plain, packing])
        collector.add((index * 7919) % 5003, index % 3 === 0 ? "bid" : "ask", { ...quote(index), url });
    }
    const [expected, collected] = [plain.end(), packing.end()];
    for (const quotes of [expected, collected]) {
      quotes.append(6000, { asks: [quote(1)], bids: [] });
      quotes.append(6001, { asks: [], bids: [quote(2)] });
    }
    expect([...collected]).to.deep.equal([...expected]);
    expect([...collected.keys()]).to.deep.equal(Array.from(expected.keys()).sort((one, other) => one - other));
  });

  it("equal quotes take the same bytes, however their texts and numbers are held", () => {
    // Cut out of a text with other letters, and out of a field that once held a fraction.
    const wide = (text: string) => `\u2605${text}`.slice(1);
    const number = Object.assign(Object.create(null) as { held: number }, { held: 0.5 });
    const doubled = (value: number) => {
      number.held = value;
      return number.held;
    };
    const held = (quote: FeedQuote) => ({
      ...quote,
      provider: wide(quote.provider),
      amountCents: doubled(quote.amountCents),
      url: quote.url === null ? null : wide(quote.url),
    });
    const others = Array.from(
      items,
      ([id, { asks, bids }]) => [id, { asks: asks.map(held), bids: bids.map(held) }] as const,
    );
    expect(new PackedQuotes(new Map(others)).packedBytes()).to.equal(packed.packedBytes());
  });
});
