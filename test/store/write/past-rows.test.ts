import { expect } from "chai";
import { checkPastRows } from "../../../src/store/check/past-rows.ts";
import { historyChecksum } from "../../../src/store/codec/calculation-checksum.ts";
import { KnownMoments } from "../../../src/store/read/known-moments.ts";
import { runAtOnce } from "../../../src/store/write/batches.ts";
import { CalculationWriter } from "../../../src/store/write/calculations.ts";
import { CatalogWriter } from "../../../src/store/write/catalog.ts";
import { DailyPriceWriter } from "../../../src/store/write/daily-prices.ts";
import { DataEvents } from "../../../src/store/write/data-events.ts";
import { ExchangeRateWriter } from "../../../src/store/write/exchange-rates.ts";
import { setKnownSince, spanKeeper } from "../../../src/store/write/known-since.ts";
import { moveDaysInBatches } from "../../../src/store/write/move-days.ts";
import { prunePastInBatches, readPrunablePast } from "../../../src/store/write/prune-past.ts";
import { dayMs, hourMs } from "../../../src/values/time/calendar.ts";
import { clockAt } from "../../../src/values/time/clock.ts";
import { MarketFile } from "../../support/market-file.ts";
import { edit } from "../../support/unguarded.ts";

const today = 20_000;
const daily = { itemId: 1, side: "ask", provider: "one", lowAmount: 1, highAmount: 1e12, observations: 1 } as const;
const unknown = { quantity: null, sourceObservedAt: null, importId: 1 };
const point = {
  slug: "box",
  valuationMode: "cash_ask",
  methodologyVersion: "roi-1",
  granularity: "hour",
  ts: hourMs,
  revisionId: "first",
  expectedValueCents: null,
  expectedProfitCents: null,
  returnPct: null,
  profitChancePct: null,
  pricedProbabilityMassPct: "1",
  priceAsOf: null,
} as const;
const item = {
  itemId: 2,
  identityKey: "two",
  slug: "two",
  type: null,
  rarity: null,
  collection: null,
  phase: null,
  nameRu: null,
  imageUrl: null,
  wear: null,
  statCounter: null,
  souvenir: null,
  wearMin: null,
  wearMax: null,
  identity: "exact",
  origin: "catalog",
  firstSeenAt: 1,
  searchText: "",
} as const;

