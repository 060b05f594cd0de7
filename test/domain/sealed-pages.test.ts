import { gunzipSync } from "node:zlib";
import { expect } from "chai";
import { compressedBlocks, MarketSnapshot, plainLines, type SnapshotRun } from "../../src/domain/market-snapshot.ts";
import { MarketSnapshotStore, recordBytesMax } from "../../src/store/read/market-snapshot.ts";
import { GzipMember } from "../../src/values/gzip-blocks.ts";
import { MarketFile } from "../support/market-file.ts";
import { edit } from "../support/unguarded.ts";

const items = 900;
const request = { requestId: "req_1", at: Date.UTC(2026, 0, 15) };

describe("sealed pages of an export", () => {
  let file: MarketFile;
  let store: MarketSnapshotStore;
  let snapshot: MarketSnapshot;
  /** Pages that `store` made of the quotes. */
  let pagesMade: number;

  beforeEach(() => {
    file = new MarketFile();
    file.writer.$client.transaction(() => {
      for (let id = 1; id <= items; id += 1)
        file.item(id, { name: `★ Item "${id}"`, inCatalog: id % 7 !== 0, phase: id % 5 === 0 ? "Ruby" : null });
    })();
    publish(1);
    store = new MarketSnapshotStore(file.reader);
    snapshot = new MarketSnapshot(store);
    pagesMade = 0;
    const page = store.page.bind(store);
    store.page = (range) => {
      pagesMade += 1;
      return page(range);
    };
  });
  afterEach(() => file.remove());

  it("contain all ids after the first export, and serve later ones", () => {
    const made = madeOfQuotes();
    const first = open();
    expect(plainOf(first)).to.equal(made);
    expect(first.itemsSent).to.equal(items - Math.floor(items / 7));
    expectWhole();
    const before = pagesMade;
    expect(before).to.be.greaterThan(5);
    for (const sealedMax of [1, 2, 4]) {
      expect(gunzipSync(packedOf(open(), sealedMax)).toString()).to.equal(made);
      const run = open();
      expect(plainOf(run, undefined, sealedMax)).to.equal(made);
      expect(run.itemsSent).to.equal(first.itemsSent);
    }
    expect(pagesMade).to.equal(before);
  });

  it("have the lines of a compressed first export", () => {
    const made = madeOfQuotes();
    expect(gunzipSync(packedOf(open(), 4)).toString()).to.equal(made);
    expectWhole();
    expect(plainOf(open())).to.equal(made);
  });

  it("are equal for simultaneous exports, regardless of the sealing one", () => {
    const made = madeOfQuotes();
    const late = open();
    const texts = [late.next(1)!, late.next(1)!].map((page) => plainLines(page).toString());
    expect(plainOf(open())).to.equal(made);
    expect(texts.join("") + plainOf(late)).to.equal(made);
    expectWhole();
  });

  it("are made again if they vanish, and used once they exist", () => {
    const made = madeOfQuotes();
    plainOf(open());
    let turn = 0;
    const between = () => {
      turn += 1;
      if (turn === 2) change("UPDATE items SET slug = slug || 's' WHERE item_id = 1");
      if (turn === 4) expect(plainOf(open())).to.equal(made);
    };
    expect(plainOf(open(), between)).to.equal(made);
    expect(turn).to.be.greaterThan(5);
    expectWhole();
  });

  it("include a changed line from the next export on", () => {
    let last = plainOf(open());
    for (const text of ["market_hash_name = 'Renamed'", "phase = 'Emerald'", "in_catalog = 0", "in_catalog = 1"]) {
      change(`UPDATE items SET ${text} WHERE item_id = 500`);
      const now = madeOfQuotes();
      expect(now, text).not.to.equal(last);
      expect(plainOf(open()), text).to.equal(now);
      expect(gunzipSync(packedOf(open(), 4)).toString(), text).to.equal(now);
      last = now;
    }
  });

  it("exclude an item that arrives during an export", () => {
    const made = madeOfQuotes();
    const run = open();
    const first = plainLines(run.next(1)!);
    file.item(items + 1);
    plainOf(open());
    expect(first.toString() + plainOf(run)).to.equal(made);
    const late = open();
    file.item(items + 2);
    plainOf(open());
    expect(sealed().at(-1)!.lastItemId).to.equal(items + 2);
    const lines = plainOf(late).trimEnd().split("\n");
    expect(JSON.parse(lines.at(-2)!).data.item_id).to.equal(items + 1);
    expect(JSON.parse(lines[0]!).catalog_max_item_id).to.equal(items + 1);
    expect(plainOf(open())).to.equal(madeOfQuotes());
  });

  it("end at the publication of another generation", () => {
    plainOf(open());
    const run = open();
    run.next(1);
    run.next(1);
    publish(2);
    expect(() => run.next(1)).to.throw("snapshot_changed");
    expect(plainOf(open()))
      .to.contain('"generation":"g2"')
      .and.to.contain('"amount":5002')
      .and.to.equal(madeOfQuotes());
  });

  it("exclude a record over 256 KiB, which ends each export", () => {
    file.writer.$client.pragma("ignore_check_constraints = ON");
    file.publish(3, 5, { 400: { asks: [{ provider: "p", amount: 1, url: "u".repeat(recordBytesMax) }] } });
    for (let count = 0; count < 2; count += 1) {
      const run = open();
      expect(() => plainOf(run)).to.throw("snapshot_interrupted");
      expect(run.itemsSent).to.equal(399 - Math.floor(399 / 7));
    }
    expect(sealed().at(-1)!.lastItemId).to.equal(399);
  });

  function publish(generationId: number): void {
    file.publishMost(generationId, request.at, items, (id) => id % 14);
  }

  /** Changes the catalog, as its writers do. */
  function change(sql: string): void {
    file.writer.$client.transaction(() => {
      edit(file.writer.$client, sql);
      file.writer.$client.exec("UPDATE market_state SET catalog_version = catalog_version + 1");
    })();
  }

  /** Returns the export as a store makes it that has sealed nothing. */
  function madeOfQuotes(): string {
    return plainOf(new MarketSnapshot(new MarketSnapshotStore(file.reader)).open(request));
  }

  function sealed() {
    return store.sealed({ after: 0, upTo: items + 9, pagesMax: items }).pages;
  }

  /** Every item id up to the last is in one page. */
  function expectWhole(): void {
    const pages = sealed();
    expect(pages.map(({ firstItemId }) => firstItemId)).to.deep.equal([
      1,
      ...pages.slice(0, -1).map(({ lastItemId }) => lastItemId + 1),
    ]);
    expect(pages.at(-1)!.lastItemId).to.equal(items);
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
