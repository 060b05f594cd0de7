import { createHash } from "node:crypto";
import { expect } from "chai";
import fc from "fast-check";
import { type ComparedMarket, compareAtMost, compareMarket } from "../../../src/import/quotes/compare-market.ts";
import { type FeedQuotes, isPublished, publishInBatches } from "../../../src/import/quotes/publish.ts";
import { checkGenerations } from "../../../src/store/check/generations.ts";
import { closeDatabase, type Database, openWriter } from "../../../src/store/database.ts";
import { runAtOnce } from "../../../src/store/write/batches.ts";
import type { Book } from "../../../src/wire/quotes.ts";
import { bySize, describeLong, itLong } from "../../support/size.ts";
import { edit } from "../../support/unguarded.ts";
import { marketOf, type PlainItem, priceLine, QuoteWorld, variantOf, worldAt } from "./quote-world.ts";

const itemCount = 12;
/** Left the catalog before the first round. */
const delisted = 5;
/** Pages of which no record holds one of the second length, or two of the first. */
const longUrls = [130_000, 250_000].map((length) => `https://hall.example/${"a".repeat(length)}`);

/** Two feeds of two providers each. */
const feeds = { wood: ["alder", "birch"], grove: ["cedar", "elm"] } as const;
type Feed = keyof typeof feeds;

const quote = fc.record({
  amountCents: fc.integer({ min: 1, max: 30 }),
  quantity: fc.option(fc.integer({ min: 1, max: 9 })),
  url: fc.option(fc.constantFrom('https://hall.example/a?b="', "https://hall.example/★"), { freq: 2 }),
  observedAt: fc.option(fc.integer({ min: 1, max: 3 }).map((minutes) => minutes * 60_000)),
});
type Said = typeof quote extends fc.Arbitrary<infer Value> ? Value : never;
const sides = fc.record({ ask: fc.option(quote), bid: fc.option(quote, { freq: 2 }) });
/** Two providers per item. `time` is shared by all quotes. If undefined, each quote has its own. `long` marks an item with long pages. */
const body = fc.record({
  items: fc.dictionary(fc.integer({ min: 1, max: itemCount }).map(String), fc.tuple(sides, sides), { maxKeys: 8 }),
  time: fc.option(fc.constantFrom(null, 60_000, 120_000), { nil: undefined }),
  long: fc.option(fc.tuple(fc.integer({ min: 1, max: 4 }), fc.constantFrom(...longUrls)), { freq: 2 }),
});
const rounds = fc.array(fc.record({ wood: fc.option(body, { freq: 3 }), grove: fc.option(body, { freq: 3 }) }), {
  minLength: 1,
  maxLength: 6,
});

