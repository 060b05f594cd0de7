import { expect } from "chai";
import type { Schema } from "../../src/contract/types.ts";
import { Quotes } from "../../src/domain/quotes.ts";
import { ProvidersStore } from "../../src/store/read/providers.ts";
import { QuotesStore } from "../../src/store/read/quotes.ts";
import { MarketFile } from "../support/market-file.ts";
import { referenceOf } from "../support/reference.ts";
import { codeOf } from "./failure-code.ts";

const minuteMs = 60_000;
const at = Date.UTC(2026, 0, 15, 12);
const ago = (minutes: number) => new Date(at - minutes * minuteMs).toISOString();

describe("quotes", () => {
  const file = new MarketFile();
  const providers = new ProvidersStore(file.reader);
  const quotes = new Quotes({ store: new QuotesStore(file.reader), providers });
  const reference = referenceOf(file.reader);

  before(() => {
    for (const id of [1, 2, 3, 4, 5, 7])
      file.item(id, { name: `★ "${id}"`, phase: id === 2 ? "Ruby" : null, inCatalog: id !== 5 });
  });

  after(() => file.remove());

  it("are data_unavailable without a publication; unknown items are not found", () => {
    expect(codeOf(() => quotes.item({ itemId: 1, provider: null }, at))).to.equal("data_unavailable");
    expect(codeOf(() => quotes.item({ itemId: 6, provider: null }, at))).to.equal("item_not_found");
    expect(codeOf(() => quotes.batch({ itemIds: [1], provider: null, side: null }, at))).to.equal("data_unavailable");
  });

  describe("published generation", () => {
    before(() => {
      file.feed("watched", ["demo", "steam"], at - 15 * minuteMs);
      file.feed("old", ["buff"], at - 15 * minuteMs - 1);
      file.feed("never", ["ghost"], null, false);
      file.publish(8, at - 1, {
        1: {
          asks: [
            { provider: "demo", amount: 100, as_of: ago(30) },
            { provider: "buff", amount: 90 },
          ],
          bids: [{ provider: "demo", amount: 80, as_of: ago(2) }],
        },
        2: {
          asks: [{ provider: "demo", amount: 100, as_of: ago(30) }],
          bids: [{ provider: "demo", amount: 80, as_of: ago(2) }],
        },
        3: { bids: [{ provider: "steam", amount: 7 }] },
        5: { asks: [{ provider: "demo", amount: 5, as_of: ago(30.001) }] },
      });
    });

    it("has the oldest observation as as_of, fresh for 30 minutes", () => {
      expect(read(2).meta).to.deep.equal({
        as_of: ago(30),
        freshness: "fresh",
        cache_recently_checked: true,
        timestamp_quality: "source_observed",
      });
      expect(read(5).meta).to.deep.include({ freshness: "stale", timestamp_quality: "source_observed" });
    });

    it("keeps the quotes of departed items", () => {
      expect(read(5).data.asks).to.have.length(1);
    });

    it("refuses an unknown provider before any charge", () => {
      const body = { item_ids: [1], provider: "nowhere" };
      expect(codeOf(() => quotes.prepareItem({ item_id: 1, provider: "nowhere" }, reference))).to.equal(
        "unknown_provider",
      );
      expect(codeOf(() => quotes.prepareBatch({ body }, reference))).to.equal("unknown_provider");
      // In the same form as every other fault of a body.
      expect(() => quotes.prepareBatch({ body }, reference)).to.throw(/^request body `provider`: /);
      expect(quotes.prepareItem({ item_id: 1, provider: "ghost" }, reference).provider).to.equal("ghost");
    });

    it("returns every id of a batch of a hundred", () => {
      const ids = Array.from({ length: 100 }, (_, index) => 100 - index);
      expect(batch(ids).data.map((entry) => entry.item_id)).to.deep.equal(ids);
    });
  });

  function read(itemId: number, provider: string | null = null) {
    const { data, meta } = quotes.item({ itemId, provider }, at);
    return { data: JSON.parse(data.json) as Schema<"MarketPrices">, meta };
  }

  function batch(itemIds: number[], provider: string | null = null, side: "ask" | "bid" | null = null) {
    const { data, meta } = quotes.batch({ itemIds, provider, side }, at);
    return { data: JSON.parse(data.json) as Schema<"MarketPricesBatchEntry">[], meta };
  }
});
