import { expect } from "chai";
import { importCatalog } from "../../../src/import/catalog/catalog-import.ts";
import type { CatalogVariant } from "../../../src/import/catalog/variants.ts";
import { publishInBatches } from "../../../src/import/quotes/publish.ts";
import { checkCatalog } from "../../../src/store/check/catalog.ts";
import type { Chunks, Finding } from "../../../src/store/check/finding.ts";
import { checkGenerations } from "../../../src/store/check/generations.ts";
import { closeDatabase, type Database, openReader, openWriter, readTransaction } from "../../../src/store/database.ts";
import { runAtOnce } from "../../../src/store/write/batches.ts";
import type { FeedFacts } from "../../../src/store/write/feeds.ts";
import type { BookQuote } from "../../../src/wire/quotes.ts";
import { type QuoteWorld, variantOf, worldAt, worldsAfter } from "../../import/quotes/quote-world.ts";
import { feedText } from "../../support/bodies.ts";
import { casesBySize } from "../../support/size.ts";
import { edit } from "../../support/unguarded.ts";

const itemCount = 600;

describe("check of a file in pieces", () => {
  let world: QuoteWorld;
  let writer: Database;

  const published = worldsAfter(namedAlike(2), (first) =>
    first.import(first.body(feedOf(120), ".ndjson"), { adapter: "canonical" }),
  );
  beforeEach(async () => {
    world = await published();
    writer = openWriter(world.path, 1000);
  });
  afterEach(() => {
    closeDatabase(writer);
    world.destroy();
  });

  /** Runs one check in chunks. After each chunk the write-ahead log is checkpointed, and `work` runs before the next one. */
  function run(check: (database: Database, chunks: Chunks) => Finding[], work: (chunk: number) => void = () => {}) {
    const reader = openReader(world.path);
    let count = 0;
    const found = check(reader, (read) => {
      if (count > 0) work(count);
      count += 1;
      const result = readTransaction(reader, read);
      writer.$client.prepare("UPDATE market_state SET catalog_version = ?").run(count);
      const [log] = writer.$client.pragma("wal_checkpoint(TRUNCATE)") as { busy: number; log: number }[];
      expect(log).to.include({ busy: 0, log: 0 });
      return result;
    });
    closeDatabase(reader);
    return { count, found: found.map(({ description }) => description) };
  }

  it("reads the catalog in batches, and reports faults in first and last", () => {
    expect(run(checkCatalog)).to.deep.equal({
      count: 3,
      found: [`${itemCount} items, their encoded forms agree with their columns`],
    });
    edit(writer.$client, "UPDATE items SET slug = 'else', search_text = 'else' WHERE item_id IN (1, 250, 251, 600)");
    expect(run(checkCatalog)).to.deep.equal({
      count: 3,
      found: [
        "4 items with a wrong checksum of their columns, such as 1, 250, 251, 600",
        "4 items with a search text that differs from their names, such as 1, 250, 251, 600",
      ],
    });
  });

  it("accepts a catalog import between two pieces", () => {
    const { found } = run(checkCatalog, (chunk) => {
      importCatalog(writer, namedAlike(2 + chunk).slice(chunk * 20), worldAt + chunk);
      importCatalog(writer, [...namedAlike(3 + chunk), newItem(chunk)], worldAt + chunk);
    });
    expect(found).to.deep.equal([`${itemCount + 2} items, their encoded forms agree with their columns`]);
  });

  it("reads published quotes in batches, and reports a fault in the last", () => {
    const { count, found } = run(checkGenerations);
    expect(count).to.be.at.least(8);
    expect(found.join("\n")).to.match(/^g1 is published and complete: 600 items, \d+ bytes, digest [0-9a-f]{16}…$/);
    writer.$client.exec("UPDATE best_asks SET ask_cents = 1 WHERE item_id = 600");
    expect(run(checkGenerations).found).to.deep.equal([
      "1 items of g1 with a best ask that differs from their quotes, such as 600",
    ]);
    edit(writer.$client, "UPDATE items SET market_hash_name = 'else' WHERE item_id = 600");
    expect(run(checkGenerations).found.join("\n")).to.include("do not have the digest of the market's state");
  });

  for (const [changes, chunks] of casesBySize(Object.entries({ once: [2], "before each piece": null }), 1)) {
    it(`accepts publications or catalog imports between two pieces, ${changes}`, () => {
      const { found } = run(checkGenerations, (chunk) => {
        if (chunks?.includes(chunk) === false) return;
        const ask = quoteOf(chunk);
        const items = new Map(Array.from({ length: 580 }, (_, index) => [index + 1, { asks: [ask], bids: [] }]));
        const clock = { now: () => worldAt + chunk, monotonicMs: () => 0 };
        if (chunk % 2 === 0) runAtOnce(publishInBatches(writer, [{ facts, items }], { clock }));
        importCatalog(writer, namedAlike(2 + chunk).slice(chunk), worldAt + chunk);
      });
      expect(found[0]).to.match(/^g\d+ is published and complete: 5\d\d items/);
      expect(found).to.have.length(1);
    });
  }
});

const facts: FeedFacts = {
  feed: "hall",
  adapter: "canonical",
  providers: [{ provider: "hall", name: "hall", kind: "cash" }],
};

function quoteOf(amount: number): BookQuote {
  return { provider: "hall", amountCents: amount, quantity: null, url: null, observedAt: null };
}

/** The items of a catalog, `alike` of which have the same name. */
function namedAlike(alike: number): CatalogVariant[] {
  return Array.from({ length: itemCount }, (_, index) =>
    variantOf({ marketHashName: `Item ${index % Math.ceil(itemCount / alike)}` }, index),
  );
}

function newItem(number: number): CatalogVariant {
  return variantOf({ marketHashName: "Item 1" }, itemCount + number);
}

function feedOf(amount: number): string {
  const lines = Array.from({ length: itemCount }, (_, index) => ({
    item_id: index + 1,
    provider: "hall",
    side: "ask",
    amount: amount + index,
  }));
  return feedText("hall", ["hall"], lines);
}