describe("comparison of fresh quotes with the market", function () {
  this.timeout(300_000);
  let world: QuoteWorld;
  let database: Database;
  let now: number;
  const clock = { now: () => now, monotonicMs: () => 0 };
  const publish = (fresh: readonly FeedQuotes[]) => runAtOnce(publishInBatches(database, fresh, { clock }));

  function begin(): void {
    world = new QuoteWorld(Array.from({ length: itemCount }, (_, index) => variantOf({}, index)));
    database = openWriter(world.path, 1000);
    database.$client.pragma("synchronous = OFF");
    edit(database.$client, `UPDATE items SET in_catalog = 0 WHERE item_id = ${delisted}`);
    now = worldAt;
  }
  function end(): void {
    closeDatabase(database);
    world.destroy();
  }

  itLong("leaves the last bodies of all feeds after random rounds", () => {
    fc.assert(
      fc.property(rounds, (sequence) => {
        begin();
        try {
          const plain = new PlainMarket();
          let leftOut = Number.NaN;
          for (const round of sequence) {
            const said = (["wood", "grove"] as const).filter((feed) => round[feed] !== null);
            if (said.length === 0) continue;
            now += 1000;
            const fresh = said.map((feed) => feedOf(feed, itemsOf(feed, round[feed]!)));
            const before = plain.text();
            const tooLarge = plain.take(fresh, now);
            const published = publish(fresh);
            expect(published.tooLarge).to.have.members(tooLarge);
            // Omitted items still change the outcome if times are shared.
            if (leftOut + tooLarge.length === 0)
              expect(published.outcome).to.equal(plain.text() === before ? "verified" : "published");
            leftOut = tooLarge.length;
            plain.compare(database);
            expect(publish(fresh).outcome).to.equal("verified");
            for (const feed of fresh) expect(isPublished(database, feed)).to.equal(true);
          }
          expect(checkGenerations(database).filter(({ isFault }) => isFault)).to.deep.equal([]);
        } finally {
          end();
        }
      }),
      { numRuns: bySize({ short: 20, long: 600 }) },
    );
  });

  describe("with one feed", () => {
    const said = (cents: number, observedAt: number | null = null, url: string | null = null): Book => ({
      asks: [{ provider: "alder", amountCents: cents, quantity: null, url, observedAt }],
      bids: [],
    });
    const providers = new Set(feeds.wood);
    const compared = (items: Record<number, Book>) => compareMarket(database, [{ quotes: mapOf(items), providers }]);
    const rowsOf = ({ changes }: ComparedMarket) =>
      changes.rows.map((change) => [change.itemId, change.provider, changes.rowOf(change)?.askCents]);
    beforeEach(() => {
      begin();
      publish([feedOf("wood", mapOf({ 1: said(10, 60_000), 2: said(20, 60_000), 3: said(30, 60_000) }))]);
    });
    afterEach(end);

    it("reports exactly the added, changed and removed quotes", () => {
      const market = compared({ 1: said(10, 60_000), 2: said(21, 60_000), 4: said(40, 60_000) });
      const { items, bestAsks } = market;
      expect(rowsOf(market)).to.deep.equal([
        [2, "alder", 21],
        [3, "alder", undefined],
        [4, "alder", 40],
      ]);
      expect(items.map(({ itemId }) => itemId)).to.deep.equal([2, 3, 4]);
      expect(bestAsks.map(({ itemId }) => itemId)).to.deep.equal([2, 3, 4]);
    });

    it("stops at the first row beyond its limit", () => {
      const fresh = mapOf({ 1: said(10, 60_000), 2: said(21, 60_000), 4: said(40, 60_000) });
      const asked: number[] = [];
      const get = (itemId: number) => {
        asked.push(itemId);
        return fresh.get(itemId);
      };
      const within = (rowsMax: number) =>
        compareAtMost(database, [{ quotes: { keys: () => fresh.keys(), get }, providers }], { rowsMax });
      expect(within(3)?.changes.rows).to.have.length(3);
      asked.length = 0;
      expect(within(1)).to.equal(null);
      // Their times are looked at first.
      expect(asked).to.deep.equal([1, 2, 4, 1, 2, 3]);
    });

    it("changes no row or item when a shared time moves", () => {
      const moved = compared({ 1: said(10, 70_000), 2: said(20, 70_000), 3: said(30, 70_000) });
      expect(moved).to.deep.include({ isChanged: true, items: [], bestAsks: [] });
      expect(moved.changes.rows).to.deep.equal([]);
      expect([...moved.changes.sharedTimes]).to.deep.equal([
        ["alder", 70_000],
        ["birch", null],
      ]);
    });

    it("stores a time per quote as soon as one time differs", () => {
      const own = compared({ 1: said(10, 60_000), 2: said(20, 60_000), 3: said(30, 70_000) });
      const { rows, sharedTimes } = own.changes;
      expect(rows.map((change) => own.changes.rowOf(change)!.askAsOf)).to.deep.equal([60_000, 60_000, 70_000]);
      expect(own).to.deep.include({ isChanged: true, items: [], bestAsks: [] });
      expect(sharedTimes.get("alder")).to.equal(null);
    });

    it("removes only the feed's quotes of an oversized item", () => {
      publish([feedOf("grove", mapOf({ 2: { asks: [], bids: [{ ...said(9).asks[0]!, provider: "elm" }] } }))]);
      const market = compared({ 1: said(10, 60_000), 2: said(20, 60_000, longUrls[1]) });
      expect(market.changes.tooLarge).to.deep.equal([[2]]);
      expect(rowsOf(market)).to.deep.equal([
        [2, "alder", undefined],
        [3, "alder", undefined],
      ]);
    });

    it("keeps the first feed's quotes of an item oversized by two", () => {
      const [first, second] = (["alder", "elm"] as const).map((provider) => ({
        quotes: mapOf({ 1: { asks: [{ ...said(9, 60_000, longUrls[0]).asks[0]!, provider }], bids: [] } }),
        providers: new Set([provider]),
      }));
      const market = compareMarket(database, [first!, second!]);
      expect(market.changes.tooLarge).to.deep.equal([[], [1]]);
      expect(rowsOf(market)[0]).to.deep.equal([1, "alder", 9]);
    });

    it("dates a new offer's first sight by the source's save time", () => {
      const since = () => database.$client.prepare("SELECT item_id, ask_since FROM quotes ORDER BY 1").raw().all();
      const take = (items: Record<number, Book>, savedAt: number) =>
        publish([{ ...feedOf("wood", mapOf(items)), checkedAt: now, savedAt }]);
      take({ 1: said(10), 2: said(21) }, worldAt - 5);
      expect(since()).to.deep.equal([
        [1, worldAt],
        [2, worldAt - 5],
      ]);
      // A source with a clock ahead of the server's.
      take({ 1: said(11), 2: said(21) }, worldAt + 5);
      expect(since()).to.deep.equal([
        [1, worldAt],
        [2, worldAt - 5],
      ]);
    });

    it("writes nothing", () => {
      const before = world.logicalDigest();
      compared({ 1: said(11), 7: said(70) });
      expect(world.logicalDigest()).to.equal(before);
    });
  });
});

