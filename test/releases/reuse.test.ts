import { copyFileSync } from "node:fs";
import { join } from "node:path";
import { expect } from "chai";
import { marketTables } from "../../db/schema/kinds.ts";
import { publishInBatches } from "../../src/import/quotes/publish.ts";
import { compressChunk } from "../../src/releases/chunk.ts";
import { type Sealed, sealRelease } from "../../src/releases/seal.ts";
import { type Database, openWriter } from "../../src/store/database.ts";
import { MarketImage } from "../../src/store/file/market-image.ts";
import { runAtOnce } from "../../src/store/write/batches.ts";
import type { Book } from "../../src/wire/quotes.ts";
import { TestClock } from "../support/clock.ts";
import { temporaryFolder } from "../support/files.ts";
import { demoFile } from "../support/kept-files.ts";
import { describeLong } from "../support/size.ts";
import { Signer } from "./signer.ts";

const going = new AbortController().signal;

describeLong("release transfer in a world with history", function () {
  this.timeout(30_000);
  const path = join(temporaryFolder(), "itemtape.db");
  const clock = new TestClock();
  let first: Sealed;

  before(async () => {
    copyFileSync(demoFile().path, path);
    publish(path, clock, 1);
    await signer.init();
    first = await seal(path, clock);
  });

  it("moves at most 1.2 times the compressed generation tables per publication", async () => {
    publish(path, clock, 2);
    const { newBytes, manifestBytes } = await seal(path, clock);
    const generation = await generationBytes(path);
    expect(generation).to.be.lessThan(first.bytes / 5);
    expect(newBytes + manifestBytes).to.be.within(generation / 2, 1.2 * generation);
  });

  it("moves at most two chunks per verification and none per charge", async () => {
    change(path, ({ $client }) => $client.exec("UPDATE feeds SET checked_at = checked_at + 1"));
    const verified = await seal(path, clock);
    expect([verified.isNew, verified.newChunks <= 2]).to.deep.equal([true, true]);
    expect(verified.newBytes + verified.manifestBytes).to.be.lessThan(first.bytes / 100);
    change(path, ({ $client }) =>
      $client.exec("INSERT INTO usage_events VALUES ('req_1', 'acc', 'key', 'getItem', '2026-01', 1)"),
    );
    expect((await seal(path, clock)).isNew).to.equal(false);
  });
});

const folder = join(temporaryFolder(), "releases");
const signer = new Signer(folder);

function seal(path: string, clock: TestClock): Promise<Sealed> {
  const order = { databasePath: path, folder, key: signer.key, retention: { count: 24, hours: 24 } };
  return sealRelease(order, { clock, newLineage: () => "rel_1", signal: going });
}

function change<T>(path: string, work: (database: Database) => T): T {
  const database = openWriter(path, 1000);
  try {
    return work(database);
  } finally {
    database.$client.close();
  }
}

/** Publishes a price of each item by one more provider. */
function publish(path: string, clock: TestClock, round: number): void {
  change(path, (database) => {
    const itemIds = database.$client.prepare<[], number>("SELECT item_id FROM items").pluck().all();
    const offers = itemIds.map((itemId): [number, Book] => {
      const amountCents = 100 + ((itemId * 7 + round) % 900);
      return [
        itemId,
        { asks: [{ provider: "shop", amountCents, quantity: null, url: null, observedAt: null }], bids: [] },
      ];
    });
    const providers = [{ provider: "shop", name: "Shop", kind: "cash" as const }];
    const feed = { facts: { feed: "shop", adapter: "canonical", providers }, items: new Map(offers) };
    runAtOnce(publishInBatches(database, [feed], { clock }));
  });
}

/** Returns the bytes of the pages of the tables that each publication writes, compressed as a release compresses them. */
async function generationBytes(path: string): Promise<number> {
  const tables = JSON.stringify(Object.keys(marketTables.generation));
  const pages = change(path, ({ $client }) =>
    $client
      .prepare<[string], number>(
        `SELECT pageno FROM dbstat WHERE name IN
           (SELECT name FROM sqlite_schema WHERE tbl_name IN (SELECT value FROM json_each(?))) ORDER BY pageno`,
      )
      .pluck()
      .all(tables),
  );
  const image = MarketImage.open(path);
  try {
    let bytes = 0;
    for (let index = 0; index < pages.length; index += 32) {
      bytes += (await compressChunk(image.read(pages.slice(index, index + 32)))).length;
    }
    return bytes;
  } finally {
    image.close();
  }
}
