import { expect } from "chai";
import {
  type BookQuote,
  encodeBook,
  encodeUntimedBook,
  inOrder,
  noQuotes,
  providersOf,
} from "../../src/wire/quotes.ts";

const at = Date.UTC(2026, 0, 15, 9);
const tricky: BookQuote = {
  provider: "hall",
  amountCents: 120,
  quantity: 3,
  url: 'https://a.example/?q=,"bids":[]\\é',
  observedAt: at,
};
const plain: BookQuote = { provider: "row", amountCents: 90, quantity: null, url: null, observedAt: null };

describe("encoded quotes", () => {
  it("equal the output of JSON.stringify for any text", () => {
    const book = { asks: [tricky, plain], bids: [plain] };
    expect(encodeBook(book)).to.equal(textOf(book.asks.map(sent), book.bids.map(sent)));
    const untimed = (quote: BookQuote) => ({ ...sent(quote), as_of: null });
    expect(encodeUntimedBook(book)).to.equal(textOf(book.asks.map(untimed), book.bids.map(untimed)));
    expect([encodeBook({ asks: [], bids: [] }), encodeUntimedBook({ asks: [], bids: [] })]).to.deep.equal([
      noQuotes,
      noQuotes,
    ]);
  });

  it("sort asks up and bids down, and ties by provider", () => {
    const equal = { ...tricky, provider: "ant", amountCents: 90 };
    const { asks, bids } = inOrder({ asks: [tricky, plain, equal], bids: [plain, tricky, equal] });
    expect(asks).to.deep.equal([equal, plain, tricky]);
    expect(bids).to.deep.equal([tricky, equal, plain]);
  });

  it("name their providers once each, in order", () => {
    expect(providersOf([plain, tricky, plain])).to.equal("hall,row");
    expect(providersOf([])).to.equal("");
  });
});

function sent({ provider, amountCents, quantity, url, observedAt }: BookQuote) {
  const as_of = observedAt === null ? null : new Date(observedAt).toISOString();
  return { provider, amount: amountCents, currency: "USD", minor_units: 2, quantity, url, as_of };
}

function textOf(asks: readonly object[], bids: readonly object[]): string {
  return `"asks":${JSON.stringify(asks)},"bids":${JSON.stringify(bids)}`;
}