describeLong("publication of over 30,000 changed quotes of two feeds", () => {
  it("gives each feed a generation if both change greatly", () => {
    const world = new QuoteWorld(Array.from({ length: 15_001 }, (_, index) => variantOf({}, index)));
    const database = openWriter(world.path, 1000);
    const clock = { now: () => worldAt, monotonicMs: () => 0 };
    const publish = (cents: number, count: number) => {
      const fresh = (["wood", "grove"] as const).map((feed) => {
        const quote = { provider: feeds[feed][0], amountCents: cents, quantity: null, url: null, observedAt: null };
        const items = Array.from({ length: 15_001 }, (_, index) => index + 1);
        const book = (itemId: number) => ({ asks: [{ ...quote, amountCents: itemId > count ? 1 : cents }], bids: [] });
        return feedOf(feed, new Map(items.map((itemId) => [itemId, book(itemId)])));
      });
      const { outcome, generationId, quotes } = runAtOnce(publishInBatches(database, fresh, { clock }));
      return { outcome, generationId, quotes };
    };
    expect(publish(1, 0)).to.deep.equal({ outcome: "published", generationId: 2, quotes: 30_002 });
    expect(publish(2, 100)).to.deep.equal({ outcome: "published", generationId: 3, quotes: 30_002 });
    expect(checkGenerations(database).filter(({ isFault }) => isFault)).to.deep.equal([]);
    closeDatabase(database);
    world.destroy();
  });
});

/** The market after the last body of each feed. Also records the times of each item's best ask and of each offer. */
class PlainMarket {
  readonly #bodies = new Map<string, Map<number, Book>>();
  readonly #best = new Map<number, { of: string; at: number }>();
  readonly #since = new Map<string, { cents: number; at: number }>();

