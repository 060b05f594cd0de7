import { expect } from "chai";
import { readFeedFile } from "../../../src/import/feed-file.ts";
import { type AcceptedFeed, type AcceptOptions, acceptFeedInBatches } from "../../../src/import/quotes/accept-feed.ts";
import type { AdapterName } from "../../../src/import/quotes/adapters.ts";
import { ItemNames } from "../../../src/import/quotes/name-index.ts";
import { openWriter } from "../../../src/store/database.ts";
import { runAtOnce } from "../../../src/store/write/batches.ts";
import { feedText } from "../../support/bodies.ts";
import { isLongRun } from "../../support/size.ts";
import { QuoteWorld, refusalOf, worldAt } from "./quote-world.ts";

const savedAt = worldAt - 60_000;
const knife = "★ Karambit | Doppler (Factory New)";

describe("accepted feeds", () => {
  let world: QuoteWorld;
  beforeEach(() => {
    world = new QuoteWorld([
      {},
      {},
      { marketHashName: knife, identityKey: "paint:507:doppler///plain/", identity: "unphased" },
      { marketHashName: knife, identityKey: "paint:507:415///plain/Ruby", phase: "Ruby" },
      { marketHashName: "Pin", identityKey: "pin:1" },
      { marketHashName: "Pin", identityKey: "pin:2" },
    ]);
  });
  afterEach(() => world.destroy());

  it("report items with a refused price or shared name, without quoted items", async () => {
    const prices = '{"Item 0":120,"Item 1":41.71,"Pin":0,"Unheard":-1,"StatTrak™ Item 0":0}';
    const taken = await take("steam", steam(prices));
    expect([...taken.items.keys()]).to.deep.equal([1]);
    expect([...taken.itemsWithoutQuote].sort()).to.deep.equal([2, 5, 6]);
    expect(world.all("SELECT count(*) AS items FROM items")).to.deep.equal([{ items: 6 }]);
    expect(taken).to.include({ savedAt, takenAt: worldAt });
  });

  it("keep each possible unmatched name once, and no id", async () => {
    const hall = { provider: "hall", side: "ask", amount: 5 };
    const quotes = [
      { market_hash_name: "Item 0", ...hall },
      { market_hash_name: "Unheard", ...hall },
      { market_hash_name: "Unheard", ...hall, side: "bid" },
      { market_hash_name: "Un  heard", ...hall },
      { market_hash_name: "Un heard ", ...hall, amount: 0 },
      { market_hash_name: "Unheard", phase: "Ruby", ...hall },
      { market_hash_name: "Item 0", phase: "Ruby", ...hall },
      { market_hash_name: "StatTrak™ Item 1", ...hall, amount: 0 },
      { market_hash_name: "Pin", ...hall },
      { item_id: 99, ...hall },
      { market_hash_name: "x".repeat(301), ...hall, amount: 0 },
      { market_hash_name: "no\u0001thing", ...hall, amount: 0 },
      { market_hash_name: "no\u202ething", ...hall, amount: 0 },
      { market_hash_name: " ", ...hall, amount: 0 },
    ];
    const taken = await take("canonical", canonical(quotes));
    const name = (name: string, phase = "") => ({ name, phase });
    expect(taken.refusedNames).to.have.deep.members([
      name("Unheard"),
      name("Un heard"),
      name("Unheard", "Ruby"),
      name("Item 0", "Ruby"),
      name("StatTrak™ Item 1"),
      name("Pin"),
    ]);
    expect([...taken.itemsWithoutQuote].sort()).to.deep.equal([5, 6]);
  });

  it("keep up to 50,000 unmatched names, and none of more", async () => {
    const prices = (count: number) =>
      steam(`{"Item 0":1,${Array.from({ length: count }, (_, index) => `"Unheard ${index}":1`).join(",")}}`);
    // Other tests cover short lists. The exact bound doubles the cost, so only the long run tests it.
    if (isLongRun) expect((await take("steam", prices(50_000))).refusedNames).to.have.length(50_000);
    expect((await take("steam", prices(50_001))).refusedNames).to.equal(null);
  });

  it("report all phases of a name if a phase is unreadable", async () => {
    const unread = { market_hash_name: knife, phase: 7, provider: "hall", side: "ask", amount: 5 };
    const canonicalBody = canonical([{ market_hash_name: "Item 0", provider: "hall", side: "ask", amount: 5 }, unread]);
    expect([...(await take("canonical", canonicalBody)).itemsWithoutQuote].sort()).to.deep.equal([3, 4]);
    const buffBody = { "Item 0": { starting_at: { price: 1 } }, [knife]: { starting_at: { price: 1, doppler: [] } } };
    expect([...(await take("buff", buffBody)).itemsWithoutQuote].sort()).to.deep.equal([4]);
  });

  it("report items that a source marks as absent, phase by phase", async () => {
    const none = { price: "null" };
    const body = {
      [knife]: { starting_at: { price: 10.5, doppler: { Ruby: "null" } }, highest_order: none },
      "Item 0": { starting_at: none, highest_order: { price: 1.25 } },
      "Item 1": { starting_at: none },
    };
    const taken = await take("buff", body);
    expect([...taken.items.keys()].sort()).to.deep.equal([1, 3]);
    expect([...taken.itemsWithoutQuote].sort()).to.deep.equal([2, 4]);
    expect(taken.savedAt).to.equal(null);
  });

  it("report the item of a refused canonical line as for a quote", async () => {
    const hall = { provider: "hall", side: "ask" };
    const quotes = [
      { market_hash_name: "Item 0", ...hall, amount: 5 },
      { item_id: 2, ...hall, amount: 0 },
      { market_hash_name: knife, phase: "Ruby", ...hall, amount: -1 },
      { item_id: 3, market_hash_name: "Item 1", ...hall, amount: 0 },
    ];
    const taken = await take("canonical", canonical(quotes));
    expect([...taken.items.keys()]).to.deep.equal([1]);
    expect([...taken.itemsWithoutQuote].sort()).to.deep.equal([2, 4]);
  });

  for (const [provider, kind, adapter] of [
    ["steam", "main_platform", "steam"],
    ["buff163", "cash", "buff"],
  ] as const) {
    it(`reject the provider ${provider} of adapter ${adapter} in a canonical feed`, async () => {
      const before = world.logicalDigest();
      for (const feed of ["hall", provider]) {
        const quote = { market_hash_name: "Item 0", provider, side: "ask", amount: 5 };
        const body = feedText(feed, [{ provider, name: "x", kind }], [quote]);
        expect(await refusalOf(take("canonical", body))).to.contain(
          `covers the provider ${provider}, which belongs to the adapter ${adapter}; give`,
        );
      }
      expect(world.logicalDigest()).to.equal(before);
      const buff = { "Item 0": { starting_at: { price: 10.5 }, highest_order: { price: 1.25 } } };
      const taken = await (adapter === "steam" ? take("steam", steam('{"Item 0":120}')) : take("buff", buff));
      expect(taken.facts.providers.map((facts) => facts.provider)).to.deep.equal([provider]);
    });
  }

  it("reject and name sale medians for any adapter", async () => {
    const sales = "date,price,volume,case\nApr 12 2026 01: +0,3.844,1810,Revolver Case\n";
    const before = world.logicalDigest();
    for (const adapter of ["steam", "buff", "canonical"] as const) {
      expect(await refusalOf(take(adapter, sales))).to.contain("medians of completed sales");
    }
    expect(world.logicalDigest()).to.equal(before);
  });

  async function take(
    adapter: AdapterName,
    content: string | object,
    options: Partial<AcceptOptions> = {},
    names = new ItemNames(),
  ): Promise<AcceptedFeed> {
    const body = await readFeedFile(world.body(content));
    const database = openWriter(world.path, 0);
    try {
      const batches = acceptFeedInBatches(database, body, { adapter, ...options }, { clock: world.clock, names });
      return runAtOnce(batches);
    } finally {
      database.$client.close();
    }
  }
});

function canonical(quotes: readonly object[]): string {
  return feedText("hall", [{ provider: "hall", name: "Hall", kind: "cash" }], quotes);
}

function steam(prices: string): string {
  const metadata = { updated_at: new Date(savedAt).toISOString(), currency: "USD", item_count: 9 };
  return `{"metadata":${JSON.stringify(metadata)},"prices":${prices}}`;
}
