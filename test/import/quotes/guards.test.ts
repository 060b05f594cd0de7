import { expect } from "chai";
import type { AdapterName } from "../../../src/import/quotes/adapters.ts";
import type { GuardName } from "../../../src/import/quotes/guards.ts";
import SqliteDatabase from "../../../src/store/sqlite.mjs";
import { QuoteWorld, refusalOf, worldAt } from "./quote-world.ts";

const itemCount = 300;
const yearMs = 365 * 86_400_000;
type Book = { ask?: number | string; bid?: number | string };
type Market = Readonly<Record<string, readonly Book[]>>;

/** Two providers that quote both sides of every item; three books of the first cross. */
const honest: Market = {
  hall: Array.from({ length: itemCount }, (_, index) => ({ ask: 1000 + index, bid: index < 3 ? 2000 : 900 })),
  booth: Array.from({ length: itemCount }, (_, index) => ({ ask: 1100 + index, bid: 800 })),
};

describe("guards against a source that lies plausibly", () => {
  let world: QuoteWorld;
  beforeEach(async () => {
    world = new QuoteWorld(Array.from({ length: itemCount }, () => ({})));
  });
  afterEach(() => world.destroy());

  const lies: { lie: string; guard: GuardName; says: RegExp; body: () => string | object; adapter?: AdapterName }[] = [
    {
      lie: "offers and buy orders are swapped",
      guard: "crossed_books",
      says: /297 of 300 two-sided books of hall \(99\.0 %\) cross, such as Item 3: bid 1003, ask 900 cents; Item 4: /,
      body: () => canonical({ ...honest, hall: honest.hall!.map(({ ask, bid }) => ({ ask: bid!, bid: ask! })) }),
    },
    {
      lie: "all buy orders are gone",
      guard: "lost_quotes",
      says: /hall goes from 300 bids to 0 and its other side stays, such as Item 0; Item 1; Item 2/,
      body: () => canonical({ ...honest, hall: honest.hall!.map(({ ask }) => ({ ask: ask! })) }),
    },
    {
      lie: "most quotes of one provider are gone",
      guard: "lost_quotes",
      says: /booth goes from 600 quotes to 280 and other providers stay/,
      body: () => canonical({ ...honest, booth: honest.booth!.slice(0, 140) }),
    },
    {
      lie: "a provider is not covered any more",
      guard: "lost_quotes",
      says: /booth goes from 600 quotes to 0 and other providers stay/,
      body: () => canonical({ hall: honest.hall! }),
    },
    {
      lie: "all prices are a hundredth",
      guard: "price_level",
      says: /0\.01\d* times the published ones \(median of 1200\): dollars where cents are expected/,
      body: () => canonical(scaled(1 / 100, "hall", "booth")),
    },
    {
      lie: "all prices of one provider are a hundredfold",
      guard: "price_level",
      says: /prices of hall are 100 times the published ones \(median of 600\): cents where dollars are expected/,
      body: () => canonical(scaled(100, "hall")),
    },
    {
      lie: "every ninth price is zero or a fraction of a cent",
      guard: "unreadable_prices",
      says: /140 of its 1200 prices \(11\.7 %\) are unreadable: 100 zero, 40 fractional_cents, such as line/,
      body: () =>
        canonical({
          ...honest,
          hall: honest.hall!.map((book, i) => (i < 140 ? { ...book, bid: i < 100 ? 0 : "9.5" } : book)),
        }),
    },
    {
      lie: "a fifth of the names is of another language",
      guard: "joined_share",
      says: /80\.0 % of its prices join an item, 100\.0 % of the body before did \(240 unknown_name\)/,
      body: () => canonical(honest, (index) => (index < 60 ? `Предмет ${index}` : `Item ${index}`)),
    },
    {
      lie: "most items are gone",
      guard: "shrink",
      says: /shrinks from 300 items to 100/,
      body: () => canonical({ hall: honest.hall!.slice(0, 100), booth: honest.booth!.slice(0, 100) }),
    },
  ];

  for (const { lie, guard, says, body } of lies) {
    it(`a body in which ${lie} is refused by the guard ${guard}, writes nothing, and is taken when it is accepted`, async () => {
      await world.import(world.body(canonical(honest), ".ndjson"), { adapter: "canonical" });
      const before = world.logicalDigest();
      const path = world.body(body(), ".ndjson");
      const said = await refusalOf(world.import(path, { adapter: "canonical" }));
      expect(said).to.contain(`guard ${guard} (threshold `).and.to.match(says);
      expect(said).to.contain(`itemtape import quotes FILE --adapter canonical --accept ${guard}`);
      expect(await refusalOf(world.import(path, { adapter: "canonical", dryRun: true }))).to.equal(said);
      expect(world.logicalDigest()).to.equal(before);
      const report = await world.import(path, { adapter: "canonical", accepted: [guard] });
      expect(report.outcome).to.equal("published");
      expect(report.guards.filter(({ verdict }) => verdict === "broken").map((finding) => finding.guard)).to.deep.equal(
        [guard],
      );
    });
  }

  it("a body that was saved in the future is refused; accepted, its save time counts as unknown", async () => {
    await world.import(world.body(steam(worldAt - 1000)), { adapter: "steam" });
    const before = world.logicalDigest();
    const path = world.body(steam(worldAt + yearMs));
    expect(await refusalOf(world.import(path, { adapter: "steam" }))).to.match(
      /guard future_time \(threshold 300\): it says that it was saved at 2027-09-01T12:00:00\.000Z, 31536000 s in the future/,
    );
    expect(world.logicalDigest()).to.equal(before);
    await world.import(path, { adapter: "steam", accepted: ["future_time"] });
    expect(world.all("SELECT saved_at AS at FROM feeds")).to.deep.equal([{ at: worldAt - 1000 }]);
    world.now += 60_000;
    expect(await world.import(world.body(steam(world.now)), { adapter: "steam" })).to.include({ outcome: "verified" });
  });

  it("a save time in the future that an earlier version took from a body keeps no later body out of an import", async () => {
    await world.import(world.body(steam(worldAt - 1000)), { adapter: "steam" });
    const database = new SqliteDatabase(world.path);
    database.prepare("UPDATE feeds SET saved_at = ?").run(worldAt + yearMs);
    database.close();
    world.now += 60_000;
    const changed = steam(world.now, {}, itemCount, 2);
    expect(await world.import(world.body(changed), { adapter: "steam" })).to.include({ outcome: "published" });
    expect(world.all("SELECT saved_at AS at FROM feeds")).to.deep.equal([{ at: world.now }]);
  });

  it("a body that says that its sweep is unfinished may hold fewer items", async () => {
    await world.import(world.body(steam(worldAt - 1000)), { adapter: "steam" });
    const part = steam(worldAt, { resume_from: 100 }, 100);
    expect(await world.import(world.body(part), { adapter: "steam" })).to.include({ outcome: "published", items: 100 });
  });

  it("guards that compare say that they did not judge where fewer than 200 prices are in common", async () => {
    const few = { hall: honest.hall!.slice(0, 50) };
    await world.import(world.body(canonical(few), ".ndjson"), { adapter: "canonical" });
    const halved = { hall: few.hall.map(({ ask, bid }) => ({ ask: Number(ask) / 2, bid: Number(bid) / 2 })) };
    const report = await world.import(world.body(canonical(whole(halved)), ".ndjson"), { adapter: "canonical" });
    expect(report.guards).to.deep.include({
      guard: "price_level",
      verdict: "not_judged",
      figure: "100 prices in common with the published ones, 200 are needed",
      threshold: 3,
      examples: [],
    });
  });

  it("several breaches are named together, and accepting one of them is not enough", async () => {
    await world.import(world.body(canonical(honest), ".ndjson"), { adapter: "canonical" });
    const path = world.body(
      canonical(scaled(100, "hall"), (index) => (index < 60 ? `x${index}` : `Item ${index}`)),
      ".ndjson",
    );
    expect(await refusalOf(world.import(path, { adapter: "canonical" }))).to.contain(
      "--accept joined_share,price_level",
    );
    expect(await refusalOf(world.import(path, { adapter: "canonical", accepted: ["joined_share"] }))).to.contain(
      "--accept price_level",
    );
  });

  it("a replay stops at a body that a guard refuses, and compares each body with the one before it", async () => {
    const files = [0, 1, 2].map((hour) =>
      world.body(steam(worldAt - (3 - hour) * 3_600_000, {}, itemCount, hour === 1 ? 0.01 : 1)),
    );
    expect(await refusalOf(world.replay(files))).to.match(
      /guard price_level.*the replay stopped here, after 1 older files/,
    );
    const report = await world.replay(files, { accepted: ["price_level"] });
    expect(report).to.include({ files: 3, recorded: 2, hoursTaken: 1 });
  });
});

