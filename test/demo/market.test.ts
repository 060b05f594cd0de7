import { statSync } from "node:fs";
import { join } from "node:path";
import { expect } from "chai";
import { demoAt } from "../../scripts/support/example-world.ts";
import { loadContract } from "../../src/contract/document.ts";
import { createDemoFile } from "../../src/demo/demo.ts";
import { crossedBooks } from "../../src/demo/market.ts";
import { checkDatabase } from "../../src/store/check/check.ts";
import { decodeSegment } from "../../src/store/codec/frame-segment.ts";
import { type Database, openReader } from "../../src/store/database.ts";
import { BookReader } from "../../src/store/read/books.ts";
import { dayOf, minuteMs } from "../../src/values/time/calendar.ts";
import { documentedOperations } from "../../src/web/docs/documented.ts";
import type { Book } from "../../src/wire/quotes.ts";
import { temporaryFolder } from "../support/files.ts";
import { demoFewItemsFile, demoFile } from "../support/kept-files.ts";
import { isLongRun, itLong } from "../support/size.ts";

const fourProviders = ["bazaar", "northgate", "steam", "swapyard"];
const lastDay = dayOf(demoAt);

describe("demo market", () => {
  let path: string;
  let client: Database["$client"];
  let books: (Book & { name: string; phase: string | null })[];
  before(function () {
    this.timeout(60_000);
    path = isLongRun ? join(temporaryFolder(), "demo.db") : demoFile().path;
    if (isLongRun) createDemoFile(path, demoAt);
    const database = openReader(path);
    client = database.$client;
    const reader = new BookReader(database);
    books = all<{ itemId: number; name: string; phase: string | null }>(
      "SELECT item_id AS itemId, market_hash_name AS name, phase FROM best_asks JOIN items USING (item_id)",
    ).map(({ itemId, ...item }) => ({ ...item, ...reader.ofItem(itemId)! }));
  });
  after(() => client.close());

  const all = <Row>(sql: string, ...values: unknown[]) => client.prepare<unknown[], Row>(sql).all(...values);

  it("has no buy order above the lowest offer, except three crossed books", () => {
    const crossed = books.flatMap(({ name, asks, bids }) =>
      bids
        .filter((bid) => asks.some((ask) => ask.amountCents < bid.amountCents))
        .map(({ provider }) => ({ marketHashName: name, provider })),
    );
    expect(crossed).to.have.length(3);
    expect(crossed).to.have.deep.members([...crossedBooks]);
  });

  it("has source times for most quotes, mostly under half an hour old", () => {
    const times = books.flatMap(({ asks, bids }) => [...asks, ...bids].map(({ observedAt }) => observedAt));
    const known = times.filter((at) => at !== null);
    expect(known.length / times.length).to.be.above(0.6);
    const old = known.filter((at) => demoAt - at > 30 * minuteMs);
    expect(old.length).to.be.above(0);
    expect(old.length / known.length).to.be.below(0.1);
  });

  it("prices known items realistically, lower with more wear", () => {
    const best = (name: string) => {
      const cents = books.flatMap((book) =>
        book.name === name ? book.asks.map(({ amountCents }) => amountCents) : [],
      );
      return Math.min(...cents) / 100;
    };
    const worn = ["Factory New", "Field-Tested"].map((wear) => best(`AK-47 | Vulcan (${wear})`));
    expect(worn[0]! / worn[1]!).to.be.within(1.5, 5);
    expect(best("AK-47 | Redline (Field-Tested)")).to.be.within(15, 80);
    expect(best("AWP | Dragon Lore (Factory New)")).to.be.within(5_000, 20_000);
    expect(best("★ Karambit | Doppler (Factory New)")).to.be.within(700, 2_500);
    expect(best("★ Sport Gloves | Vice (Field-Tested)")).to.be.within(700, 3_000);
    expect(best("Kilowatt Case")).to.be.within(0.2, 2);
    for (const { name, asks } of books) {
      const [low, high] = [asks[0]!.amountCents, asks.at(-1)!.amountCents];
      expect(high, name).to.be.at.most(Math.max(low * 1.5, low + 3));
    }
  });

  // The world of tests has 60 days of daily history.
  itLong("has 150 items with a year of daily and 31 hourly days", () => {
    const daily = all<{ itemId: number; provider: string; days: number }>(
      `SELECT item_id AS itemId, provider, count(*) AS days FROM daily_prices
       WHERE side = 'ask' AND day BETWEEN ? AND ? GROUP BY item_id, provider HAVING days > 300`,
      lastDay - 365,
      lastDay - 1,
    );
    expect(new Set(daily.map(({ itemId }) => itemId)).size).to.be.within(140, 170);
    for (const provider of fourProviders) {
      const ofProvider = daily.filter((row) => row.provider === provider);
      expect(ofProvider.length, provider).to.be.above(100);
      for (const { days } of ofProvider) expect(days, provider).to.be.above(345);
    }
    const frames = all<{ feed: string; days: number; first: number }>(
      "SELECT feed, count(DISTINCT hour / 24) AS days, min(hour / 24) AS first FROM frames GROUP BY feed",
    );
    expect(frames.map(({ feed }) => feed)).to.deep.equal(["bazaar", "northgate", "steam"]);
    for (const { days, first } of frames) {
      expect(first).to.equal(lastDay - 30);
      expect(days).to.be.within(27, 30);
    }
  });

  it("has every cause of a gap in the last 31 days", () => {
    const frames = all<{ hour: number; feed: string; providers: string; named: number | null }>(
      "SELECT hour, feed, providers, refused_names AS named FROM frames",
    );
    const feedsOf = new Map<number, number>();
    for (const { hour } of frames) feedsOf.set(hour, (feedsOf.get(hour) ?? 0) + 1);
    const hours = Array.from({ length: 30 * 24 }, (_, index) => (lastDay - 30) * 24 + index);
    const causes = {
      "no feed was verified on a whole day": hours.some((hour) =>
        Array.from({ length: 24 }, (_, next) => hour + next).every((one) => !feedsOf.has(one)),
      ),
      "no feed was verified in an hour": [5, 6].every((hour) => !feedsOf.has((lastDay - 1) * 24 + hour)),
      "one feed was not verified": hours.some((hour) => feedsOf.get(hour) === 2),
      "a frame does not cover a provider": frames.some(
        ({ feed, providers }) => feed === "bazaar" && providers === '["bazaar"]',
      ),
      "a frame cannot know of an item": frames.some(({ named }) => named === null),
    };
    expect(Object.entries(causes).filter(([, isThere]) => !isThere)).to.deep.equal([]);
    const states = all<{ changes: Buffer }>(
      "SELECT changes FROM frame_segments WHERE feed = 'steam' AND day = ?",
      lastDay - 1,
    )
      .flatMap(({ changes }) => decodeSegment(changes))
      .map(({ state }) => state?.length ?? null);
    expect(states.filter((quotes) => quotes === null).length, "items that left the feed").to.be.above(10);
    expect(states.filter((quotes) => quotes === 0).length, "items without a price").to.be.above(10);
  });

  it("is smaller than 40 MB, with the ids of the contract's examples", () => {
    expect(statSync(path).size).to.be.below(40_000_000);
    const getPortfolio = documentedOperations(loadContract()).find((one) => one.operationId === "getPortfolio")!;
    const [portfolioId] = getPortfolio.parameters.map(({ value }) => value);
    const portfolios = all<{ id: string }>("SELECT portfolio_id AS id FROM portfolios WHERE deleted_at IS NULL");
    expect(portfolios.map(({ id }) => id)).to.include(portfolioId);
    expect(all("SELECT market_hash_name AS name FROM items WHERE item_id = 4")).to.deep.equal([{ name: "★ Karambit" }]);
  });

  it("passes `db check` with few items, and has every kind of data", () => {
    const { path: few } = demoFewItemsFile();
    expect(checkDatabase(few).faults).to.deep.equal([]);
    const count = (file: Database["$client"], table: string) =>
      file.prepare<[], number>(`SELECT count(*) FROM ${table}`).pluck().get()!;
    const { $client: small } = openReader(few);
    try {
      const [items, quoted] = [count(small, "items"), count(small, "best_asks")];
      expect(items / count(client, "items")).to.be.within(0.05, 0.15);
      expect(items - quoted).to.be.above(10);
      // Indexes and returns of earlier days name these items.
      expect(count(small, "items WHERE first_seen_at > (SELECT known_since FROM market_state)")).to.equal(0);
      for (const [table, least] of [
        ["items WHERE phase IS NOT NULL", 5],
        ["openables WHERE revision_id IS NOT NULL", 3],
        ["sealed_days", 2],
      ] as const)
        expect(count(small, table), table).to.be.at.least(least);
      for (const table of ["portfolios", "holdings", "indexes"])
        expect(count(small, table), table).to.equal(count(client, table));
    } finally {
      small.close();
    }
  });
});
