import { expect } from "chai";
import fc from "fast-check";
import type { Plan } from "../../src/access/plans.ts";
import type { Params } from "../../src/contract/types.ts";
import { Catalog } from "../../src/domain/catalog.ts";
import { SearchIndex } from "../../src/domain/search-index.ts";
import { CatalogStore } from "../../src/store/read/catalog.ts";
import { MarketStateStore } from "../../src/store/read/market-state.ts";
import { Failure } from "../../src/values/failure/failure.ts";
import { foldText, searchTextOf } from "../../src/values/text/search-text.ts";
import { MarketFile } from "../support/market-file.ts";
import { referenceOf } from "../support/reference.ts";
import { bySize } from "../support/size.ts";

const at = Date.UTC(2026, 0, 15, 12);
const names = [
  "AK-47 | Красная линия",
  "★ Karambit | Doppler",
  "StatTrak™ M4A4 | 龍王",
  "Glock-18 | É",
  "100% _Foil_",
  "a",
];

describe("catalog", () => {
  const file = new MarketFile();
  const store = new CatalogStore(file.reader);
  const state = new MarketStateStore(file.reader);
  const index = new SearchIndex({ catalog: () => store, state });
  const catalog = new Catalog({ store, state, index });
  const texts = new Map<number, string>();
  const reference = referenceOf(file.reader);
  const prepared = (params: Params<"listItems">, plan: Plan = "trader") =>
    catalog.prepareList(params, { caller: { plan }, reference });

  before(() => {
    file.feed("one", ["steam", "buff"], at);
    for (let id = 1; id <= 300; id += 1) {
      const name = `${names[id % names.length]} ${id}`;
      const nameRu = id % 3 === 0 ? `Нож ${id} Сапфир` : null;
      const inCatalog = id % 11 !== 0;
      file.item(id * 3, { name, nameRu, inCatalog });
      if (inCatalog) texts.set(id * 3, searchTextOf(name, nameRu));
    }
    file.publish(1, at, {
      3: {
        asks: [
          { provider: "steam", amount: 500 },
          { provider: "buff", amount: 450 },
        ],
        bestAskChangedAt: at - 1000,
      },
      6: { asks: [{ provider: "steam", amount: 70 }] },
      9: { bids: [{ provider: "steam", amount: 60 }] },
    });
  });

  after(() => {
    index.close();
    file.remove();
  });

  it("is paged by cursor to the end, without departed items", () => {
    const seen: number[] = [];
    for (let cursor: number | null = 0; cursor !== null; ) {
      const { data, meta } = catalog.list(prepared({ cursor, limit: 7 }), true);
      seen.push(...data.map((item) => item.item_id));
      if (meta.next_cursor !== null) expect(meta.next_cursor).to.equal(seen.at(-1));
      cursor = meta.next_cursor;
    }
    expect(seen).to.deep.equal([...texts.keys()]);
  });

  it("marks a full last page as the last", () => {
    const { data, meta } = catalog.list({ ...prepared({}), limit: texts.size }, false);
    expect([data.length, meta.next_cursor]).to.deep.equal([texts.size, null]);
  });

  it("dates an item's best ask by the first sight of its amount", () => {
    const { data } = catalog.list(prepared({ limit: 3 }), true);
    expect(data.map((item) => [item.best_ask_cents, item.best_ask_provider, item.price_updated_at])).to.deep.equal([
      [450, "buff", new Date(at - 1000).toISOString()],
      [70, "steam", new Date(at).toISOString()],
      [null, null, null],
    ]);
  });

  it("shows no price to the Free plan, searched or not", async () => {
    await index.refresh();
    for (const q of [undefined, "karambit"]) {
      const { data } = catalog.list(prepared(q === undefined ? {} : { q }), false);
      const prices = data.flatMap((item) => [item.best_ask_cents, item.best_ask_provider, item.price_updated_at]);
      expect(new Set(prices)).to.deep.equal(new Set([null]));
    }
  });

  it("returns a departed item and reports an unknown one as not found", () => {
    expect(catalog.item(33).data).to.include({ item_id: 33, slug: "item-33" });
    expect(() => catalog.item(34))
      .to.throw(Failure)
      .with.property("code", "item_not_found");
  });

  for (const indexed of [false, true]) {
    it(`finds exactly the names with a text ${indexed ? "with" : "without"} the index`, async () => {
      if (indexed) await index.refresh();
      const own = indexed
        ? catalog
        : new Catalog({ store, state, index: new SearchIndex({ catalog: () => store, state }) });
      const pieces = fc
        .constantFrom(...texts.values())
        .chain((text) => fc.tuple(fc.constant(text), fc.nat(text.length - 1), fc.integer({ min: 1, max: 12 })))
        .map(([text, from, length]) => text.replace("\n", "").slice(from, from + length))
        .filter((piece) => piece.length > 0 && !/\p{Surrogate}/u.test(piece));
      const absent = fc.string({ unit: "grapheme", minLength: 1, maxLength: 20 }).filter((text) => !text.includes('"'));
      const cursor = fc.integer({ min: 0, max: 900 });
      fc.assert(
        fc.property(fc.oneof(pieces, absent), cursor, fc.integer({ min: 1, max: 100 }), (q, after, limit) => {
          const expected = [...texts]
            .filter(([id, text]) => id > after && text.includes(foldText(q)))
            .map(([id]) => id);
          const literal = /[\p{L}\p{N}]/u.test(q) ? `"${q}"` : q;
          const { data, meta } = own.list(prepared({ q: literal, cursor: after, limit }), true);
          expect(data.map((item) => item.item_id)).to.deep.equal(expected.slice(0, limit));
          expect(meta.next_cursor).to.equal(expected.length > limit ? expected[limit - 1] : null);
        }),
        { numRuns: indexed ? bySize({ short: 120, long: 2000 }) : bySize({ short: 30, long: 100 }) },
      );
    });
  }

  it("resolves a name to all its items in ascending id, including departed", () => {
    const twin = "StatTrak™ M4A4 | 龍王 2";
    file.item(2_000, { name: twin, phase: "Ruby" });
    file.item(1_999, { name: twin, phase: "Sapphire", inCatalog: false });
    const resolved = catalog.resolve([twin, "a 5", twin.toLowerCase(), "", "É".normalize("NFD"), "a 5\u0000"]).data;
    expect(resolved[0]).to.deep.equal({
      name: twin,
      ambiguous: true,
      candidates: [
        { item_id: 6, phase: null, identity: "exact", in_catalog: true },
        { item_id: 1_999, phase: "Sapphire", identity: "exact", in_catalog: false },
        { item_id: 2_000, phase: "Ruby", identity: "exact", in_catalog: true },
      ],
    });
    expect(resolved[1]).to.deep.include({ ambiguous: false });
    expect(resolved[1]?.candidates.map(({ item_id }) => item_id)).to.deep.equal([15]);
    for (const none of resolved.slice(2)) expect(none, none.name).to.deep.include({ ambiguous: false, candidates: [] });
  });

  it("compares names in their normal form", () => {
    file.item(2_001, { name: "Café" });
    const [one, other] = catalog.resolve(["Café", "Cafe\u0301"]).data;
    expect(one?.candidates).to.have.length(1);
    expect(other).to.deep.equal({ ...one, name: "Cafe\u0301" });
  });

  it("finds an item as soon as the catalog has it", async () => {
    const found = () => catalog.list(prepared({ q: "NEWCOMER" }), false).data.map((item) => item.item_id);
    await index.refresh();
    expect(found()).to.deep.equal([]);
    file.item(1000, { name: "Newcomer" });
    texts.set(1000, "newcomer");
    expect(found()).to.deep.equal([1000]);
  });
});