describe("past rows", () => {
  let file: MarketFile;
  beforeEach(() => {
    file = new MarketFile();
    file.writer.$client.pragma("foreign_keys = OFF");
  });
  afterEach(() => file.remove());

  const rows = (table: string) =>
    file.writer.$client.prepare<[], Record<string, unknown>>(`SELECT * FROM ${table} ORDER BY superseded_at`).all();
  const prices = () => new DailyPriceWriter(file.writer, today);
  const price = (day: number, at: number) => ({ ...daily, ...unknown, day, amount: at, recordedAt: at });
  const written = (at: number, inCatalog: boolean) =>
    new CatalogWriter(file.writer).write({ ...item, marketHashName: `n${at}`, inCatalog, updatedAt: at });
  const calculated = (at: number) => {
    const row = { ...point, recordedAt: at, costCents: at };
    new CalculationWriter(file.writer).putHistory({ ...row, checksum: historyChecksum(row) });
  };

  /** Each writes version `at` of one row. `column` contains the version. */
  const writers: Record<string, { table: string; current: string; column: string; write: (at: number) => void }> = {
    "a daily row of this month": {
      table: "daily_prices_past",
      current: "daily_by_day",
      column: "amount",
      write: (at) => prices().put(price(today, at)),
    },
    "a daily row of an earlier month": {
      table: "daily_prices_past",
      current: "daily_by_item",
      column: "amount",
      write: (at) => prices().put(price(today - 100, at)),
    },
    "an exchange rate": {
      table: "exchange_rates_past",
      current: "exchange_rates",
      column: "rate_per_usd",
      write: (at) =>
        new ExchangeRateWriter(file.writer, { source: "ecb", methodologyVersion: "1" }).write(
          { currency: "EUR", minorUnits: 2, day: 1, ratePerUsd: String(at) },
          at,
        ),
    },
    "an item": {
      table: "items_past",
      current: "items",
      column: "market_hash_name",
      write: (at) => written(at, true),
    },
    "returns of an hour": {
      table: "roi_history_past",
      current: "roi_history",
      column: "cost_cents",
      write: calculated,
    },
  };
  for (const [name, { table, current, column, write }] of Object.entries(writers)) {
    it(`keep each replaced version of ${name}, and no change goes without`, () => {
      const client = file.writer.$client;
      write(10);
      for (const sql of [`UPDATE ${current} SET ${column} = '7'`, `DELETE FROM ${current}`])
        expect(() => client.exec(sql), sql).to.throw(/the past row is missing|never given back/);
      for (const at of [20, 20, 30, 40]) write(at);
      // With a clock that was set back.
      if (table !== "items_past") write(25);
      const kept = rows(table).map((row) => [String(row[column]).replace("n", ""), row.superseded_at]);
      expect(kept.slice(0, 3)).to.deep.equal([
        ["10", 20],
        ["20", 30],
        ["30", 40],
      ]);
      expect(kept.slice(3)).to.deep.equal(table === "items_past" ? [] : [["40", 41]]);
      expect(checkPastRows(file.reader).map(({ description }) => description)).to.deep.equal([
        `${kept.length} past rows are unchanged`,
      ]);
      for (const sql of [`UPDATE ${table} SET seal = 1`, `DELETE FROM ${table}`])
        expect(() => client.exec(sql), sql).to.throw(/a past row stays/);
      edit(client, `UPDATE ${table} SET superseded_at = 21 WHERE superseded_at = 20`);
      expect(checkPastRows(file.reader).map(({ description }) => description)[0]).to.match(/^1 past rows of \w+ that/);
    });
  }

  it("keep removed rows, derived rows of one instant, and items that leave the catalog", () => {
    prices().put(price(today, 10));
    prices().put(price(today - 40, 10));
    runAtOnce(moveDaysInBatches(file.writer, today, clockAt(0)));
    runAtOnce(moveDaysInBatches(file.writer, today + 70, clockAt(0)));
    expect(rows("daily_prices_past")).to.deep.equal([]);
    prices().remove(price(today, 15));
    expect(rows("daily_prices_past")).to.have.length(1);
    expect(rows("daily_prices_past")[0]).to.include({ amount: 10, recorded_at: 10, superseded_at: 15 });
    for (const amount of [1, 2]) prices().put({ ...price(today, 20), amount, importId: null });
    prices().put({ ...price(today, 30), amount: 3 });
    prices().put({ ...price(today, 20), amount: 4, importId: null });
    expect(rows("daily_prices_past").map((row) => [row.amount, row.recorded_at, row.superseded_at])).to.deep.equal([
      [10, 10, 15],
      [3, 30, 20],
      [1, 20, 21],
      [2, 21, 30],
    ]);
    written(10, true);
    new CatalogWriter(file.writer).move({ ...item, marketHashName: "n10", inCatalog: false, updatedAt: 20 });
    written(20, false);
    expect(rows("items_past")).to.have.length(1);
    expect(rows("items_past")[0]).to.include({ in_catalog: 1, updated_at: 10, superseded_at: 20 });
    calculated(10);
    new CalculationWriter(file.writer).removeHistoryAfter({ ...point, ts: 0 }, 20);
    expect(rows("roi_history_past")[0]).to.include({ cost_cents: 10, recorded_at: 10, superseded_at: 20 });
    expect(checkPastRows(file.reader)[0]).to.deep.include({ isFault: false });
  });

  it("are pruned only before the first instant that can be read back", () => {
    for (const at of [1, dayMs, 2 * dayMs, 2 * dayMs + 1]) prices().put(price(today, at));
    for (const at of [1, 2 * dayMs - 1, 2 * dayMs])
      new DataEvents(file.writer).add({ kind: "gap", cause: "not_known", at, count: 1 });
    const moments = new KnownMoments(file.reader);
    expect(moments.since()).to.equal(0);
    expect(readPrunablePast(file.reader, 2 * dayMs).rows).to.include({ daily_prices: 2, items: 0 });
    runAtOnce(prunePastInBatches(file.writer, 2 * dayMs, clockAt(0)));
    expect(rows("daily_prices_past").map((row) => row.superseded_at)).to.deep.equal([2 * dayMs + 1]);
    const events = file.reader.$client.prepare("SELECT at FROM data_events").pluck().all();
    expect(events).to.deep.equal([2 * dayMs]);
    expect(moments.since()).to.equal(2 * dayMs);
    runAtOnce(prunePastInBatches(file.writer, dayMs, clockAt(0)));
    expect(moments.since()).to.equal(2 * dayMs);
  });

  it("of a command with several transactions end before its first, for any instant within", () => {
    const moments = new KnownMoments(file.reader);
    const keep = spanKeeper(file.writer, 1000);
    for (const now of [1000, 1010, 1020]) keep(now);
    spanKeeper(file.writer, 990)(1001);
    expect([989, 990, 1000, 1001, 1019, 1020].map((at) => moments.effective(at))).to.deep.equal([
      989, 989, 989, 989, 989, 1020,
    ]);
    setKnownSince(file.writer, 1020);
    expect(moments.effective(1005)).to.equal(999);
    setKnownSince(file.writer, 1021);
    expect(moments.effective(1005)).to.equal(1005);
  });
});