  /** Applies bodies that are published together. Returns the items that exceed the size limit with them. */
  take(fresh: readonly FeedQuotes[], at: number): number[] {
    const before = new Map(this.#bodies);
    for (const { facts, items } of fresh) this.#bodies.set(facts.feed, new Map(items));
    const together = this.#tooLarge();
    const leftOut: number[] = [];
    // One after the other, because the first feeds keep an item that fits.
    for (const itemId of together) {
      for (const { facts } of fresh) setOrDelete(this.#body(facts.feed), itemId, before.get(facts.feed)?.get(itemId));
      for (const { facts, items } of fresh) {
        setOrDelete(this.#body(facts.feed), itemId, items.get(itemId));
        if (!this.#tooLarge().includes(itemId)) continue;
        this.#body(facts.feed).delete(itemId);
        leftOut.push(itemId);
      }
    }
    this.#date(at);
    return [...new Set(leftOut)];
  }

  #body(feed: string): Map<number, Book> {
    return this.#bodies.get(feed)!;
  }

  #tooLarge(): number[] {
    return this.items()
      .filter(({ itemId, ...sides }) => priceLine(itemId, sides).length > 250_000)
      .map(({ itemId }) => itemId);
  }

  #date(at: number): void {
    const asked = this.items().flatMap(({ itemId, asks }) => asks.map((ask) => ({ itemId, ...ask })));
    const keys = new Set(asked.map(({ itemId, provider }) => `${itemId} ${provider}`));
    for (const key of this.#since.keys()) if (!keys.has(key)) this.#since.delete(key);
    for (const { itemId, provider, amount } of asked) {
      const key = `${itemId} ${provider}`;
      if (this.#since.get(key)?.cents !== amount) this.#since.set(key, { cents: amount, at });
    }
    const firsts = new Map(this.items().map(({ itemId, asks: [best] }) => [itemId, best]));
    for (const itemId of this.#best.keys()) if (firsts.get(itemId) === undefined) this.#best.delete(itemId);
    for (const [itemId, best] of firsts) {
      if (best === undefined) continue;
      const of = `${best.amount} ${best.provider}`;
      if (this.#best.get(itemId)?.of !== of) this.#best.set(itemId, { of, at });
    }
  }

  items(): PlainItem[] {
    return Array.from({ length: itemCount }, (_, index) => index + 1)
      .map((itemId) => {
        const books = [...this.#bodies.values()].flatMap((items) => items.get(itemId) ?? []);
        const sorted = (side: "asks" | "bids", sign: number) =>
          books
            .flatMap((book) => book[side])
            .map(({ provider, amountCents, quantity, url, observedAt }) => ({
              provider,
              amount: amountCents,
              quantity,
              url,
              as_of: observedAt,
            }))
            .sort((a, b) => sign * (a.amount - b.amount) || a.provider.localeCompare(b.provider));
        return { itemId, asks: sorted("asks", 1), bids: sorted("bids", -1) };
      })
      .filter(({ asks, bids }) => asks.length + bids.length > 0);
  }

  text(): string {
    return JSON.stringify(this.items());
  }

  /** Compares everything that the file holds of quotes. */
  compare(database: Database): void {
    const { $client: client } = database;
    const items = this.items();
    expect(marketOf(client)).to.deep.equal(items);
    const best = client.prepare(
      `SELECT item_id, ask_cents || ' ' || provider AS of, changed_at AS at, quote_bytes AS bytes
       FROM best_asks LEFT JOIN frame_providers ON number = provider_id ORDER BY 1`,
    );
    expect(best.all()).to.deep.equal(
      items.map(({ itemId, ...sides }) => ({
        item_id: itemId,
        ...(this.#best.get(itemId) ?? { of: null, at: null }),
        bytes: Buffer.byteLength(priceLine(itemId, sides)) - `{"item_id":${itemId},}\n`.length,
      })),
    );
    const since = client
      .prepare(
        `SELECT item_id || ' ' || provider, ask_since FROM quotes JOIN frame_providers ON number = provider_id
         WHERE ask_cents IS NOT NULL`,
      )
      .raw();
    expect(new Map(since.all() as [string, number][])).to.deep.equal(
      new Map([...this.#since].map(([key, since]) => [key, since.at])),
    );
    const [listed, others] = [true, false].map((isListed) => {
      const lines = items
        .filter(({ itemId }) => (itemId !== delisted) === isListed)
        .map(({ itemId, ...sides }) => priceLine(itemId, sides));
      const text = lines.join("");
      const digest = createHash("sha256").update(text).digest("hex").toUpperCase();
      return { items: lines.length, bytes: Buffer.byteLength(text), digest };
    }) as [Totals, Totals];
    const generation = client.prepare(
      `SELECT items, bytes, hex(digest) AS digest, hex(rest_digest) AS rest, quotes FROM generations WHERE state = 'published'`,
    );
    const quotes = items.reduce((sum, { asks, bids }) => sum + asks.length + bids.length, 0);
    expect(generation.get()).to.deep.equal({ ...listed, rest: others.digest, quotes });
  }
}

function setOrDelete(body: Map<number, Book>, itemId: number, quotes: Book | undefined): void {
  if (quotes === undefined) body.delete(itemId);
  else body.set(itemId, quotes);
}

type Totals = { items: number; bytes: number; digest: string };

function feedOf(feed: Feed, items: ReadonlyMap<number, Book>): FeedQuotes {
  const providers = feeds[feed].map((provider) => ({ provider, name: provider, kind: "cash" as const }));
  return { facts: { feed, adapter: "canonical", providers }, items };
}

function mapOf(items: Record<number, Book>): Map<number, Book> {
  return new Map(Object.entries(items).map(([itemId, quotes]) => [Number(itemId), quotes]));
}

function itemsOf(feed: Feed, { items, time, long }: typeof body extends fc.Arbitrary<infer Value> ? Value : never) {
  const books = new Map<number, Book>();
  for (const [id, byProvider] of Object.entries(items)) {
    const itemId = Number(id);
    const side = (name: "ask" | "bid") =>
      byProvider.flatMap((said, index) => {
        const given: Said | null = said[name];
        if (given === null) return [];
        const observedAt = time === undefined ? given.observedAt : time;
        const url = itemId === long?.[0] ? long[1] : given.url;
        return [{ ...given, provider: feeds[feed][index]!, observedAt, url }];
      });
    const book = { asks: side("ask"), bids: side("bid") };
    if (book.asks.length + book.bids.length > 0) books.set(itemId, book);
  }
  return books;
}
