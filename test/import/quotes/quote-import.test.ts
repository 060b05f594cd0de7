import { expect } from "chai";
import { reportJson, reportText } from "../../../src/import/quotes/report.ts";
import { openWriter } from "../../../src/store/database.ts";
import { BookReader } from "../../../src/store/read/books.ts";
import { isDemo, markDemo } from "../../../src/store/write/demo-mark.ts";
import { feedText, steamBody } from "../../support/bodies.ts";
import { marketOf, publishedState, QuoteWorld, refusalOf, worldAt } from "./quote-world.ts";

const hall = [{ provider: "hall", name: "Hall", kind: "cash" }];
const feed = (quotes: readonly object[], providers: readonly object[] = hall, name = "hall") =>
  feedText(name, providers, quotes);
const ask = (name: string, amount: number, more: object = {}) => ({
  market_hash_name: name,
  provider: "hall",
  side: "ask",
  amount,
  ...more,
});

type BestAsk = { item_id: number; cents: number | null; provider: string | null; changed_at: number | null };

describe("import of quotes", () => {
  let world: QuoteWorld;
  beforeEach(() => {
    const knife = { marketHashName: "★ Karambit | Doppler (Factory New)" };
    world = new QuoteWorld([
      {},
      {},
      { ...knife, identityKey: "paint:507:doppler///plain/", identity: "unphased" },
      { ...knife, identityKey: "paint:507:415///plain/Ruby", phase: "Ruby" },
      { ...knife, identityKey: "paint:507:418///plain/1", phase: "Phase 1" },
      { marketHashName: "Pin", identityKey: "pin:1" },
      { marketHashName: "Pin", identityKey: "pin:2" },
      {},
    ]);
  });
  afterEach(() => world.destroy());

  const bestAsks = () =>
    world.all<BestAsk>(
      `SELECT item_id, ask_cents AS cents, provider, changed_at FROM best_asks LEFT JOIN frame_providers ON number = provider_id
       ORDER BY 1`,
    );
  const market = () => world.read(({ $client }) => marketOf($client));
  const refuses = async (work: Promise<unknown>, says: string) => {
    const before = world.logicalDigest();
    expect(await refusalOf(work)).to.contain(says);
    expect(world.logicalDigest()).to.equal(before);
  };

  it("makes a demo file a user's own unless it only reads", async () => {
    const marked = () => world.read(isDemo);
    const writer = openWriter(world.path, 0);
    markDemo(writer, worldAt);
    writer.$client.close();
    const body = world.body(
      steamBody({ [world.all<{ name: string }>("SELECT market_hash_name AS name FROM items LIMIT 1")[0]!.name]: 5 }),
    );
    await world.import(body, { adapter: "steam", dryRun: true });
    expect(marked()).to.equal(true);
    await world.import(body, { adapter: "steam" });
    expect(marked()).to.equal(false);
  });

  it("stores a row per provider and item, and the best ask", async () => {
    const report = await world.import(world.body(steamBody({ "Item 0": 120 })), { adapter: "steam" });
    expect(report).to.include({ outcome: "published", generation: "g1", asks: 1, bids: 0, items: 1 });
    const quote = { provider: "steam", amount: 120, quantity: null, url: null, as_of: null };
    expect(market()).to.deep.equal([{ itemId: 1, asks: [quote], bids: [] }]);
    expect(bestAsks()).to.deep.equal([{ item_id: 1, cents: 120, provider: "steam", changed_at: worldAt }]);
    const { recorded, actual } = publishedState(world.path);
    expect(recorded).to.equal(actual);
  });

  it("prices the unphased identity for shared names, and phases separately", async () => {
    const name = "★ Karambit | Doppler (Factory New)";
    const none = { price: "null" };
    const body = {
      [name]: { starting_at: { price: 10.5, doppler: { Ruby: 99, "Phase 2": 12 } }, highest_order: none },
      Pin: { starting_at: { price: 3 }, highest_order: none },
    };
    const report = await world.import(world.body(body, ".json.gz"), { adapter: "buff" });
    expect(bestAsks().map((row) => [row.item_id, row.cents])).to.deep.equal([
      [3, 1050],
      [4, 9900],
    ]);
    expect(report.refused).to.deep.equal([
      { reason: "ambiguous_name", count: 1, examples: ["Pin"] },
      { reason: "unknown_name", count: 1, examples: [`${name} Phase 2`] },
    ]);
    expect(report.absent).to.equal(2);
  });

  it("never creates an item for a phased price, unlike an unphased one", async () => {
    const name = "★ StatTrak™ Karambit | Doppler (Factory New)";
    const body = (doppler: object) => ({
      [name]: { starting_at: { price: 10.5, ...doppler }, highest_order: { price: "null" } },
    });
    const items = () => world.all("SELECT count(*) AS count FROM items");
    const before = items();
    const phased = {
      [name]: { starting_at: { price: "null", doppler: { Ruby: 99 } }, highest_order: { price: "null" } },
    };
    const report = await world.import(world.body({ ...phased, "Item 0": body({})[name]! }, ".json.gz"), {
      adapter: "buff",
    });
    expect(report.refused).to.deep.equal([{ reason: "unknown_name", count: 1, examples: [`${name} Ruby`] }]);
    expect(items()).to.deep.equal(before);
    const proved = await world.import(world.body(body({ doppler: { Ruby: 99 } }), ".json.gz"), { adapter: "buff" });
    expect(proved.feedDerivedItems).to.equal(1);
    expect(proved.refused).to.deep.equal([{ reason: "unknown_name", count: 1, examples: [`${name} Ruby`] }]);
  });

  it("creates a feed-derived item and publishes its price", async () => {
    const report = await world.import(world.body(steamBody({ "StatTrak™ Item 0": 400 })), { adapter: "steam" });
    expect(report.feedDerivedItems).to.equal(1);
    expect(world.all("SELECT market_hash_name FROM items WHERE item_id = 9")).to.deep.equal([
      { market_hash_name: "StatTrak™ Item 0" },
    ]);
    expect(bestAsks().map((row) => row.item_id)).to.deep.equal([9]);
  });

  it("sorts asks ascending and bids descending and keeps a crossed book", async () => {
    await world.import(world.body(steamBody({ "Item 0": 120 })), { adapter: "steam" });
    const quotes = [ask("Item 0", 110), ask("Item 0", 115, { side: "bid" })];
    const report = await world.import(world.body(feed(quotes)), { adapter: "canonical" });
    expect(report.crossed).to.equal(1);
    const book = world.read((database) => new BookReader(database).ofItem(1))!;
    expect(book.asks.map(({ amountCents }) => amountCents)).to.deep.equal([110, 120]);
    expect(book.bids.map(({ amountCents }) => amountCents)).to.deep.equal([115]);
  });

  it("stores the price ceiling that each feed last stated; Steam has one built in", async () => {
    const ceilings = () =>
      world
        .all<{ cents: number | null }>("SELECT price_ceiling_cents AS cents FROM providers ORDER BY provider")
        .map((row) => row.cents);
    await world.import(world.body(steamBody({ "Item 0": 120 })), { adapter: "steam" });
    expect(ceilings()).to.deep.equal([180_000]);
    const hall = { provider: "hall", name: "hall", kind: "cash" };
    for (const [stated, cents] of [
      [{}, null],
      [{ price_ceiling_cents: 50_000 }, 50_000],
      [{}, 50_000],
      [{ price_ceiling_cents: null }, null],
    ] as const) {
      const quotes = [{ ...ask("Item 0", 110), provider: "hall" }];
      await world.import(world.body(feedText("hall", [{ ...hall, ...stated }], quotes)), { adapter: "canonical" });
      expect(ceilings()).to.deep.equal([cents, 180_000]);
    }
  });

  it("keeps the source's times outside of digests", async () => {
    const observed = { observed_at: "2026-09-01T11:59:00.000Z", quantity: 2, url: "https://hall.example/1" };
    await world.import(world.body(feed([ask("Item 0", 110, observed), ask("Item 1", 5)])), { adapter: "canonical" });
    await world.import(world.body(steamBody({ "Item 0": 120 })), { adapter: "steam" });
    const times = market().map(({ asks }) => asks.map(({ as_of }) => as_of));
    expect(times).to.deep.equal([[Date.UTC(2026, 8, 1, 11, 59), null], [null]]);
    const { recorded, actual } = publishedState(world.path);
    expect(recorded).to.equal(actual);
  });

  it("replaces only the feed's own quotes, and removes unlisted ones", async () => {
    await world.import(world.body(steamBody({ "Item 0": 120, "Item 1": 50 })), { adapter: "steam" });
    await world.import(world.body(feed([ask("Item 1", 40), ask("Item 7", 9)])), { adapter: "canonical" });
    await world.import(world.body(steamBody({ "Item 1": 51 })), { adapter: "steam" });
    expect(bestAsks().map((row) => [row.item_id, row.cents, row.provider])).to.deep.equal([
      [2, 40, "hall"],
      [8, 9, "hall"],
    ]);
    expect(market()[0]?.asks).to.have.length(2);
  });

  it("dates a best ask by the generation that last changed it", async () => {
    await world.import(world.body(steamBody({ "Item 0": 120, "Item 1": 50 })), { adapter: "steam" });
    world.now = worldAt + 1000;
    await world.import(world.body(steamBody({ "Item 0": 121, "Item 1": 50 })), { adapter: "steam" });
    expect(bestAsks().map((row) => row.changed_at)).to.deep.equal([worldAt + 1000, worldAt]);
    world.now = worldAt + 2000;
    await world.import(world.body(feed([ask("Item 1", 60)])), { adapter: "canonical" });
    expect(bestAsks().map((row) => row.changed_at)).to.deep.equal([worldAt + 1000, worldAt]);
  });

  it("moves only the check time for an unchanged body", async () => {
    const body = world.body(feed([ask("Item 0", 5)]));
    await world.import(body, { adapter: "canonical" });
    world.now = worldAt + 60_000;
    const report = await world.import(body, { adapter: "canonical" });
    expect(report).to.include({ outcome: "verified", generation: "g1" });
    expect(world.all("SELECT checked_at, ingested_at, item_count FROM feeds")).to.deep.equal([
      { checked_at: worldAt + 60_000, ingested_at: worldAt, item_count: 1 },
    ]);
  });

  it("deactivates a provider that its feed no longer covers", async () => {
    const both = [...hall, { provider: "cellar", name: "Cellar", kind: "trade" }];
    const quotes = [ask("Item 0", 5), ask("Item 0", 4, { provider: "cellar", side: "bid" })];
    await world.import(world.body(feed(quotes, both)), { adapter: "canonical" });
    await world.import(world.body(feed([ask("Item 0", 5)])), { adapter: "canonical" });
    expect(world.all("SELECT provider, has_asks, has_bids, active FROM providers ORDER BY 1")).to.deep.equal([
      { provider: "cellar", has_asks: 0, has_bids: 0, active: 0 },
      { provider: "hall", has_asks: 1, has_bids: 0, active: 1 },
    ]);
    expect(market()[0]?.bids).to.deep.equal([]);
  });

  it("rejects another feed's provider, and names the file", async () => {
    await world.import(world.body(feed([ask("Item 0", 5)])), { adapter: "canonical" });
    const other = world.body(feed([ask("Item 0", 6)], hall, "cellar"));
    await refuses(
      world.import(other, { adapter: "canonical" }),
      `${other}: feed cellar: the provider hall belongs to the feed hall`,
    );
    const reserved = world.body(
      feed([ask("Item 0", 6, { provider: "lowest-ask" })], [{ ...hall[0], provider: "lowest-ask" }], "cellar"),
    );
    await refuses(
      world.import(reserved, { adapter: "canonical" }),
      `${reserved}: feed cellar: \`lowest-ask\` is a reserved word`,
    );
  });

  it("rejects a body without a price that matches an item", async () => {
    const body = world.body(steamBody({ Unheard: 5, "Item 0": 0 }));
    await refuses(
      world.import(body, { adapter: "steam" }),
      "no price matches an item of the catalog (1 unknown_name, 1 zero, such as Unheard)",
    );
  });

  it("accepts a feed that keeps exactly half of its items", async () => {
    await world.import(world.body(steamBody({ "Item 0": 1, "Item 1": 1 })), { adapter: "steam" });
    const report = await world.import(world.body(steamBody({ "Item 0": 1 })), { adapter: "steam" });
    expect(report.outcome).to.equal("published");
  });

  it("rejects and names quotes that make a record exceed 256 KiB", async () => {
    await world.import(world.body(steamBody({ "Item 0": 120 })), { adapter: "steam" });
    const slugs = Array.from({ length: 120 }, (_, index) => `hall-${index}`);
    const providers = slugs.map((provider) => ({ provider, name: provider, kind: "cash" }));
    const url = `https://hall.example/${"x".repeat(2000)}`;
    const quotes = [
      ...slugs.map((provider) => ask("Item 0", 9, { provider, url })),
      ask("Item 1", 7, { provider: "hall-0" }),
    ];
    const report = await world.import(world.body(feed(quotes, providers)), { adapter: "canonical" });
    expect(report.refused).to.deep.equal([{ reason: "record_too_large", count: 1, examples: ["Item 0"] }]);
    expect(bestAsks().map((row) => [row.item_id, row.cents])).to.deep.equal([
      [1, 120],
      [2, 7],
    ]);
  });

  it("keeps an item's best row in any order, without a quantity", async () => {
    const row = (side: string, amount: number, more: object = {}) => ({
      market_hash_name: "Item 0",
      provider: "hall",
      side,
      amount,
      quantity: 3,
      ...more,
    });
    const byId = { item_id: 1, provider: "hall", side: "ask", amount: 8 };
    const rows = [row("ask", 5), byId, row("ask", 6), row("bid", 3), row("bid", 4), row("bid", 4)];
    const unknown = { ...byId, item_id: 999 };
    const twice = [ask("Item 1", 7), ask("Item 1", 7)];
    for (const body of [rows, rows.toReversed()]) {
      const report = await world.import(world.body(feed([...body, unknown, ...twice])), { adapter: "canonical" });
      expect(report.refused.map(({ reason, count }) => [reason, count])).to.deep.equal([
        ["conflicting_rows", 4],
        ["duplicate", 1],
        ["unknown_item", 1],
      ]);
      expect([report.asks, report.bids]).to.deep.equal([2, 1]);
      expect(
        world.all("SELECT ask_cents, ask_quantity, bid_cents, bid_quantity FROM quotes WHERE item_id = 1"),
      ).to.deep.equal([{ ask_cents: 5, ask_quantity: null, bid_cents: 4, bid_quantity: null }]);
    }
  });

  it("rejects a body if over a twentieth of its rows conflict", async () => {
    const rows = Array.from({ length: 19 }, (_, at) => ask(`Item ${at}`, 100 + at));
    const refusal = await refusalOf(
      world.import(world.body(feed([...rows, ask("Item 0", 9), ask("Item 1", 8)])), { adapter: "canonical" }),
    );
    expect(refusal).to.include(
      "guard unreadable_prices (threshold 5): 2 of its 21 prices (9.5 %) are unreadable: 2 conflicting_rows",
    );
  });

  it("records an undated body in the current hour, and derives completed days", async () => {
    const hallAsk = (item: string, amount: number) => ask(item, amount);
    const asksAt = (at: number, item: number) => world.stateAt(at, item, "hall")?.map(({ amount }) => amount);
    const take = (...quotes: object[]) => world.import(world.body(feed(quotes)), { adapter: "canonical" });
    const first = await take(hallAsk("Item 0", 120), hallAsk("Item 1", 41.71));
    expect(first.frame).to.include({ outcome: "recorded", hour: worldAt / 3_600_000 });
    expect([1, 2, 8].map((item) => asksAt(worldAt, item))).to.deep.equal([[120], [], undefined]);
    const again = await take(hallAsk("Item 0", 130));
    expect(again.frame).to.include({ outcome: "hour_taken" });
    expect(asksAt(worldAt, 1)).to.deep.equal([120]);
    expect(reportText(again)).to.contain("frame    the hour of 2026-09-01T12:00:00.000Z has its frame already");
    world.now = worldAt + 12 * 3_600_000;
    const next = await take(hallAsk("Item 0", 130));
    expect(next).to.include({ outcome: "verified", finalizedDays: 1 });
    expect(asksAt(world.now, 1)).to.deep.equal([130]);
    expect(world.all("SELECT amount, observations FROM daily_prices")).to.deep.equal([
      { amount: 120, observations: 1 },
    ]);
    expect(JSON.parse(reportJson(next))).to.deep.include({
      frame: { outcome: "recorded", hour: "2026-09-02T00:00:00.000Z" },
      settled_days: 1,
    });
  });

  it("is refused while another import of quotes runs on the file", async () => {
    const body = world.body(steamBody({ "Item 0": 1 }));
    const results = await Promise.allSettled([1, 2].map(() => world.import(body, { adapter: "steam" })));
    expect(results.map(({ status }) => status).sort()).to.deep.equal(["fulfilled", "rejected"]);
    const refused = results.find((result) => result.status === "rejected");
    expect(String(refused?.reason)).to.contain("an import is running on it");
  });

  it("reports to people and programs", async () => {
    const report = await world.import(world.body(steamBody({ "Item 0": 1, Unheard: 3 })), { adapter: "steam" });
    expect(reportText(report)).to.contain("joined   1 of 2 prices (50.00 %): 1 ask, 0 bids, 1 item");
    expect(reportText(report)).to.contain("refused  1 unknown_name (no item has this name)\n             Unheard");
    expect(JSON.parse(reportJson(report))).to.include({ feed: "steam", outcome: "published", proven_items: 0 });
  });
});
