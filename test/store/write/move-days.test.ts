import { expect } from "chai";
import { checkHistory } from "../../../src/store/check/history.ts";
import type { DailyWithoutChecksum } from "../../../src/store/codec/daily-checksum.ts";
import { DailyPricesStore } from "../../../src/store/read/daily-prices.ts";
import { SealedDaysStore } from "../../../src/store/read/sealed-days.ts";
import { runAtOnce } from "../../../src/store/write/batches.ts";
import { DailyPriceWriter } from "../../../src/store/write/daily-prices.ts";
import { moveDaysInBatches } from "../../../src/store/write/move-days.ts";
import { sealDaysInBatches } from "../../../src/store/write/seal-days.ts";
import { parseDay } from "../../../src/values/time/calendar.ts";
import { FrameWorld, hastyClock } from "../../import/quotes/frame-world.ts";
import { itLong } from "../../support/size.ts";

const items = 150;
const day = (date: string) => parseDay(date)!;
const september = day("2026-09-07");
const november = day("2026-11-01");
const dates = ["2026-07-31", "2026-08-01", "2026-08-30", "2026-09-02", "2026-09-05"];

describe("moving daily rows into item order", () => {
  let world: FrameWorld;
  beforeEach(() => {
    world = new FrameWorld(items);
  });
  afterEach(() => world.remove());

  const row = (date: string, more: Partial<DailyWithoutChecksum> = {}): DailyWithoutChecksum => ({
    itemId: 1,
    side: "ask",
    day: day(date),
    provider: "a1",
    amount: 9,
    lowAmount: 9,
    highAmount: 9,
    observations: 1,
    quantity: null,
    sourceObservedAt: null,
    recordedAt: 5,
    importId: null,
    ...more,
  });
  const put = (today: number, ...rows: DailyWithoutChecksum[]) => {
    const writer = new DailyPriceWriter(world.writer, today);
    world.writer.$client.transaction(() => {
      for (const one of rows) writer.put(one);
    })();
  };
  /** Writes rows of some items, two providers and both sides on each date. */
  const fill = (today = september) => {
    const rows = dates.flatMap((date) =>
      ["a1", "b1"].flatMap((provider) =>
        [1, 2, 70, items].flatMap((itemId) => [
          row(date, { itemId, provider, amount: itemId + day(date), highAmount: itemId + day(date) }),
          row(date, { itemId, provider, side: "bid" }),
        ]),
      ),
    );
    put(today, ...rows);
    return rows.length;
  };
  const move = (today: number, stepsMax = Number.POSITIVE_INFINITY) =>
    runAtOnce(moveDaysInBatches(world.writer, today, hastyClock, { stepsMax }));
  const all = (table: string) =>
    world.reader.$client.prepare(`SELECT * FROM ${table} ORDER BY item_id, side, day, provider`).all();
  const datesIn = (table: string) =>
    world.reader.$client
      .prepare(`SELECT DISTINCT date(day * 86400, 'unixepoch') AS date FROM ${table} ORDER BY date`)
      .pluck()
      .all();
  const pages = () => {
    const store = new DailyPricesStore(world.reader);
    const range = { from: 0, to: november, after: { day: 0, provider: "" }, limit: 1000 };
    return [1, 2, 70, items].flatMap((itemId) =>
      [null, "b1"].flatMap((provider) => store.page({ itemId, side: "ask", provider }, range)),
    );
  };
  const seal = (today: number) => runAtOnce(sealDaysInBatches(world.writer, today, hastyClock));
  const revisions = () =>
    new SealedDaysStore(world.reader).daysInForce().map(({ day, revision }) => ({
      day,
      revision,
      digest: world.reader.$client
        .prepare("SELECT hex(digest) FROM sealed_days WHERE day = ? AND revision = ?")
        .pluck()
        .get(day, revision),
    }));
  const faults = () => checkHistory(world.reader).filter(({ isFault }) => isFault);

  it("keeps new rows in day order for a week after their month", () => {
    fill();
    expect(datesIn("daily_by_item")).to.deep.equal(["2026-07-31"]);
    expect(datesIn("daily_by_day")).to.deep.equal(dates.slice(1));
    put(november, row("2026-08-02"));
    expect(datesIn("daily_by_item")).to.include("2026-08-02");
  });

  it("leaves reads of a past month unchanged", () => {
    const count = fill();
    seal(september);
    const [rows, read, sealed] = [all("daily_prices"), pages(), revisions()];
    expect(rows).to.have.length(count);
    expect(move(september)).to.deep.equal({ left: false });
    expect(datesIn("daily_by_day")).to.deep.equal(dates.slice(1));
    move(day("2026-10-01"));
    expect(datesIn("daily_by_day")).to.deep.equal(dates.slice(3));
    expect([all("daily_prices"), pages()]).to.deep.equal([rows, read]);
    move(november);
    expect(datesIn("recent_days")).to.deep.equal([]);
    expect(all("daily_by_item")).to.deep.equal(rows);
    expect([all("daily_prices"), pages(), revisions()]).to.deep.equal([rows, read, sealed]);
    expect(seal(september)).to.deep.equal({ sealed: 0, left: 0 });
    expect(faults()).to.deep.equal([]);
  });

  itLong("shows each row once after any interruption, and resumes", () => {
    fill();
    seal(september);
    const [rows, read, sealed] = [all("daily_prices"), pages(), revisions()];
    let isLeft = true;
    let steps = 0;
    for (; isLeft; steps += 1) {
      isLeft = move(november, 1).left;
      expect(all("daily_prices"), `after ${steps} steps`).to.deep.equal(rows);
      if (steps % 10 !== 0) continue;
      expect([pages(), revisions()]).to.deep.equal([read, sealed]);
      expect(faults()).to.deep.equal([]);
      const marked = world.reader.$client.prepare("SELECT day FROM unsealed_days").all();
      expect(marked).to.deep.equal([]);
    }
    expect(steps).to.be.greaterThan(items);
    expect(all("daily_by_item")).to.deep.equal(rows);
  });

  it("applies corrections before, during and after the move of a month", () => {
    fill();
    const count = all("daily_prices").length;
    const corrected = (date: string, itemId: number, amount: number) => {
      put(november, row(date, { itemId, amount, highAmount: amount }));
      expect(all("daily_prices")).to.have.length(count);
      const range = { from: day(date), to: day(date), after: { day: 0, provider: "" }, limit: 1 };
      const selection = { itemId, side: "ask", provider: "a1" } as const;
      expect(new DailyPricesStore(world.reader).page(selection, range)[0]!.amount).to.equal(amount);
    };
    corrected("2026-09-02", 1, 50);
    move(november, 75);
    corrected("2026-09-02", 1, 51);
    corrected("2026-09-02", 2, 52);
    corrected("2026-08-01", items, 53);
    // A clock that went back writes into a month that is moving.
    put(september, row("2026-09-03"));
    expect(datesIn("daily_by_item")).to.include("2026-09-03");
    put(september, row("2026-09-02", { itemId: 3 }));
    expect(all("daily_prices")).to.have.length(count + 2);
    move(november);
    expect(all("daily_by_item")).to.have.length(count + 2);
    new DailyPriceWriter(world.writer, november).add(row("2026-09-02", { amount: 5, lowAmount: 5 }));
    const [first] = new DailyPricesStore(world.reader).page(
      { itemId: 1, side: "ask", provider: "a1" },
      { from: day("2026-09-02"), to: day("2026-09-02"), after: { day: 0, provider: "" }, limit: 1 },
    );
    expect(first!.amount).to.equal(51);
    expect(faults()).to.deep.equal([]);
  });

  it("marks a corrected day as unsealed in either table", () => {
    fill();
    seal(september);
    const marked = () => world.reader.$client.prepare("SELECT day FROM unsealed_days ORDER BY day").pluck().all();
    put(september, row("2026-09-02", { amount: 3, lowAmount: 3 }));
    move(november, 10);
    put(november, row("2026-08-01", { amount: 3, lowAmount: 3 }));
    put(november, row("2026-08-30", { itemId: items, amount: 3, lowAmount: 3 }));
    expect(marked()).to.deep.equal([day("2026-08-01"), day("2026-08-30"), day("2026-09-02")]);
    move(november);
    expect(seal(november).sealed).to.equal(3);
    expect(faults()).to.deep.equal([]);
  });

  it("keeps recent rows of an older file in item order, without duplicates", () => {
    put(november, row("2026-09-02"));
    const writer = new DailyPriceWriter(world.writer, september);
    writer.add(row("2026-09-02", { amount: 5, lowAmount: 5 }));
    writer.addAll([row("2026-09-02", { amount: 5, lowAmount: 5 })]);
    expect(writer.toWrite(row("2026-09-02"))).to.equal("same");
    writer.put(row("2026-09-02", { amount: 6, lowAmount: 6 }));
    writer.add(row("2026-09-02", { itemId: 2 }));
    writer.add(row("2026-09-02", { side: "bid" }));
    const found = all("daily_prices") as { item_id: number; side: string; amount: number }[];
    expect(found.map(({ item_id: item, side, amount }) => `${item} ${side} ${amount}`)).to.deep.equal([
      "1 ask 6",
      "1 bid 9",
      "2 ask 9",
    ]);
    // A sealed day orders the rows of both tables together.
    seal(september);
    const before = revisions();
    expect(faults()).to.deep.equal([]);
    move(november);
    expect(revisions()).to.deep.equal(before);
    expect(seal(november).sealed).to.equal(0);
    expect(faults()).to.deep.equal([]);
  });

  it("lets the check report rows of an unlisted day", () => {
    fill();
    world.writer.$client.exec(`DELETE FROM recent_days WHERE day = ${day("2026-09-02")} AND provider = 'a1'`);
    expect(faults().map(({ description }) => description)).to.deep.equal([
      "1 days with daily rows that are not in the list of recent days, such as 2026-09-02 at a1",
    ]);
  });
});
