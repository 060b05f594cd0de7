import { expect } from "chai";
import {
  MarketSnapshot,
  pageBytesTarget,
  plainLines,
  SnapshotBroken,
  type SnapshotRun,
} from "../../src/domain/market-snapshot.ts";
import { MarketSnapshotStore, recordBytesMax } from "../../src/store/read/market-snapshot.ts";
import { Failure } from "../../src/values/failure/failure.ts";
import { MarketFile } from "../support/market-file.ts";

const request = { requestId: "req_1", at: Date.UTC(2026, 0, 15) };

describe("market snapshot", () => {
  let file: MarketFile;
  let snapshot: MarketSnapshot;

  beforeEach(() => {
    file = new MarketFile();
    snapshot = new MarketSnapshot(new MarketSnapshotStore(file.reader));
  });

  afterEach(() => file.remove());

  it("is a start and an end for an empty catalog", () => {
    file.publish(1, 5, {});
    const run = snapshot.open(request);
    expect([typesOf(run), typesOf(run), run.next()]).to.deep.equal([["start"], ["end"], null]);
  });

  it("sends its start before any page of items is unpacked", () => {
    file.item(1);
    file.publish(1, 5, {});
    const run = snapshot.open(request);
    expect([typesOf(run), run.itemsSent]).to.deep.equal([["start"], 0]);
    expect([typesOf(run), run.itemsSent, run.next()]).to.deep.equal([["item", "end"], 1, null]);
  });

  it("uses a newer generation published before the first byte", () => {
    file.item(1);
    file.publish(1, 5, {});
    let reads = 0;
    const racing = new MarketSnapshotStore(file.reader);
    const page = racing.page.bind(racing);
    racing.page = (range) => {
      reads += 1;
      if (reads === 1) file.publish(2, 6, { 1: { asks: [{ provider: "steam", amount: 3 }] } });
      return page(range);
    };
    const run = new MarketSnapshot(racing).open(request);
    const text = [run.next()!, run.next()!].map((page) => plainLines(page).toString()).join("");
    expect(text).to.contain('"generation":"g2"').and.to.contain('"amount":3').and.not.to.contain('"g1"');
  });

  it("keeps count and order over id gaps and varied record lengths", () => {
    const long = (id: number) => (id % 97 === 0 ? 1500 : id % 3);
    const ids = Array.from({ length: 900 }, (_, index) => (index < 450 ? index + 1 : index * 20));
    file.writer.$client.transaction(() => {
      for (const id of ids) file.item(id);
    })();
    file.publish(
      1,
      5,
      Object.fromEntries(
        ids.map((id) => [
          id,
          { asks: long(id) === 0 ? [] : [{ provider: "p", amount: id, url: "u".repeat(110 * long(id)) }] },
        ]),
      ),
    );
    const run = snapshot.open(request);
    const pages: Buffer[] = [];
    for (let page = run.next(); page !== null; page = run.next()) pages.push(plainLines(page));
    const lines = Buffer.concat(pages).toString().trimEnd().split("\n");
    const records = lines.map((line) => JSON.parse(line));
    expect(records.slice(1, -1).map((record) => record.data.item_id)).to.deep.equal(ids);
    expect(records.at(-1)).to.deep.equal({ type: "end", request_id: "req_1", generation: "g1", items: ids.length });
    expect(Math.max(...pages.map((page) => page.length))).to.be.at.most(8 * pageBytesTarget);
    expect(run.itemsSent).to.equal(ids.length);
  });

  it("shares the pages of a faster export with a slow one", () => {
    for (let id = 1; id <= 400; id += 1) file.item(id);
    const asks = [{ provider: "p", amount: 1, url: "u".repeat(1000) }];
    file.publish(1, 5, Object.fromEntries(Array.from({ length: 400 }, (_, index) => [index + 1, { asks }])));
    const store = new MarketSnapshotStore(file.reader);
    let made = 0;
    const page = store.page.bind(store);
    store.page = (range) => {
      made += 1;
      return page(range);
    };
    const slow = new MarketSnapshot(store).open(request);
    expect([typesOf(slow), slow.next() !== null]).to.deep.equal([["start"], true]);
    const fast = new MarketSnapshot(store).open(request);
    while (fast.next() !== null);
    expect(made).to.be.greaterThan(2);
    made = 0;
    while (slow.next() !== null);
    expect([made, slow.itemsSent]).to.deep.equal([0, 400]);
  });

  it("is interrupted by an oversized record, or refused at the start", () => {
    for (let id = 1; id <= 400; id += 1) file.item(id);
    file.writer.$client.pragma("ignore_check_constraints = ON");
    const asks = [{ provider: "p", amount: 1, url: "u".repeat(recordBytesMax) }];
    file.publish(1, 5, { 400: { asks } });
    const run = snapshot.open(request);
    const failure = () => {
      for (let page = run.next(); page !== null; page = run.next()) expect(page.length).to.be.greaterThan(0);
    };
    expect(failure).to.throw(SnapshotBroken).with.property("code", "snapshot_interrupted");
    expect(run.itemsSent).to.equal(399);
    file.publish(2, 5, { 1: { asks } });
    expect(() => snapshot.open(request))
      .to.throw(Failure)
      .with.property("code", "snapshot_unavailable");
  });

  it("holds no read transaction between two pages", () => {
    for (let id = 1; id <= 400; id += 1) file.item(id);
    file.publish(1, 5, {});
    const run = snapshot.open(request);
    file.item(401);
    expect(file.writer.$client.pragma("wal_checkpoint(TRUNCATE)")).to.deep.equal([
      { busy: 0, log: 0, checkpointed: 0 },
    ]);
    expect(run.next()).not.to.equal(null);
  });
});

/** Returns the types of the records in the next page of an export. */
function typesOf(run: SnapshotRun): unknown[] {
  const lines = plainLines(run.next() ?? [])
    .toString()
    .trimEnd()
    .split("\n");
  return lines.map((line) => JSON.parse(line).type as unknown);
}
