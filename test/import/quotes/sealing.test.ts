import { expect } from "chai";
import { importCatalogInBatches } from "../../../src/import/catalog/catalog-import.ts";
import { createFeedDerived } from "../../../src/import/catalog/feed-derived.ts";
import { type FeedQuotes, publishInBatches } from "../../../src/import/quotes/publish.ts";
import { checkDatabase } from "../../../src/store/check/check.ts";
import { type Database, openWriter } from "../../../src/store/database.ts";
import { steamBody } from "../../support/bodies.ts";
import { type QuoteWorld, variantOf, worldAt, worldsAfter } from "./quote-world.ts";

const items = 1250;
const catalog = Array.from({ length: items }, (_, index) => variantOf({}, index));

describe("sealing the export of a generation", () => {
  let world: QuoteWorld;
  const pages = () =>
    world.all<{ generation: number; first: number; last: number }>(
      "SELECT page_key >> 31 AS generation, page_key & 2147483647 AS first, last_item_id AS last FROM export_pages ORDER BY page_key",
    );
  const write = <T>(work: (database: Database) => T): T => {
    const database = openWriter(world.path, 1000);
    try {
      return work(database);
    } finally {
      database.$client.close();
    }
  };
  const publish = (cents: number, to = world) =>
    to.import(
      to.body(
        steamBody(Object.fromEntries(Array.from({ length: items }, (_, index) => [`Item ${index}`, cents + index]))),
      ),
      { adapter: "steam" },
    );
  /** All ids are in a page of the generation, once, and each page holds what an export would make. */
  const expectSealed = (generation: number, last = items) => {
    const sealed = pages();
    expect(sealed.map((page) => page.generation)).to.deep.equal(sealed.map(() => generation));
    expect(sealed.map((page) => page.first)).to.deep.equal([1, ...sealed.slice(0, -1).map((page) => page.last + 1)]);
    expect(sealed.at(-1)!.last).to.equal(last);
    expect(checkDatabase(world.path).faults).to.deep.equal([]);
  };

  const published = worldsAfter(catalog, (first) => publish(100, first));
  beforeEach(async () => {
    world = await published();
  });
  afterEach(() => world.destroy());

  it("a publication seals its generation and removes the pages of the one before", async () => {
    expectSealed(1);
    expect(pages().length).to.be.greaterThan(3);
    await publish(200);
    expectSealed(2);
  });

  it("the pages of a generation are all there when it becomes the current one", () => {
    write((database) => {
      const steps = publishInBatches(database, [feedOf(300)], { clock: world.clock });
      const current = () => world.all<{ id: number }>("SELECT current_generation_id AS id FROM market_state")[0]!.id;
      let sealed = 0;
      for (let isDone = false; !isDone && current() === 1; isDone = steps.next().done === true) {
        sealed = pages().filter(({ generation }) => generation === 2).length;
      }
      expect([current(), sealed > 3]).to.deep.equal([2, true]);
      while (steps.next().done !== true);
    });
    expectSealed(2);
  });

  it("an import of the catalog removes the pages of what it changes with the change, and makes them again at its end", () => {
    const before = pages();
    const renamed = catalog.map((variant, index) => (index === 700 ? { ...variant, marketHashName: "Else" } : variant));
    const added = [...renamed, variantOf({}, items), variantOf({}, items + 1)];
    write((database) => {
      let fewest = before;
      const steps = importCatalogInBatches(database, added, worldAt + 1, { clock: world.clock });
      while (steps.next().done !== true) if (pages().length < fewest.length) fewest = pages();
      expect(before.filter(({ first }) => !fewest.some((page) => page.first === first))).to.deep.equal(
        before.filter(({ first, last }) => first <= 701 && 701 <= last),
      );
    });
    expectSealed(1, items + 2);
    // An item that is quoted leaves: the same quotes are published anew.
    write((database) => {
      const steps = importCatalogInBatches(database, added.slice(1), worldAt + 2, { clock: world.clock });
      // Each look reads the whole file.
      for (let count = 1; steps.next().done !== true; count += 1)
        if (count % 8 === 0) expect(checkDatabase(world.path).faults).to.deep.equal([]);
    });
    expectSealed(2, items + 2);
  });

  it("an item that a feed proves is behind all pages and removes none; the next publication seals it", async () => {
    const before = pages();
    const derived = variantOf({ identityKey: "paint:7:1//souvenir/", marketHashName: "Souvenir Item 1" }, items);
    write((database) => createFeedDerived(database, [derived], worldAt));
    expect(pages()).to.deep.equal(before);
    await publish(200);
    expectSealed(2, items + 1);
  });

  it("quotes that are published already are sealed by their next verification, where an older release has published them", async () => {
    write(({ $client }) => void $client.exec("DELETE FROM export_pages"));
    expect(await publish(100)).to.include({ outcome: "verified" });
    expectSealed(1);
  });

  function feedOf(cents: number): FeedQuotes {
    const facts = {
      feed: "steam",
      adapter: "steam",
      providers: [{ provider: "steam", name: "Steam", kind: "main_platform" as const }],
    };
    const quoteOf = (index: number) => ({
      provider: "steam",
      amountCents: cents + index,
      quantity: null,
      url: null,
      observedAt: null,
    });
    const quotes = Array.from({ length: items }, (_, index) => ({ asks: [quoteOf(index)], bids: [] }));
    return { facts, items: new Map(quotes.map((quote, index) => [index + 1, quote])) };
  }
});