function scaled(factor: number, ...providers: string[]): Market {
  const scale = (book: Book) => ({ ask: Number(book.ask) * factor * 100, bid: Number(book.bid) * factor * 100 });
  const entries = Object.entries(honest).map(([provider, books]) => [
    provider,
    providers.includes(provider) ? books.map(scale).map(hundredth) : books,
  ]);
  return whole(Object.fromEntries(entries));
}

const hundredth = ({ ask, bid }: { ask: number; bid: number }) => ({ ask: ask / 100, bid: bid / 100 });

function whole(market: Record<string, Book[]>): Market {
  const cents = (value: number | string | undefined) => Math.max(1, Math.round(Number(value)));
  return Object.fromEntries(
    Object.entries(market).map(([provider, books]) => [
      provider,
      books.map(({ ask, bid }) => ({ ask: cents(ask), bid: cents(bid) })),
    ]),
  );
}

/** A canonical feed of these books, by position; a text as an amount is written as it is. */
function canonical(market: Market, nameOf = (index: number) => `Item ${index}`): string {
  const providers = Object.keys(market).map((provider) => ({ provider, name: provider, kind: "cash" }));
  const header = JSON.stringify({ format: "itemtape-feed", version: 1, feed: "square", providers });
  const lines = Object.entries(market).flatMap(([provider, books]) =>
    books.flatMap((book, index) =>
      (["ask", "bid"] as const)
        .filter((side) => book[side] !== undefined)
        .map((side) => {
          const head = JSON.stringify({ market_hash_name: nameOf(index), provider, side });
          return `${head.slice(0, -1)},"amount":${book[side]}}`;
        }),
    ),
  );
  return [header, ...lines, JSON.stringify({ end: true, quotes: lines.length })].map((line) => `${line}\n`).join("");
}

function steam(savedAt: number, metadata: object = {}, count = itemCount, factor = 1): object {
  const prices = Array.from({ length: count }, (_, index) => [`Item ${index}`, Math.round((1000 + index) * factor)]);
  const updated_at = new Date(savedAt).toISOString();
  return {
    metadata: { updated_at, currency: "USD", item_count: count, ...metadata },
    prices: Object.fromEntries(prices),
  };
}
