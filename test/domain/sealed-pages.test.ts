import { gunzipSync } from "node:zlib";
import { expect } from "chai";
import { compressedBlocks, MarketSnapshot, plainLines, type SnapshotRun } from "../../src/domain/market-snapshot.ts";
import { MarketSnapshotStore } from "../../src/store/read/market-snapshot.ts";
import { GzipMember } from "../../src/values/gzip-blocks.ts";
import { MarketFile } from "../support/market-file.ts";

const items = 900;
const request = { requestId: "req_1", at: Date.UTC(2026, 0, 15) };

describe("The sealed pages of an export", () => {
  let file: MarketFile;
  let snapshot: MarketSnapshot;
  /** The export as it is made of the quotes. */
  let made: string;

  beforeEach(() => {
    file = new MarketFile();
    file.writer.$client.transaction(() => {
      for (let id = 1; id <= items; id += 1)
        file.item(id, { name: `★ Item "${id}"`, inCatalog: id % 7 !== 0, phase: id % 5 === 0 ? "Ruby" : null });
    })();
    publish(1);
    snapshot = new MarketSnapshot(new MarketSnapshotStore(file.reader));
    made = plainOf(open());
    file.seal();
  });
  afterEach(() => file.remove());

  it("sealed pages follow each other over all ids, and both plain and compressed exports hold the lines as they are made", () => {
    expect(file.sealed().length).to.be.greaterThan(5);
    expectWhole();
    const run = open();
    expect(plainOf(run)).to.equal(made);
    expect(run.itemsSent).to.equal(items - Math.floor(items / 7));
    for (const sealedMax of [1, 2, 4]) {
      expect(gunzipSync(packedOf(open(), sealedMax)).toString()).to.equal(made);
      expect(plainOf(open(), undefined, sealedMax)).to.equal(made);
    }
  });

  it("sealing again changes nothing, and makes a removed page alone", () => {
    const pages = file.sealed();
    file.seal();
    expect(file.sealed()).to.deep.equal(pages);
    removePageOf(400);
    expect(file.sealed()).to.have.length(pages.length - 1);
    file.seal();
    expectWhole();
    expect(file.sealed()).to.include.deep.members(pages.filter(([first, last]) => last < 400 || first > 400));
    expect(plainOf(open())).to.equal(made);
  });

  it("an export makes the pages that are missing, wherever they are, and those that vanish or come while it runs", () => {
    for (const itemId of [1, 333, items]) removePageOf(itemId);
    expect(plainOf(open())).to.equal(made);
    expect(gunzipSync(packedOf(open(), 4)).toString()).to.equal(made);
    expect(plainOf(open(), undefined, 4)).to.equal(made);
    let turn = 0;
    const between = () => {
      turn += 1;
      if (turn === 2) file.seal();
      if (turn === 3) file.writer.$client.exec("DELETE FROM export_pages");
      if (turn === 5) file.seal();
    };
    expect(plainOf(open(), between)).to.equal(made);
    expect(turn).to.be.greaterThan(5);
  });

  it("a change of an item's line removes its page in the same transaction and no other; another change removes none", () => {
    const { $client } = file.writer;
    const pages = file.sealed();
    const lost = (sql: string) => {
      $client.exec("BEGIN");
      $client.exec(sql);
      const left = file.sealed().map(([first]) => first);
      $client.exec("ROLLBACK");
      return pages.filter(([first]) => !left.includes(first));
    };
    const pageOf = (itemId: number) => pages.filter(([first, last]) => first <= itemId && itemId <= last);
    for (const change of ["market_hash_name = 'Else'", "phase = 'Emerald'", "phase = NULL, in_catalog = 0"])
      expect(lost(`UPDATE items SET ${change} WHERE item_id = 500`), change).to.deep.equal(pageOf(500));
    expect(lost("UPDATE items SET in_catalog = 1 WHERE item_id = 490")).to.deep.equal(pageOf(490));
    expect(lost("UPDATE items SET market_hash_name = 'Else' WHERE item_id IN (1, 2, 900)")).to.deep.equal([
      ...pageOf(1),
      ...pageOf(900),
    ]);
    expect(
      lost("UPDATE items SET market_hash_name = market_hash_name, phase = phase, in_catalog = in_catalog, slug = 's'"),
    ).to.deep.equal([]);
    expect(file.sealed()).to.deep.equal(pages);
  });

  it("a renamed item is exported by its new name at once, and from a sealed page after the next sealing", () => {
    file.writer.$client.exec("UPDATE items SET market_hash_name = 'Renamed' WHERE item_id = 500");
    const renamed = made.replace('★ Item \\"500\\"', "Renamed");
    expect(plainOf(open())).to.equal(renamed);
    file.seal();
    expect(gunzipSync(packedOf(open(), 4)).toString()).to.equal(renamed);
  });

  it("an item that comes during an export is in no page of it, whether it is sealed meanwhile or not", () => {
    const run = open();
    const first = plainLines(run.next(1)!);
    file.item(items + 1);
    file.seal();
    expect(first.toString() + plainOf(run)).to.equal(made);
    const late = open();
    file.writer.$client.exec("DELETE FROM export_pages WHERE last_item_id >= 890");
    file.item(items + 2);
    file.seal();
    expect(file.sealed().at(-1)![1]).to.equal(items + 2);
    const lines = plainOf(late).trimEnd().split("\n");
    expect(JSON.parse(lines.at(-2)!).data.item_id).to.equal(items + 1);
    expect(JSON.parse(lines[0]!).catalog_max_item_id).to.equal(items + 1);
  });

  it("a damaged page is not sent: its lines are made of the quotes", () => {
    for (const damage of [
      "deflated = zeroblob(length(deflated))",
      "deflated_crc32 = 0",
      "crc32 = (crc32 + 1) % 4294967296",
      "bytes = bytes + 1",
      "items = items - 1",
      "last_item_id = last_item_id - 1",
    ]) {
      const { $client } = file.writer;
      $client.exec("SAVEPOINT damage");
      $client.exec(`UPDATE export_pages SET ${damage}`);
      $client.exec("RELEASE damage");
      expect(plainOf(open()), damage).to.equal(made);
      expect(gunzipSync(packedOf(open(), 4)).toString(), damage).to.equal(made);
      $client.exec("DELETE FROM export_pages");
      file.seal();
    }
  });

  it("a generation that is published ends the export before its next sealed page", () => {
    const run = open();
    run.next(1);
    run.next(1);
    publish(2);
    expect(() => run.next(1)).to.throw("snapshot_changed");
    file.seal();
    expect(plainOf(open())).to.contain('"generation":"g2"').and.to.contain('"amount":5002');
  });

  it("a record over 256 KiB is not sealed, and the export ends at it as it does without pages", () => {
    file.writer.$client.pragma("ignore_check_constraints = ON");
    const asks = Array.from({ length: 3000 }, () => ({ provider: "p", amount: 1 }));
    file.publish(3, 5, { 400: { asks } });
    file.seal();
    const run = open();
    expect(() => plainOf(run)).to.throw("snapshot_interrupted");
    expect(run.itemsSent).to.equal(399 - Math.floor(399 / 7));
  });

  function publish(generationId: number): void {
    file.publishMost(generationId, request.at, items, (id) => id % 14);
  }

  /** Every item id up to the last is in one page. */
  function expectWhole(): void {
    const pages = file.sealed();
    expect(pages.map(([first]) => first)).to.deep.equal([1, ...pages.slice(0, -1).map(([, last]) => last + 1)]);
    expect(pages.at(-1)![1]).to.equal(items);
  }

  function removePageOf(itemId: number): void {
    file.writer.$client
      .prepare("DELETE FROM export_pages WHERE page_key & 2147483647 <= @itemId AND last_item_id >= @itemId")
      .run({ itemId });
  }

  function open(): SnapshotRun {
    return snapshot.open(request);
  }
});

function plainOf(run: SnapshotRun, between: () => void = () => {}, sealedMax = 1): string {
  const pages: Buffer[] = [];
  for (let page = run.next(sealedMax); page !== null; page = run.next(sealedMax)) {
    pages.push(plainLines(page));
    between();
  }
  return Buffer.concat(pages).toString();
}

function packedOf(run: SnapshotRun, sealedMax: number): Buffer {
  const gzip = new GzipMember();
  const parts: Buffer[] = [];
  for (let page = run.next(sealedMax); page !== null; page = run.next(sealedMax)) {
    parts.push(gzip.add(compressedBlocks(page)));
  }
  return Buffer.concat([...parts, gzip.end()]);
}
