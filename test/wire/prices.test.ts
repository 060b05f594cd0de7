import { expect } from "chai";
import { decodeAsks, decodeQuotes, encodeQuotes, makeQuote, noQuotes } from "../../src/wire/quotes.ts";

const at = Date.UTC(2026, 0, 15, 9);

describe("Quotes as they are stored and sent", () => {
  const tricky = makeQuote({
    provider: "hall",
    amountCents: 120,
    quantity: 3,
    url: 'https://a.example/?q=,"bids":[]',
    observedAt: at,
  });
  const plain = makeQuote({ provider: "row", amountCents: 90, quantity: null, url: null, observedAt: null });

  it("encoded quotes decode to what they were, and so do the asks alone, whatever their texts hold", () => {
    const sides = { asks: [tricky, plain], bids: [plain] };
    expect(decodeQuotes(encodeQuotes(sides))).to.deep.equal(sides);
    expect(decodeAsks(encodeQuotes(sides))).to.deep.equal(sides.asks);
    expect(decodeQuotes(noQuotes)).to.deep.equal({ asks: [], bids: [] });
    expect(encodeQuotes({ asks: [], bids: [] })).to.equal(noQuotes);
  });
});
